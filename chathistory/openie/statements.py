"""What a clause states beside its verbs: speech, belief, ownership, date and place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.openie.checks import LONGEST_OBJECT
from chathistory.openie.lexicon import (
    GENERIC_NOUNS,
    KIN,
    KIN_SHORT,
    KINDS,
    MODAL,
    NEGATIVE,
)
from chathistory.openie.phrases import Phrase, owner_and_kind, read_list
from chathistory.openie.reading import Reading, Triple, year_of
from chathistory.openie.sentence import Clause
from chathistory.openie.verb_lists import DIE
from chathistory.openie.voices import add_clause, holds
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_TIMELESS = frozenset(word_list("出生于 逝世于 死于 葬于 享年 字 号 是 名 说 认为"))


_GROUPS = tuple("军兵队人者派党们族国朝廷家氏众民士子臣将雄")
"""Ends of common phrases that mean people acting together."""


def may_act(phrase: Phrase) -> bool:
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
        and (phrase.text.endswith(_GROUPS) or any(word.tag in ("PER", "LOC", "ORG", "ROLE") for word in phrase.words))
    )


def is_weak(clause: Clause) -> bool:
    """Whether the clause's subject is a common phrase that holds no name: its facts must lead to a name."""
    return bool(clause.phrases) and not all(
        phrase.is_name or owner_and_kind(phrase.words) or _named_group(phrase) for phrase in clause.phrases
    )


def _named_group(phrase: Phrase) -> bool:
    """刘备军队, 雅典海军: a name and one noun."""
    return len(phrase.words) == 2 and phrase.words[0].tag in ("PER", "LOC", "ORG")


def predicate_follows(clause: Clause, i: int) -> bool:
    return i < len(clause.words) and clause.words[i].tag in ("V", "D", "P", "W", "T", "DATE")


def kin_of_topic(clause: Clause, carry: tuple[str, ...], person: bool) -> list[Triple]:
    """父亲叔梁纥…, where a sentence about one person opens with a bare kin word: (孔子, 父亲, 叔梁纥)."""
    if len(clause.phrases) != 1 or len(carry) != 1 or not person:
        return []
    words = clause.phrases[0].words
    if len(words) == 2 and words[0].text in KIN and words[1].tag == "PER":
        return [(carry[0], KIN_SHORT.get(words[0].text, words[0].text), words[1].name())]
    return []


def spoken_facts(clauses: list[Clause], position: int, speaker: str) -> list[Triple]:
    """孔子说：“不学诗，无以言。”: (孔子, 说, 不学诗，无以言), for a short quote without pronouns."""
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
    works = [word.text for word in words if word.tag == "WORK"]
    if len(works) > 1:
        return []
    who, predicate = (works[0], "写道") if works else (speaker, "说")
    return [(who, predicate, said) for said in _sayings(quote.text[1:-1])]


_SAYING_END = re.compile(r"(?<=[。！？；!?;])")


def _sayings(quoted: str) -> list[str]:
    """The quote whole where it is short, else those of its first sentences that are; questions are no statements."""
    parts = [quoted] if len(quoted) <= LONGEST_OBJECT else _SAYING_END.split(quoted)[:3]
    return [
        said
        for part in parts
        if 4 <= len(said := part.strip("。！；!; ")) <= LONGEST_OBJECT and not said.endswith(("？", "?"))
    ]


def held_facts(clauses: list[Clause], position: int, subjects: tuple[str, ...]) -> list[Triple]:
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


def doubt(clauses: list[Clause]) -> None:
    """What follows a belief in the same sentence belongs to the belief."""
    for clause in clauses:
        clause.hearsay = True
        if clause.closed_by in "；;" and clause.closed_by:
            return


def speaks(clause: Clause) -> bool:
    """Whether the clause ends with a verb of speech, so that what follows it in the sentence is what was said."""
    return clause.words[-1].text in ("说", "道", "曰", "说道", "回答", "反驳说", "问道") and clause.closed_by in (
        "，",
        ",",
        "：",
        ":",
    )


def mark_wished(clause: Clause) -> None:
    """要曹操迁都: what someone wants of the subject is not told as done."""
    if not clause.explicit or not clause.phrases:
        return
    first = clause.phrases[0].words[0]
    for word in clause.words:
        if word is first:
            return
        if word.text in ("要", "想", "让", "使", "令", "愿", "请"):
            clause.hearsay = True


def dies_before(clause: Clause) -> bool:
    """刘禅死后: who dies in such a clause is not who acts in the next."""
    words = clause.words
    return (
        clause.explicit
        and len(words) > 2
        and words[-1].text in ("后", "之后", "以后")
        and (words[-2].text in DIE or words[-2].text.endswith(("死", "去世", "逝")))
    ) or (clause.explicit and words[-1].text in ("死后", "去世后", "身后"))


def owned_facts(clause: Clause) -> list[Triple]:
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


def placed_facts(act: Triple, reading: Reading) -> Iterator[Triple]:
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
        or any(word.tag not in ("D", "V", "VN", "A") for word in rest[:mark])
        or rest[link - 1].tag not in ("N", "ROLE")
    ):
        return None
    if any(word.text in NEGATIVE or word.text in MODAL for word in rest):
        return None
    phrases, end = read_list(rest, link + 1)
    if not phrases or end < len(rest):
        return None
    return [(subject.text, "".join(texts[:link]), phrase.text) for phrase in phrases]


def dated_facts(act: Triple, date: Word | None) -> Iterator[Triple]:
    """The same act again, told by its year: (曹操, 于192年, 驻军于顿丘)."""
    subject, predicate, obj = act
    if date is None or predicate in _TIMELESS or len(predicate) > 10:
        return
    if date.text in obj or date.text in predicate or (predicate.endswith("于") and year_of(date) == obj):
        return
    yield subject, f"于{year_of(date)}", predicate + obj
