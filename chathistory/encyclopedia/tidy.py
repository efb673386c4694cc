"""White space, leftovers of dropped marks, and Chinese variant marks: the last touch on text taken from a page.

The page's own characters are kept: nothing here simplifies or folds.
"""

from __future__ import annotations

import re

from chathistory.text import tidy_blanks

BULLET = "• "
"""How a list item or a table row starts in an article's paragraph."""

_LEFTOVER_BRACKET = re.compile(r"[（(]\s*[;；,，、:：.。\s]*\s*[)）]")
_LEFTOVER_HEAD = re.compile(r"(?<=[（(])\s*[;；,，、]\s*")
_LEFTOVER_TAIL = re.compile(r"\s*[;；,，、]\s*(?=[)）])")
_LEFTOVER_MIDDLE = re.compile(r"[；;]\s*(?=[，,])")
_DOT = re.compile(r"^(?:[▪■◆●·•]\s*)+(?=\S)")
_BLANK_AFTER_OPEN = re.compile(r"(?<=[“‘「『《〈（【]) +")
_BLANK_BEFORE_CLOSE = re.compile(r" +(?=[”’」』》〉）】，。；：！？、])")
_CSS = re.compile(r"\.mw-parser-output[^{}\n]*\{[^{}]*\}|@media[^{}\n]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_VARIANT = re.compile(r"-\{([^{}]*)\}-")
_VARIANT_ORDER = ("zh-cn", "zh-hans", "zh-my", "zh-sg", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo")
_VARIANT_PAIR = re.compile(r"(zh(?:-[a-z]+)?)\s*:\s*([^;]*)", re.I)
_TEXT_REFERENCE = re.compile(
    r"\s?\[(?:\d{1,3}(?:\s?[-–—,，、]\s?\d{1,3})*|[注註註a-zA-Z]\s?\d{1,3}|注释\s?\d{1,3}|note \d{1,3}"
    r"|來源請求|来源请求|citation needed|需要解释|页码请求|頁碼請求|哪个|哪個"
    r"|谁|誰|何时|何時|编辑|編輯|edit)\](?::\d+)?"
)


def tidy(text: str) -> str:
    """Return the text with white space set right line by line, empty lines and leftovers dropped."""
    if "-{" in text:
        text = choose_variants(text)
    if "{" in text:
        text = _CSS.sub("", text)
    lines = (_tidy_line(line) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _tidy_line(line: str) -> str:
    line = _TEXT_REFERENCE.sub("", line)
    line = _LEFTOVER_BRACKET.sub("", line)
    line = _LEFTOVER_TAIL.sub("", _LEFTOVER_HEAD.sub("", line))
    line = _LEFTOVER_MIDDLE.sub("", line)
    line = _DOT.sub("", tidy_blanks(line))
    line = _BLANK_AFTER_OPEN.sub("", line)
    return _BLANK_BEFORE_CLOSE.sub("", line)


def tidy_key(text: str) -> str:
    """Return an infobox key: on one line, without padding inside Chinese, without a dash before or a colon after."""
    key = tidy(text).replace("\n", " ").strip(" -–—•·▪*:：")
    return re.sub(r"(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])", "", key)


def one_line(text: str) -> str:
    """Return a tidied text on one line."""
    return tidy_blanks(tidy(text).replace("\n", " "))


def choose_variants(text: str) -> str:
    """Return the text with ``-{…}-`` marks of MediaWiki's language converter resolved, mainland Chinese first.

    ``-{text}-`` keeps its text, ``-{zh-cn:a;zh-tw:b}-`` takes the first variant of a fixed order, ``-{H|…}-`` and
    ``-{T|…}-`` (rules and titles) vanish, ``-{A|…}-`` shows. Nested marks are resolved from the inside.
    """
    for _ in range(8):
        text, found = _VARIANT.subn(lambda match: _variant(match.group(1)), text)
        if not found:
            break
    return text


def _variant(body: str) -> str:
    flag, bar, rest = body.partition("|")
    if bar:
        flags = {part.strip().upper() for part in flag.split(";")}
        if flags & {"H", "T", "-"}:
            return ""
        body = rest
    body = re.sub(r"[^;{}]*=>", "", body)
    found: list[tuple[str, str]] = _VARIANT_PAIR.findall(body)
    pairs = {name.lower(): value.strip() for name, value in found}
    if not pairs:
        return body
    for name in _VARIANT_ORDER:
        if name in pairs:
            return pairs[name]
    return next(iter(pairs.values()))
