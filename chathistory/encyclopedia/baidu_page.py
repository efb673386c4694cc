"""Baidu Baike's pages of every template since 2015: old classes, star pages, J-* hooks, hashed classes."""

from __future__ import annotations

import re

from chathistory.encyclopedia.baidu_infobox import infobox_pairs, relation_pairs
from chathistory.encyclopedia.baidu_senses import current_sense, page_title
from chathistory.encyclopedia.blocks import Block, Grammar, outline, read_blocks
from chathistory.encyclopedia.dom import Element, by_class, by_class_prefix, classes, first
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.page import Page
from chathistory.encyclopedia.sections import is_apparatus
from chathistory.encyclopedia.tidy import one_line
from chathistory.encyclopedia.wordlist import words

_DROPPED = words("""
    lemma-picture lemma-album album-list lemmaWgt-lemmaCatalog lemma-catalog catalog-list anchor-list edit-icon
    audio-play sup-anchor title-prefix headline-prefix edit-lemma lock-lemma lemma-reference reference-list top-tool
    tashuo-bottom tashuo-right open-tag-item lemma-tag rs-container before-content polysemant-list side-content
    basic-info basicInfo-block summary-pic top-share share-list promotion-declaration lemmaWgt-promotion-leadPVBtn
    configModuleBanner lemma-structured lemma-complex-structure starmap-container lemma-starmap lemmaWgt-sideRecommend
    description pic-desc image-caption albumTitle picture-desc carousel video-list-container second-wrapper
    edit-prompt content-bottom after-content copyright footer wgt-footer-main bottom-recommend-wrapper new-bdsharebuttonbox
    bksharebuttonbox top-collect top-vote lemma-relation-module star-info-block starWorks works-list main_tab
    clear-prefix lemmaWgt-focusAndTag authorityListPrompt authority-list lemma-authority starMovieAndTvplay tooltip
    lemma-discussion add-video view-tip-panel posterTop feature_poster card-part toggle toOverlap overlap btn-list
    text-pic image-link magic-album mod-top wiki-lemma-icons cmn-icon layout-right layout-center
    """)
_DROPPED_STARTS = (
    "lemmaPicture", "lemmaAlbum", "albumList", "albumWrapper", "lemmaCatalog", "catalogWrapper", "catalogList", "editLemma",
    "editBtn", "ttsBtn", "btnList", "supWrap", "referenceList", "lemmaReference", "basicInfo", "summaryPic", "topTool", "tashuo",
    "promotion", "lemmaWgt-promotion", "rsContainer", "sideContent", "audioPlay", "audio-", "knowledgeTopic", "imageDesc", "picDesc",
    "titlePrefix", "posterWrapper", "lemmaTag", "polysemant", "videoList", "secondKnow", "starMap", "starmap", "carousel",
    "collectBtn", "shareBtn", "voteBtn", "userBar", "swiper", "moduleEdit", "editIcon", "copyright", "footerWrapper", "anchorList",
    "layoutRight", "imgTitle", "albumDesc", "lemmaAuthority", "authority",
)  # fmt: skip
_DROPPED_IDS = words(
    "open-tag tashuo_bottom tashuo_right side-share hotspotmining_s fmp_flash_div zhixinWrap J-vars lemmaCatalog"
)
_PICTURES = frozenset({"picture", "album", "image", "map", "video", "audio", "carousel", "gallery"})
_HEAD_CLASSES = ("para-title", "headline-1", "headline-2", "headline-3", "headline")
_PLAIN_PARENTS = frozenset(
    {
        "lemma-summary",
        "J-summary",
        "J-lemma-content",
        "lemma-main-content",
        "lemmaContent",
        "para-content",
        "main-content",
    }
)


def skip(element: Element) -> bool:
    """Whether an element of a Baidu page says nothing about its subject: pictures, buttons, catalogues, marks."""
    tag = element.tag
    if tag == "em" and not element.text:
        return True
    if element.get("id") in _DROPPED_IDS:
        return True
    kind = element.get("data-tag") or element.get("data-module-type")
    if kind in _PICTURES or kind == "ref":
        return True
    value = element.get("class")
    if not value:
        return False
    tokens = value.split()
    if not _DROPPED.isdisjoint(tokens):
        return not is_paragraph(element)
    return any(token.startswith(_DROPPED_STARTS) for token in tokens)


def is_paragraph(element: Element) -> bool:
    """Whether an element is a paragraph in any of the templates."""
    if element.get("data-tag") == "paragraph" or element.get("label-module") == "para":
        return True
    return any(token == "para" or token.startswith("para_") or token == "lemma-para" for token in classes(element))


def _admit(element: Element) -> bool:
    """Whether an element, outside any text so far, holds the article's text."""
    tag = element.tag
    if is_paragraph(element):
        return True
    tokens = classes(element)
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
    level = (
        int(str(inner.tag)[1])
        if inner is not element or str(inner.tag) in {"h2", "h3", "h4", "h5"}
        else _level(element)
    )
    return level, one_line(_heading_text(shown))


def _heading_text(element: Element) -> str:
    return text_of(element, lambda node: skip(node) or (node.tag == "a" and "edit" in " ".join(classes(node))))


def _level(element: Element) -> int:
    match = re.search(r"(?:level|headline)-(\d)", element.get("class") or "")
    value = element.get("data-level") or ""
    number = int(value) + 1 if value.isdigit() else int(match.group(1)) if match else 2
    return min(max(number, 2), 6)


STRICT = Grammar(skip=skip, heading=_heading, admit=_admit)
LOOSE = Grammar(skip=skip, heading=_heading)


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


def read_baidu(root: Element) -> Page:
    """Return a Baidu Baike page as read, whatever its template."""
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
        sense=current_sense(root),
        portrait_url=_portrait(root),
        source="baike",
        source_url=_url(root),
        variant="zh-cn",
    )


def _summary(root: Element) -> list[Block]:
    for box in [*by_class(root, "J-summary", "lemma-summary"), *by_class_prefix(root, "lemmaSummary_")]:
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
