"""The words that lexical scores count: Western words whole, Chinese characters and pairs, all as numbers.

Chinese needs no segmentation here: single characters catch a paraphrase, pairs catch names, and inverse document
frequency tells which of them mean something.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Terms = NDArray[np.uint64]
Owners = NDArray[np.int32]

_BREAK, _LETTER, _SINGLE, _MARK = 0, 1, 2, 3
_SINGLES = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNIT = re.compile(rf"[{_SINGLES}]|[^\W_{_SINGLES}]+")
_BASE = np.uint64(0x9E3779B97F4A7C15)
_LONGEST_WORD = 48
FREE_BITS = 16
"""Bits at the lower end of a term's number that are zero, so that something can be sorted along with it."""
_USED = np.uint64(2**64 - 2**FREE_BITS)


def fold(text: str) -> str:
    """Return the text without case and accents: Jiménez and jimenez are one word."""
    text = text.casefold()
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def units(text: str) -> list[str]:
    """Return the smallest pieces a name is made of: Western words, single Chinese characters or kana; folded."""
    return _UNIT.findall(fold(text))


def units_of_lines(lines: Sequence[str]) -> list[list[str]]:
    """Return the units of each of many texts without line breaks."""
    return [_UNIT.findall(line) for line in fold("\n".join(lines)).split("\n")] if lines else []


def terms(texts: Sequence[str]) -> tuple[Terms, Owners]:
    """Return the terms of texts as numbers, and the position of the text that each stands in.

    A term is a Western word, a Chinese character, or two that stand side by side. The numbers are the same on every
    machine; two given terms share one with a chance of 2 to the power of -48.

    Returns
    -------
    terms : (t,) uint64, the lower ``FREE_BITS`` bits zero
    owners : (t,) int32, rising within each of the three kinds
    """
    joined = "\n".join(text.replace("\n", " ") for text in texts).casefold()
    if not joined.isascii():
        joined = unicodedata.normalize("NFD", joined)
    codes = np.frombuffer(joined.encode("utf-32-le"), dtype="<u4")
    kinds = _kinds()[np.minimum(codes, len(_kinds()) - 1)]
    owners = np.cumsum(codes == ord("\n"), dtype=np.int32)
    if (kinds == _MARK).any():
        kept = kinds != _MARK
        codes, kinds, owners = codes[kept], kinds[kept], owners[kept]
    wide = codes.astype(np.uint64) + np.uint64(1)
    single = np.flatnonzero(kinds == _SINGLE)
    paired = single[:-1][np.diff(single) == 1] if len(single) > 1 else single[:0]
    words, starts = _word_hashes(wide, kinds)
    found = (words, _mix(wide[single], 1), _mix(wide[paired] * _BASE + wide[paired + 1], 2))
    return np.concatenate(found), np.concatenate((owners[starts], owners[single], owners[paired]))


def _word_hashes(wide: Terms, kinds: NDArray[np.uint8]) -> tuple[Terms, NDArray[np.intp]]:
    """Return a number for each run of letters, and where the run starts."""
    letters = np.flatnonzero(kinds == _LETTER)
    if not len(letters):
        return np.zeros(0, np.uint64), letters
    first = np.concatenate(([True], np.diff(letters) > 1))
    heads = np.flatnonzero(first)
    place = np.arange(len(letters)) - np.repeat(heads, np.diff(np.append(heads, len(letters))))
    values = wide[letters] * _powers()[np.minimum(place, _LONGEST_WORD - 1)]
    return _mix(np.add.reduceat(values, heads), 0), letters[heads]


def _mix(values: Terms, kind: int) -> Terms:
    """Spread numbers over 64 bits (the finaliser of splitmix64, Steele et al., OOPSLA 2014), each kind apart."""
    mixed = values * np.uint64(4) + np.uint64(kind)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((mixed ^ (mixed >> np.uint64(31))) & _USED, dtype=np.uint64)


@functools.lru_cache(maxsize=1)
def _powers() -> Terms:
    powers = [1]
    while len(powers) < _LONGEST_WORD:
        powers.append(powers[-1] * int(_BASE) % 2**64)
    return np.array(powers, dtype=np.uint64)


@functools.lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint8]:
    """Return the kind of every character up to U+3FFFF; beyond that there are no letters."""
    single = re.compile(f"[{_SINGLES}]")
    kinds = np.zeros(0x40000, dtype=np.uint8)
    for code in range(0x20000):
        char = chr(code)
        if unicodedata.combining(char):
            kinds[code] = _MARK
        elif unicodedata.category(char)[0] in "LNM":
            kinds[code] = _SINGLE if single.match(char) else _LETTER
    kinds[0x20000:-1] = _SINGLE
    return kinds
