"""The parts of an English clause: subject, verb group, object and prepositional phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chathistory.openie import english_words as en
from chathistory.openie.english_lists import listed
from chathistory.openie.english_tokens import DATE, Token
from chathistory.openie.english_verbs import is_past, read_verb
from chathistory.openie.wordlist import word_list

LONGEST = 9


def read_subject(tokens: Sequence[Token], i: int, topic: str | None, kinds: dict[str, str]) -> tuple[str | None, int]:
    """Read the subject at ``i``; a pronoun stands for ``topic``."""
    if i >= len(tokens):
        return None, i
    first = tokens[i]
    if first.low in ("he", "she") and not first.name:
        return topic, i + 1
    if first.low == "it" and i == 0 and IT in kinds and read_verb(tokens, 1)[0]:
        return kinds[IT], 1
    if (
        first.low == "this"
        and len(tokens) > i + 2
        and tokens[i + 1].low in kinds
        and not tokens[i + 1].name
        and read_verb(tokens, i + 2)[0]
    ):
        return kinds[tokens[i + 1].low], i + 2
    if (first.low in en.PRONOUNS_LOWER and not first.name) or first.text.startswith("“"):
        return None, i
    j = i
    head = 0
    words: list[str] = []
    while j < len(tokens) and len(words) <= LONGEST:
        token = tokens[j]
        if _ampersand(tokens, j) and words:
            words.append("&")
            j += 1
            continue
        if not token.name and (
            not token.text[0].isalnum()
            or (token.low in en.STOPS | en.PRONOUNS_LOWER | en.ADVERBS and not (i and j == i and token.text == "Will"))
            or (token.low in en.PREPOSITIONS - {"of"} and not _joins_names(tokens, j))
        ):
            if words and not token.name and token.low in _ATTACHED and (after := _attached(tokens, j)):
                head = head or len(words)
                words.extend(inner.text for inner in tokens[j:after])
                j = after
                continue
            break
        if (
            words
            and not token.name
            and not tokens[j - 1].text.endswith(("'s", "’s"))
            and (read_verb(tokens, j)[0] and not _noun_like(tokens, j))
        ):
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
    if head:
        lone = words[:head]
        named = all(word[0].isupper() or word in ("of", "the") for word in lone) and (head > 1 or tokens[i].name)
        words = lone if named or len(words) > LONGEST else words
    else:
        words = _name_at_end(words, tokens[i:j])
    if any(word.lower() in en.PRONOUNS_LOWER or word in _SAYING for word in words):
        return None, i
    if words[0].lower() in _UNNAMED and not (len(words) > 1 and words[1][0].isupper()):
        return None, i
    name = any(word[0].isupper() for word in (words[1:] if len(words) > 1 and not tokens[i].name else words))
    if words[0].lower() == "the" and len(words) == 2 and words[1] in kinds:
        return kinds[words[1]], j
    if words[0].lower() in ("the", "a", "an"):
        words = words[1:]
    if words and (is_past(words[0]) or (words[0].endswith("ing") and words[0].islower())):
        return None, i
    if not words or not (name or len(words) >= 2) or words[-1].lower() in ("of", "and"):
        return None, i
    return " ".join(words), j


IT = "it"
"""Under this key ``kinds`` holds the work that the sentence before was about."""
_UNNAMED = frozenset(word_list("others some many most several few both all another each any"))
_SAYING = frozenset(word_list("said says felt thought told believed knew saw heard"))
_ATTACHED = frozenset(("in", "on", "at", "from", "by", "for", "with", "about", "to", "between"))
_NOUN_LIKE = frozenset(
    word_list("works plays shows marks features lives holds appears runs ends stands draws leads lies suggests")
)
_JOINTS = frozenset(("on", "in", "for", "with"))


def _noun_like(tokens: Sequence[Token], j: int) -> bool:
    """``Dylan's major works``: a word of both classes after an adjective or an owner is a noun."""
    before = tokens[j - 1]
    return tokens[j].low in _NOUN_LIKE and (
        before.text.endswith(("'s", "’s", "'")) or not (before.name or before.text[0].isupper())
    )


def _ampersand(tokens: Sequence[Token], j: int) -> bool:
    """``Simon & Schuster``: the mark stands inside a name."""
    return tokens[j].text == "&" and 0 < j < len(tokens) - 1 and tokens[j + 1].text[0].isupper()


def _attached(tokens: Sequence[Token], j: int) -> int:
    """The index after one or two phrases with prepositions at ``j`` that a finite verb follows; 0 for none."""
    for _ in range(2):
        if j >= len(tokens) or tokens[j].low not in _ATTACHED or tokens[j].name:
            return 0
        phrase, after = _phrase(tokens, j + 1, before_verb=True)
        if not phrase or after >= len(tokens):
            return 0
        if read_verb(tokens, after)[0]:
            return after
        j = after
    return 0


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
    if not words[-1][0].isupper() or all(word[0].isupper() or word == "&" for word in words) or "of" in words:
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
            more, i = listed(tokens, i)
            found.extend((preposition, name) for name in more)
    return found, i


_ADJECTIVES = frozenset(
    word_list(
        "small large big long new old great popular young short early late major minor full rare close "
        "famous brief low high sprawling"
    )
)


def _phrase(tokens: Sequence[Token], i: int, before_verb: bool = False) -> tuple[str, int]:
    """Return the noun phrase at ``i`` without its determiner, with its of-phrase; '' where none stands.

    ``before_verb``: the phrase belongs to a subject, so that a finite verb ends it.
    """
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
        if words and _ampersand(tokens, j):
            words.append("&")
            j += 1
            continue
        if not (token.text[0].isalnum() or token.text[0] == "$") or low in en.STOPS or low == "such":
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
        if words and is_past(token.text) and (before_verb or not words[-1][0].islower()):
            break
        if words and before_verb and token.text in en.PRESENT and not _noun_like(tokens, j):
            break
        words.append(token.text)
        j += 1
    while words and words[-1].lower() in ("of", "the", "a", "an", "and"):
        words.pop()
    return " ".join(words), j
