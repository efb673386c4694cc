"""Sentences of Chinese and Western prose, never cut inside quotes or brackets."""

from __future__ import annotations

import re
from functools import lru_cache

_OPEN = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "〈": "〉", "（": "）", "(": ")", "【": "】", "[": "]"}
_CLOSE = frozenset(_OPEN.values())
_STOPS = frozenset("。！？!?；;…")
_LONGEST_QUOTE = 400
_ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "st", "sir", "jr", "sr", "vs", "no", "vol", "prof", "rev", "gen", "etc", "ca"]
)


def sentences(text: str, *, stops: frozenset[str] = _STOPS) -> list[str]:
    """Return the sentences of a text, in order, so that ``"".join`` gives the text back.

    A stop inside quotes or brackets does not end a sentence; a quote that never closes within 400 characters is
    taken as no quote. A Western full stop ends a sentence before a blank and a capital.

    Parameters
    ----------
    stops
        Characters that end a sentence; the default counts the semicolon, as Chinese chronicles use it.
    """
    pieces: list[str] = []
    start = 0
    closers: list[str] = []
    opened = 0
    length = len(text)
    for match in _marks(stops).finditer(text):
        i, char = match.start(), match.group()
        if closers and i - opened > _LONGEST_QUOTE:
            closers.clear()
        if char == "\n":
            closers.clear()
            pieces.append(text[start : i + 1])
            start = i + 1
            continue
        if char in _OPEN and char not in _CLOSE:
            if not closers:
                opened = i
            closers.append(_OPEN[char])
        elif closers and char in closers:
            while closers and closers.pop() != char:
                pass
            inner = text[i - 1] if i else ""
            if not closers and char in "”’」』" and inner in "。！？!?…" and not _continues(text, i + 1):
                pieces.append(text[start : i + 1])
                start = i + 1
        elif not closers and char in stops:
            if i + 1 < length and (text[i + 1] in stops or text[i + 1] in _CLOSE):
                continue
            pieces.append(text[start : i + 1])
            start = i + 1
        elif not closers and char == "." and _western_end(text, i):
            pieces.append(text[start : i + 1])
            start = i + 1
    if start < length:
        pieces.append(text[start:])
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=8)
def _marks(stops: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the characters at which anything is decided."""
    return re.compile("[" + re.escape("".join(sorted(stops | _CLOSE | set(_OPEN) | {"\n", "."}))) + "]")


def _continues(text: str, i: int) -> bool:
    """Whether what follows a closing quote still belongs to its sentence (a comma, a particle, another closer)."""
    return i < len(text) and (text[i] in "，,、；;：:。！？!?的之）)》" or text[i] in _CLOSE)


def _western_end(text: str, i: int) -> bool:
    """Whether the full stop at ``i`` ends a sentence: a capital follows, no initial or abbreviation stands before."""
    rest = text[i + 1 : i + 3]
    if not rest:
        return True
    if rest[0] != " " or len(rest) < 2 or not (rest[1].isupper() or rest[1] in '"“('):
        return False
    word = text[max(0, i - 8) : i].rsplit(" ", 1)[-1].lower()
    return len(word) > 1 and word not in _ABBREVIATIONS
