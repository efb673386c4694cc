"""MediaWiki's JSON answers (Action API of any format version, REST) as pages."""

from __future__ import annotations

import re
from typing import Any

from chathistory.domain import Section
from chathistory.encyclopedia.dom import parse
from chathistory.encyclopedia.page import Page
from chathistory.encyclopedia.sections import is_apparatus
from chathistory.encyclopedia.tidy import tidy
from chathistory.encyclopedia.wiki_page import read_wiki
from chathistory.encyclopedia.wiki_portrait import allowed_width
from chathistory.encyclopedia.wikitext import read_wikitext
from chathistory.errors import Ambiguous, NotFound, UnreadableFile

_PLAIN_HEADING = re.compile(r"^(={2,6})\s*(.+?)\s*\1$")


def is_answer(value: dict[str, Any]) -> bool:
    """Whether a JSON object is an answer of MediaWiki's APIs."""
    return any(key in value for key in ("query", "parse", "extract", "lead", "html", "error"))


def pages_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the pages of a query answer, of format version 1 (an object) or 2 (a list)."""
    query = value.get("query")
    pages = query.get("pages") if isinstance(query, dict) else None
    found = list(pages.values()) if isinstance(pages, dict) else pages if isinstance(pages, list) else []
    return [page for page in found if isinstance(page, dict)]


def is_missing(page: dict[str, Any]) -> bool:
    """Whether a page of a query answer does not exist: ``missing``, ``invalid``, or page id -1."""
    return _flag(page, "missing") or _flag(page, "invalid") or page.get("pageid") == -1


def is_disambiguation(page: dict[str, Any]) -> bool:
    """Whether a page of a query answer is a list of senses."""
    props = page.get("pageprops")
    return isinstance(props, dict) and "disambiguation" in props


def _flag(page: dict[str, Any], name: str) -> bool:
    return name in page and page[name] is not False


def redirects_of(value: dict[str, Any]) -> tuple[str, ...]:
    """Return the titles that led to the page, as asked: redirects and conversions."""
    query = value.get("query") or value.get("parse") or {}
    names: list[str] = []
    for key in ("redirects", "converted", "normalized"):
        for step in query.get(key) or () if isinstance(query, dict) else ():
            if isinstance(step, dict) and step.get("from") and key != "normalized":
                names.append(str(step["from"]))
    return tuple(dict.fromkeys(names))


def page_of_answer(value: dict[str, Any], requested: str = "") -> Page:
    """Return the page in an answer.

    Raises
    ------
    NotFound, Ambiguous
        The answer says that the page is missing, or that it is a list of senses.
    UnreadableFile
        The answer holds no text of a page.
    """
    if isinstance(value.get("error"), dict) and "parse" not in value:
        error = value["error"]
        if str(error.get("code")) in {"missingtitle", "nosuchpageid", "invalidtitle"}:
            raise missing(requested)
        raise UnreadableFile(
            f"维基百科接口回答了一个错误：{error.get('info') or error.get('code')}。请换一个名字或来源。"
        )
    if isinstance(value.get("parse"), dict):
        return _of_parse(value["parse"])
    if pages_of(value):
        return _of_query(value, pages_of(value)[0], requested)
    if "lead" in value and isinstance(value["lead"], dict):
        return _of_mobile_sections(value)
    if isinstance(value.get("html"), str):
        return _of_html(
            value["html"], str(value.get("title") or requested), str((value.get("latest") or {}).get("id") or "")
        )
    if "extract" in value:
        return _of_summary(value)
    raise UnreadableFile("这个接口回答里没有词条正文。请重新保存 action=parse 或 extracts 的回答。")


def missing(name: str, near: tuple[str, ...] = ()) -> NotFound:
    """The error for a missing page, with near titles."""
    hint = f"相近的条目：{'、'.join(near[:8])}。" if near else ""
    return NotFound(f"维基百科没有“{name}”这个条目。{hint}请检查写法，或换一个来源。", near)


def _of_parse(value: dict[str, Any]) -> Page:
    text = value.get("text")
    html = text.get("*") if isinstance(text, dict) else text
    if not isinstance(html, str):
        raise UnreadableFile("这个接口回答里没有 text。请求时请带上 prop=text。")
    page = _of_html(html, str(value.get("title") or ""), str(value.get("revid") or ""))
    also = redirects_of({"parse": value})
    categories = tuple(
        str(item.get("category") or item.get("*") or "").replace("_", " ")
        for item in value.get("categories") or ()
        if isinstance(item, dict)
    )
    from dataclasses import replace

    return replace(page, also=also, categories=categories or page.categories)


def _of_html(html: str, title: str, revision: str) -> Page:
    from dataclasses import replace

    page = read_wiki(parse(html), html, title)
    return replace(page, title=title or page.title, revision=revision or page.revision)


def _of_query(value: dict[str, Any], page: dict[str, Any], requested: str) -> Page:
    title = str(page.get("title") or requested)
    if is_missing(page):
        raise missing(title)
    if is_disambiguation(page) and not page.get("extract"):
        raise Ambiguous(
            f"“{title}”是消歧义页，不是一个人的条目。请用更完整的名字，例如加上朝代或括号里的说明。", (title,)
        )
    also = tuple(name for name in redirects_of(value) if name != title)
    url = str(page.get("fullurl") or page.get("canonicalurl") or "")
    revision = str(page.get("lastrevid") or "")
    portrait = page.get("original") or page.get("thumbnail") or {}
    extract = page.get("extract")
    if isinstance(extract, dict):
        extract = extract.get("*")
    source = _wikitext(page)
    told = read_wikitext(source) if source else ((), (), ())
    if isinstance(extract, str) and extract.strip():
        if re.search(r"<(?:p|b|h2|div|span)\b", extract):
            found = _of_html(extract, title, revision)
            sections, bold = found.sections, found.bold
        else:
            sections, bold = _sections_of_plain(extract), told[2]
        return Page(
            title=title, sections=sections, infobox=told[1], bold=bold, also=also, source="wikipedia",
            source_url=url, revision=revision, portrait_url=str(portrait.get("source") or ""),
            partial=not any(s.level > 1 for s in sections),
        )  # fmt: skip
    if source:
        sections, infobox, bold = told
        return Page(
            title=title, sections=sections, infobox=infobox, bold=bold, also=also, source="wikipedia", source_url=url,
            revision=revision, portrait_url=str(portrait.get("source") or ""),
        )  # fmt: skip
    led = f"（由“{also[0]}”重定向而来）" if also else ""
    raise UnreadableFile(f"这个接口回答只说了“{title}”{led}的信息，没有正文。请保存 action=parse 或 extracts 的回答。")


def _wikitext(page: dict[str, Any]) -> str:
    revisions = page.get("revisions")
    if not isinstance(revisions, list) or not revisions or not isinstance(revisions[0], dict):
        return ""
    revision = revisions[0]
    slots = revision.get("slots")
    main = slots.get("main") if isinstance(slots, dict) else None
    for holder in (main, revision):
        if isinstance(holder, dict):
            for key in ("content", "*"):
                if isinstance(holder.get(key), str):
                    return str(holder[key])
    return ""


def _sections_of_plain(text: str) -> tuple[Section, ...]:
    """An explaintext extract: paragraphs, and headings between equals signs."""
    from chathistory.encyclopedia.blocks import Block, outline

    blocks: list[Block] = []
    for line in text.split("\n"):
        match = _PLAIN_HEADING.match(line.strip())
        if match:
            blocks.append(Block("heading", tidy(match.group(2)), len(match.group(1))))
        elif tidy(line):
            blocks.append(Block("paragraph", tidy(line)))
    return outline(blocks, is_apparatus)


def _of_summary(value: dict[str, Any]) -> Page:
    """A REST summary; its HTML keeps the exponents that the plain extract loses."""
    if value.get("type") == "disambiguation":
        raise Ambiguous(
            f"“{value.get('title')}”是消歧义页，不是一个人的条目。请用更完整的名字。", (str(value.get("title") or ""),)
        )
    urls = value.get("content_urls")
    desktop = urls.get("desktop") if isinstance(urls, dict) else None
    html = value.get("extract_html")
    if isinstance(html, str) and html.strip():
        page = _of_html(html, str(value.get("title") or ""), str(value.get("revision") or ""))
        sections, bold = page.sections, page.bold
    else:
        sections, bold = _sections_of_plain(str(value.get("extract") or "")), ()
    image = value.get("thumbnail") or value.get("originalimage") or {}
    original = value.get("originalimage") or {}
    source = str(image.get("source") or "") if isinstance(image, dict) else ""
    return Page(
        title=str(value.get("title") or ""),
        sections=sections,
        bold=bold,
        sense=str(value.get("description") or ""),
        portrait_url="" if ".svg" in source.lower() else allowed_width(source, int(original.get("width") or 0)),
        source="wikipedia",
        source_url=str(desktop.get("page") or "") if isinstance(desktop, dict) else "",
        revision=str(value.get("revision") or ""),
        variant=str(value.get("lang") or ""),
        partial=True,
    )


def _of_mobile_sections(value: dict[str, Any]) -> Page:
    """The answer of the old mobile-sections service: the lead's HTML, then one piece of HTML a section."""
    lead = value["lead"]
    parts: list[str] = []
    remaining = value.get("remaining")
    rest = remaining.get("sections") if isinstance(remaining, dict) else None
    for section in [*(lead.get("sections") or ()), *(rest or ())]:
        if isinstance(section, dict):
            if section.get("line"):
                level = min(int(section.get("toclevel") or 1) + 1, 6)
                parts.append(f"<h{level}>{section['line']}</h{level}>")
            parts.append(str(section.get("text") or ""))
    return _of_html(
        f"<div class='mw-parser-output'>{''.join(parts)}</div>",
        str(lead.get("displaytitle") or lead.get("normalizedtitle") or ""),
        str(lead.get("revision") or ""),
    )
