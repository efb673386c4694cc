"""What is being read of one clause, and the small steps that all verb patterns share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chathistory.openie.phrases import Phrase
from chathistory.openie.words import Word

Triple = tuple[str, str, str]
_ASPECT = frozenset("了 过 着".split())
_LINKS = frozenset("后 之后 以后 时 等 而 并 并且 以 来 之时 期间 的时候".split())


@dataclass
class Reading:
    """The facts of a clause, who it is about, when and where, and whether the next clause may go on about them."""

    subjects: Sequence[str]
    person: bool
    facts: list[Triple] = field(default_factory=list)
    carry: bool = True
    beliefs: bool = False
    place: Phrase | None = None
    date: Word | None = None

    def add(self, predicate: str, objects: Sequence[Phrase]) -> None:
        """Every subject does it to every object."""
        for phrase in objects[:6]:
            self.add_text(predicate, phrase.text)

    def add_text(self, predicate: str, obj: str) -> None:
        """Every subject has this predicate with this object."""
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


def said(words: Sequence[Word]) -> str:
    """Words as a fact says them."""
    return "".join(word.name() if word.tag == "PER" else word.text for word in words)
