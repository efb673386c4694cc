"""An article as the JSON contract of ``main.py article --json``, and back."""

from __future__ import annotations

from typing import Any

from chathistory.domain import Article, Figure, Section, Year
from chathistory.errors import UnreadableFile


def article_json(article: Article) -> dict[str, Any]:
    """Return an article as plain JSON values: the contract's keys first, then licence, revision and the like."""
    return {
        "title": article.title,
        "requested": article.requested,
        "sense": article.sense,
        "aliases": list(article.aliases),
        "birth": _year(article.birth),
        "death": _year(article.death),
        "infobox": [[key, value] for key, value in article.infobox],
        "sections": [
            {"title": section.title, "level": section.level, "paragraphs": list(section.paragraphs)}
            for section in article.sections
        ],
        "portrait_url": article.portrait_url,
        "source_url": article.source_url,
        "partial": article.partial,
        "source": article.source,
        "portrait_licence": article.portrait_licence,
        "revision": article.revision,
        "fetched_at": article.fetched_at,
        "variant": article.variant,
    }


def _year(year: Year | None) -> dict[str, Any] | None:
    return None if year is None else {"year": year.year, "text": year.text, "precision": year.precision}


def article_from_json(value: dict[str, Any]) -> Article:
    """Return the article that ``article_json`` wrote; raises UnreadableFile where a key has the wrong form."""
    try:
        return Article(
            title=str(value["title"]),
            requested=str(value.get("requested") or value["title"]),
            sections=tuple(
                Section(str(s["title"]), int(s["level"]), tuple(str(p) for p in s["paragraphs"]))
                for s in value["sections"]
            ),
            sense=str(value.get("sense") or ""),
            aliases=tuple(str(alias) for alias in value.get("aliases") or ()),
            birth=_year_from(value.get("birth")),
            death=_year_from(value.get("death")),
            infobox=tuple((str(key), str(text)) for key, text in value.get("infobox") or ()),
            portrait_url=str(value.get("portrait_url") or ""),
            portrait_licence=str(value.get("portrait_licence") or ""),
            source=str(value.get("source") or "file"),
            source_url=str(value.get("source_url") or ""),
            revision=str(value.get("revision") or ""),
            fetched_at=str(value.get("fetched_at") or ""),
            variant=str(value.get("variant") or ""),
            partial=bool(value.get("partial")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableFile(f"这个 JSON 不是完整的词条文件（{error}）。请重新导出，或换一个文件。") from error


def _year_from(value: Any) -> Year | None:
    if not value:
        return None
    year = value["year"]
    return Year(None if year is None else int(year), str(value["text"]), value.get("precision", "year"))


def figure(article: Article) -> Figure:
    """Return who the article is about, as every other room needs to know it."""
    return Figure(article.title, article.aliases, article.birth, article.death, article.infobox)
