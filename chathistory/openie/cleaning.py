"""What a model says about a passage, held against the passage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chathistory.domain import Extraction, Fact, Figure, Passage
from chathistory.openie.checks import is_pronoun, tidy
from chathistory.text import fold_name, normalise, tokens

_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_SQUEEZED = re.compile(r"[\s\W_]+")
_REAL_TEXT = re.compile(r"[\u3400-\u9fff]{2}|[A-Za-z]{3}")
_LONGEST_ENTITY = 40
_LONGEST_PREDICATE = 30
_TRIPLE = 3

Dropped = Counter[str]
"""How many were dropped, by reason: wrong_length, empty, same, pronoun, foreign, language, too_long."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An extraction, and what was dropped on the way to it."""

    extraction: Extraction
    dropped: Dropped = field(default_factory=Counter)


def is_real_text(text: str) -> bool:
    """Whether a passage holds words at all, so that no entities from it are a failure."""
    return _REAL_TEXT.search(text) is not None


def cleaned(
    passage: Passage, figure: Figure, entities: Sequence[object], triples: Sequence[Sequence[object]]
) -> Reading:
    """Return the entities and facts that stand in the passage or name the figure; the rest is counted.

    A name of the figure becomes its canonical name in facts. Ends of facts that are entities are added to them.
    """
    check = _Check(passage, figure)
    dropped: Dropped = Counter()
    kept: dict[str, None] = {}
    for candidate in entities:
        name = check.entity(candidate, dropped)
        if name:
            kept.setdefault(name)
    facts: dict[Fact, None] = {}
    for triple in triples:
        fact = check.fact(triple, dropped)
        if fact is not None:
            facts.setdefault(fact)
            for end in (fact.subject, fact.object):
                if check.stands(end):
                    kept.setdefault(end)
    return Reading(Extraction(passage.id, tuple(kept), tuple(facts)), dropped)


class _Check:
    """One passage, prepared."""

    def __init__(self, passage: Passage, figure: Figure) -> None:
        self._figure = figure
        self._names = {fold_name(name) for name in figure.names}
        self._squeezed = _squeeze(passage.text)
        self._text = passage.text
        self._chinese = 5 * len(_CJK.findall(passage.text)) > len(passage.text)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(tokens(normalise(self._text)))

    def entity(self, value: object, dropped: Dropped) -> str | None:
        """Return an entity tidied, None where it is none."""
        name = self._part(value)
        reason = self._fault(name)
        if reason is None and len(name) > _LONGEST_ENTITY:
            reason = "too_long"
        if reason is None and not self.stands(name):
            reason = "foreign"
        if reason:
            dropped[reason] += 1
            return None
        return self._canonical(name)

    def fact(self, triple: Sequence[object], dropped: Dropped) -> Fact | None:
        """Return a triple as a fact, None where it is no good one."""
        if len(triple) != _TRIPLE or any(isinstance(part, dict | list) for part in triple):
            dropped["wrong_length"] += 1
            return None
        subject, predicate, obj = (self._part(part) for part in triple)
        predicate = _without_ends(predicate, subject, obj)
        reason = self._fault(subject) or self._fault(obj) or self._fault(predicate)
        if reason is None and max(len(subject), len(obj), len(predicate) + 10) > _LONGEST_ENTITY * self._width():
            reason = "too_long"
        if reason is None and self._chinese and not _CJK.search(predicate) and not self.stands(predicate):
            reason = "language"
        if reason is None and not self._chinese and _CJK.search(predicate):
            reason = "language"
        if reason is None and not (self.grounded(subject) and self.grounded(obj)):
            reason = "foreign"
        subject, obj = self._canonical(subject), self._canonical(obj)
        if reason is None and subject == obj:
            reason = "same"
        if reason:
            dropped[reason] += 1
            return None
        return Fact(subject, predicate, obj)

    def stands(self, name: str) -> bool:
        """Whether a name stands in the passage, or is the figure's."""
        return fold_name(name) in self._names or _squeeze(name) in self._squeezed

    def grounded(self, phrase: str) -> bool:
        """Whether a phrase stands in the passage, or is made of nothing but the passage's words."""
        if self.stands(phrase):
            return True
        words = tokens(phrase)
        return len(words) > 1 and all(word in self._words for word in words)

    def _width(self) -> int:
        return 1 if self._chinese else 3

    def _canonical(self, name: str) -> str:
        return self._figure.name if fold_name(name) in self._names else name

    @staticmethod
    def _part(value: object) -> str:
        return tidy(normalise(str(value))).strip() if isinstance(value, str | int | float) else ""

    @staticmethod
    def _fault(part: str) -> str | None:
        if not part or not any(char.isalnum() for char in part):
            return "empty"
        return "pronoun" if is_pronoun(part) else None


def _without_ends(predicate: str, subject: str, obj: str) -> str:
    """A predicate that says its subject or object again, as small models do, without them where something is left."""
    shorter = predicate.removeprefix(subject).removesuffix(obj).strip()
    return shorter or predicate


def _squeeze(text: str) -> str:
    """Letters and digits only, lower case: a name is found whatever blanks, dots and quotes the model put into it."""
    return _SQUEEZED.sub("", normalise(text)).lower()


def total(counts: Iterable[Dropped]) -> Dropped:
    """Return the sum of counts."""
    result: Dropped = Counter()
    for count in counts:
        result.update(count)
    return result
