"""What is being read of one clause, and the small steps that all verb patterns share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from chathistory.openie.lexicon import MODAL, NEGATIVE
from chathistory.openie.phrases import Phrase
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

Triple = tuple[str, str, str]
_ASPECT = frozenset(["了", "过", "着"])
_LINKS = frozenset(word_list("后 之后 以后 时 等 而 并 并且 以 来 之时 期间 的时候"))


@dataclass
class Reading:
    """The facts of a clause, who it is about, when and where, and whether the next clause may go on about them."""

    subjects: Sequence[str]
    person: bool
    facts: list[Triple] = field(default_factory=list)
    carry: bool = True
    beliefs: bool = False
    named: bool = True
    weak: bool = False
    place: Phrase | None = None
    date: Word | None = None

    def add(self, predicate: str, objects: Sequence[Phrase]) -> None:
        """Every subject does it to every object."""
        if self.weak and not all(phrase.is_name for phrase in objects) and len(self.subjects[0]) < 4:
            return
        for phrase in objects[:6]:
            self.add_text(predicate, phrase.text)

    def add_text(self, predicate: str, obj: str) -> None:
        """Every subject has this predicate with this object."""
        if self.weak and len(self.subjects) > 1:
            return
        for subject in self.subjects[:4]:
            self.add_fact(subject, predicate, obj)

    def add_fact(self, subject: str, predicate: str, obj: str) -> None:
        """A fact of another subject than the clause's own."""
        if subject and obj and subject != obj:
            self.facts.append((subject, predicate, obj))


def after_aspect(words: Sequence[Word], i: int) -> int:
    """The index after a verb and its 了, 过, 于."""
    j = i + 1
    while j < len(words) and (words[j].text in _ASPECT or words[j].text in ("于", "在")):
        j += 1
    return j


def skip_adverbs(words: Sequence[Word], i: int) -> int:
    """The index of the first word that is no adverb."""
    while i < len(words) and words[i].tag in ("D", "T"):
        i += 1
    return i


def ends(words: Sequence[Word], i: int) -> bool:
    """Whether the clause's statement is whole at ``i``: nothing follows, or only a link to the next act."""
    return i >= len(words) or words[i].text in _LINKS


def whole_object(words: Sequence[Word], start: int) -> str:
    """Return what follows a verb when it is one phrase with a clause before its 的 (绕太阳运行的原因); else ''.

    Where the phrase ends in a person, that person alone is meant.
    """
    rest = list(words[start:])
    marks = [i for i, word in enumerate(rest) if word.text == "的"]
    if not marks or len(rest) < 3 or marks[0] == 0 or rest[-1].text == "的":
        return ""
    tail = rest[marks[-1] + 1 :]
    if (
        any(word.tag not in _TAIL for word in tail)
        or tail[-1].tag not in ("N", "PER", "LOC", "ORG", "WORK", "ROLE", "EVENT", "VN")
        or len(tail[-1].text) < 2
    ):
        return ""
    if any(word.tag in ("R", "X", "W", "U") and word.text not in ("的", "之", "了", "所") for word in rest) or any(
        word.text in NEGATIVE or word.text in MODAL for word in rest
    ):
        return ""
    if tail[-1].tag == "PER":
        return tail[-1].name()
    text = said(rest)
    return text if len(text) <= 20 else ""


_TAIL = frozenset(("N", "PER", "LOC", "ORG", "WORK", "ROLE", "EVENT", "VN", "A", "B", "M", "Q", "QUO"))


def said(words: Sequence[Word]) -> str:
    """Words as a fact says them."""
    return "".join(word.name() if word.tag == "PER" else word.text for word in words)


_YEAR = re.compile(r"(?:公元前|前|公元)?\d{1,4}年")


def year_of(date: Word) -> str:
    """A date as a fact says it: the year in the bracket after an era's year (建安三年（198年）), else its own words."""
    match = _YEAR.match(date.note)
    return match.group() if match else date.text
