"""Plain signs that a recalled passage answers, where the scores of recall alone are not sure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chathistory.domain import Figure
from chathistory.persona import questions
from chathistory.persona.select import about_self
from chathistory.text import normalise

_FIRST_OF_MANY = re.compile(r"[、，,；;/（(]")
_SHARE = 0.6


def box_tells(query: str, figure: Figure, texts: Sequence[str]) -> bool:
    """Whether a question about the figure himself names a key of his infobox, and a passage holds its value.

    A key of one character (字, 号) counts only where it is asked for as such: 您的字是什么, 您字什么.
    """
    if not about_self(query):
        return False
    for key, value in figure.infobox:
        asked = key in query if len(key) > 1 else re.search(rf"[您你](?:的{key}|{key}(?:是|叫|为|什么|何))", query)
        first = normalise(_FIRST_OF_MANY.split(value)[0])
        if asked and first and any(first in text for text in texts):
            return True
    return False


def shares_words(query: str, figure: Figure, texts: Sequence[str]) -> bool:
    """Whether one passage holds most content words of a question: for memories too small to weigh words in."""
    words = questions.content_words(query, figure)
    return bool(words) and max(sum(word in text for word in words) / len(words) for text in texts) >= _SHARE
