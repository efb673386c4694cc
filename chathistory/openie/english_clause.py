"""Finite clauses of an English sentence, without a tagger: verb forms by list and ending, phrases by what may not stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chathistory.openie import english_words as en
from chathistory.openie.reading import Triple
from chathistory.openie.wordlist import word_list

_TOKEN = re.compile(r"⟦[^⟧]*⟧|⟪⟫|\d[\d,.]*\d|[A-Z]\w+in['’](?=\s)|(?:[A-Z]\.)+(?=[A-Z\s,])|\w[\w'’.&-]*[\w]|\w|[^\w\s]")
_DATE = re.compile(rf"(?:{en.MONTHS})\b|\d{{4}}s?$")
_SPEECH = frozenset(
    word_list(
        "said told asked replied remarked explained commented recalled noted stated added thought felt "
        "believed knew saw heard found recalled"
    )
)
_LONGEST = 9


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
    """Whether a capitalised word stands right before, so that the name is part of a longer one (The Freewheelin' Bob Dylan)."""
    before = re.search(r"(\S+) $", sentence[:at])
    return (
        before is not None
        and before[1][0].isupper()
        and before[1].lower() not in en.STOPS | en.PREPOSITIONS | en.ADVERBS
        and before.start(1) > 0
    )


def clause_triples(
    tokens: Sequence[Token], topic: str | None, kinds: dict[str, str]
) -> Iterator[tuple[Triple | None, str | None]]:
    """Yield (fact or None, the clause's subject) for each finite clause whose subject can be told.

    ``topic`` is whom he or she means; ``kinds`` maps album, song and the like to the one last named.
    """
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
            subject, at = _subject(tokens, start, topic, kinds)
        if subject is None:
            continue
        if first:
            yield None, subject
            first = False
        while at < len(tokens):
            verb, at = _verb(tokens, at)
            if not verb:
                break
            if verb.split()[-1] in _SPEECH | {"believed", "argued", "claimed", "wrote", "announced", "suggested"} and (
                said := _content(tokens, at)
            ):
                yield (subject, f"{verb} that", said), subject
                break
            rest, at = _arguments(tokens, at)
            yield from ((triple, subject) for triple in _facts(subject, verb, rest, when))
            done = at
            if not (at + 1 < len(tokens) and tokens[at].low in ("and", ",")):
                break
            step = 2 if tokens[at].text == "," and tokens[at + 1].low in ("and", "then", "but") else 1
            if at + step >= len(tokens) or not _verb(tokens, at + step)[0]:
                break
            at += step


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
        if tokens[j].text in ",;:–—" or tokens[j].low in (
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
    if not words or (j >= 0 and tokens[j].low in ("and", "of", ",")):
        return None
    return " ".join(words)


def _intro(tokens: Sequence[Token]) -> tuple[int, tuple[str, str] | None]:
    """Step over an opening phrase with a comma: In 1959, / After the tour,; return (index, (preposition, date) or None)."""
    if (
        not tokens
        or tokens[0].name
        or tokens[0].low not in en.PREPOSITIONS | {"while", "when", "despite", "following", "later"}
    ):
        return 0, None
    for j in range(1, min(len(tokens), 16)):
        if tokens[j].text == "," and not (j + 1 < len(tokens) and re.fullmatch(r"\d{4}", tokens[j + 1].text)):
            words = tokens[1:j]
            dated = (
                tokens[0].low in ("in", "on")
                and words
                and all(_DATE.match(w.text) or w.text.isdigit() or w.text == "," for w in words)
            )
            text = " ".join(w.text for w in words).replace(" ,", ",")
            return j + 1, (tokens[0].low, text) if dated else None
        if tokens[j].low in ("he", "she") and not tokens[j].name:
            break
    if tokens[0].low in ("in", "on"):
        j = 1
        while j < len(tokens) and (_DATE.match(tokens[j].text) or tokens[j].text.isdigit() or tokens[j].text == ","):
            j += 1
        if j > 1:
            return j, (tokens[0].low, " ".join(w.text for w in tokens[1:j]).replace(" ,", ",").strip(" ,"))
    return 0, None


def _subject(tokens: Sequence[Token], i: int, topic: str | None, kinds: dict[str, str]) -> tuple[str | None, int]:
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
    while j < len(tokens) and len(words) <= _LONGEST:
        token = tokens[j]
        if not token.name and (
            not token.text[0].isalnum()
            or token.low in en.STOPS | en.PRONOUNS_LOWER | en.ADVERBS
            or (token.low in en.PREPOSITIONS - {"of"} and not _joins_names(tokens, j))
        ):
            break
        if words and not token.name and _verb(tokens, j)[0]:
            break
        words.append(token.text)
        j += 1
    if not words or j >= len(tokens):
        return None, i
    if tokens[j].text == ",":
        if _verb(tokens, j + 1)[0]:
            j += 1
        elif end := _apposition_end(tokens, j):
            j = end
    if not _verb(tokens, j)[0]:
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


def _joins_names(tokens: Sequence[Token], j: int) -> bool:
    """``Madhouse on Castle Street``: a small word between two capitalised ones, not before a date."""
    return (
        tokens[j].low in ("on", "in", "for", "with")
        and 0 < j < len(tokens) - 1
        and tokens[j - 1].text[0].isupper()
        and not tokens[j - 1].name
        and tokens[j + 1].text[0].isupper()
        and not _DATE.match(tokens[j + 1].text)
    )


def _name_at_end(words: list[str], tokens: Sequence[Token]) -> list[str]:
    """``folk singer Carolyn Hester`` is Carolyn Hester: keep the capitalised end where small words stand before it."""
    if not words[-1][0].isupper() or all(word[0].isupper() for word in words) or "of" in words:
        return words
    k = len(words)
    while k > 0 and words[k - 1][0].isupper():
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


def _verb(tokens: Sequence[Token], i: int) -> tuple[str, int]:
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


def _arguments(tokens: Sequence[Token], i: int) -> tuple[list[tuple[str, str]], int]:
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
    """Return the further names of a list (, B, C and D) that starts at the comma or the ``and`` at ``i``; [] when it is none."""
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
    return (found, j) if closed and j < len(tokens) and not _verb(tokens, j)[0] else ([], i)


def _phrase(tokens: Sequence[Token], i: int) -> tuple[str, int]:
    """Return the noun phrase at ``i`` without its determiner, with its of-phrase; '' where a pronoun or a clause stands."""
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
        if low in en.PREPOSITIONS:
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
        return
    for phrase in direct:
        if _whole(phrase):
            yield subject, verb, phrase
    if obj:
        stem = f"{verb} {obj}" if len(direct) == 1 else verb
    for preposition, phrase in [pair for pair in arguments if pair[0]][:8]:
        if not phrase or not _whole(phrase):
            if preposition == "to" or obj:
                break
            continue
        named = any(word[0].isupper() or word[0].isdigit() for word in phrase.split())
        if not named and preposition == "to":
            break
        if not named and len(phrase.split()) < 2:
            if obj:
                break
            continue
        if len(stem) <= 60 and (named or not obj) and (stem not in en.BE or preposition in ("from", "in", "of")):
            yield subject, f"{stem} {preposition}", phrase
    if when is not None and (obj or arguments) and verb not in en.BE:
        act = stem if obj else f"{verb} {arguments[0][0]} {arguments[0][1]}".strip()
        if len(act) <= 60 and (obj or arguments[0][1]):
            yield subject, f"{act} {when[0]}", when[1]


def _whole(phrase: str) -> bool:
    """Whether a phrase may end a fact: short, no pronoun, no lone small word or number."""
    words = phrase.split()
    if not 1 <= len(words) <= _LONGEST or any(word in en.PRONOUNS_LOWER for word in words):
        return False
    if words[-1].endswith(("'s", "’s")) or words[-1] in en.ADVERBS or words[-1] in en.DETERMINERS:
        return False
    return (
        len(words) > 1
        or words[0][0].isupper()
        or re.fullmatch(r"\d{4}s?", words[0]) is not None
        or (len(words[0]) > 3 and words[0].isalpha() and not words[0].endswith("ly"))
    )
