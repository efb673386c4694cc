"""Reads a passage of Chinese prose: sentence by sentence, carrying the subject from clause to clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Figure, Passage
from chathistory.openie.lexicon import KIN_SHORT, KINDS
from chathistory.openie.phrases import owner_and_kind
from chathistory.openie.predicates import Triple, appositions, read_predicate
from chathistory.openie.relations import life_span, phrase_relations
from chathistory.openie.sentence import Clause, clauses_of, find_subject
from chathistory.openie.words import Analyst, Word
from chathistory.text import sentences

_LABEL = re.compile(r"^(?P<label>[^，。；：:！？]{1,14})[：:](?P<rest>.+)$", re.DOTALL)
_ERA_YEAR = re.compile(r"(?:公元前|前|公元)?\d{1,4}年")
_NAME_TAGS = frozenset(("PER", "LOC", "ORG", "WORK", "EVENT", "DATE", "ROLE"))


class ChineseReader:
    """Reads passages about one figure."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._analyst = Analyst(figure.name, {name: figure.name for name in figure.names if len(name) > 1})

    def read(self, passage: Passage) -> tuple[list[Triple], list[str]]:
        """Return the triples and the names of a passage, in reading order."""
        triples: list[Triple] = []
        names: list[str] = []
        for line in passage.text.split("\n"):
            self._read_line(line.strip(), passage, triples, names)
        return triples, names

    def _read_line(self, line: str, passage: Passage, triples: list[Triple], names: list[str]) -> None:
        if not line:
            return
        label = _LABEL.match(line)
        if label:
            words = self._analyst.words(label["label"])
            speaker = _names_only(words)
            names.extend(_names(words))
            if speaker and self._quotes(label["rest"], passage):
                triples.extend((name, "评价", self._figure.name) for name in speaker if name != self._figure.name)
                names.extend(_names(self._analyst.words(label["rest"])))
                return
            if len(words) == 1 and words[0].text in KINDS:
                rest = self._analyst.words(label["rest"])
                if rest and rest[0].tag == "PER":
                    triples.append((self._figure.name, KIN_SHORT.get(words[0].text, words[0].text), rest[0].name()))
                line = label["rest"]
        topic: str | None = self._figure.name
        for sentence in sentences(_balance(line)):
            words = self._analyst.words(sentence)
            names.extend(_names(words))
            topic = self._read_sentence(words, topic, triples)

    def _quotes(self, rest: str, passage: Passage) -> bool:
        """Whether what follows a name and a colon is that person's word on the figure."""
        return "评" in passage.section or any(name in rest for name in self._figure.names) or (len(self._figure.name) == 2 and self._figure.name[1] in rest)

    def _read_sentence(self, words: list[Word], topic: str | None, triples: list[Triple]) -> str | None:
        """Read one sentence; ``topic`` may be its subject where it names none. Returns the next sentence's topic."""
        clauses = clauses_of(words)
        carry: tuple[str, ...] = (topic,) if topic else ()
        person = True
        seen: set[str] = set()
        named_first = False
        date: Word | None = None
        for position, clause in enumerate(clauses):
            find_subject(clause)
            if clause.date is not None:
                date = clause.date
            if not clause.hearsay:
                triples.extend(phrase_relations(clause.words))
            subjects, person = self._subjects(clause, carry, person)
            if clause.only_phrase and clause.phrases:
                if position == 0 and clause.phrases[0].head.tag == "PER":
                    named_first = True
                    if not clause.hearsay:
                        triples.extend(life_span(clause.phrases[0].head))
                elif named_first and carry and not clause.hearsay:
                    triples.extend(appositions(clause.words, carry[0]))
                    continue
                elif position:
                    if clause.phrases[0].head.tag != "PER":
                        continue
            if clause.explicit and subjects and position == 0:
                named_first = named_first or (len(subjects) == 1 and person)
            if not clause.hearsay and subjects and not clause.only_phrase:
                reading = read_predicate(clause.words, clause.start, subjects, person)
                if reading.facts and date is not None and person and reading.facts[0][0] in subjects:
                    triples.extend(_dated(reading.facts[:1], date))
                    date = None
                triples.extend(reading.facts)
                carry = subjects if reading.carry else ()
            else:
                carry = subjects
            seen.update(subjects or ("?",))
        return carry[0] if len(seen) == 1 and len(carry) == 1 and person else (self._figure.name if seen == {self._figure.name} else None)

    def _subjects(self, clause: Clause, carry: tuple[str, ...], person: bool) -> tuple[tuple[str, ...], bool]:
        """Return whom the clause is about, and whether that is a person."""
        if not clause.explicit:
            first = clause.words[clause.start] if clause.start < len(clause.words) else None
            if first is not None and first.tag == "R":
                if first.text in ("他", "她") and len(carry) == 1 and person and _predicate_follows(clause, clause.start + 1):
                    clause.start += 1
                    return carry, person
                return (), False
            return carry, person
        if not clause.phrases:
            return (), False
        heads = [phrase for phrase in clause.phrases if phrase.is_name]
        if len(heads) != len(clause.phrases) or any("PER" != phrase.head.tag and len(phrase.words) > 1 for phrase in heads):
            return (), False
        people = all(phrase.head.tag == "PER" for phrase in heads)
        return tuple(phrase.text for phrase in heads), people


def _predicate_follows(clause: Clause, i: int) -> bool:
    return i < len(clause.words) and clause.words[i].tag in ("V", "D", "P", "W", "T", "DATE")


def _dated(facts: list[Triple], date: Word) -> Iterator[Triple]:
    """The same act again, told by its year: (曹操, 于192年, 驻军于顿丘)."""
    year = date.text
    if (match := _ERA_YEAR.fullmatch(date.note.split("，")[0])) is not None:
        year = match.group()
    for subject, predicate, obj in facts:
        if predicate not in ("出生于", "逝世于", "死于", "享年", "字", "号", "是"):
            yield subject, f"于{year}", predicate + obj


def _names(words: list[Word]) -> list[str]:
    return [word.name() for word in words if word.tag in _NAME_TAGS and len(word.text) > 1]


def _names_only(words: list[Word]) -> list[str]:
    """The people before a colon when nothing but people (and their titles) stands there."""
    if not words or not all(word.tag in ("PER", "ROLE") or word.text in ("、", "和", "与") for word in words):
        return []
    return [word.name() for word in words if word.tag == "PER"]


def _balance(text: str) -> str:
    """Close a quote that the passage's cut left open, and open one that it left closed, so that speech stays speech."""
    opened, closed = text.find("“"), text.find("”")
    if closed >= 0 and (opened < 0 or closed < opened):
        text = "“" + text
    if text.count("“") > text.count("”"):
        text += "”"
    return text
