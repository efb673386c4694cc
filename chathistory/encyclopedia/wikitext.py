"""Wikitext, as ``revisions`` answers carry it, as plain sections and an infobox: enough to read, no renderer."""

from __future__ import annotations

import re

from chathistory.domain import Section
from chathistory.encyclopedia.blocks import Block, outline
from chathistory.encyclopedia.inline import superscript
from chathistory.encyclopedia.sections import is_apparatus
from chathistory.encyclopedia.tidy import BULLET, tidy, tidy_key

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_REFERENCE = re.compile(r"<ref[^<>/]*/>|<ref\b[^<>]*>.*?</ref\s*>", re.S | re.I)
_DROPPED_TAGS = re.compile(
    r"<(gallery|timeline|table|imagemap|score|templatestyles|noinclude|syntaxhighlight)\b[^<>]*>.*?</\1\s*>",
    re.S | re.I,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_HEADING = re.compile(r"^(={2,6})\s*(.*?)\s*\1\s*$")
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_MEDIA = re.compile(r"^\s*:?(?:file|image|文件|档案|檔案|图像|圖像|category|分类|分類)\s*:", re.I)
_EXTERNAL = re.compile(r"\[(?:https?:)?//[^\s\[\]]+(?:\s+([^\[\]]*))?\]")
_BOLD = re.compile(r"'''(?!')(.+?)'''")
_SUP = re.compile(r"<sup\b[^<>]*>(.*?)</sup\s*>", re.S | re.I)
_SKIPPED_KEYS = re.compile(
    r"image|caption|图|圖|width|size|alt|signature|footnotes|style|color|颜色|module|embed|bgcolor|logo", re.I
)
_DATE = re.compile(
    r"^(?:birth|death|start|end)[ _-]?(?:date|year).*$"
    r"|^(?:bd|b|d|生日|出生日期|逝世日期|死亡日期和年龄|出生日期和年龄).*$",
    re.I,
)
_KEPT = re.compile(
    r"^(?:nowrap|lang|le|link-\w+|tsl|ill|translink|plainlist|hlist|ubl|unbulleted list|flatlist|small|b|zh|lj"
    r"|main other|nobold|internal link helper.*)$",
    re.I,
)


def read_wikitext(source: str) -> tuple[tuple[Section, ...], tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return sections, infobox pairs and the bold names of the lead."""
    text = _REFERENCE.sub("", _COMMENT.sub("", source[:2_000_000]))
    text = _DROPPED_TAGS.sub("", text)
    infobox: list[tuple[str, str]] = []
    text = _templates(text, infobox)
    text = _strip_tables(text)
    bold = tuple(tidy(_inline(name)) for name in _BOLD.findall(text.split("\n==", 1)[0]))
    blocks: list[Block] = []
    for line in text.split("\n"):
        head = _HEADING.match(line.strip())
        if head:
            blocks.append(Block("heading", tidy(_inline(head.group(2))), len(head.group(1))))
            continue
        marker = re.match(r"^[*#:;]+", line)
        words = tidy(_inline(line[marker.end() :] if marker else line))
        if words and any(char.isalnum() for char in words):
            blocks.append(Block("paragraph", (BULLET if marker and marker.group()[-1] in "*#" else "") + words))
    return outline(blocks, is_apparatus), tuple(dict.fromkeys(infobox)), tuple(name for name in bold if name)


def _templates(text: str, infobox: list[tuple[str, str]]) -> str:
    """Replace templates from the inside out by the little that readers would see of them; collect the infobox."""
    for _ in range(24):
        changed = False
        out: list[str] = []
        position = 0
        for match in re.finditer(r"\{\{([^{}]*)\}\}", text):
            out.append(text[position : match.start()])
            out.append(_template(match.group(1), infobox))
            position = match.end()
            changed = True
        text = "".join(out) + text[position:]
        if not changed:
            break
    return re.sub(r"\{\{[^\n]*|\}\}", "", text)


def _template(body: str, infobox: list[tuple[str, str]]) -> str:
    parts = _split_bars(body)
    name = parts[0].strip().replace("_", " ")
    if re.search(r"infobox|信息框|資訊框|简介|簡介", name, re.I):
        infobox.extend(_box_pairs(parts[1:]))
        return ""
    values = [part.strip() for part in parts[1:] if "=" not in part.split("[[")[0]]
    if _DATE.match(name):
        numbers = [value for value in values if value.isdigit()]
        kept = numbers[:3]
        return "-".join([kept[0], *(value.zfill(2) for value in kept[1:])]) if kept else (values[0] if values else "")
    if _KEPT.match(name):
        if name.lower().startswith("lang") and values:
            return values[-1]
        return "\n".join(
            values[:1] if name.lower() in {"le", "tsl", "ill"} or name.lower().startswith("link") else values
        )
    return ""


def _split_bars(body: str) -> list[str]:
    """The template's parts; a bar inside a link does not part them."""
    parts: list[str] = [""]
    depth = 0
    for piece in re.split(r"(\[\[|\]\]|\|)", body):
        depth += (piece == "[[") - (piece == "]]")
        if piece == "|" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _box_pairs(parts: list[str]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for part in parts:
        key, equals, value = part.partition("=")
        name = tidy_key(key.replace("_", " "))
        words = tidy(_inline(value.replace("<br>", "\n").replace("\n*", "\n")))
        if equals and name and words and not _SKIPPED_KEYS.search(name):
            pairs.append((name, words))
    return pairs


def _strip_tables(text: str) -> str:
    """Drop ``{| … |}`` tables, inner ones first."""
    for _ in range(8):
        text, found = re.subn(r"^[:\s]*\{\|(?:(?!^[:\s]*\{\|)[\s\S])*?^\s*\|\}", "", text, flags=re.M)
        if not found:
            break
    return text


def _inline(text: str) -> str:
    text = _SUP.sub(lambda match: superscript(match.group(1)), text)
    text = re.sub(r"<\s*/?\s*br\s*/?\s*>|</br>", "\n", text, flags=re.I)
    for _ in range(4):
        text, found = _LINK.subn(_link, text)
        if not found:
            break
    text = _EXTERNAL.sub(lambda match: match.group(1) or "", text)
    text = _TAG.sub("", text)
    text = re.sub(r"'{2,5}", "", text)
    text = re.sub(r"__[A-Z]+__", "", text)
    for entity, char in (
        ("&nbsp;", " "),
        ("&ndash;", "–"),
        ("&mdash;", "—"),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ):
        text = text.replace(entity, char)
    return text


def _link(match: re.Match[str]) -> str:
    target, label = match.group(1), match.group(2)
    if _MEDIA.match(target) and not target.lstrip().startswith(":"):
        return ""
    if re.match(r"^[a-z]{2,3}(?:-[a-z]+)?:", target) and label is None:
        return ""  # an interlanguage link
    return label if label is not None else target.lstrip(":").split("#")[0]
