"""Reads a passage of Chinese prose: sentence by sentence, carrying the subject from clause to clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Figure, Passage
from chathistory.openie.checks import LONGEST_OBJECT
from chathistory.openie.infobox import SECTION, infobox_names, told_pairs
from chathistory.openie.lexicon import (
    COMPOUND_SURNAMES,
    GENERIC_NOUNS,
    KIN,
    KIN_SHORT,
    KINDS,
    MODAL,
    NEGATIVE,
    SURNAMES,
)
from chathistory.openie.phrases import Phrase, owner_and_kind, read_list
from chathistory.openie.predicates import appositions, read_predicate
from chathistory.openie.reading import Reading, Triple, year_of
from chathistory.openie.relations import life_span, phrase_relations
from chathistory.openie.rows import row_triples
from chathistory.openie.sentence import TOLD, Clause, clauses_of, find_subject
from chathistory.openie.voices import add_clause, holds
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list
from chathistory.openie.words import Analyst
from chathistory.text import sentences

_LABEL = re.compile(r"^(?P<label>[^，。；：:！？]{1,14})[：:](?P<rest>.+)$", re.DOTALL)
_CAST = re.compile(r"演员|影视|影像|配音|角色|饰演|戏剧|游戏|动画|电视|电影")
_CLASSICAL = re.compile(r"[吾矣也乎焉哉耶之其]")
_MODERN = re.compile(r"[的了是在年、]")
_LISTED_YEAR = re.compile(r"[（(]\d+年")
_TIMELESS = frozenset(word_list("出生于 逝世于 死于 葬于 享年 字 号 是 名 说 认为"))
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
        """Return what may stand for a passage that names nothing: its nouns, else its longer words, else its first characters."""
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
            speaker = _names_only(words) or _speaker(label["label"], label["rest"])
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
            said = sentence.strip("。；！！ “”①②③④⑤⑥")
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
            if clause.date is not None:
                date = clause.date
            if clause.told_as == TOLD:
                told = self._retold(clause, carry, person)
                triples.extend(told)
            if not clause.hearsay:
                triples.extend(phrase_relations(clause.words))
                triples.extend(_kin_of_topic(clause, carry, person))
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
            if not clause.hearsay and (
                any(word.tag == "WORK" for word in clause.words) or (person and len(subjects) == 1)
            ):
                triples.extend(_spoken(clauses, position, subjects[0] if subjects else ""))
            if clause.hearsay or clause.only_phrase:
                carry = subjects
            elif owned := _owned(clause):
                triples.extend(owned)
                carry = (owned[0][2],) if len(owned) == 1 and clause.words[-1].tag == "PER" else ()
                subjects, person = carry or subjects, True
            elif subjects:
                reading = read_predicate(
                    clause.words, clause.start, subjects, person, clause.explicit, _is_weak(clause)
                )
                date = date or reading.date
                acts = [fact for fact in reading.facts if fact[0] in subjects] if person else []
                for act in acts[:4]:
                    triples.extend(_dated(act, date))
                    triples.extend(_placed(act, reading))
                date = None if acts else date
                triples.extend(reading.facts)
                carry = subjects if reading.carry else ()
                if reading.beliefs:
                    triples.extend(_held(clauses, position, subjects) if not reading.facts else [])
                    _doubt(clauses[position + 1 :])
            else:
                carry = subjects
            seen.update(subjects or ("?",))
        return (
            carry[0]
            if len(seen) == 1 and len(carry) == 1 and person
            else (self._figure.name if seen == {self._figure.name} else None)
        )

    def _retold(self, clause: Clause, carry: tuple[str, ...], person: bool) -> list[Triple]:
        """Facts of what is only told (相传, 据《史记》载): they say so in their predicate."""
        copy = Clause(clause.words, clause.start, explicit=clause.explicit, phrases=clause.phrases)
        subjects, people = self._subjects(copy, carry, person)
        if not subjects or copy.only_phrase:
            return []
        reading = read_predicate(copy.words, copy.start, subjects, people, copy.explicit, _is_weak(copy))
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
                    and _predicate_follows(clause, clause.start + 1)
                ):
                    clause.start += 1
                    return carry, person
                return (), False
            return carry, person
        if not clause.phrases:
            return (), False
        first = clause.phrases[0].words
        if len(clause.phrases) == 1 and len(first) == 2 and first[0].text in KIN and first[1].tag == "PER":
            return (first[1].name(),), True
        if not all(_may_act(phrase) for phrase in clause.phrases):
            return (), False
        people = all(phrase.head.tag == "PER" or owner_and_kind(phrase.words) for phrase in clause.phrases)
        return tuple(phrase.text for phrase in clause.phrases), people


def _may_act(phrase: Phrase) -> bool:
    """Whether a phrase may be the subject of a fact: a name, or a common phrase that says by itself who is meant."""
    if (
        any(word.tag in ("R", "M", "T", "QUO") or word.text in MODAL for word in phrase.words)
        or phrase.text in GENERIC_NOUNS
    ):
        return False
    if phrase.head.tag == "EVENT":
        return False
    if phrase.is_name:
        return True
    if owner_and_kind(phrase.words):
        return True
    return (
        phrase.head.tag in ("N", "ROLE")
        and 2 <= len(phrase.text) <= 10
        and phrase.words[0].text not in KINDS
        and len(phrase.head.text) > 1
    )


def _is_weak(clause: Clause) -> bool:
    """Whether the clause's subject is a common phrase that holds no name: its facts must lead to a name."""
    return bool(clause.phrases) and not all(
        phrase.is_name or owner_and_kind(phrase.words) or _named_group(phrase) for phrase in clause.phrases
    )


def _named_group(phrase: Phrase) -> bool:
    """刘备军队, 雅典海军: a name and one noun."""
    return len(phrase.words) == 2 and phrase.words[0].tag in ("PER", "LOC", "ORG")


def _predicate_follows(clause: Clause, i: int) -> bool:
    return i < len(clause.words) and clause.words[i].tag in ("V", "D", "P", "W", "T", "DATE")


def _kin_of_topic(clause: Clause, carry: tuple[str, ...], person: bool) -> list[Triple]:
    """父亲叔梁纥…, where a sentence about one person opens with a bare kin word: (孔子, 父亲, 叔梁纥)."""
    if len(clause.phrases) != 1 or len(carry) != 1 or not person:
        return []
    words = clause.phrases[0].words
    if len(words) == 2 and words[0].text in KIN and words[1].tag == "PER":
        return [(carry[0], KIN_SHORT.get(words[0].text, words[0].text), words[1].name())]
    return []


def _spoken(clauses: list[Clause], position: int, speaker: str) -> list[Triple]:
    """孔子说：“不学诗，无以言。”: (孔子, 说, 不学诗，无以言), where the quote is short and names no one by a pronoun."""
    words = clauses[position].words
    following = (
        clauses[position + 1].words if position + 1 < len(clauses) and clauses[position].closed_by in "：:" else []
    )
    quote = (
        words[-1]
        if words[-1].tag == "QUO" and len(words) > 1 and words[-2].text.endswith(("说", "曰", "道", "云"))
        else None
    )
    if quote is None and words[-1].text.endswith(("说", "曰", "道", "云")) and following and following[0].tag == "QUO":
        quote = following[0]
    if quote is None or any(word.tag == "R" and word.text != "自己" for word in words):
        return []
    said = quote.text[1:-1].strip("。！？ ")
    if not 4 <= len(said) <= LONGEST_OBJECT or said.endswith(("？", "?")):
        return []
    works = [word.text for word in words if word.tag == "WORK"]
    return [(works[0], "写道", said)] if len(works) == 1 else [(speaker, "说", said)] if not works else []


def _held(clauses: list[Clause], position: int, subjects: tuple[str, ...]) -> list[Triple]:
    """苏格拉底认为，…: the clause after the comma is what is held."""
    words = clauses[position].words
    if (
        not holds(words[-1].text)
        or position + 1 >= len(clauses)
        or clauses[position].closed_by not in ("，", ",")
        or len(subjects) != 1
    ):
        return []
    held = Reading(subjects, True)
    add_clause([words[-1], *clauses[position + 1].words], 0, words[-1].text, held)
    return held.facts


def _doubt(clauses: list[Clause]) -> None:
    """What follows a belief in the same sentence belongs to the belief."""
    for clause in clauses:
        clause.hearsay = True
        if clause.closed_by in "；;" and clause.closed_by:
            return


def _owned(clause: Clause) -> list[Triple]:
    """李白的老师是赵蕤: (李白, 老师, 赵蕤); 武则天最敬重的大臣是狄仁杰 likewise; [] for any other clause."""
    if len(clause.phrases) != 1:
        return []
    if (favoured := _favoured(clause)) is not None:
        return favoured
    subject = clause.phrases[0].words
    if (
        len(subject) < 3
        or subject[0].tag != "PER"
        or subject[1].text != "的"
        or any(word.text == "的" for word in subject[2:])
    ):
        return []
    rest = clause.words[clause.start :]
    while rest and rest[0].text in ("也", "就", "都", "名", "名字"):
        rest = rest[1:]
    if not rest or rest[0].text not in ("是", "为", "叫", "名叫", "叫做", "叫作", "即"):
        return []
    kind = "".join(word.text for word in subject[2:])
    phrases, end = read_list(rest, 1)
    if end < len(rest) or len(kind) > 8 or any(word.tag == "R" for word in rest):
        return []
    return [(subject[0].name(), KIN_SHORT.get(kind, kind), phrase.text) for phrase in phrases]


def _placed(act: Triple, reading: Reading) -> Iterator[Triple]:
    """The same act again, told by its place: (李白, 在江陵, 见到司马承祯)."""
    subject, predicate, obj = act
    place = reading.place
    if predicate.endswith("于"):
        return
    if (
        place is None
        or place.head.tag not in ("LOC", "ORG")
        or not place.is_name
        or predicate in _TIMELESS
        or len(predicate) > 6
        or obj == place.text
    ):
        return
    yield subject, f"在{place.text}", predicate + obj


def _favoured(clause: Clause) -> list[Triple] | None:
    """武则天最敬重的大臣是狄仁杰: (武则天, 最敬重的大臣, 狄仁杰)."""
    subject = clause.phrases[0]
    rest = clause.words[clause.start :]
    texts = [word.text for word in rest]
    if len(subject.words) != 1 or subject.head.tag != "PER" or "的" not in texts or "是" not in texts:
        return None
    mark, link = texts.index("的"), texts.index("是")
    if (
        not 1 <= mark <= 3
        or link - mark not in (2, 3)
        or any(word.tag not in ("D", "V", "VN") for word in rest[:mark])
        or rest[link - 1].tag not in ("N", "ROLE")
    ):
        return None
    if any(word.text in NEGATIVE or word.text in MODAL for word in rest):
        return None
    phrases, end = read_list(rest, link + 1)
    if not phrases or end < len(rest):
        return None
    return [(subject.text, "".join(texts[:link]), phrase.text) for phrase in phrases]


def _dated(act: Triple, date: Word | None) -> Iterator[Triple]:
    """The same act again, told by its year: (曹操, 于192年, 驻军于顿丘)."""
    subject, predicate, obj = act
    if date is None or predicate in _TIMELESS or len(predicate) > 6:
        return
    if date.text in obj or (predicate.endswith("于") and year_of(date) == obj):
        return
    yield subject, f"于{year_of(date)}", predicate + obj


def _names(words: list[Word]) -> list[str]:
    return [word.name() for word in words if word.tag in _NAME_TAGS and len(word.text) > 1]


def _speaker(label: str, rest: str) -> list[str]:
    """A short label before a quote that starts with a surname is its speaker, though no list knows the name."""
    if label.endswith(("说", "曰", "道", "问", "答", "云", "言")):
        return []
    quoted = rest.lstrip().startswith(("“", "①", "「"))
    named = re.fullmatch(r"[\u4e00-\u9fff]{2,4}", label) and (label[0] in SURNAMES or label[:2] in COMPOUND_SURNAMES)
    return [label] if quoted and named and label not in KINDS and label not in GENERIC_NOUNS else []


def _names_only(words: list[Word]) -> list[str]:
    """The people before a colon when nothing but people (and their titles) stands there."""
    if (
        len(words) == 1
        and words[0].tag in ("N", "V", "VN", "A")
        and 2 <= len(words[0].text) <= 3
        and words[0].text[0] in SURNAMES
        and words[0].text not in KINDS
    ):
        return [words[0].text]
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
