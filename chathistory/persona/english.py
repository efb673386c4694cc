"""English sentences into the first person: names and he/she of one figure, and the verb that follows."""

from __future__ import annotations

import re

from chathistory.domain import Figure

_BE = {
    "is": "am",
    "was": "was",
    "has": "have",
    "does": "do",
    "isn't": "am not",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_NOT_VERBS = frozenset(
    ("always", "perhaps", "sometimes", "afterwards", "thus", "this", "his", "besides", "across", "was", "as")
)
_BRACKET = re.compile(r"\s*\([^()]*\)|\[[^\]]*\]")
_HEAD = re.compile(r"^I (\w+)")


def first_person(sentence: str, figure: Figure, woman: bool = False, others: bool = False) -> str:
    """Return the sentence as the figure says it; quoted speech is left alone.

    ``others`` tells that another person is named, so that only the names are turned and he/she stay.
    """
    sentence = _BRACKET.sub("", sentence)
    names = sorted({name for name in figure.names if len(name) > 2}, key=len, reverse=True)
    surname = figure.name.split()[-1]
    forms = [re.escape(name) for name in dict.fromkeys([*names, surname])]
    pieces = re.split(r'("[^"]*"|“[^”]*”)', sentence)
    for i in range(0, len(pieces), 2):
        part = re.sub(rf"\b(?:{'|'.join(forms)})'s\b", "my", pieces[i])
        part = re.sub(rf"\b(?:{'|'.join(forms)})\b", "I", part)
        if not others:
            part = _pronouns(part, woman)
        part = re.sub(r"\bI (\w+(?:n't)?)", lambda match: "I " + _agree(match.group(1)), part)
        part = re.sub(
            r"\b(by|with|of|to|for|from|on|about|and|against|between) I\b(?! \w+ed\b| was\b| am\b| have\b)",
            r"\1 me",
            part,
        )
        pieces[i] = part
    text = "".join(pieces).strip()
    return text[:1].upper() + text[1:]


def _pronouns(part: str, woman: bool) -> str:
    subject, own, self_ = ("she", "her", "herself") if woman else ("he", "his", "himself")
    part = re.sub(rf"\b{subject}\b", "I", part, flags=re.I)
    part = re.sub(rf"\b{own}\b", "my", part, flags=re.I)
    part = re.sub(rf"\b{self_}\b", "myself", part, flags=re.I)
    return part if woman else re.sub(r"\bhim\b", "me", part, flags=re.I)


def _agree(verb: str) -> str:
    if verb in _BE:
        return _BE[verb]
    if verb in _NOT_VERBS or not re.fullmatch(r"[a-z]+s", verb) or verb.endswith("ss"):
        return verb
    if re.search(r"(?:ch|sh|x|ss|o)es$", verb):
        return verb[:-2]
    return verb[:-3] + "y" if verb.endswith("ies") else verb[:-1]


def names_others(sentence: str, figure: Figure) -> bool:
    """Whether two capitalised words in a row name somebody who is not the figure."""
    own = {word for name in figure.names for word in name.split()}
    pairs = re.findall(r"(?<=[a-z,] )(?<!\bthe )(?<!\ba )([A-Z][a-z]+) ([A-Z][a-z]+)", sentence)
    return any(first not in own and last not in own for first, last in pairs)
