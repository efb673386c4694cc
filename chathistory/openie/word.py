"""A word of a sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word; ``tag`` is its class, ``value`` what a fact says for it, ``note`` the bracket that follows it."""

    text: str
    tag: str
    value: str = ""
    note: str = ""

    def name(self) -> str:
        """What stands for this word in a fact."""
        return self.value or self.text
