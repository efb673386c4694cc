"""Word lists as they stand in the source: one string, blanks between."""

from __future__ import annotations


def word_list(text: str) -> tuple[str, ...]:
    """Return the words of a text that blanks part, in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that blanks part."""
    return frozenset(text.split())
