"""What stands beside an English clause: participles after a comma, relatives, subjects that share a verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_facts import SPEECH, is_whole, verb_facts
from chathistory.openie.english_parts import read_arguments, read_subject
from chathistory.openie.english_tokens import DATE, Token
from chathistory.openie.english_verbs import is_past, read_verb
from chathistory.openie.reading import Triple
from chathistory.openie.wordlist import word_list

_ACTING = frozenset(
    word_list(
        "singing performing playing recording touring appearing adding writing working releasing starring hosting "
        "accepting receiving winning marrying leaving moving traveling collaborating joining headlining covering "
        "reaching debuting becoming selling earning directing publishing teaching studying defeating serving scoring "
        "peaking featuring"
    )
)
"""Participles after a comma that go on about the clause's subject."""


def alongside(subject: str, tokens: Sequence[Token], at: int) -> list[Triple]:
    """``Dylan toured, performing "Hurricane"``: what the subject did at the same time."""
    if at + 2 >= len(tokens) or tokens[at].text != "," or tokens[at + 1].low not in _ACTING:
        return []
    before = tokens[at - 1]
    if (before.name or before.text[0].isupper()) and tokens[at + 1].low in ("featuring", "covering", "becoming"):
        return []
    rest, _ = read_arguments(tokens, at + 2)
    return list(verb_facts(subject, tokens[at + 1].low, rest, None))


def relative(tokens: Sequence[Token], topic: str | None, kinds: dict[str, str]) -> Iterator[Triple]:
    """``the guitar which Dylan played at Newport``: the thing before ``which`` is the object."""
    for j in range(2, len(tokens) - 2):
        if tokens[j].low not in ("which", "that") or tokens[j].name or not tokens[j - 1].text[-1].isalnum():
            continue
        subject, at = read_subject(tokens, j + 1, topic, kinds)
        if subject is None or reported(tokens, j):
            continue
        verb, at = read_verb(tokens, at)
        k = j
        while k > 0 and not _bounds(tokens[k - 1]):
            k -= 1
        thing = " ".join(token.text for token in tokens[k:j])
        if (
            not verb
            or verb.split()[-1] in SPEECH | en.BE
            or k == j
            or not is_whole(thing)
            or (k and tokens[k - 1].low == "of")
        ):
            continue
        rest, _ = read_arguments(tokens, at)
        if rest and not rest[0][0]:
            continue
        if " " in thing or thing[0].isupper():
            yield from verb_facts(subject, verb, [("", thing), *rest], None)


def _bounds(token: Token) -> bool:
    """Whether a noun phrase cannot reach back over this word."""
    return not token.name and (
        token.low in en.DETERMINERS | en.PREPOSITIONS | en.STOPS | en.PRONOUNS_LOWER
        or not token.text[0].isalnum()
        or is_past(token.text)
        or token.text in en.PRESENT
    )


def co_subjects(tokens: Sequence[Token], start: int, subject: str) -> list[str]:
    """``Dylan and Cash recorded``: the names before ``and`` that share the verb; [] where they belong elsewhere."""
    found: list[str] = []
    j = start - 1
    while j > 0 and not tokens[j].name and (tokens[j].low == "and" if not found else tokens[j].text == ","):
        end = j
        j -= 1
        while j >= 0 and (tokens[j].name or (tokens[j].text[0].isupper() and tokens[j].low not in en.STOPS)):
            j -= 1
        words = [token.text for token in tokens[j + 1 : end] if token.low not in en.DETERMINERS]
        if not words or words[-1].endswith(("'s", "’s", "'")) or DATE.match(words[0]):
            return []
        if len(words) == 1 and " " in subject and not tokens[j + 1].name and not tokens[start].name:
            return []
        found.append(" ".join(words))
    closed = j < 0 or (not tokens[j].name and (tokens[j].text in ",;:–—" or tokens[j].low in ("but", "when", "while")))
    return found if found and closed and (j < 0 or len(found) == 1) and j < 2 else []


def reported(tokens: Sequence[Token], start: int) -> bool:
    """Whether a word of speech, doubt or condition stands before, in the same sentence."""
    for j in range(max(0, start - 25), start):
        if tokens[j].name:
            continue
        if tokens[j].low in (
            "if",
            "whether",
            "unless",
            "claimed",
            "alleged",
            "according",
            "reportedly",
            "allegedly",
            "supposedly",
            "rumored",
        ):
            return True
        if tokens[j].low == "that" and j and (tokens[j - 1].low in SPEECH or tokens[j - 1].low in en.DOUBT):
            return True
    return False
