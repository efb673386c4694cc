"""Everybody who was summoned, looked up once each time the page is drawn."""

from __future__ import annotations

from chathistory.salon import Card, Salon
from chathistory.store import PersonaRow


class Deck:
    """The personas as one run of the page found them.

    A fragment draws by them at its first turn; when it runs again by itself, it looks anew.
    """

    def __init__(self, salon: Salon) -> None:
        self._salon = salon
        self._drawn: set[str] = set()
        self.rows: list[PersonaRow] = salon.archive.rows()
        self.cards: list[Card] = salon.cards(self.rows)

    def cards_for(self, fragment: str) -> list[Card]:
        """Return the cards that a fragment is to draw."""
        if fragment in self._drawn:
            return self._salon.cards()
        self._drawn.add(fragment)
        return self.cards
