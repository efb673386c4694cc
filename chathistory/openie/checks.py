"""What every fact and entity must stand before it leaves the room."""

from __future__ import annotations

import re

from chathistory.domain import Fact
from chathistory.openie.english_words import PRONOUNS_LOWER
from chathistory.openie.lexicon import GENERIC_NOUNS, KINDS, PRONOUNS

LONGEST_OBJECT = 36
_EDGES = " 　，。、；：,.;:!?！？的了着过地得之和与及在于为是被而且但·-－—"
_PRONOUN_IN = re.compile(
    r"他们|她们|它们|自己|我们|你们|咱们|他的|她的|其[父母子女妻兄弟姐妹中他它实后间]|[他她它我你您吾]"
)
_POINTING = re.compile(r"这|那[个些种件次位]|此[事人时]|该[书人]")
"""A part that opens so points to something said before."""
_OPEN_CLOSE = (("《", "》"), ("（", "）"), ("“", "”"), ("(", ")"), ("「", "」"))
_QUOTED = re.compile(r"^[“「‘『\"](.+)[”」’』\"]$")


def tidy(part: str) -> str:
    """Return a fact's part without quotes round it and particles at its edges."""
    part = part.strip()
    if match := _QUOTED.match(part):
        part = match.group(1).strip()
    if part.isascii():
        return part.strip(" ,;:")
    return part.strip(" 　，。、；：,;:!?！？").removesuffix("的").removesuffix("了").strip()


def is_pronoun(part: str) -> bool:
    """Whether a part is, or holds, a word that only stands for a name."""
    if part.lower() in PRONOUNS or _PRONOUN_IN.search(part):
        return True
    return any(word in PRONOUNS_LOWER for word in re.findall(r"[A-Za-z']+", part))


def is_entity(part: str) -> bool:
    """Whether a string may be an entity: two characters or more, no pronoun, no everyday filler, brackets closed."""
    if len(part) < 2 or part in GENERIC_NOUNS or is_pronoun(part) or not any(char.isalnum() for char in part):
        return False
    return all(part.count(opener) == part.count(closer) for opener, closer in _OPEN_CLOSE)


def make_fact(subject: str, predicate: str, obj: str) -> Fact | None:
    """Return the fact, or None where one of its parts is empty, a pronoun, a fragment, or both ends are one."""
    subject, predicate, obj = tidy(subject), tidy(predicate), tidy(obj)
    if _POINTING.match(obj):
        return None
    if not predicate or subject == obj or len(obj) > LONGEST_OBJECT * (3 if obj.isascii() else 1):
        return None
    if subject in KINDS or not is_entity(subject) or is_pronoun(predicate):
        return None
    if not (
        is_entity(obj)
        or (predicate in _SHORT_OBJECTS and len(obj) == 1 and "\u4e00" <= obj <= "\u9fff" and obj not in PRONOUNS)
    ):
        return None
    return Fact(subject, predicate, obj)


_SHORT_OBJECTS = frozenset(["名", "姓", "本姓", "谥号", "字", "号", "国号", "氏", "讳"])
