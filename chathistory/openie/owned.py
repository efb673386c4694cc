"""What a clause says of a thing that someone has: 孔子的爱好是音乐, 孔子的神态温和."""

from __future__ import annotations

from chathistory.openie.lexicon import MODAL, NEGATIVE
from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import Clause
from chathistory.openie.told_steps import (
    ends_well,
)
from chathistory.openie.told_words import (
    DEPENDENT,
    LONGEST_OBJECT,
)


def described(clause: Clause) -> list[Triple]:
    """孔子的神态温和而严厉: (孔子, 神态, 温和而严厉), where nothing but adjectives and set phrases follows."""
    if len(clause.phrases) != 1 or len(clause.phrases[0].words) < 2:
        return []
    owner, *kind = clause.phrases[0].words
    if kind and kind[0].text == "的":
        kind = kind[1:]
    rest = clause.words[clause.start :]
    if (
        owner.tag != "PER"
        or not kind
        or any(word.tag not in ("N", "VN", "B", "A") for word in kind)
        or not rest
        or rest[-1].tag not in ("A", "I")
        or any(word.tag not in ("A", "I", "D") and word.text not in ("而", "、", "且", "又") for word in rest)
        or any(word.text in NEGATIVE or word.text in MODAL or word.text in DEPENDENT - {"而"} for word in rest)
    ):
        return []
    noun, value = said(kind), said(rest)
    return [(owner.name(), noun, value)] if 2 <= len(noun) <= 8 and 2 <= len(value) <= 16 else []


def owned_whole(clause: Clause) -> list[Triple]:
    """孔子的爱好是音乐和钓鱼: (孔子, 爱好, 音乐和钓鱼), whatever the thing is made of."""
    if len(clause.phrases) != 1 or len(clause.phrases[0].words) < 2:
        return []
    owner, *kind = clause.phrases[0].words
    rest = clause.words[clause.start :]
    if owner.tag != "PER" or kind[0].text != "的" or not len(rest) > 1 or rest[0].text not in ("是", "为"):
        return []
    kind, value = kind[1:], rest[1:]
    if not kind or kind[-1].tag not in ("N", "VN") or any(word.text in DEPENDENT for word in clause.words):
        return []
    if value[0].tag in ("R", "C", "D", "X", "U") or not ends_well(value) or any(word.tag == "R" for word in value):
        return []
    if any(word.text in NEGATIVE or word.text in MODAL for word in value) or value[0].text in ("为了", "因为", "由于"):
        return []
    noun, text = said(kind), said(value)
    return [(owner.name(), noun, text)] if 2 <= len(noun) <= 10 and 2 <= len(text) <= LONGEST_OBJECT else []
