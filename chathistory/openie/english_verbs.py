"""Finite verb groups of English, by closed lists and by ending."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_tokens import Token

_LINKS = frozenset(
    [
        "began",
        "begins",
        "started",
        "continued",
        "continues",
        "decided",
        "agreed",
        "helped",
        "managed",
        "chose",
        "learned",
        "went",
        "used",
        "came",
        "ceased",
        "opted",
        "proceeded",
        "vowed",
        "stopped",
        "kept",
        "enjoyed",
    ]
)
"""Verbs that what happens hangs on: began to perform, continued touring."""
_AUXILIARIES = frozenset(["has", "have", "had", "did", "does", "will"])


def read_verb(tokens: Sequence[Token], i: int) -> tuple[str, int]:
    """Read a finite verb group at ``i``: (wrote, did not release, was recorded, began to perform); ('', i) for none."""
    j = _past_adverbs(tokens, i)
    if j >= len(tokens) or tokens[j].name:
        return "", i
    low = tokens[j].text
    if low in en.BE or low in _AUXILIARIES:
        verb, j = _compound(tokens, j)
    elif low == "never" and j + 1 < len(tokens) and is_past(tokens[j + 1].text):
        verb, j = f"never {tokens[j + 1].text}", j + 2
    elif low == "used" and j + 1 < len(tokens) and tokens[j + 1].low == "to":
        verb, j = "used", j + 1
    elif is_past(low) or low in en.PRESENT:
        verb, j = low, j + 1
    else:
        return "", i
    if not verb:
        return "", i
    return _linked(tokens, verb, j)


def _compound(tokens: Sequence[Token], j: int) -> tuple[str, int]:
    """was recorded, has not been released, did not sing, will be housed; ('', j) where no verb follows did or will."""
    low = tokens[j].text
    words = [low]
    j += 1
    while j < len(tokens) and not tokens[j].name:
        text = tokens[j].low
        if text in ("not", "never", "been", "being") or (text == "be" and low == "will"):
            words.append(text)
        elif text not in en.ADVERBS and not (text.endswith("ly") and text not in _NOT_ADVERBS):
            break
        j += 1
    if (
        j < len(tokens)
        and not tokens[j].name
        and (
            is_past(tokens[j].text)
            or tokens[j].text in en.PARTICIPLES
            or (low in ("did", "does") and tokens[j].text.islower())
            or (low == "will" and len(words) == 1 and tokens[j].text.islower())
        )
    ):
        words.append(tokens[j].text)
        j += 1
    elif low in ("did", "does") or (low == "will" and "be" not in words):
        return "", j
    return " ".join(words), j


def _linked(tokens: Sequence[Token], verb: str, j: int) -> tuple[str, int]:
    """began to perform, continued touring: the act that the verb leads to belongs to the group."""
    last = verb.split()[-1]
    if last not in _LINKS or j >= len(tokens) or tokens[j].name:
        return verb, j
    if tokens[j].low == "to" and j + 1 < len(tokens) and not tokens[j + 1].name:
        act = tokens[j + 1].text
        if act.isalpha() and act.islower() and act not in en.DETERMINERS | en.PRONOUNS_LOWER | en.PREPOSITIONS:
            return (f"{verb} to {act}", j + 2) if act != "be" else ("", j)
        return verb, j
    if tokens[j].text.endswith("ing") and tokens[j].text.islower() and len(tokens[j].text) > 4:
        return (f"{verb} {tokens[j].text}", j + 1) if tokens[j].text != "being" else ("", j)
    return verb, j


_NOT_ADVERBS = frozenset(
    ["family", "early", "only", "daily", "weekly", "monthly", "friendly", "elderly", "costly", "lonely", "lovely"]
)


def _past_adverbs(tokens: Sequence[Token], i: int) -> int:
    j = i
    while (
        j < len(tokens)
        and not tokens[j].name
        and (tokens[j].low in en.ADVERBS or (tokens[j].low.endswith("ly") and tokens[j].text[0].islower()))
    ):
        j += 1
    return j


def is_past(word: str) -> bool:
    """Whether a word is a past form: from the list, or by its ending."""
    if word in en.PAST:
        return True
    return (
        len(word) > 3
        and word.endswith("ed")
        and word.islower()
        and word not in en.NOT_PAST
        and ("-" not in word or word.startswith(("co-", "re-")))
    )
