"""A persona as a list shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chathistory.domain import Year
from chathistory.store import PersonaRow


@dataclass(frozen=True, slots=True)
class Card:
    """A persona as a list shows it."""

    name: str
    passages: int
    facts: int
    online: bool
    source: str
    ready: bool
    avatar: Path | None
    years: str
    aliases: tuple[str, ...]


def card_of(row: PersonaRow, *, online: bool, avatar: Path | None) -> Card:
    """Return the card of a stored persona."""
    return Card(
        name=row.name,
        passages=row.passages,
        facts=row.facts,
        online=online,
        source=row.source,
        ready=row.state == "ready",
        avatar=avatar,
        years=_years(row.article.birth, row.article.death),
        aliases=row.article.aliases,
    )


def _years(birth: Year | None, death: Year | None) -> str:
    if birth is None and death is None:
        return ""
    return f"{_year(birth)} – {_year(death)}"


def _year(year: Year | None) -> str:
    """The year alone, as a list has room for: 前551年, 约前470年; the source's words where no number is known."""
    if year is None:
        return "？"
    if year.year is None:
        return year.text
    about = "约" if year.precision in ("about", "decade", "century") else ""
    return f"{about}前{-year.year}年" if year.year < 0 else f"{about}{year.year}年"
