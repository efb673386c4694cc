"""Finite clauses of an English sentence, without a tagger: verb forms by list and by ending."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_parts import LONGEST, read_arguments, read_subject
from chathistory.openie.english_tokens import DATE, Token
from chathistory.openie.english_verbs import is_past, read_verb
from chathistory.openie.reading import Triple
from chathistory.openie.wordlist import word_list

_SPEECH = frozenset(
    word_list(
        "said told asked replied remarked explained commented recalled noted stated added thought felt "
        "believed knew saw heard found recalled"
    )
)


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
    yield from ((triple, None) for triple in _relative(tokens, topic, kinds))
    i, when = _intro(tokens)
    starts = _starts(tokens, i)
    done = -1
    first = True
    for start in starts:
        if start < done or _reported(tokens, start):
            continue
        if tokens[start].low in ("which", "who") and not tokens[start].name:
            subject, at = _antecedent(tokens, start), start + 1
        else:
            subject, at = read_subject(tokens, start, topic, kinds)
        if subject is None or (_joined(tokens, start) and subject.islower()):
            continue
        others = [name for name in _co_subjects(tokens, start) if " " in name or " " not in subject or tokens[start].name]
        if first:
            yield None, subject
            first = False
        dated = False
        while at < len(tokens):
            verb, at = read_verb(tokens, at)
            if not verb:
                break
            if verb.split()[-1] in _SPEECH | {
                "believed", "argued", "claimed", "wrote", "written", "announced", "suggested", "commented", "reported"
            } and (
                said := _content(tokens, at)
            ):
                yield (subject, f"{verb} that", said), subject
                break
            verb_end = at
            rest, at = read_arguments(tokens, at)
            facts = list(_facts(subject, verb, rest, when)) or list(_told_whole(subject, verb, tokens, verb_end))
            if facts and not any(DATE.match(obj) for _, _, obj in facts):
                facts += _dated_later(facts[0], tokens, at)
            yield from ((triple, subject) for triple in facts)
            yield from (((other, *triple[1:]), subject) for other in others for triple in facts)
            yield from ((triple, subject) for triple in _alongside(subject, tokens, at))
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


_ACTING = frozenset(
    word_list(
        "singing performing playing recording touring appearing adding writing working releasing starring hosting "
        "accepting receiving winning marrying leaving moving traveling collaborating joining headlining covering "
        "reaching debuting becoming selling earning directing publishing teaching studying defeating serving scoring "
        "peaking featuring"
    )
)
"""Participles after a comma that go on about the clause's subject."""


def _alongside(subject: str, tokens: Sequence[Token], at: int) -> list[Triple]:
    """``Dylan toured, performing "Hurricane"``: what the subject did at the same time."""
    if at + 2 >= len(tokens) or tokens[at].text != "," or tokens[at + 1].low not in _ACTING:
        return []
    before = tokens[at - 1]
    if (before.name or before.text[0].isupper()) and tokens[at + 1].low in ("featuring", "covering", "becoming"):
        return []
    rest, _ = read_arguments(tokens, at + 2)
    return list(_facts(subject, tokens[at + 1].low, rest, None))


def _relative(tokens: Sequence[Token], topic: str | None, kinds: dict[str, str]) -> Iterator[Triple]:
    """``the guitar which Dylan played at Newport``: the thing before ``which`` is the object."""
    for j in range(2, len(tokens) - 2):
        if tokens[j].low not in ("which", "that") or tokens[j].name or not tokens[j - 1].text[-1].isalnum():
            continue
        subject, at = read_subject(tokens, j + 1, topic, kinds)
        if subject is None or _reported(tokens, j):
            continue
        verb, at = read_verb(tokens, at)
        k = j
        while k > 0 and not _bounds(tokens[k - 1]):
            k -= 1
        thing = " ".join(token.text for token in tokens[k:j])
        if not verb or verb.split()[-1] in _SPEECH | en.BE or k == j or not _whole(thing) or (k and tokens[k - 1].low == "of"):
            continue
        rest, _ = read_arguments(tokens, at)
        if rest and not rest[0][0]:
            continue
        if " " in thing or thing[0].isupper():
            yield from _facts(subject, verb, [("", thing), *rest], None)


def _bounds(token: Token) -> bool:
    """Whether a noun phrase cannot reach back over this word."""
    return not token.name and (
        token.low in en.DETERMINERS | en.PREPOSITIONS | en.STOPS | en.PRONOUNS_LOWER
        or not token.text[0].isalnum()
        or is_past(token.text)
        or token.text in en.PRESENT
    )


def _co_subjects(tokens: Sequence[Token], start: int) -> list[str]:
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
        found.append(" ".join(words))
    closed = j < 0 or (not tokens[j].name and (tokens[j].text in ",;:–—" or tokens[j].low in ("but", "when", "while")))
    return found if found and closed and (j < 0 or len(found) == 1) and j < 2 else []


def _dated_later(fact: Triple, tokens: Sequence[Token], at: int) -> list[Triple]:
    """The same act told by a date that stands further on in its clause."""
    subject, verb, obj = fact
    for j in range(at, min(len(tokens) - 1, at + 12)):
        if tokens[j].name:
            continue
        if tokens[j].text in ",;:–—⟪⟫" or tokens[j].low in en.STOPS | en.PRONOUNS_LOWER:
            break
        if tokens[j].low in ("in", "on") and DATE.match(tokens[j + 1].text):
            k = j + 1
            while k < len(tokens) and (DATE.match(tokens[k].text) or tokens[k].text.isdigit() or tokens[k].text == ","):
                k += 1
            date = " ".join(token.text for token in tokens[j + 1 : k]).replace(" ,", ",").strip(" ,")
            act = f"{verb} {obj}"
            return [(subject, f"{act} {tokens[j].low}", date)] if len(act) <= 60 and date not in act else []
    return []


def _joined(tokens: Sequence[Token], start: int) -> bool:
    """Whether a clause would begin right after ``and``: a common noun there belongs to a list, not to a new clause."""
    return start > 0 and tokens[start - 1].low in ("and", "but", ",")


_CUTS = frozenset(("that", "which", "who", "when", "while", "where", "but", "although", "though"))


def _told_whole(subject: str, verb: str, tokens: Sequence[Token], i: int) -> Iterator[Triple]:
    """What follows a verb up to the next mark, when no pattern read it: short, without pronouns, with a name in it."""
    if any(word in en.DOUBT for word in verb.split()) or verb.split()[-1] in _SPEECH | en.BE:
        return
    words: list[str] = []
    named = False
    for k, token in enumerate(tokens[i:], i):
        if not token.name and (token.text in ",.;:–—⟪⟫()" or token.low in _CUTS):
            break
        if token.low == "and" and not token.name and (not words or read_subject(tokens, k + 1, "he", {})[0]):
            break
        if not token.name and (token.low in en.PRONOUNS_LOWER or token.low in ("if", "whether", "because", "than")):
            return
        named = named or token.name or token.text[0].isupper()
        words.append(token.text)
    if words and words[-1].lower() == "and":
        words.pop()
    if words and words[0].lower() in en.PREPOSITIONS and len(words) > 2:
        verb, words = f"{verb} {words[0]}", words[1:]
    text = " ".join(words)
    for determiner in ("the ", "a ", "an "):
        text = text.removeprefix(determiner)
    if (
        (named or len(words) >= 3)
        and 2 <= len(words) <= 12
        and words[-1].lower() not in en.PREPOSITIONS | en.STOPS | en.DETERMINERS
    ):
        yield subject, verb, text


def _content(tokens: Sequence[Token], i: int) -> str:
    """What follows ``wrote that``: the rest of the sentence, when it is short and names things itself."""
    if i >= len(tokens) or tokens[i].low != "that":
        return ""
    words: list[str] = []
    for token in tokens[i + 1 :]:
        if token.text in ".;" or token.text == "⟪⟫":
            break
        if not token.name and token.low in en.PRONOUNS_LOWER:
            return ""
        words.append(token.text)
    text = re.sub(r" ([,.:;’'])", r"\1", " ".join(words))
    return text if 3 <= len(words) <= 16 else ""


def _starts(tokens: Sequence[Token], first: int) -> list[int]:
    """Where clauses may begin: after the opening phrase, and after marks, conjunctions and relatives."""
    found = [first] if first < len(tokens) else []
    for j in range(len(tokens) - 1):
        if tokens[j].name:
            continue
        if (
            tokens[j].low == "that"
            and j
            and (tokens[j - 1].low in _FACTIVE or any(token.low == "so" for token in tokens[max(0, j - 3) : j]))
        ):
            found.append(j + 1)
        elif tokens[j].text in ",;:–—" or tokens[j].low in (
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
        ):
            found.append(j + 1)
        elif tokens[j].low in ("he", "she") and 0 < j <= 8 and tokens[0].low in en.PREPOSITIONS:
            found.append(j)
    return sorted(set(found))


def _reported(tokens: Sequence[Token], start: int) -> bool:
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
        if tokens[j].low == "that" and j and (tokens[j - 1].low in _SPEECH or tokens[j - 1].low in en.DOUBT):
            return True
    return False


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
            return j + 1, (tokens[0].low, text) if dated else None
        if tokens[j].low in ("he", "she") and not tokens[j].name:
            break
    return 0, None


def _bare_date(tokens: Sequence[Token]) -> tuple[int, tuple[str, str] | None] | None:
    """``In 1994 Random House published``: a date with no mark after it; None for any other opening."""
    j = 1
    while j < len(tokens) and (DATE.match(tokens[j].text) or tokens[j].text.isdigit() or tokens[j].text == ","):
        j += 1
    if tokens[0].low not in ("in", "on") or j == 1 or j >= len(tokens) or tokens[j].low in ("and", "or", "–", "-", "to"):
        return None
    return j, (tokens[0].low, " ".join(w.text for w in tokens[1:j]).replace(" ,", ",").strip(" ,"))


def _facts(
    subject: str, verb: str, arguments: Sequence[tuple[str, str]], when: tuple[str, str] | None
) -> Iterator[Triple]:
    """Turn a verb and its arguments into facts: (S, signed, contract), (S, signed contract with, Albert Grossman)."""
    if any(word in en.DOUBT for word in verb.split()) or verb.split()[-1] in _SPEECH:
        return
    direct = [phrase for preposition, phrase in arguments if preposition == ""]
    obj = direct[0] if direct else ""
    if obj and (not _whole(obj) or (obj.endswith("ing") and " " not in obj and obj.islower())):
        return
    stem = verb
    if obj and verb.split()[-1] in en.BE | {"not"} and " " not in obj and obj.islower():
        if len(arguments) > 1 and obj.isalpha():
            yield from _facts(subject, f"{verb} {obj}", arguments[1:], None)
        return
    for phrase in direct:
        if _whole(phrase) and not phrase.isdigit():
            yield subject, verb, phrase
    if obj:
        stem = f"{verb} {obj}" if len(direct) == 1 else verb
    for preposition, phrase in [pair for pair in arguments if pair[0]][:8]:
        if not phrase or not _whole(phrase):
            break
        named = any(word[0].isupper() or word[0].isdigit() for word in phrase.split())
        if not named and preposition == "to":
            break
        if not named and len(phrase.split()) < 2 and (obj or preposition not in _LOOSE or len(phrase) < 5):
            break
        if len(stem) <= 60 and (named or not obj or preposition in _LOOSE) and (stem not in en.BE or preposition in ("from", "in", "of")):
            yield subject, f"{stem} {preposition}", phrase
    if when is not None and (obj or arguments) and verb not in en.BE:
        act = stem if obj else f"{verb} {arguments[0][0]} {arguments[0][1]}".strip()
        if len(act) <= 60 and (obj or arguments[0][1]):
            yield subject, f"{act} {when[0]}", when[1]


_LOOSE = frozenset(("in", "at", "on", "for", "from", "with", "by", "as"))


_NOMINAL = frozenset(
    word_list(
        "marketing recording recurring working leading living existing opening closing long-running touring songwriting building "
        "wedding singing painting drawing training fighting farming mining banking publishing reading writing standing ruling "
        "founding driving growing lasting striking touching charming outstanding missing starting surviving backing during"
    )
)
"""Words in -ing that open a noun phrase."""


def _whole(phrase: str) -> bool:
    """Whether a phrase may end a fact: short, no pronoun, no lone small word or number."""
    words = phrase.split()
    if words and words[0].endswith("ing") and words[0].islower() and len(words) > 1 and words[0] not in _NOMINAL:
        return False
    if not 1 <= len(words) <= LONGEST or any(word in en.PRONOUNS_LOWER for word in words):
        return False
    if words[-1].endswith(("'s", "’s")) or words[-1] in en.ADVERBS or words[-1] in en.DETERMINERS:
        return False
    return (
        len(words) > 1
        or words[0][0].isupper()
        or re.fullmatch(r"\d{4}s?", words[0]) is not None
        or (len(words[0]) > 3 and words[0].isalpha() and not words[0].endswith("ly"))
    )
