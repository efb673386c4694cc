"""Noun phrases: where one ends, what it says, and which of its words is the head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chathistory.openie.lexicon import KINDS
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

NAMES = frozenset(("PER", "LOC", "ORG", "WORK", "EVENT"))
_NOUNISH = frozenset(("PER", "LOC", "ORG", "WORK", "EVENT", "DATE", "ROLE", "N", "QUO"))
_MODIFIERS = frozenset(("A", "B", "M", "Q", "T", "VN", "I", "K"))
_TIME_ENDS = frozenset(word_list("后 时 前 之后 之前 以后 以前 期间 之际 时期 之时"))
_AFTER_AND_SO_ON = frozenset(word_list("人 国 地 职 郡 县 州 处 城 书 著作 作品 家 者 人物 地区 名 位 部 多"))
_COORDINATORS = frozenset(["和", "与", "及", "以及", "、", "暨"])


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its words, without what was trimmed."""

    words: tuple[Word, ...]

    @property
    def head(self) -> Word:
        """The last word: Chinese phrases are head-final."""
        return self.words[-1]

    @property
    def text(self) -> str:
        """The phrase as a fact says it; a person who ends it stands alone, with the titles left off."""
        if self.head.tag == "PER":
            return self.head.name()
        return "".join(word.name() if word.tag == "PER" else word.text for word in self.words)

    @property
    def is_name(self) -> bool:
        """Whether the phrase names a person, place, organisation, work or event."""
        if self.head.tag not in NAMES:
            return False
        if self.head.tag == "PER":
            return len(self.words) == 1 or all(
                word.tag in NAMES | {"ROLE", "N", "A", "B", "F", "M", "Q", "T"} or word.text in ("的", "之")
                for word in self.words
            )
        return all(word.tag in NAMES or word.tag in ("N", "F", "B", "的") for word in self.words)


def read_phrase(words: Sequence[Word], start: int) -> tuple[Phrase | None, int]:
    """Return the phrase that starts at ``start`` and the index after it; (None, start) where none stands."""
    end = start
    solid = start
    while end < len(words):
        word = words[end]
        if word.tag in _NOUNISH:
            if end > start and word.tag == "DATE" and words[end - 1].tag == "PER":
                break
            if word.tag == "PER" and _two_people(words, start, end):
                return None, start
            end += 1
            solid = end
        elif (
            word.tag == "V"
            and end > start
            and words[end - 1].tag in ("M", "Q")
            and len(word.text) > 1
            and _noun_at(words, end + 1)
            and words[end + 1].tag == "N"
        ):
            end += 1
        elif word.tag in _MODIFIERS:
            if word.tag == "VN" and end > start and words[end - 1].tag in ("PER", "WORK"):
                break
            if word.tag == "T" and end > start:
                break
            end += 1
            if word.tag in ("VN", "Q", "I") or (word.tag == "M" and len(word.text) > 1):
                solid = end if end - 1 > start or word.tag != "Q" else solid
        elif (word.tag == "F" and word.text not in _TIME_ENDS and end > start and _noun_at(words, end + 1)) or (
            word.text in ("的", "之") and solid == end > start and _noun_at(words, end + 1)
        ):
            end += 1
        else:
            break
        if end - start > 12:
            break
    if solid == start:
        return None, start
    return Phrase(tuple(words[start:solid])), solid


def read_list(words: Sequence[Word], start: int) -> tuple[list[Phrase], int]:
    """Return coordinated phrases (A、B和C等) that start at ``start``, and the index after them."""
    first, i = read_phrase(words, start)
    if first is None:
        return [], start
    found = [first]
    while i < len(words) and words[i].text in _COORDINATORS:
        phrase, j = read_phrase(words, i + 1)
        if phrase is None:
            break
        if words[i].text in ("和", "与") and j < len(words) and words[j].tag in ("V", "D", "P", "VN", "W"):
            break
        found.append(phrase)
        i = j
    while i < len(words) and words[i].text in ("等", "等人", "等等"):
        i += 1
        while (
            i < len(words)
            and words[i - 1].text != "等等"
            and words[i].tag in ("M", "Q", "N")
            and words[i].text in _AFTER_AND_SO_ON | {"多", "数"}
        ) or (i < len(words) and words[i].tag == "M"):
            i += 1
    return found, i


def _two_people(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a person at ``end`` follows another with nothing between them that makes one phrase of both."""
    if not any(word.tag == "PER" for word in words[start:end]):
        return False
    before = words[end - 1]
    if before.tag in ("PER", "ROLE") or before.text in KINDS or before.text in ("的", "之"):
        return False
    return not any(word.text in ("的", "之") for word in words[start:end])


def _noun_at(words: Sequence[Word], i: int) -> bool:
    return i < len(words) and (words[i].tag in _NOUNISH or (words[i].tag in _MODIFIERS and _noun_at(words, i + 1)))


def owner_and_kind(words: Sequence[Word]) -> tuple[Word, str] | None:
    """Read a phrase like 刘备之子, 麋竺之妹, 孔子的弟子, 曹腾养子: (owner, kind); None for any other phrase."""
    if len(words) < 2 or words[0].tag != "PER":
        return None
    rest = [word.text for word in words[1:] if word.text not in ("的", "之")]
    kind = "".join(rest)
    return (
        (words[0], kind)
        if kind in KINDS or kind in ("子", "女", "妻", "妾", "妹", "姐", "弟", "兄", "父", "母", "孙", "侄", "后")
        else None
    )
