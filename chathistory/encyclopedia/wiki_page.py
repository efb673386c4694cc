"""Wikipedia's pages: full pages of every skin, action=parse HTML, Parsoid and mobile HTML."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

from chathistory.encyclopedia.blocks import Grammar, outline, read_blocks
from chathistory.encyclopedia.dom import Element, by_class, classes, first, has_class
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.page import Page
from chathistory.encyclopedia.sections import is_apparatus
from chathistory.encyclopedia.tidy import choose_variants, one_line, tidy
from chathistory.encyclopedia.wiki_infobox import infobox_pairs, is_infobox
from chathistory.encyclopedia.wiki_portrait import portrait_of
from chathistory.encyclopedia.wordlist import words

_DROPPED = words("""
    mw-headline-number navbox vertical-navbox navbox-styles sidebar hatnote dablink rellink toc thumb mw-editsection
    mw-editsection-like editsection messagebox reference references reflist refbegin mw-references-wrap
    mw-cite-backlink noprint mbox-small ambox tmbox ombox cmbox fmbox imbox mbox metadata sistersitebox side-box
    sister-box succession-box successionbox portal portalbox portal-bar gallery gallerybox gallerytext catlinks
    printfooter mw-jump-link Z3988 mw-ref citation-comment IPA nopopups navigation-not-searchable navbar
    languageicon langicon shortdescription mw-indicators mw-indicator mw-hidden-catlinks mw-authority-control
    authority-control mw-empty-elt mw-magiclink-isbn plainlinks-hack vector-toc ext-phonos
    pcs-edit-section-link-container pcs-footer-container-menu pcs-collapse-table-collapsed-container rt-tooltip
    pcs-collapse-table-collapsed-bottom geo-nondefault geo-multi-punct interProject magnify thumbcaption
    mw-kartographer-map mwe-math-fallback-image-inline tocright toclimit-2 tocnumber ilh-comment mw-heading-edit
    spoken-icon stub haudio mw-file-description oo-ui-widget vector-page-toolbar mw-portlet mw-footer
    mw-page-container-toc page-actions-menu pre-content post-content header-container last-modified-bar
    minerva-footer mw-mf-linked-projects banner-container uls-settings-trigger box-More_citations_needed
    box-Unreferenced selflink-none notheme-hidden
""")
_DROPPED_IDS = words("""
    toc catlinks siteSub contentSub contentSub2 jump-to-nav mw-navigation mw-panel mw-head footer mw-head-base
    mw-page-base siteNotice p-lang mw-data-after-content coordinates pcs-footer-container mw-mf-page-left
    page-actions bodyContentNavigation vector-toc p-lang-btn pcs-edit-section-title-description mw-hidden-catlinks
    pcs-edit-section-add-title-description
""")
_DROPPED_TYPES = ("mw:Extension/ref", "mw:Extension/references", "mw:Image", "mw:File", "mw:Extension/gallery")
_VARIANT_LANG = re.compile(r"^zh(?:-[A-Za-z]+)*$")
_LICENCE = "CC BY-SA"


def skip(element: Element) -> bool:
    """Whether an element of a Wikipedia page says nothing about its subject: navigation, marks, pictures, notices."""
    if element.get("id") in _DROPPED_IDS:
        return True
    value = element.get("class")
    if value:
        tokens = value.split()
        if not _DROPPED.isdisjoint(tokens):
            return not _is_prose_list(element, tokens)
        if element.tag != "th" and element.tag != "td" and is_infobox(element):
            return True
    kind = element.get("typeof")
    if kind and any(part.startswith(_DROPPED_TYPES) for part in kind.split()):
        return True
    if element.get("role") in {"navigation", "note"} and element.tag != "span":
        return True
    return element.get("aria-hidden") == "true" and element.tag == "span" and not _DROPPED.isdisjoint(classes(element))


def _is_prose_list(element: Element, tokens: list[str]) -> bool:
    """``IPA`` and ``nopopups`` on whole paragraphs or cells wrap prose there; only inline ones are pronunciations."""
    return element.tag not in {"span", "a", "small", "i", "bdi"} and _DROPPED.intersection(tokens) <= {
        "IPA",
        "nopopups",
    }


def _skip_in_box(element: Element) -> bool:
    """As ``skip``, but an infobox inside an infobox is read."""
    return skip(element) and not is_infobox(element)


def _heading(element: Element) -> tuple[int, str] | None:
    tag = element.tag
    if has_class(element, "mw-heading", "section-heading", "pcs-edit-section-header", "in-block"):
        inner = next(element.iter("h1", "h2", "h3", "h4", "h5", "h6"), None)
    elif isinstance(tag, str) and len(tag) == 2 and tag[0] == "h" and tag[1] in "23456":
        inner = element
    else:
        return None
    if inner is None or inner.tag == "h1":
        return (2, "") if inner is not None else None
    headline = next(by_class(inner, "mw-headline"), inner)
    return max(2, int(str(inner.tag)[1])), one_line(text_of(headline, skip))


GRAMMAR = Grammar(skip=skip, heading=_heading)


def content_of(root: Element) -> Element:
    """Return the element that holds the article: the longest parser output, else the content of the skin, else body."""
    outputs = list(by_class(root, "mw-parser-output"))
    if outputs:
        return max(outputs, key=lambda element: sum(1 for _ in element.iter()))
    for path in ("//*[@id='mw-content-text']", "//*[@id='bodyContent']", "//*[@id='content']", "//main", "//body"):
        found = first(root, path)
        if found is not None:
            return found
    return root


def read_wiki(root: Element, text: str, title: str = "") -> Page:
    """Return a Wikipedia page as read.

    Parameters
    ----------
    root
        The parsed page or fragment.
    text
        The same page as text, for the settings in its scripts.
    title
        The title where the page itself does not tell it (a fragment out of the API).
    """
    content = content_of(root)
    boxes = [e for e in content.iter("table", "div", "aside") if is_infobox(e) and not _box_above(e, content)]
    sections = outline(read_blocks([content], GRAMMAR), is_apparatus)
    url = _url(root)
    return Page(
        title=_title(root, text) or title or _title_of_url(url) or _title_of_box(boxes),
        sections=sections,
        infobox=infobox_pairs(boxes, _skip_in_box),
        bold=_bold_names(content),
        categories=_categories(root, text),
        portrait_url=portrait_of(boxes, content),
        source="wikipedia",
        source_url=url,
        revision=_revision(root, text),
        variant=_variant(root, text, content),
    )


def _box_above(element: Element, content: Element) -> bool:
    for parent in element.iterancestors():
        if parent is content:
            return False
        if is_infobox(parent) or has_class(parent, "navbox", "vertical-navbox"):
            return True
    return False


def _title(root: Element, text: str) -> str:
    heading = first(root, "//*[@id='firstHeading' or @id='section_0']")
    if heading is None:
        heading = next(by_class(root, "firstHeading", "mw-page-title-main", "pcs-edit-section-title"), None)
    if heading is not None and one_line(text_of(heading, skip)):
        return one_line(text_of(heading, skip))
    config = re.search(r'"wgTitle"\s*:\s*("(?:[^"\\]|\\.)*")', text)
    if config:
        return str(json.loads(config.group(1)))
    head = first(root, "//head/title")
    if head is not None and head.text:
        return choose_variants(re.split(r"\s[-–—]\s|_维基百科", tidy(head.text))[0]).strip()
    return ""


def _title_of_url(url: str) -> str:
    match = re.search(r"/(?:wiki|zh(?:-[a-z]+)?)/([^?#]+)", url)
    return unquote(match.group(1)).replace("_", " ") if match else ""


def _title_of_box(boxes: list[Element]) -> str:
    for box in boxes:
        for cell in box.iter("th", "caption", "td"):
            text = one_line(text_of(cell, skip))
            if text:
                return text if len(text) <= 40 else ""
    return ""


def _url(root: Element) -> str:
    for path in (
        "//link[@rel='canonical']/@href",
        "//meta[@property='og:url']/@content",
        "//link[@rel='dc:isVersionOf']/@href",
    ):
        found = root.xpath(path)
        if found:
            url = str(found[0])
            return "https:" + url if url.startswith("//") else url
    base = root.xpath("//head/base/@href")
    match = re.search(r"[?&]title=([^&]+)", str(root.xpath("string(//*[@id='ca-edit']//a/@href)")))
    if base and match:
        return "https:" + str(base[0]).removeprefix("https:") + match.group(1)
    return ""


def _revision(root: Element, text: str) -> str:
    about = root.get("about") or ""
    match = re.search(r"revision/(\d+)", about) or re.search(r'"wg(?:Cur)?RevisionId"\s*:\s*(\d+)', text)
    return match.group(1) if match and match.group(1) != "0" else ""


def _variant(root: Element, text: str, content: Element) -> str:
    match = re.search(r'"wgUserVariant"\s*:\s*"([\w-]+)"', text)
    for value in (match.group(1) if match else "", content.get("lang"), root.get("lang")):
        if value:
            return value.lower().replace("zh-hans-cn", "zh-cn").replace("zh-hant-tw", "zh-tw")
    return ""


def _categories(root: Element, text: str) -> tuple[str, ...]:
    match = re.search(r'"wgCategories"\s*:\s*(\[(?:"(?:[^"\\]|\\.)*"|[,\s])*\])', text)
    if match:
        try:
            return tuple(str(name) for name in json.loads(match.group(1)))
        except ValueError:
            pass
    links = root.xpath("//*[@id='catlinks' or @id='mw-normal-catlinks']//li/a") + root.xpath(
        "//link[@rel='mw:PageProp/Category']"
    )
    names = [
        one_line("".join(link.itertext())) if link.tag == "a" else _category(link.get("href") or "") for link in links
    ]
    return tuple(dict.fromkeys(name for name in names if name))


def _category(href: str) -> str:
    return unquote(href.split("#")[0].rsplit(":", 1)[-1]).replace("_", " ")


def _bold_names(content: Element) -> tuple[str, ...]:
    """The names set in bold in the first paragraph that has any; only the first screen is looked at."""
    for paragraph in content.iter("p"):
        if any(is_infobox(parent) or skip(parent) for parent in paragraph.iterancestors() if parent is not content):
            continue
        names = [one_line(text_of(node, skip)) for node in paragraph.iter("b", "strong")]
        if names:
            return tuple(dict.fromkeys(name for name in names if name))
    return ()
