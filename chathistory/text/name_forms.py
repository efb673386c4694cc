"""Under which forms a figure may be called: his names as given, and those that follow from them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from chathistory.text.name_words import (
    CALLED_ALONE,
    COMPOUND_SURNAMES,
    LATIN_TITLES,
    NOT_OURS,
    PARTICLES,
    SURNAMES,
    TITLES,
)
from chathistory.text.normalise import simplify

_REIGN = re.compile(r"^(?:汉|唐|宋|明|清|魏|晋|隋|元|秦|周|梁|陈|齐|吴|蜀)(.{1,2}[帝宗祖])$")
_LATIN = re.compile(r"^[a-z0-9][a-z0-9 .'’\-]*$")
_CJK = re.compile(r"^[\u3400-\u9fff]+$")
_MIDDOTS = "·•・‧∙⋅．."
_BLANKS = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]+")


class Named(Protocol):
    """Whoever has a canonical name and others beside it."""

    @property
    def name(self) -> str:
        """The canonical name."""
        ...

    @property
    def aliases(self) -> tuple[str, ...]:
        """Courtesy names, titles, names in other scripts."""
        ...


@lru_cache(maxsize=65536)
def _fold_char(char: str) -> str:
    """One character to one character: width, Traditional form, case and accents folded."""
    if char.isascii():
        return char.lower()
    folded = unicodedata.normalize("NFKC", char)
    if len(folded) != 1:
        return char
    if folded >= "\u2e80":
        plain = simplify(folded)
        return plain if len(plain) == 1 else folded
    base = unicodedata.normalize("NFD", folded)[0].lower()
    return base if len(base) == 1 else folded


def fold_name(text: str) -> str:
    """Return the text folded for comparing names, character by character: its length never changes."""
    return "".join(_fold_char(char) for char in text)


def name_key(name: str) -> str:
    """Return the key under which a name is compared and looked up: no blanks, dots, case, Traditional forms."""
    folded = fold_name(unicodedata.normalize("NFKC", name))
    folded = _BLANKS.sub("", folded)
    return folded.translate({ord(dot): None for dot in _MIDDOTS + "-–—_'’‘"})


def same_name(a: str, b: str) -> bool:
    """Return whether two spellings are one name; an empty one equals nothing."""
    key = name_key(a)
    return bool(key) and key == name_key(b)


def is_latin(form: str) -> bool:
    """Return whether a folded form is written in Latin letters."""
    return bool(_LATIN.match(form))


def surname(name: str) -> str:
    """Return the surname of a folded Chinese name, '' where none is recognised (老子, 达尔文)."""
    if not _CJK.match(name) or not 2 <= len(name) <= 4:
        return ""
    if len(name) > 2 and name[:2] in COMPOUND_SURNAMES:
        return name[:2]
    return name[0] if len(name) < 4 and name[0] in SURNAMES else ""


def given_forms(person: Named) -> Iterator[tuple[str, int]]:
    """Yield (folded form, level): 0 the canonical name, 1 an alias."""
    yield fold_name(person.name).strip(), 0
    for alias in person.aliases:
        yield fold_name(alias).strip(), 1


def derived_forms(person: Named) -> Iterator[str]:
    """Yield folded forms that follow from the given ones: 司马君实, 东坡, 孔先生, 太宗, Darwin.

    Whether one of them is unambiguous is for the roster to say.
    """
    family = surname(fold_name(person.name).strip())
    for form, level in given_forms(person):
        if is_latin(form):
            yield from _latin_tail(form)
            continue
        parts = re.split(f"[{re.escape(_MIDDOTS)}]", form)
        if len(parts) > 1 and len(parts[-1]) > 1:
            yield parts[-1]
            if len(parts[-2]) == 1:
                yield parts[-2] + parts[-1]
        reign = _REIGN.match(form)
        if reign and len(reign.group(1)) == 2:
            yield reign.group(1)
        if not family or not _CJK.match(form):
            continue
        tail = form[len(family) :] if form.startswith(family) else ""
        if len(tail) == 2 and (tail not in TITLES or tail in CALLED_ALONE) and (level == 1 or len(form) > 2):
            yield tail
        if level == 1 and not tail and len(form) == 2:
            yield family + form
    if family:
        for title in (
            "先生",
            "老师",
            "夫子",
            "丞相",
            "将军",
            "大人",
            "爵士",
            "前辈",
            "老先生",
            "老夫子",
            "圣人",
            "公",
            "兄",
        ):
            if family + title not in NOT_OURS:
                yield family + title


def _latin_tail(form: str) -> Iterator[str]:
    """The family name of a Latin name: Darwin, da Vinci; nothing for Sir Isaac or Catherine of Aragon."""
    words = form.replace(".", " ").split()
    if len(words) < 2 or words[0] in LATIN_TITLES or "of" in words or "the" in words:
        return
    if words[-2] in PARTICLES:
        yield " ".join(words[-2:])
    elif len(words[-1]) >= 4:
        yield words[-1]


def owners(roster: Sequence[Named]) -> dict[str, tuple[str | None, int]]:
    """Return folded form -> (canonical name, level); the name is None where two persons have equal claim to a form."""
    claims: dict[str, dict[int, set[str]]] = {}
    for person in roster:
        for form, level in given_forms(person):
            if form:
                claims.setdefault(form, {}).setdefault(level, set()).add(person.name)
        for form in derived_forms(person):
            claims.setdefault(form, {}).setdefault(2, set()).add(person.name)
    table: dict[str, tuple[str | None, int]] = {}
    for form, levels in claims.items():
        best = min(levels)
        names = levels[best]
        table[form] = (next(iter(names)) if len(names) == 1 else None, best)
    return table
