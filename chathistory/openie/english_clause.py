"""Finite clauses of an English sentence, without a tagger: verb forms by list and by ending."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_asides import alongside, co_subjects, relative, reported
from chathistory.openie.english_facts import SPEECH, content, dated_later, told_whole, verb_facts
from chathistory.openie.english_parts import read_arguments, read_subject
from chathistory.openie.english_tokens import DATE, Token
from chathistory.openie.english_verbs import read_verb
from chathistory.openie.reading import Triple
from chathistory.openie.wordlist import word_list

_FACTIVE = frozenset(
    word_list("announced confirmed revealed showed reported disclosed acknowledged discovered meant recorded noted")
)
"""Verbs after which ``that`` tells what is so."""


def clause_triples(
    tokens: Sequence[Token], topic: str | None, kinds: dict[str, str]
) -> Iterator[tuple[Triple | None, str | None]]:
    """Yield (fact or None, the clause's subject) for each finite clause whose subject can be told.

    ``topic`` is whom he or she means; ``kinds`` maps album, song and the like to the one last named.
    """
    yield from ((triple, None) for triple in relative(tokens, topic, kinds))
    i, when = _intro(tokens)
    starts = _starts(tokens, i)
    done = -1
    first = True
    for start in starts:
        if start < done or reported(tokens, start):
            continue
        if tokens[start].low in ("which", "who") and not tokens[start].name:
            subject, at = _antecedent(tokens, start), start + 1
        else:
            subject, at = read_subject(tokens, start, topic, kinds)
        if subject is None or (_joined(tokens, start) and subject.islower()):
            continue
        others = co_subjects(tokens, start, subject)
        if first:
            yield None, subject
            first = False
        dated = False
        while at < len(tokens):
            verb, at = read_verb(tokens, at)
            if not verb:
                break
            if verb.split()[-1] in SPEECH | {
                "believed",
                "argued",
                "claimed",
                "wrote",
                "written",
                "announced",
                "suggested",
                "commented",
                "reported",
            } and (said := content(tokens, at)):
                yield (subject, f"{verb} that", said), subject
                break
            verb_end = at
            rest, at = read_arguments(tokens, at)
            facts = list(verb_facts(subject, verb, rest, when)) or list(told_whole(subject, verb, tokens, verb_end))
            if facts and not any(DATE.match(obj) for _, _, obj in facts):
                facts += dated_later(facts[0], tokens, at)
            yield from ((triple, subject) for triple in facts)
            yield from (((other, *triple[1:]), subject) for other in others for triple in facts)
            yield from ((triple, subject) for triple in alongside(subject, tokens, at))
            done = at
            dated = True
            if not (at + 1 < len(tokens) and tokens[at].low in ("and", ",")):
                break
            if tokens[at].text == "," and start and tokens[start - 1].low in ("where", "when", "which", "who"):
                break
            step = 2 if tokens[at].text == "," and tokens[at + 1].low in ("and", "then", "but") else 1
            if at + step >= len(tokens) or not read_verb(tokens, at + step)[0]:
                break
            at += step
        if dated:
            when = None


def _joined(tokens: Sequence[Token], start: int) -> bool:
    """Whether a clause would begin right after ``and``: a common noun there belongs to a list, not to a new clause."""
    return start > 0 and tokens[start - 1].low in ("and", "but", ",")


def _starts(tokens: Sequence[Token], first: int) -> list[int]:
    """Where clauses may begin: after the opening phrase, and after marks, conjunctions and relatives."""
    found = [first] if first < len(tokens) else []
    for j in range(len(tokens) - 1):
        if tokens[j].name:
            continue
        if (
            (
                tokens[j].low == "that"
                and j
                and (tokens[j - 1].low in _FACTIVE or any(token.low == "so" for token in tokens[max(0, j - 3) : j]))
            )
            or tokens[j].text in ",;:–—"
            or tokens[j].low
            in (
                "and",
                "but",
                "when",
                "where",
                "while",
                "because",
                "after",
                "before",
                "as",
                "although",
                "since",
            )
        ):
            found.append(j + 1)
        elif tokens[j].low in ("he", "she") and 0 < j <= 8 and tokens[0].low in en.PREPOSITIONS:
            found.append(j)
    return sorted(set(found))


def _antecedent(tokens: Sequence[Token], at: int) -> str | None:
    """The name right before a ``, which`` or ``, who``."""
    j = at - 1
    if j < 1 or tokens[j].text != ",":
        return None
    words: list[str] = []
    j -= 1
    while j >= 0 and (tokens[j].name or (tokens[j].text[0].isupper() and tokens[j].low not in en.DETERMINERS)):
        words.insert(0, tokens[j].text)
        j -= 1
    apposed = j > 0 and tokens[j].text == "," and not tokens[j - 1].name and tokens[j - 1].text.islower()
    if not words or (j >= 0 and tokens[j].low in ("and", "of", ",") and not apposed):
        return None
    return " ".join(words)


def _intro(tokens: Sequence[Token]) -> tuple[int, tuple[str, str] | None]:
    """Step over an opening phrase (In 1959, / After the tour,); return (index, (preposition, date) or None)."""
    if (
        not tokens
        or tokens[0].name
        or tokens[0].low not in en.PREPOSITIONS | {"while", "when", "despite", "following", "later"}
    ):
        return 0, None
    lone = _bare_date(tokens)
    if lone is not None:
        return lone
    for j in range(1, min(len(tokens), 16)):
        if tokens[j].text == "," and not (j + 1 < len(tokens) and re.fullmatch(r"\d{4}", tokens[j + 1].text)):
            words = tokens[1:j]
            dated = (
                tokens[0].low in ("in", "on")
                and words
                and all(DATE.match(w.text) or w.text.isdigit() or w.text == "," for w in words)
            )
            text = " ".join(w.text for w in words).replace(" ,", ",")
            placed = (
                tokens[0].low in ("in", "at")
                and 0 < len(words) <= 4
                and all(w.text[0].isupper() and w.text.isalpha() for w in words)
            )
            return j + 1, (tokens[0].low, text) if dated or placed else None
        if tokens[j].low in ("he", "she") and not tokens[j].name:
            break
    return 0, None


def _bare_date(tokens: Sequence[Token]) -> tuple[int, tuple[str, str] | None] | None:
    """``In 1994 Random House published``: a date with no mark after it; None for any other opening."""
    j = 1
    while j < len(tokens) and (DATE.match(tokens[j].text) or tokens[j].text.isdigit() or tokens[j].text == ","):
        j += 1
    if (
        tokens[0].low not in ("in", "on")
        or j == 1
        or j >= len(tokens)
        or tokens[j].low in ("and", "or", "–", "-", "to")
    ):
        return None
    return j, (tokens[0].low, " ".join(w.text for w in tokens[1:j]).replace(" ,", ",").strip(" ,"))
