"""Facts of one English verb: with its object, with each prepositional phrase, with a date, or told whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_parts import LONGEST, read_subject
from chathistory.openie.english_tokens import DATE, Token
from chathistory.openie.reading import Triple
from chathistory.openie.wordlist import word_list

SPEECH = frozenset(
    word_list(
        "said told asked replied remarked explained commented recalled noted stated added thought felt "
        "believed knew saw heard found recalled"
    )
)


def dated_later(fact: Triple, tokens: Sequence[Token], at: int) -> list[Triple]:
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


_CUTS = frozenset(("that", "which", "who", "when", "while", "where", "but", "although", "though"))


def told_whole(subject: str, verb: str, tokens: Sequence[Token], i: int) -> Iterator[Triple]:
    """What follows a verb up to the next mark, when no pattern read it: short, without pronouns, with a name in it."""
    if any(word in en.DOUBT for word in verb.split()) or verb.split()[-1] in SPEECH | en.BE:
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


def content(tokens: Sequence[Token], i: int) -> str:
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


def verb_facts(
    subject: str, verb: str, arguments: Sequence[tuple[str, str]], when: tuple[str, str] | None
) -> Iterator[Triple]:
    """Turn a verb and its arguments into facts: (S, signed, contract), (S, signed contract with, Albert Grossman)."""
    if any(word in en.DOUBT for word in verb.split()) or verb.split()[-1] in SPEECH:
        return
    direct = [phrase for preposition, phrase in arguments if preposition == ""]
    obj = direct[0] if direct else ""
    if obj and (not is_whole(obj) or (obj.endswith("ing") and " " not in obj and obj.islower())):
        return
    stem = verb
    if obj and verb.split()[-1] in en.BE | {"not"} and " " not in obj and obj.islower():
        if len(arguments) > 1 and obj.isalpha():
            yield from verb_facts(subject, f"{verb} {obj}", arguments[1:], None)
        return
    for phrase in direct:
        if is_whole(phrase) and not phrase.isdigit():
            yield subject, verb, phrase
    if obj:
        stem = f"{verb} {obj}" if len(direct) == 1 else verb
    for preposition, phrase in [pair for pair in arguments if pair[0]][:8]:
        if not phrase or not is_whole(phrase):
            break
        named = any(word[0].isupper() or word[0].isdigit() for word in phrase.split())
        if not named and preposition == "to":
            break
        if not named and len(phrase.split()) < 2 and (obj or preposition not in _LOOSE or len(phrase) < 5):
            break
        if preposition == "by" and not obj and phrase[0].isupper() and (active := _active(verb)):
            yield phrase, active, subject
        if (
            len(stem) <= 60
            and (named or not obj or preposition in _LOOSE)
            and (stem not in en.BE or preposition in ("from", "in", "of"))
        ):
            yield subject, f"{stem} {preposition}", phrase
    if when is not None and (obj or arguments) and verb not in en.BE:
        act = stem if obj else f"{verb} {arguments[0][0]} {arguments[0][1]}".strip()
        if len(act) <= 60 and (obj or arguments[0][1]):
            yield subject, f"{act} {when[0]}", when[1]


def _active(verb: str) -> str:
    """was released, has been praised: the participle, as the agent's verb; '' for any other group."""
    words = verb.split()
    if len(words) < 2 or words[0] not in en.BE | {"has", "have", "had"} or "not" in words or "never" in words:
        return ""
    last = words[-1]
    passive = words[0] in en.BE or "been" in words
    return last if passive and last.endswith("ed") and last not in en.DOUBT else ""


_LOOSE = frozenset(("in", "at", "on", "for", "from", "with", "by", "as"))


_NOMINAL = frozenset(
    word_list(
        "marketing recording recurring working leading living existing opening closing long-running touring "
        "songwriting building "
        "wedding singing painting drawing training fighting farming mining banking publishing reading writing "
        "standing ruling "
        "founding driving growing lasting striking touching charming outstanding missing starting surviving "
        "backing during"
    )
)
"""Words in -ing that open a noun phrase."""


_VAGUE = frozenset(word_list("much many more most less little several some none nothing everything anything something"))


def is_whole(phrase: str) -> bool:
    """Whether a phrase may end a fact: short, no pronoun, no lone small word or number."""
    words = phrase.split()
    if phrase in _VAGUE:
        return False
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
