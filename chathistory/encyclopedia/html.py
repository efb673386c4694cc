"""HTML of unknown origin as an article: the kind of page is told by its content."""

from __future__ import annotations

import re
from dataclasses import replace

from chathistory.domain import Article
from chathistory.encyclopedia.challenge import blocked, is_challenge
from chathistory.encyclopedia.dom import Element, parse
from chathistory.encyclopedia.page import Page, article_of
from chathistory.errors import Ambiguous, NotFound

_BAIDU = re.compile(
    r"baike\.baidu\.com|百度百科|lemma-summary|J-lemma-content|J-lemma-title|J-basic-info|basicInfo-item|label-module=|lemmaSummary_"
    r"|lemma-title|para-title|data-tag=[\"'](?:paragraph|header)"
)
_BAIDU_STRONG = re.compile(
    r"lemma-summary|J-lemma-content|basicInfo-item|label-module=[\"']?para|lemmaSummary_|lemmaWgt-lemmaTitle|J-lemma-title"
)
_WIKI = re.compile(
    r"mw-parser-output|mw-content-text|mediawiki|firstHeading|mw:PageProp|mw-headline|mw-editsection|wgPageName|pcs-edit-section|"
    r"mw-data:TemplateStyles|wikipedia\.org|class=[\"'][^\"']*\binfobox\b|mw-heading|id=[\"']mwA[A-Za-z]?[\"']"
)
_MISSING = re.compile(
    r"<title[^>]*>\s*(?:百度百科[_\s—-]*(?:错误页|全球领先的中文百科全书)|404)|您所访问的页面不存在|抱歉，您所访问的页面"
)


def kind_of(text: str) -> str:
    """Return ``baidu``, ``wiki`` or ``plain`` for a page's text."""
    if _BAIDU_STRONG.search(text):
        return "baidu"
    if _WIKI.search(text):
        return "wiki"
    return "baidu" if _BAIDU.search(text) else "plain"


def read_html(text: str, requested: str = "", *, fallback_title: str = "", url: str = "") -> Article:
    """Return the article of a page: Baidu Baike, Wikipedia, or any page with headings and paragraphs.

    Parameters
    ----------
    requested
        The name that was asked for, '' when a page is simply read.
    fallback_title
        The title where the page tells none.
    url
        Where the page came from, '' for a file.

    Raises
    ------
    Blocked
        It is a challenge page.
    NotFound, Ambiguous
        It is the site's page for a missing title, or only a list of senses.
    EmptyArticle
        There is no text in it.
    """
    if is_challenge(text, url):
        raise blocked(requested or fallback_title)
    kind = kind_of(text)
    root = parse(text)
    if kind == "wiki":
        from chathistory.encyclopedia.wiki_page import read_wiki

        page = read_wiki(root, text)
    elif kind == "baidu":
        page = _baidu(root, text, requested or fallback_title)
    else:
        page = _plain(root)
    if not page.title:
        page = replace(page, title=requested or fallback_title)
    if not page.source_url:
        page = replace(page, source_url=url or _saved_from(text))
    return article_of(page, requested or page.title)


def _saved_from(text: str) -> str:
    """Where a browser noted that it saved the page from, '' unless that is an encyclopedia."""
    match = re.search(
        r"saved from url=\(\d+\)(https?://\S+)|^Snapshot-Content-Location: (https?://\S+)", text[:4000], re.M
    )
    found = (match.group(1) or match.group(2)) if match else ""
    return found if re.match(r"https?://(?:baike\.baidu\.com|[\w-]+(?:\.m)?\.wikipedia\.org)/", found) else ""


def _baidu(root: Element, text: str, name: str) -> Page:
    from chathistory.encyclopedia.baidu_page import read_baidu
    from chathistory.encyclopedia.baidu_senses import is_sense_list, senses

    found = senses(root, text)
    page = read_baidu(root, found)
    if found and (is_sense_list(root) or not any(section.paragraphs for section in page.sections)):
        raise Ambiguous(
            f"“{page.title or name}”有多个义项，请选一个：" + "、".join(s.name for s in found[:12]),
            tuple(sense.name for sense in found),
        )
    if not any(section.paragraphs for section in page.sections) and _MISSING.search(text):
        raise NotFound(f"百度百科没有“{name}”这个词条。请检查写法，或换一个来源。")
    return page


def _plain(root: Element) -> Page:
    """Any page: headings, paragraphs, lists and tables under its main element."""
    from chathistory.encyclopedia.blocks import Grammar, outline, read_blocks
    from chathistory.encyclopedia.dom import first
    from chathistory.encyclopedia.inline import text_of
    from chathistory.encyclopedia.sections import is_apparatus
    from chathistory.encyclopedia.tidy import one_line

    def skip(element: Element) -> bool:
        return element.tag in {"nav", "footer", "aside"} or element.get("role") in {
            "navigation",
            "banner",
            "contentinfo",
        }

    main = first(root, "//article | //main | //*[@role='main']")
    if main is None:
        main = first(root, "//body")
    heading = first(root, "//h1")
    head = first(root, "//title")
    title = one_line(text_of(heading)) if heading is not None else one_line(head.text or "") if head is not None else ""
    grammar = Grammar(skip=skip, heading=lambda element: None)
    return Page(title=title, sections=outline(read_blocks([main if main is not None else root], grammar), is_apparatus))
