"""Baidu Baike's pages of every template since 2015: old classes, star pages, J-* hooks, hashed classes."""

from __future__ import annotations

import re

from chathistory.encyclopedia.baidu_chrome import is_paragraph, skip
from chathistory.encyclopedia.baidu_infobox import infobox_pairs, relation_pairs
from chathistory.encyclopedia.baidu_senses import Sense, current_sense, page_title
from chathistory.encyclopedia.blocks import Block, Grammar, outline, read_blocks
from chathistory.encyclopedia.dom import Element, by_class, by_class_prefix, classes, first
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.page import Page
from chathistory.encyclopedia.sections import is_apparatus
from chathistory.encyclopedia.tidy import one_line
from chathistory.encyclopedia.wordlist import words

_HEAD_CLASSES = ("para-title", "headline-1", "headline-2", "headline-3", "headline")
_PLAIN_PARENTS = words("""
    lemma-summary J-summary J-lemma-content lemma-main-content lemmaContent para-content main-content
    main_tab-defaultTab
""")


def _admit(element: Element) -> bool:
    """Whether an element, outside any text so far, holds the article's text."""
    tag = element.tag
    if is_paragraph(element):
        return True
    tokens = classes(element)
    if tag == "li" and "listItem" in tokens:
        return True
    if tag in {"ul", "ol"}:
        if element.get("data-tag") == "list" or any(
            "para-list" in t or t.startswith(("custom_", "list-paddingleft")) for t in tokens
        ):
            return True
        return any(is_paragraph(node) or "list-dot" in " ".join(classes(node)) for node in element.iter("li", "div"))
    if tag == "table":
        return True
    return tag in {"p", "blockquote", "pre"} and _in_content(element)


def _in_content(element: Element) -> bool:
    parent = element.getparent()
    if parent is None:
        return False
    tokens = classes(parent)
    return not _PLAIN_PARENTS.isdisjoint(tokens) or any(
        t.startswith(("lemmaSummary", "contentTab", "MARK_MODULE")) for t in tokens
    )


def _heading(element: Element) -> tuple[int, str] | None:
    tokens = classes(element)
    is_head = element.get("data-tag") == "header" or any(
        token in _HEAD_CLASSES or token.startswith(("paraTitle", "para-title_")) for token in tokens
    )
    if not is_head or element.tag == "a":
        return None
    inner = next(element.iter("h2", "h3", "h4", "h5"), element)
    shown = next(by_class(inner, "headline-content", "title-text"), inner)
    title = one_line(_heading_text(shown)) or one_line(element.get("data-name") or "")
    return (int(str(inner.tag)[1]) if str(inner.tag) in {"h2", "h3", "h4", "h5"} else _level(element)), title


def _heading_text(element: Element) -> str:
    return text_of(element, lambda node: skip(node) or (node.tag == "a" and "edit" in " ".join(classes(node))))


def _level(element: Element) -> int:
    match = re.search(r"(?:level|headline)-(\d)", element.get("class") or "")
    value = element.get("data-level") or ""
    number = int(value) + 1 if value.isdigit() else int(match.group(1)) if match else 2
    return min(max(number, 2), 6)


def _work(element: Element) -> str | None:
    """A card of a star's works as one line: title, year, then role and director as pairs."""
    if element.tag != "li" or "listItem" not in classes(element):
        return None
    parts = [one_line(text_of(node, skip)) for node in element.iter("b")]
    for term in element.iter("dt"):
        value = term.getnext()
        if value is not None and value.tag == "dd":
            parts.append(f"{one_line(text_of(term, skip)).rstrip('：:')}：{one_line(text_of(value, skip))}")
    return "；".join(dict.fromkeys(part for part in parts if part.strip("：")))


STRICT = Grammar(skip=skip, heading=_heading, admit=_admit, line=_work)
LOOSE = Grammar(skip=skip, heading=_heading, line=_work)


def content_of(root: Element) -> Element:
    """Return the element around summary and text; the root where the page has no such frame."""
    for names in (("main-content",), ("J-lemma-content",), ("lemma-main-content",), ("body-wrapper",)):
        found = next(by_class(root, *names), None)
        if found is None:
            continue
        summary = next(by_class(root, "J-summary", "lemma-summary"), None)
        if summary is None or summary is found or found in summary.iterancestors():
            return found
    return root


def read_baidu(root: Element, found: tuple[Sense, ...] = ()) -> Page:
    """Return a Baidu Baike page as read, whatever its template; ``found`` are the senses that it lists."""
    content = content_of(root)
    blocks = read_blocks([content], STRICT)
    if not any(block.kind == "paragraph" for block in blocks):
        blocks = read_blocks([content], LOOSE)
    summary = _summary(root)
    if summary and summary[0] not in blocks:
        blocks = summary + blocks
    blocks = _lead_first(blocks, summary)
    return Page(
        title=page_title(root),
        sections=outline(blocks, is_apparatus),
        infobox=(*infobox_pairs(root), *relation_pairs(root)),
        sense=current_sense(root, found),
        portrait_url=_portrait(root),
        source="baike",
        source_url=_url(root),
        variant="zh-cn",
    )


def _summary(root: Element) -> list[Block]:
    for box in [
        *by_class(root, "J-summary", "lemma-summary"),
        *by_class_prefix(root, "lemmaSummary_", "card-summary-content"),
    ]:
        blocks = [block for block in read_blocks([box], STRICT) if block.kind == "paragraph"]
        blocks = blocks or [block for block in read_blocks([box], LOOSE) if block.kind == "paragraph"]
        if blocks:
            return blocks
    return []


def _lead_first(blocks: list[Block], summary: list[Block]) -> list[Block]:
    """Put the summary before everything that stood above it (a table, a notice)."""
    if not summary or blocks[: len(summary)] == summary:
        return blocks
    rest = list(blocks)
    for block in summary:
        if block in rest:
            rest.remove(block)
    return summary + rest


def _portrait(root: Element) -> str:
    boxes = [
        *by_class(root, "summary-pic", "J-summary-pic", "lemma-summary-pic"),
        *by_class_prefix(root, "summaryPic", "abstractAlbum"),
    ]
    for box in boxes:
        for image in box.iter("img"):
            url = image.get("src") or ""
            if not url.startswith(("http", "//")) or "base64" in url:
                url = image.get("data-src") or image.get("data-original") or ""
            if _is_picture(url):
                return _https(url)
    for path in (
        "//meta[@property='og:image']/@content",
        "//meta[@name='image']/@content",
        "//meta[@itemprop='image']/@content",
    ):
        for value in root.xpath(path):
            if _is_picture(str(value)) and "logo" not in str(value) and "static" not in str(value):
                return _https(str(value))
    return ""


def _is_picture(url: str) -> bool:
    return url.startswith(("http://", "https://", "//")) and ".svg" not in url.lower() and "baike.png" not in url


def _https(url: str) -> str:
    return "https:" + url if url.startswith("//") else url.replace("http://", "https://", 1)


def _url(root: Element) -> str:
    for path in (
        "//link[@rel='canonical']/@href",
        "//meta[@property='og:url']/@content",
        "//link[@rel='alternate']/@href",
    ):
        for value in root.xpath(path):
            match = re.search(r"baike\.baidu\.com(/(?:item|view|subview)/[^?#]+)", str(value))
            if match:
                return "https://baike.baidu.com" + match.group(1)
    node = first(root, "//*[@data-lemmatitle and @data-lemmaid]")
    if node is not None:
        return f"https://baike.baidu.com/item/{node.get('data-lemmatitle')}/{node.get('data-lemmaid')}"
    return ""
