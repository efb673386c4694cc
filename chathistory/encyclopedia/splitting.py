"""An article as passages: normalised, boilerplate out, long paragraphs cut at sentence ends, short items together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chathistory.domain import Article, Passage
from chathistory.encyclopedia.rendering import infobox_sentences
from chathistory.encyclopedia.tidy import BULLET
from chathistory.text import normalise, sentences

SHORTEST = 100
"""A passage that was cut out of a long paragraph has at least this many characters, where sentences allow it."""
LONGEST = 300
"""The longest passage in characters, where sentences allow it."""
_TARGET = 200
_SHORT_ITEM = 80
_HARD_LIMIT = 600
_STOPS = frozenset("。！？!?…")
INFOBOX_SECTION = "基本资料"

_FILLER = re.compile(
    r"^(?:"
    r"(?:详见|参见|参看|另见|主条目|主词条|主條目|更多|详情请?见|见|相关条目|延伸阅读|查看更多|展开全部|收起|编辑|播报|上传视频|词条图册|目录|返回顶部)[：:]?.{0,30}"
    r"|本(?:词条|条目|文|页面?)(?:由|缺少|存在|最后|需要|被|的部分|介绍的是|讲述的是|主要介绍|关于).{0,80}"
    r"|此(?:条目|章节|段落|词条)(?:需要|可能|没有|不完整|包含|介绍|的).{0,80}"
    r"|(?:请|欢迎)(?:协助|帮助|补充|参考|注意|点击|关注|扫描).{0,60}"
    r"|以上(?:内容|资料|信息)(?:来自|来源|参考|摘自|由).{0,60}"
    r"|[（(]?(?:参考资料|资料来源|图片来源|来源|出处)[：:].{0,60}"
    r"|关于.{1,30}的其[他它](?:意思|用法|含义)，?(?:请|参)?见.{0,40}"
    r"|(?:暂无|没有|尚无)(?:更多|相关|该|此)?(?:内容|资料|信息|简介|数据)。?"
    r"|(?:略|无|待补充|待续|未完待续|\.{3,}|…+)。?"
    r"|版权所有.{0,60}|免责声明.{0,60}"
    r"|(?:Main article|See also|Further information|For other uses)[:：].{0,80}"
    r")$"
)


_BOILERPLATE = re.compile(
    r"^[（(【]?(?:本词条|本条目|此条目|本百科|以上内容|以上资料|点击查看|点击展开|更多精彩|更多内容|欢迎关注|扫描二维码|扫码|长按识别"
    r"|版权所有|免责声明|图片来源|资料来源|参考资料)[^“”]{0,70}$"
)
"""Sentences about the page, not about the person; they may stand at the end of a good paragraph."""
_MAY_BE_BOILERPLATE = re.compile(r"词条|条目|百科|以上|点击|更多|关注|扫|识别|版权|免责|来源|参考资料")


def passages(article: Article) -> list[Passage]:
    """Return the passages of an article in reading order, the infobox's own ones last.

    Every text is normalised (``chathistory.text.normalise``). Boilerplate paragraphs are left out, never words inside a
    paragraph. A paragraph longer than ``LONGEST`` is cut at sentence ends, never inside quotes or brackets; list items
    and table rows that are short are put together with their neighbours of the same section. A text that stands twice
    is emitted once.
    """
    found: list[Passage] = []
    seen: set[str] = set()

    def add(texts: Iterable[str], section: str) -> None:
        for text in texts:
            passage = Passage(text, section, len(found))
            if passage.id not in seen:
                seen.add(passage.id)
                found.append(passage)

    for section in article.sections:
        title = normalise(section.title)
        add(_of_section(section.paragraphs), title)
    facts = [normalise(text) for text in infobox_sentences(article)]
    add(_grouped(facts, " " if all(map(str.isascii, facts)) else ""), INFOBOX_SECTION)
    return found


def _of_section(paragraphs: tuple[str, ...]) -> Iterator[str]:
    items: list[str] = []
    for paragraph in paragraphs:
        text = normalise(paragraph.replace(BULLET, "", 1) if paragraph.startswith(BULLET) else paragraph)
        if is_filler(text):
            continue
        text = without_boilerplate(text)
        short = len(text) <= _SHORT_ITEM
        if paragraph.startswith(BULLET) and short:
            items.append(text)
            continue
        yield from _grouped(items, "\n")
        items = []
        if text.endswith(("：", ":")) and short:
            items.append(text)  # it names the items that follow
        else:
            yield from cut(text)
    yield from _grouped(items, "\n")


def _grouped(texts: Iterable[str], joint: str) -> Iterator[str]:
    """Put short neighbours together up to about ``_TARGET`` characters."""
    group: list[str] = []
    size = 0
    for text in texts:
        if group and size + len(text) > _TARGET:
            yield joint.join(group)
            group, size = [], 0
        group.append(text)
        size += len(text)
    if group:
        yield joint.join(group)


def is_filler(text: str) -> bool:
    """Whether a normalised paragraph is boilerplate or says nothing: no letters, one character, a notice to editors."""
    if sum(char.isalnum() for char in text) < 2:
        return True
    return len(text) <= 120 and _FILLER.match(text) is not None


def without_boilerplate(text: str) -> str:
    """Return a paragraph without the sentences in it that tell of the page itself; whole sentences only."""
    if not _MAY_BE_BOILERPLATE.search(text):
        return text
    kept = [part for part in sentences(text, stops=_STOPS) if not _BOILERPLATE.match(part.strip())]
    return "".join(kept).strip() or text


def cut(text: str) -> list[str]:
    """Return a paragraph as one piece, or cut at sentence ends into pieces of about 100-300 characters.

    ``"".join(pieces)`` gives the text back but for blanks and line breaks at the cuts.
    """
    if len(text) <= LONGEST:
        return [text]
    parts = sentences(text, stops=_STOPS)
    pieces: list[str] = []
    current = ""
    for part in (piece for sentence in parts for piece in _hard_cut(sentence)):
        if (current and len(current) + len(part) > LONGEST and len(current) >= SHORTEST) or (
            current and len(current) >= _TARGET
        ):
            pieces.append(current)
            current = part
        else:
            current += part
    if current:
        if pieces and len(current) < SHORTEST and len(pieces[-1]) + len(current) <= LONGEST + SHORTEST // 2:
            pieces[-1] += current
        else:
            pieces.append(current)
    return [piece.strip() for piece in pieces if piece.strip()]


def _hard_cut(sentence: str) -> list[str]:
    """A sentence far beyond the limit (a list without full stops) is cut at semicolons, then commas, outside quotes."""
    if len(sentence) <= _HARD_LIMIT:
        return [sentence]
    for stops in (frozenset("；;"), frozenset("，,、")):
        parts = sentences(sentence, stops=stops)
        if len(parts) > 1 and max(map(len, parts)) <= LONGEST:
            return parts
    return [sentence]
