"""Reads a passage of English prose (placeholder until patterns land)."""

from __future__ import annotations

from chathistory.domain import Figure, Passage
from chathistory.openie.reading import Triple


class EnglishReader:
    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def read(self, passage: Passage) -> tuple[list[Triple], list[str]]:
        return [], [self._figure.name]
