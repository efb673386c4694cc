"""What the readers of every kind of page hand over, before names and years are read out of it."""

from __future__ import annotations

from dataclasses import dataclass

from chathistory.domain import Article, Section
from chathistory.encyclopedia.names import aliases_of
from chathistory.encyclopedia.years import lifespan
from chathistory.errors import EmptyArticle

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One page as read. ``bold`` are the names in bold type of the lead, ``categories`` the page's categories."""

    title: str
    sections: tuple[Section, ...]
    infobox: Pairs = ()
    sense: str = ""
    bold: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    portrait_url: str = ""
    portrait_licence: str = ""
    source: str = ""
    source_url: str = ""
    revision: str = ""
    fetched_at: str = ""
    variant: str = ""
    partial: bool = False


def article_of(page: Page, requested: str = "") -> Article:
    """Return the article of a page: aliases, birth and death read from infobox, lead and categories.

    Raises
    ------
    EmptyArticle
        The page holds neither text nor an infobox.
    """
    if not page.infobox and not any(section.paragraphs for section in page.sections):
        raise EmptyArticle(
            f"“{page.title or requested}”的页面里没有读到正文。"
            "请换一个来源，或在浏览器里打开词条、保存为完整网页后再作为文件导入。"
        )
    lead = lead_text(page.sections)
    birth, death = lifespan(page.title, page.infobox, lead, page.categories)
    return Article(
        title=page.title or requested,
        requested=requested or page.title,
        sections=page.sections,
        sense=page.sense,
        aliases=aliases_of(page.title or requested, page.infobox, lead, (*page.bold, *page.also)),
        birth=birth,
        death=death,
        infobox=page.infobox,
        portrait_url=page.portrait_url,
        portrait_licence=page.portrait_licence,
        source=page.source,
        source_url=page.source_url,
        revision=page.revision,
        fetched_at=page.fetched_at,
        variant=page.variant,
        partial=page.partial,
    )


def lead_text(sections: tuple[Section, ...]) -> str:
    """Return the first paragraphs of an article, where names and years stand."""
    texts = [text for section in sections[:2] for text in section.paragraphs[:2]]
    return "\n".join(texts[:2])
