"""English text before it is read: quotes, brackets, names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.openie import english_patterns as pattern
from chathistory.openie import english_words as en
from chathistory.openie.english_verbs import is_past
from chathistory.text import sentences


def outside_quotes(text: str) -> Iterator[str]:
    """Yield what of each sentence stands outside a quote that other sentences share."""
    marks = [match.start() for match in re.finditer('"', text)]
    inside = bool(marks) and len(marks) % 2 == 1 and pattern.CLOSING.match(text, max(0, marks[0] - 1)) is not None
    for sentence in sentences(text):
        count = sentence.count('"')
        told = sentence
        if inside:
            told = sentence.partition('"')[2] if count else ""
            count -= 1 if count else 0
            inside = not sentence.count('"')
        if count % 2 == 1:
            told = told.rpartition('"')[0] + " ⟪⟫"
            inside = True
        if told.strip():
            yield told.strip()


def english_nouns(text: str) -> list[str]:
    """The longer words of a text that names nothing, so that it can still be found."""
    words = [
        word
        for word in re.findall(r"[A-Za-z]{4,}", text)
        if word.lower() not in en.STOPS | en.PREPOSITIONS | en.PRONOUNS_LOWER | en.ADVERBS | en.DOUBT
    ]
    return sorted(set(words), key=lambda word: (-len(word), word))[:6]


def plain(sentence: str) -> str:
    """The sentence without brackets; long or spoken quotes become nothing, titles keep their words as one name."""

    def keep(match: re.Match[str]) -> str:
        inner = match[1].strip(" ,.")
        words = inner.split()
        title = (
            bool(words)
            and len(words) <= 9
            and words[0][:1].isupper()
            and sum(word[:1].isupper() for word in words) * 2 >= len(words)
        )
        if title and not match[0].endswith("?"):
            return f" ⟦{inner}⟧{',' if match[1].endswith(',') else ''} "
        if 2 <= len(words) <= 12 and not SAID.search(inner) and match[0][-1] in '"”' and inner[-1].isalnum():
            return f" ⟦“{inner}”⟧ "
        return " ⟪⟫ "

    return pattern.LONG_QUOTE.sub(keep, pattern.BRACKET.sub("", sentence))


def noun_part(text: str) -> list[str]:
    """The words of ``early vocal style was`` up to what can be no part of a noun phrase."""
    words = text.split(" ")
    for i, word in enumerate(words):
        if word in en.STOPS | en.PREPOSITIONS | en.ADVERBS | en.PAST | en.PRESENT or (
            i and (is_past(word) or word.endswith(("ly", "ing")))
        ):
            return words[:i]
    return words


SAID = re.compile(
    r"[?!;:.…⟦⟧]|\b(?:i|we|you|my|me|he|she|it|they|him|his|her|their|its|them|our|your)\b|[\[\]]", re.IGNORECASE
)


def names_in(text: str) -> Iterator[str]:
    """Yield capitalised names, titles in quotes and dates; a sentence's first word alone is no name."""
    for match in re.finditer(rf"{pattern.TITLE}|{pattern.DATE}|{pattern.NAME}", text):
        name = match.group().strip('"“”').rstrip(".,")
        name = re.sub(r"['’]s$", "", name)
        start = match.start()
        lone = " " not in name and (start == 0 or text[max(0, start - 2) : start] in (". ", "? ", "! ", '" '))
        if lone and name.lower() in en.STOPS | en.PREPOSITIONS | en.DETERMINERS | en.PRONOUNS_LOWER | en.ADVERBS:
            continue
        if len(name) > 1 and len(name) < 70:
            yield name
