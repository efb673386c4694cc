"""Word lists as they are easiest to read: blank-separated."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the blank-separated words of a text."""
    return frozenset(text.split())
