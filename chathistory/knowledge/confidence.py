"""Whether what came back answers the question at all."""

from __future__ import annotations

import math

from chathistory.knowledge.words import units

_LINE = 0.09
_PER_DOUBLING = 0.07
_NAMED = 0.03
_USUAL_LENGTH = 16
_WIDTH = 0.06
_WORDS_LINE, _WORDS_WIDTH = 0.1, 0.03


def confidence_of(gain: float, question: str, named: bool) -> tuple[bool, float]:
    """Return whether the best passage lies above the confidence line, and how far, as 0..1; the line is 0.5.

    The line falls by 0.07 with each doubling of the question's length, since a long question, told in other words than
    the passage, spreads its vector and its terms thin. It lies 0.03 higher for a question that names somebody or
    something: then the passage should share at least that. How it was drawn stands in docs/recall.md.

    Parameters
    ----------
    gain
        The best direct score less what the best passage reaches for a question about something else
        (``KnowledgeIndex.noise``): the part that fits any embedder and any size of memory.
    named
        Whether the question names an entity that is not common.
    """
    length = max(len(units(question)), 1)
    line = _LINE - _PER_DOUBLING * math.log2(length / _USUAL_LENGTH) + (_NAMED if named else 0.0)
    confidence = 1 / (1 + math.exp(-(gain - line) / _WIDTH))
    return confidence >= 0.5, confidence


def confidence_by_words(score: float) -> tuple[bool, float]:
    """Return the same where no vector was to be had: from the best passage's BM25 alone.

    The line was drawn on questions about 刘备 and 曹操: above it lay 15 of 25 that have an answer, none of 3 that have
    not. Questions told in other words than the passage stay below it.
    """
    confidence = 1 / (1 + math.exp(-(score - _WORDS_LINE) / _WORDS_WIDTH))
    return confidence >= 0.5, confidence
