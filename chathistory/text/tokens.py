"""Words of a text, for lexical scores."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba


def tokens(text: str) -> list[str]:
    """Return the words of a normalised text, lower-case: Latin words whole, Chinese by jieba's search cut."""
    words: list[str] = []
    for match in _WORD.finditer(text.lower()):
        run = match.group()
        if run.isascii():
            words.append(run)
        else:
            words.extend(_jieba().cut_for_search(run))
    return words


def jieba_words(text: str) -> tuple[Callable[[str], float], float, dict[int, list[int]]]:
    """Return jieba's word counts as a function, their total, and the ends of the words that begin at each position."""
    dictionary = _jieba().dt
    ends = {start: [last + 1 for last in lasts] for start, lasts in dictionary.get_DAG(text).items()}
    return lambda word: float(dictionary.FREQ.get(word) or 0.0), float(dictionary.total), ends
