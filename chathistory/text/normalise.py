"""One normal form for every text that is stored, hashed or compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import opencc

_BLANKS = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_CJK = "\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_BLANK_IN_CJK = re.compile(rf"(?<=[{_CJK}]) (?=[{_CJK}])")
_KEPT_FORMS = ("<super>", "<sub>", "<circle>", "<fraction>", "<square>")


@lru_cache(maxsize=1)
def _t2s() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def simplify(text: str) -> str:
    """Return the text with Traditional characters turned into Simplified ones (OpenCC t2s, phrase-aware)."""
    return str(_t2s().convert(text))


@lru_cache(maxsize=65536)
def _fold(char: str) -> str:
    """NFKC of letters and digits only: 10² stays 10², ， stays ，, Ｎ becomes N."""
    if unicodedata.category(char)[0] not in "LN":
        return char
    if unicodedata.decomposition(char).startswith(_KEPT_FORMS):
        return char
    return unicodedata.normalize("NFKC", char)


def fold_width(text: str) -> str:
    """Return NFC text with full-width letters and digits and compatibility forms folded.

    Punctuation, superscripts and circled numbers keep their form: folding them would change what is read.
    """
    text = unicodedata.normalize("NFC", text)
    if text.isascii():
        return text
    return "".join(_fold(char) for char in text)


def tidy_blanks(text: str) -> str:
    """Return the text with invisible characters dropped, blanks run together, and none between Chinese characters."""
    text = _INVISIBLE.sub("", text)
    text = _BLANKS.sub(" ", text)
    return _BLANK_IN_CJK.sub("", text).strip()


def normalise(text: str) -> str:
    """Return the stored form of a text: folded, Simplified, tidy. Idempotent; line breaks are kept."""
    return tidy_blanks(simplify(fold_width(text)))
