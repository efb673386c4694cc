"""The parts of an English clause: subject, verb group, object and prepositional phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chathistory.openie import english_words as en
from chathistory.openie.wordlist import word_list

_TOKEN = re.compile(
    r"⟦[^⟧]*⟧|⟪⟫|\d[\d,.]*\d(?:s|cc|th|st|nd|rd)?\b|[A-Z]\w+in['’](?=\s)|(?:[A-Z]\.)+(?=[A-Z\s,])|\w[\w'’.&-]*[\w]|\w|[^\w\s]"
)


DATE = re.compile(rf"(?:{en.MONTHS})\b|\d{{4}}s?$")


LONGEST = 9


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a title (``name``), or a mark."""

    text: str
    name: bool = False

    @property
    def low(self) -> str:
        """The word in small letters."""
        return self.text.lower()


def tokens_of(sentence: str, alias: re.Pattern[str] | None, canonical: str) -> list[Token]:
    """Cut a sentence; titles and the figure's names are one token each."""
    marked = (
        alias.sub(
            lambda match: match.group() if _inside_name(sentence, match.start()) else f"⟦{match.group()}⟧", sentence
        )
        if alias
        else sentence
    )
    marked = re.sub(r"⟦([^⟦⟧]*)⟦([^⟧]*)⟧([^⟦⟧]*)⟧", r"⟦\1\2\3⟧", marked)
    found = []
    for match in _TOKEN.finditer(marked):
        text = match.group()
        found.append(Token(text[1:-1], True) if text.startswith("⟦") else Token(text))
    return found


def _inside_name(sentence: str, at: int) -> bool:
    """Whether a capitalised word stands right before, so that the name is part of a longer one."""
    before = re.search(r"(\S+) $", sentence[:at])
    return (
        before is not None
        and before[1][0].isupper()
        and before[1].lower() not in en.STOPS | en.PREPOSITIONS | en.ADVERBS
        and before.start(1) > 0
    )


def read_subject(tokens: Sequence[Token], i: int, topic: str | None, kinds: dict[str, str]) -> tuple[str | None, int]:
    """Read the subject at ``i``; a pronoun stands for ``topic``."""
    if i >= len(tokens):
        return None, i
    first = tokens[i]
    if first.low in ("he", "she") and not first.name:
        return topic, i + 1
    if first.low in en.PRONOUNS_LOWER and not first.name:
        return None, i
    j = i
    words: list[str] = []
    while j < len(tokens) and len(words) <= LONGEST:
        token = tokens[j]
        if not token.name and (
            not token.text[0].isalnum()
            or token.low in en.STOPS | en.PRONOUNS_LOWER | en.ADVERBS
            or (token.low in en.PREPOSITIONS - {"of"} and not _joins_names(tokens, j))
        ):
            break
        if words and not token.name and read_verb(tokens, j)[0]:
            break
        words.append(token.text)
        j += 1
    if not words or j >= len(tokens):
        return None, i
    if tokens[j].text == ",":
        if read_verb(tokens, j + 1)[0]:
            j += 1
        elif end := _apposition_end(tokens, j):
            j = end
    if not read_verb(tokens, j)[0]:
        return None, i
    words = _name_at_end(words, tokens[i:j])
    name = any(word[0].isupper() for word in (words[1:] if len(words) > 1 and not tokens[i].name else words))
    if words[0].lower() == "the" and len(words) == 2 and words[1] in kinds:
        return kinds[words[1]], j
    if words[0].lower() in ("the", "a", "an"):
        words = words[1:]
    if words and (_is_past(words[0]) or (words[0].endswith("ing") and words[0].islower())):
        return None, i
    if not words or not (name or len(words) >= 2) or words[-1].lower() in ("of", "and"):
        return None, i
    return " ".join(words), j


_JOINTS = frozenset(("on", "in", "for", "with"))


def _joins_names(tokens: Sequence[Token], j: int) -> bool:
    """``Madhouse on Castle Street``: a small word between two capitalised ones, not before a date."""
    return (
        tokens[j].low in _JOINTS
        and 0 < j < len(tokens) - 1
        and tokens[j - 1].text[0].isupper()
        and not tokens[j - 1].name
        and tokens[j + 1].text[0].isupper()
        and not DATE.match(tokens[j + 1].text)
    )


def _name_at_end(words: list[str], tokens: Sequence[Token]) -> list[str]:
    """``folk singer Carolyn Hester`` is Carolyn Hester: keep the capitalised end where small words stand before it."""
    if not words[-1][0].isupper() or all(word[0].isupper() for word in words) or "of" in words:
        return words
    k = len(words)
    while k > 0 and (words[k - 1][0].isupper() or (k > 1 and words[k - 1] in _JOINTS and words[k - 2][0].isupper())):
        k -= 1
    return words[k:]


def _apposition_end(tokens: Sequence[Token], j: int) -> int:
    """The index after ``, a folk singer,``; 0 where none closes soon."""
    for k in range(j + 1, min(len(tokens), j + 10)):
        if tokens[k].text == ",":
            return k + 1
        if tokens[k].low in en.STOPS:
            return 0
    return 0


def read_verb(tokens: Sequence[Token], i: int) -> tuple[str, int]:
    """Read a finite verb group at ``i``: (wrote, did not release, was recorded, had moved); ('', i) for none."""
    words: list[str] = []
    j = i
    while (
        j < len(tokens)
        and not tokens[j].name
        and (tokens[j].low in en.ADVERBS or (tokens[j].low.endswith("ly") and tokens[j].text[0].islower()))
    ):
        j += 1
    if j >= len(tokens) or tokens[j].name:
        return "", i
    low = tokens[j].text
    if low in en.BE or low in ("has", "have", "had", "did", "does"):
        words.append(low)
        j += 1
        while (
            j < len(tokens)
            and not tokens[j].name
            and (
                tokens[j].low in en.ADVERBS or tokens[j].low in ("not", "never", "been") or tokens[j].low.endswith("ly")
            )
        ):
            if tokens[j].low in ("not", "never", "been"):
                words.append(tokens[j].low)
            j += 1
        if (
            j < len(tokens)
            and not tokens[j].name
            and (
                _is_past(tokens[j].text)
                or tokens[j].text in en.PARTICIPLES
                or (low in ("did", "does") and tokens[j].text.islower())
            )
        ):
            words.append(tokens[j].text)
            j += 1
        elif low in ("did", "does"):
            return "", i
        return " ".join(words), j
    if low == "never" and j + 1 < len(tokens) and _is_past(tokens[j + 1].text):
        return f"never {tokens[j + 1].text}", j + 2
    if low == "used" and j + 1 < len(tokens) and tokens[j + 1].low == "to":
        return "", i
    if _is_past(low) or low in en.PRESENT:
        return low, j + 1
    return "", i


def _is_past(word: str) -> bool:
    return word in en.PAST or (len(word) > 3 and word.endswith("ed") and word.islower() and word not in en.NOT_PAST)


def read_arguments(tokens: Sequence[Token], i: int) -> tuple[list[tuple[str, str]], int]:
    """Return the object and the prepositional phrases after a verb as (preposition or '', phrase)."""
    found: list[tuple[str, str]] = []
    while i < len(tokens):
        preposition = ""
        if not tokens[i].name and tokens[i].low in en.PREPOSITIONS:
            preposition = tokens[i].low
            i += 1
            if i < len(tokens) and not tokens[i].name and tokens[i].low in en.PREPOSITIONS:
                preposition = f"{preposition} {tokens[i].low}"
                i += 1
        elif found:
            break
        start = i
        phrase, i = _phrase(tokens, i)
        if phrase and i < len(tokens) and tokens[i].text == "," and phrase.split()[-1] in _ADJECTIVES:
            break
        if phrase and " " not in phrase and phrase.islower() and i + 1 < len(tokens) and tokens[i].low == "and":
            break
        if not phrase:
            if preposition:
                found.append((preposition, ""))
            break
        found.append((preposition, phrase))
        if (
            i < len(tokens)
            and tokens[i].text == ","
            and i + 1 < len(tokens)
            and re.fullmatch(r"\d{4}", tokens[i + 1].text)
        ):
            found[-1] = (preposition, f"{phrase}, {tokens[i + 1].text}")
            i += 2
        elif phrase[0].isupper() or tokens[start].name:
            more, i = _listed(tokens, i)
            found.extend((preposition, name) for name in more)
    return found, i


_ADJECTIVES = frozenset(
    word_list(
        "small large big long new old great popular young short early late major minor full rare close "
        "famous brief low high sprawling"
    )
)


def _listed(tokens: Sequence[Token], i: int) -> tuple[list[str], int]:
    """Return the further names of a list (, B, C and D) that starts at ``i``; [] when it is none."""
    found: list[str] = []
    j = i
    closed = False
    while j + 1 < len(tokens) and (tokens[j].text == "," or tokens[j].low == "and") and not closed:
        step = j + 1
        if tokens[j].text == "," and tokens[step].low == "and" and not tokens[step].name:
            step, closed = step + 1, True
        elif tokens[j].low == "and":
            closed = True
        words: list[str] = []
        while step < len(tokens) and len(words) < 6 and (tokens[step].name or tokens[step].text[0].isupper()):
            words.append(tokens[step].text)
            step += 1
        if not words:
            return [], i
        found.append(" ".join(words))
        j = step
    return (found, j) if closed and j < len(tokens) and not read_verb(tokens, j)[0] else ([], i)


def _phrase(tokens: Sequence[Token], i: int) -> tuple[str, int]:
    """Return the noun phrase at ``i`` without its determiner, with its of-phrase; '' where none stands."""
    words: list[str] = []
    j = i
    if j < len(tokens) and not tokens[j].name and tokens[j].low in en.DETERMINERS:
        j += 1
    while j < len(tokens):
        token = tokens[j]
        if token.name:
            words.append(token.text)
            j += 1
            continue
        low = token.low
        if not (token.text[0].isalnum()) or low in en.STOPS:
            if (
                low == "and"
                and words
                and j + 1 < len(tokens)
                and tokens[j - 1].text[0].isupper()
                and not tokens[j + 1].name
                and tokens[j + 1].text[0].isupper()
                and len(words) < 4
                and not tokens[j - 1].name
            ):
                words.append("and")
                j += 1
                continue
            break
        if low in en.PREPOSITIONS and not (words and token.text[0].isupper()):
            if (
                low == "of"
                and words
                and j + 1 < len(tokens)
                and (tokens[j + 1].name or tokens[j + 1].low not in en.PRONOUNS_LOWER)
            ):
                words.append("of")
                j += 1
                if j < len(tokens) and tokens[j].low in ("the", "a", "an") and not tokens[j].name:
                    words.append(tokens[j].text)
                    j += 1
                continue
            break
        if low in en.PRONOUNS_LOWER or (words and (token.text.endswith("ing") and token.text.islower())):
            break
        if words and _is_past(token.text) and words[-1][0].isupper():
            break
        words.append(token.text)
        j += 1
    while words and words[-1].lower() in ("of", "the", "a", "an", "and"):
        words.pop()
    return " ".join(words), j
