"""Reads a passage of English prose by surface patterns: subject, verb, object, and what stands between names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Figure, Passage
from chathistory.openie import english_words as en
from chathistory.openie.english_clause import Token, clause_triples, tokens_of
from chathistory.openie.infobox import SECTION, told_pairs
from chathistory.openie.reading import Triple
from chathistory.text import sentences

_CAP = r"(?:[A-Z]\w*in['’](?= [A-Z])|[A-Z][\w'’.-]*[\w])"
_NAME = rf"(?:{_CAP}|[A-Z]\.)(?: (?:{_CAP}|[A-Z]\.|of|the|and(?= [A-Z][a-z]+ [A-Z])|de|von|van|du|la|le))*(?<! of)(?<! the)(?<! and)"
_PERSON = rf"{_CAP}(?: (?:{_CAP}|[A-Z]\.|de|von|van|du|la|le)){{1,3}}"
_TITLE = r"[“\"][^”\"]{2,70}[”\"]"
_LONG_QUOTE = re.compile(r"[“\"]([^”\"]*)[”\"]?")
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_DATE = rf"(?:(?:{en.MONTHS}) \d{{1,2}}, \d{{4}}|\d{{1,2}} (?:{en.MONTHS}) \d{{4}}|(?:{en.MONTHS}) \d{{4}}|\d{{4}}s?)"
_TITLED = (
    rf"(?:{_CAP}['’]?|[A-Z]\.)(?: (?:{_CAP}['’]?|\d+|of|the|and the|and(?= [A-Z])|a|on(?! (?:{en.MONTHS}))|de|von|van|du|la|le))*"
    r"(?<! of)(?<! the)(?<! and)(?<! on)(?<! a)(?<! \d)"
)
_ROLE = re.compile(rf"\b(?P<role>(?:[a-z-]+ )?(?:{en.ROLES})) (?P<name>{_PERSON})")
_WORK = re.compile(rf"\b(?P<kind>{en.WORKS})(?P<comma>,? )(?P<name>{_TITLE}|{_TITLED})")
_KIN = re.compile(
    rf"(?P<owner>{_NAME})['’]s? (?:[a-z]+ )?(?P<kind>{en.KIN})(?:,| named)? (?P<name>{_PERSON}|{_CAP})(?=[,.;]| (?:was|and|is|had|of|in)\b| [–—]|$)"
)
_OWN_WORK = re.compile(
    rf"(?P<owner>{_NAME})['’]s? (?:(?P<year>\d{{4}}) )?(?:[a-z-]+ ){{0,2}}(?P<kind>{en.WORKS}),? (?P<name>{_TITLE}|{_TITLED})"
)
_MANY_WORKS = re.compile(
    rf"\b(?P<kind>songs|albums|films|singles|tracks|poems|novels|books|plays|ballads|essays)(?: such as|, including| like|[:,])? (?P<list>{_TITLE}(?:,? (?:and )?{_TITLE})*)"
)
_AMONG = re.compile(
    rf"\b(?P<kind>(?:[a-z-]+ )?[a-z]{{3,}}s)(?:,? including| such as) (?P<list>{_PERSON}(?:, {_PERSON})*(?:,? and {_PERSON})?)"
)
_IN_STATE = re.compile(rf"(?P<place>{_CAP}(?: {_CAP}){{0,2}}), (?P<state>{en.STATES})(?=[,.;)]| |$)")
_APPOSITION = re.compile(
    rf"(?P<name>{_NAME}), an? (?P<what>[a-z][a-z-]+(?: (?!an? |the |few )[a-z-]+){{0,4}}?)(?=,|\.|;| (?:who|which|that|in|at|by|from|for)\b)"
)
_BORN = re.compile(
    rf"\bborn (?:(?P<name>{_PERSON}),? )?(?:on |in )?(?P<date>{_DATE})(?:,? (?:in|at) (?P<place>{_NAME}(?:, {_NAME})?))?"
)
_LIFE = re.compile(rf"\((?:[^()]*; )?(?:born )?(?P<birth>{_DATE})\s*[–—-]\s*(?P<death>{_DATE})")
_YEAR_AFTER = re.compile(rf"(?P<name>{_TITLE}|(?<![\w.] ){_NAME}) \((?P<year>\d{{4}})\)")
_HAS = re.compile(
    rf"(?P<owner>(?<![\w’'] ){_NAME})(?:'s|’s) (?P<what>[a-z][a-z-]+(?: [a-z][a-z-]+){{0,2}})(?=[,.;:]| (?:{_CAP}|in|on|at|of|for|was|were|is|and|with|from|to|by|as|that|which|had|has)\b|$)"
)
_HIS = re.compile(
    rf"\b(?:his|her|His|Her) (?P<what>[a-z][a-z-]+(?: [a-z][a-z-]+){{0,2}})(?:,? (?P<name>⟦[^⟧]+⟧|{_NAME})(?=[,.;]| (?:was|and|in|at|on)\b|$))?"
)
_KIN_WORDS = frozenset(en.KIN.split("|"))
_WORK_WORDS = frozenset(en.WORKS.split("|"))
_FEATURING = re.compile(
    rf"(?P<name>{_TITLE}|{_TITLED}), (?:featuring|including|containing) (?P<what>{_TITLE}|{_PERSON})"
)
_REDUCED = re.compile(
    rf"(?P<name>{_TITLE}|{_TITLED}),? (?P<verb>released|recorded|published|founded|directed|produced|written|composed|edited|established|owned|led|held|located|based) (?P<prep>in|by|on|at) (?P<what>{_DATE}|{_NAME})"
)
_BY = re.compile(rf"(?P<name>{_TITLE}) by (?P<who>{_PERSON})")


class EnglishReader:
    """Reads passages about one figure; the surname stands for the figure."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        names = {name for name in figure.names if name.isascii() or " " in name}
        parts = figure.name.split()
        if len(parts) > 1 and parts[-1][0].isupper():
            names.add(parts[-1])
        for key, value in figure.infobox:
            born = value.split("\n")[0]
            if key.lower() in ("born", "birth name") and born.replace(" ", "").isalpha() and " " in born:
                names.update((born, born.split()[-1]))
        self._names = frozenset(names)
        ordered = sorted(names, key=lambda name: (-len(name), name))
        self._alias = re.compile(rf"\b(?:{'|'.join(map(re.escape, ordered))})(?:['’]s)?(?![\w'’])") if ordered else None

    def read(self, passage: Passage) -> tuple[list[Triple], list[str]]:
        """Return the triples and the names of a passage, in reading order."""
        if passage.section == SECTION and (told := list(told_pairs(passage, self._figure))):
            return told, [obj for _, _, obj in told]
        text = passage.text
        triples: list[Triple] = []
        names: list[str] = []
        topic: str | None = self._figure.name
        kinds: dict[str, str] = {}
        for number, (sentence, told) in enumerate(_told(text)):
            if _FIRST_PERSON.search(_plain(told)):
                topic = None
                continue
            triples.extend(self._canonical(triple) for triple in self._phrases(told, first=number == 0))
            plain = _plain(told)
            found, subject = self._clauses(plain, topic, kinds)
            alone = topic == self._figure.name and not [
                name for name in re.findall(_PERSON, plain) if name not in self._names
            ]
            topic = subject if subject == self._figure.name or not alone else self._figure.name
            triples.extend(found)
            if topic == self._figure.name:
                triples.extend(self._own(told))
            for match in [*_WORK.finditer(told), *_OWN_WORK.finditer(told)]:
                kinds[match["kind"]] = match["name"].strip('"“”').rstrip(",.")
        names.extend(_names(text))
        return triples, names

    def nouns(self, passage: Passage) -> list[str]:
        """Return what may stand for a passage that names nothing."""
        return english_nouns(passage.text)

    def _canonical(self, triple: Triple) -> Triple:
        subject, predicate, obj = triple
        return self._name(subject), predicate, self._name(obj)

    def _name(self, text: str) -> str:
        text = text.strip(" ,.;")
        for suffix in ("'s", "’s", "'", "’"):
            text = text.removesuffix(suffix)
        if text in self._names:
            return self._figure.name
        owner, mark, rest = text.partition("'s ")
        return f"{self._figure.name}'s {rest}" if mark and owner in self._names and owner != self._figure.name else text

    def _phrases(self, sentence: str, first: bool) -> Iterator[Triple]:
        """Yield what stands inside noun phrases: roles, kin, works, places, dates of birth."""
        bare = _BRACKET.sub("", sentence)
        for match in _ROLE.finditer(bare):
            role = match["role"].split(" ")
            role = (
                role[1:]
                if len(role) > 1
                and (
                    role[0] in en.STOPS | en.PREPOSITIONS | en.DETERMINERS | en.PRONOUNS_LOWER
                    or role[0].endswith(("ed", "ing", "'s"))
                )
                else role
            )
            yield match["name"], "is", " ".join(role)
        for match in _KIN.finditer(bare):
            yield match["owner"], match["kind"], match["name"]
        owned = set()
        for match in _OWN_WORK.finditer(bare):
            name = match["name"].strip('"“”').rstrip(",.")
            owned.add(name)
            yield match["owner"], match["kind"], name
            if match["year"]:
                yield name, "dates from", match["year"]
        for match in _WORK.finditer(bare):
            name = match["name"].strip('"“”').rstrip(",.")
            before = bare[: match.start()].rsplit(" ", 2)[-2:]
            apart = match["comma"] == ", " and (
                not any(word in ("a", "an", "another") for word in before)
                or bare[match.end() : match.end() + 1] not in (",", ".", ";", "")
            )
            if not apart and name not in self._names and len(name) > 3 and not re.match(en.MONTHS, name):
                yield name, "is", match["kind"]
        for match in _MANY_WORKS.finditer(bare):
            kind = match["kind"].removesuffix("s")
            for title in re.findall(_TITLE, match["list"]):
                yield title.strip('"“”').rstrip(",."), "is", kind
        for match in _AMONG.finditer(bare):
            for name in re.split(r", (?:and )?| and ", match["list"]):
                if re.fullmatch(_PERSON, name):
                    yield name, "is among", match["kind"]
        for match in _IN_STATE.finditer(bare):
            yield match["place"], "is in", match["state"]
        for match in _APPOSITION.finditer(bare):
            yield match["name"], "is", match["what"]
        if first and (match := _LIFE.search(sentence)) and self._opens(sentence):
            yield self._figure.name, "was born on", match["birth"]
            yield self._figure.name, "died on", match["death"]
        elif first and self._opens(sentence) and (match := _BORN.search(sentence)):
            yield self._figure.name, "was born in" if len(match["date"]) < 6 else "was born on", match["date"]
            if match["name"]:
                yield self._figure.name, "birth name", match["name"]
            if match["place"]:
                yield self._figure.name, "was born in", match["place"]
        for match in _HAS.finditer(bare):
            what = match["what"].split(" ")
            while what and (what[-1] in en.STOPS | en.PREPOSITIONS | en.ADVERBS or what[-1].endswith("ly")):
                what.pop()
            if (
                what
                and len(" ".join(what)) > 4
                and not what[-1].endswith(("ed", "ing"))
                and not any(word in en.STOPS | en.PREPOSITIONS | en.PAST for word in what)
            ):
                yield match["owner"], "has", " ".join(what)
        for match in _FEATURING.finditer(bare):
            yield match["name"].strip('"“”'), "features", match["what"].strip('"“”').rstrip(",.")
        for match in _REDUCED.finditer(bare):
            yield (
                match["name"].strip('"“”'),
                f"{match['verb']} {match['prep']}",
                match["what"].strip('"“”').rstrip(",."),
            )
        for match in _BY.finditer(bare):
            yield match["name"].strip('"“”').rstrip(",."), "by", match["who"]
        for match in _YEAR_AFTER.finditer(sentence):
            yield match["name"].strip('"“”'), "dates from", match["year"]

    def _own(self, sentence: str) -> Iterator[Triple]:
        """Yield what ``his`` or ``her`` says is the figure's, in a sentence about the figure that names nobody before it."""
        bare = _plain(_BRACKET.sub("", sentence))
        for match in _HIS.finditer(bare):
            others = [name for name in re.findall(_PERSON, bare[: match.start()]) if name not in self._names]
            if others:
                return
            what = match["what"].split(" ")
            while what and (
                what[-1] in en.STOPS | en.PREPOSITIONS | en.ADVERBS or what[-1].endswith(("ly", "ed", "ing"))
            ):
                what.pop()
            if any(word in en.STOPS | en.PREPOSITIONS | en.PAST for word in what):
                continue
            name = (match["name"] or "").strip(" ,⟦⟧")
            if (name and what and what[-1] in _KIN_WORDS) or (name and what and what[-1] in _WORK_WORDS):
                yield self._figure.name, what[-1], name
            elif len(what) > 1:
                yield self._figure.name, "has", " ".join(what)

    def _opens(self, sentence: str) -> bool:
        return self._alias is not None and self._alias.match(sentence) is not None

    def _clauses(self, sentence: str, topic: str | None, kinds: dict[str, str]) -> tuple[list[Triple], str | None]:
        """Read the finite clauses of a sentence without its brackets and long quotes."""
        found: list[Triple] = []
        tokens = tokens_of(sentence, self._alias, self._figure.name)
        subject: str | None = None
        for triple, said in clause_triples(tokens, topic, kinds):
            subject = said
            if triple is not None:
                found.append(self._canonical(triple))
        return found, subject


_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|my|me|we|We|My|you|You)\b")
_CLOSING = re.compile(r"[\w.,!?…]\"(?:\s|$)")


def _told(text: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence with what of it stands outside a quote that other sentences share."""
    marks = [match.start() for match in re.finditer('"', text)]
    inside = bool(marks) and len(marks) % 2 == 1 and _CLOSING.match(text, max(0, marks[0] - 1)) is not None
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
            yield sentence, told.strip()


def english_nouns(text: str) -> list[str]:
    """The longer words of a text that names nothing, so that it can still be found."""
    words = [
        word
        for word in re.findall(r"[A-Za-z]{4,}", text)
        if word.lower() not in en.STOPS | en.PREPOSITIONS | en.PRONOUNS_LOWER | en.ADVERBS | en.DOUBT
    ]
    return sorted(set(words), key=lambda word: (-len(word), word))[:6]


def _plain(sentence: str) -> str:
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
        return f" ⟦{inner}⟧{',' if match[1].endswith(',') else ''} " if title and not match[0].endswith("?") else " ⟪⟫ "

    return _LONG_QUOTE.sub(keep, _BRACKET.sub("", sentence))


def _names(text: str) -> Iterator[str]:
    """Yield capitalised names, titles in quotes and dates; a sentence's first word alone is no name."""
    for match in re.finditer(rf"{_TITLE}|{_DATE}|{_NAME}", text):
        name = match.group().strip('"“”').rstrip(".,")
        name = re.sub(r"['’]s$", "", name)
        start = match.start()
        lone = " " not in name and (start == 0 or text[max(0, start - 2) : start] in (". ", "? ", "! ", '" '))
        if lone and name.lower() in en.STOPS | en.PREPOSITIONS | en.DETERMINERS | en.PRONOUNS_LOWER | en.ADVERBS:
            continue
        if len(name) > 1 and len(name) < 70:
            yield name


__all__ = ["EnglishReader", "Token"]
