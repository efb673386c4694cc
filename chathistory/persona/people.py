"""Personal names in a text, by the part-of-speech tagger, a gazetteer and the dot of foreign names."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from chathistory.openie.gazetteer import PERSONS

_ENDS_NAME = "来替对说是在和与同的把被向给从到去又也都曾了将让请写嫁娶很便就才"
_DOTTED = re.compile(
    rf"[\u4e00-\u9fffA-Za-z]{{1,5}}(?:[·•][\u4e00-\u9fffA-Za-z]{{1,2}}(?:(?![{_ENDS_NAME}他她其])[\u4e00-\u9fffA-Za-z]){{0,4}})+"
)
"""A foreign name; after two characters behind the dot a common verb or particle ends it (巴顿来替他 is 巴顿)."""
_BEFORE_NAME = re.compile(r"^.*[的是叫和与由同向对到在被把给让约年月日过了家士师人长]")
_NO_PERSON = re.compile(r"[国县郡州邑宫山河湖军城庄园陵渠街寺楼台阁门镇礼书经]$")
_COMMON_WORD = 100
"""From this count in jieba's dictionary on, a word of two characters tagged as a name is taken for a plain word."""
_KNOWN = frozenset(PERSONS)


@lru_cache(maxsize=1)
def tagger() -> Any:
    """Return jieba's part-of-speech tagger, loaded at its first use."""
    import jieba
    import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba.posseg.dt


@lru_cache(maxsize=4096)
def people(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of personal names that the part-of-speech tagger and the dot of foreign names show."""
    spans = []
    for match in _DOTTED.finditer(text):
        head = _BEFORE_NAME.match(match.group().split("·")[0].split("•")[0])
        spans.append((match.start() + (head.end() if head else 0), match.end()))
    position = 0
    for word, flag in tagger().cut(text):
        end = position + len(word)
        inside = any(start < end and position < stop for start, stop in spans)
        if not inside and (word in _KNOWN or (flag.startswith("nr") and _may_be_name(word))):
            spans.append((position, end))
        position = end
    return tuple(sorted(spans))


def _may_be_name(word: str) -> bool:
    if len(word) < 2 or _NO_PERSON.search(word):
        return False
    return len(word) > 2 or tagger().word_tag_tab.get(word) is None or _frequency(word) < _COMMON_WORD


@lru_cache(maxsize=4096)
def _frequency(word: str) -> int:
    import jieba

    return int(jieba.dt.FREQ.get(word) or 0)
