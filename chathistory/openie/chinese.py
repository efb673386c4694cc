"""Reads a passage of Chinese prose: sentence by sentence, carrying the subject from clause to clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Figure, Passage
from chathistory.openie.checks import LONGEST_OBJECT
from chathistory.openie.infobox import SECTION, infobox_names, told_pairs
from chathistory.openie.lexicon import (
    KIN,
    KIN_SHORT,
    KINDS,
)
from chathistory.openie.owned import described, owned_whole
from chathistory.openie.phrases import owner_and_kind
from chathistory.openie.plain import plain_facts
from chathistory.openie.predicates import appositions, read_predicate
from chathistory.openie.reading import Triple
from chathistory.openie.relations import life_span, phrase_relations
from chathistory.openie.rows import row_triples
from chathistory.openie.sentence import TOLD, Clause, clauses_of, find_subject
from chathistory.openie.speakers import labelled_speaker, named_speakers
from chathistory.openie.statements import (
    dated_facts,
    dies_before,
    doubt,
    held_facts,
    is_weak,
    kin_of_topic,
    mark_wished,
    may_act,
    owned_facts,
    placed_facts,
    predicate_follows,
    speaks,
    spoken_facts,
)
from chathistory.openie.told import framed, told_facts
from chathistory.openie.told_words import SUPPOSING
from chathistory.openie.word import Word
from chathistory.openie.words import Analyst
from chathistory.text import sentences

_LABEL = re.compile(r"^(?P<label>[^，。；：:！？]{1,14})[：:](?P<rest>.+)$", re.DOTALL)


_ENDS = re.compile(r"^[。；！ “”①-⑳]+|[。；！ “”]+$")
_CAST = re.compile(r"演员|影视|影像|配音|角色|饰演|戏剧|游戏|动画|电视|电影")


_CLASSICAL = re.compile(r"[吾矣也乎焉哉耶之其]")


_MODERN = re.compile(r"[的了是在年、]")


_LISTED_YEAR = re.compile(r"[（(]\d+年")


_NAME_TAGS = frozenset(("PER", "LOC", "ORG", "WORK", "EVENT", "DATE", "ROLE"))


class ChineseReader:
    """Reads passages about one figure."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._analyst = Analyst({name: figure.name for name in figure.names if len(name) > 1}, infobox_names(figure))

    def read(self, passage: Passage) -> tuple[list[Triple], list[str]]:
        """Return the triples and the names of a passage, in reading order."""
        triples: list[Triple] = list(told_pairs(passage, self._figure)) if passage.section == SECTION else []
        names: list[str] = []
        if triples:
            return triples, [obj for _, _, obj in triples]
        for line in passage.text.split("\n"):
            self._read_line(line.strip(), passage, triples, names)
        return triples, names

    def nouns(self, passage: Passage) -> list[str]:
        """Return what may stand for a passage that names nothing: nouns, longer words, or its start."""
        words = self._analyst.words(passage.text)
        nouns = [word.text for word in words if word.tag in ("N", "VN", "I", "QUO") and len(word.text) > 1]
        return nouns or [word.text for word in words if len(word.text) > 1 and word.tag != "R"] or [passage.text[:4]]

    def _read_line(self, line: str, passage: Passage, triples: list[Triple], names: list[str]) -> None:
        if not line:
            return
        if rows := list(row_triples(line, self._figure.name)):
            triples.extend(rows)
            names.extend(end for subject, _, obj in rows for end in (subject, obj))
            return
        label = _LABEL.match(line)
        if label:
            words = self._analyst.words(label["label"])
            speaker = named_speakers(words) or labelled_speaker(label["label"], label["rest"])
            names.extend(_names(words))
            if speaker and self._quotes(label["rest"], passage):
                triples.extend((name, "评价", self._figure.name) for name in speaker if name != self._figure.name)
                triples.extend(
                    (name, f"评价{self._figure.name}道", words)
                    for words in self._verdicts(label["rest"])
                    for name in speaker
                    if name != self._figure.name
                )
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
            for quote in (word.text[1:-1] for word in words if word.tag == "QUO"):
                names.extend(_names(self._analyst.words(quote)))
            topic = self._read_sentence(words, topic, triples)

    def _verdicts(self, rest: str) -> Iterator[str]:
        """Yield the sentences of a verdict that name the figure and are short enough to be told whole."""
        for sentence in [] if _LISTED_YEAR.search(rest) else sentences(rest):
            said = _ENDS.sub("", sentence)
            if (
                6 <= len(said) <= LONGEST_OBJECT
                and any(name in said for name in self._figure.names)
                and not said.endswith(("？", "?", "乎", "耶", "哉"))
            ):
                yield said

    def _quotes(self, rest: str, passage: Passage) -> bool:
        """Whether what follows a name and a colon is that person's word on the figure."""
        if _CAST.search(passage.section):
            return False
        if "评" in passage.section or any(name in rest for name in self._figure.names):
            return True
        if _LISTED_YEAR.search(rest) or "《" in rest:
            return False
        return _CLASSICAL.search(rest) is not None or (len(rest) >= 8 and not _MODERN.search(rest))

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
            mark_wished(clause)
            supposed = position > 0 and SUPPOSING.search(clauses[position - 1].text) is not None
            if clause.date is not None:
                date = clause.date
            if clause.told_as == TOLD:
                told = self._retold(clause, carry, person)
                triples.extend(told)
            if not clause.hearsay:
                triples.extend(phrase_relations(clause.words))
                triples.extend(kin_of_topic(clause, carry, person))
            before = carry
            subjects, person = self._subjects(clause, carry, person)
            if clause.only_phrase and clause.phrases:
                if position == 0 and clause.phrases[0].head.tag == "PER":
                    named_first = True
                    if not clause.hearsay:
                        triples.extend(life_span(clause.phrases[0].head))
                elif named_first and carry and not clause.hearsay:
                    triples.extend(appositions(clause.words, carry[0]))
                    continue
                elif position and clause.phrases[0].head.tag != "PER":
                    continue
            if clause.explicit and subjects and position == 0:
                named_first = named_first or (len(subjects) == 1 and person)
            if not clause.hearsay and (
                any(word.tag == "WORK" for word in clause.words) or (person and len(subjects) == 1)
            ):
                triples.extend(spoken_facts(clauses, position, subjects[0] if subjects else ""))
            if clause.hearsay or clause.only_phrase:
                carry = subjects
            elif owned := owned_facts(clause):
                triples.extend(owned)
                carry = (owned[0][2],) if len(owned) == 1 and clause.words[-1].tag == "PER" else ()
                subjects, person = carry or subjects, True
            elif subjects:
                reading = read_predicate(clause.words, clause.start, subjects, person, clause.explicit, is_weak(clause))
                date = date or reading.date
                acts = [fact for fact in reading.facts if fact[0] in subjects] if person else []
                for act in acts[:4]:
                    triples.extend(dated_facts(act, date))
                    triples.extend(placed_facts(act, reading))
                date = None if acts else date
                triples.extend(reading.facts)
                if acts and len(subjects) == 1 and not reading.beliefs and not reading.weak:
                    triples.extend(framed(clause, subjects[0]))
                if not reading.facts and not reading.beliefs:
                    whole = [] if supposed else self._whole(clause, subjects, person, named_first)
                    triples.extend(whole)
                    for act in whole[:1]:
                        triples.extend(dated_facts(act, date))
                carry = subjects if reading.carry and person else ()
                if dies_before(clause):
                    carry = before
                if reading.beliefs:
                    triples.extend(held_facts(clauses, position, subjects) if not reading.facts else [])
                    doubt(clauses[position + 1 :])
            else:
                carry = subjects
            if speaks(clause):
                doubt(clauses[position + 1 :])
            seen.update(subjects or ("?",))
        return (
            carry[0]
            if len(seen - {"?"}) == 1 and len(carry) == 1 and person
            else (self._figure.name if seen == {self._figure.name} else None)
        )

    def _whole(self, clause: Clause, subjects: tuple[str, ...], person: bool, named: bool) -> list[Triple]:
        """Facts of a clause that no pattern read; ``named`` where its sentence named the one subject."""
        if person and len(subjects) == 1 and (facts := plain_facts(clause, subjects[0])):
            return facts
        if facts := described(clause) or owned_whole(clause):
            return facts
        if clause.explicit and len(subjects) <= 3 and all(phrase.is_name for phrase in clause.phrases):
            return [fact for subject in subjects for fact in told_facts(clause, subject)]
        return told_facts(clause, subjects[0]) if person and named and len(subjects) == 1 else []

    def _retold(self, clause: Clause, carry: tuple[str, ...], person: bool) -> list[Triple]:
        """Facts of what is only told (相传, 据《史记》载): they say so in their predicate."""
        copy = Clause(clause.words, clause.start, explicit=clause.explicit, phrases=clause.phrases)
        subjects, people = self._subjects(copy, carry, person)
        if not subjects or copy.only_phrase:
            return []
        reading = read_predicate(copy.words, copy.start, subjects, people, copy.explicit, is_weak(copy))
        return [
            (subject, TOLD + predicate, obj)
            for subject, predicate, obj in reading.facts
            if not predicate.startswith(TOLD)
        ]

    def _subjects(self, clause: Clause, carry: tuple[str, ...], person: bool) -> tuple[tuple[str, ...], bool]:
        """Return whom the clause is about, and whether that is a person."""
        if not clause.explicit:
            first = clause.words[clause.start] if clause.start < len(clause.words) else None
            if first is not None and first.tag == "R":
                if (
                    first.text in ("他", "她")
                    and len(carry) == 1
                    and person
                    and predicate_follows(clause, clause.start + 1)
                ):
                    clause.start += 1
                    return carry, person
                return (), False
            return carry, person
        if not clause.phrases:
            return (), False
        kin = clause.phrases[0].words
        if len(clause.phrases) == 1 and len(kin) == 2 and kin[0].text in KIN and kin[1].tag == "PER":
            return (kin[1].name(),), True
        if not all(may_act(phrase) for phrase in clause.phrases):
            return (), False
        people = all(phrase.head.tag == "PER" or owner_and_kind(phrase.words) for phrase in clause.phrases)
        return tuple(phrase.text for phrase in clause.phrases), people


def _names(words: list[Word]) -> list[str]:
    return [word.name() for word in words if word.tag in _NAME_TAGS and len(word.text) > 1]


def _balance(text: str) -> str:
    """Close a quote that the passage's cut left open, and open one that it left closed, so that speech stays speech."""
    opened, closed = text.find("“"), text.find("”")
    if closed >= 0 and (opened < 0 or closed < opened):
        text = "“" + text
    if text.count("“") > text.count("”"):
        text += "”"
    return text
