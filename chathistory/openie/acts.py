"""A verb with its object, and the verb that ends its clause."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.phrases import NAMES, Phrase, read_list, read_phrase
from chathistory.openie.reading import Reading, ends, whole_object, year_of
from chathistory.openie.verb_lists import (
    TRANSITIVE,
)
from chathistory.openie.verbs import ACT_NAMES
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_BEFORE_VERB = ("先", "又", "再", "曾", "还", "便", "就", "也")


def acted(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """A verb with its object; stops where the object may be the subject of what follows."""
    text = words[i].text
    known = text in TRANSITIVE
    predicate = ACT_NAMES.get(text, _short(text))
    if after >= len(words):
        _alone(words, i, after, reading)
        return None
    if any(word.text in ("于", "在") for word in words[i + 1 : after]):
        place, j = read_phrase(words, after)
        if place is not None and place.head.tag in ("LOC", "ORG", "DATE", "EVENT") and len(text) > 1 and ends(words, j):
            reading.add(predicate + "于", [place])
        return None
    aspect = i + 1 < after
    if len(text) == 1 and not known and not aspect:
        return None
    if len(text) == 1 and aspect and not known:
        predicate = text + words[i + 1].text
    if (
        after < len(words) - 1
        and words[after].text in ("成", "出", "下", "上", "起")
        and after == i + 1
        and len(text) > 1
    ):
        predicate, after = predicate + words[after].text, after + 1
    phrases, j = read_list(words, after)
    whole = j >= len(words) or ends(words, j)
    listed = j < len(words) and words[j].text == "、"
    if len(text) > 1 and not whole and not listed and (obj := whole_object(words, after)):
        reading.add_text(predicate, obj)
        reading.carry = reading.carry and bool(phrases)
        return None
    if not phrases:
        return i + 1
    rest = words[j:]
    names = all(p.is_name for p in phrases)
    people = any(p.head.tag == "PER" for p in phrases)
    if not whole:
        reading.carry = reading.carry and not people
        if (
            listed
            or rest[0].text in ("的", "之", "所")
            or rest[0].tag in ("R", "W", "X")
            or (any(word.text == "的" for word in rest) and not known)
        ):
            if rest[0].text == "为" and names and text in ("娶", "迎娶", "纳", "收", "收养") and len(rest) == 2:
                reading.add(predicate, phrases)
            return None
        if (
            rest[0].tag in ("V", "VN")
            and len(rest) == 1
            and rest[0].text not in ("失败", "成功", "胜利", "而归", "回来", "前来")
        ):
            return None
        if (people and not known) or rest[0].text in ("因为", "因", "由于") or rest[0].tag in ("A", "I"):
            return None
    if not names and rest and rest[0].tag == "F" and rest[0].text in ("上", "中", "里", "下", "内"):
        return None
    good = phrases if names else [p for p in phrases if solid(p)]
    if not names and len(text) == 1 and not aspect and not (known and phrases[0].is_name):
        good = []
    if good and len(good) == len(phrases):
        reading.add(predicate, good)
    if whole:
        return j
    return None if people or not good else j


GAINED = frozenset(word_list("借得 取得 获得 夺得 赢得 求得 购得 博得 得到 得知 获得"))


def gave(words: Sequence[Word], after: int, text: str, reading: Reading) -> int | None:
    """赠给刘备兵马: (S, 赠给刘备, 兵马); the receiver comes first."""
    if after + 1 >= len(words) or words[after].tag != "PER":
        return None
    things, j = read_list(words, after + 1)
    if things and ends(words, j) and all(solid(p) for p in things):
        reading.add(text + words[after].name(), things)
        return j
    return None


def _short(verb: str) -> str:
    """A verb without the adverb that the dictionary glues before it."""
    return verb[1:] if len(verb) > 2 and verb[0] in _BEFORE_VERB else verb


def _alone(words: Sequence[Word], i: int, after: int, reading: Reading) -> None:
    """A verb that ends its clause: told by its date and place (武则天, 退位于, 705年)."""
    text = words[i].text
    if len(text) < 2 or words[i].tag != "V" or not reading.person or i + 1 != after:
        return
    if reading.date is not None:
        reading.add_text(_short(text) + "于", year_of(reading.date))
    if reading.place is not None and reading.place.is_name and reading.place.head.tag in ("LOC", "ORG"):
        reading.add(_short(text) + "于", [reading.place])


def solid(phrase: Phrase) -> bool:
    """A common phrase that may stand as an object: no number, time or pronoun, not too long, its head a noun."""
    if any(word.tag == "R" for word in phrase.words):
        return False
    if phrase.head.tag in NAMES or phrase.head.tag in ("ROLE", "QUO"):
        return len(phrase.text) <= 22 and phrase.words[0].tag != "M"
    return (
        phrase.head.tag in ("N", "VN")
        and 2 <= len(phrase.text) <= 18
        and len(phrase.head.text) >= 2
        and phrase.words[0].tag != "T"
    )
