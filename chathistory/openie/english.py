"""Reads a passage of English prose by surface patterns: subject, verb, object, and what stands between names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Figure, Passage
from chathistory.openie import english_patterns as pattern
from chathistory.openie import english_words as en
from chathistory.openie.english_clause import clause_triples
from chathistory.openie.english_parts import IT
from chathistory.openie.english_text import SAID, english_nouns, names_in, noun_part, outside_quotes, plain
from chathistory.openie.english_tokens import tokens_of
from chathistory.openie.infobox import SECTION, told_pairs
from chathistory.openie.reading import Triple

_KIN_WORDS = frozenset(en.KIN.split("|"))
_HIS_OR_HIM = re.compile(r"(?<![⟦\w])(?:[Hh]is|him)\b(?=[ ,.;])")
_WORK_WORDS = frozenset(en.WORKS.split("|"))


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
        if passage.section == SECTION and (pairs := list(told_pairs(passage, self._figure))):
            return pairs, [obj for _, _, obj in pairs]
        text = passage.text
        triples: list[Triple] = []
        names: list[str] = []
        topic: str | None = self._figure.name
        kinds: dict[str, str] = {}
        for number, told in enumerate(outside_quotes(text)):
            if pattern.FIRST_PERSON.search(re.sub(r"⟦[^⟧]*⟧", "", plain(told))):
                topic = None
                continue
            triples.extend(self._canonical(triple) for triple in self._phrases(told, first=number == 0))
            bare = plain(told)
            resolved = self._resolved(bare, topic)
            found, subject = self._clauses(resolved, topic, kinds)
            alone = topic == self._figure.name and not [
                name for name in re.findall(pattern.PERSON, bare) if name not in self._names
            ]
            topic = subject if subject == self._figure.name or not alone else self._figure.name
            triples.extend(found)
            if subject is not None and subject in kinds.values():
                kinds[IT] = subject
            else:
                kinds.pop(IT, None)
            if topic == self._figure.name:
                triples.extend(self._own(told))
            for match in [*pattern.WORK.finditer(told), *pattern.OWN_WORK.finditer(told)]:
                kinds[match["kind"]] = match["name"].strip('"“”').rstrip(",.")
        triples.extend(self._quotes(text))
        triples.extend(self._listed_years(text, passage.section))
        names.extend(names_in(text))
        return triples, names

    def _quotes(self, text: str) -> Iterator[Triple]:
        """Yield the first sentence of what a name is quoted with, where it stands by itself."""
        for match in pattern.QUOTED.finditer(text):
            said = re.match(r"[^.!?;]+[.!?;,]?", match["quote"])
            if said is None or said[0].endswith("?"):
                continue
            words = said[0].strip(" ,.;!")
            if (
                (len(words) < len(match["quote"].strip(" ,.;!")) - 3 and said[0][-1] not in ".!;")
                or not 3 <= len(words.split()) <= 18
                or SAID.search(words)
                or re.search(r"\b(?:this|these|those|there|here|Mr)\b", words, re.IGNORECASE)
            ):
                continue
            if match["who"].lower() not in en.PRONOUNS_LOWER | en.STOPS | {"he", "she"}:
                yield self._name(match["who"].removeprefix("As ")), match["verb"], words

    def _listed_years(self, text: str, section: str) -> Iterator[Triple]:
        """Yield the lines of a list of works: Blonde on Blonde (1966)."""
        rows = [match for line in text.split("\n") if (match := pattern.LISTED_YEAR.match(line.strip()))]
        if 2 * len(rows) < len(text.strip().split("\n")) or not rows:
            return
        own = re.search(r"discography|filmography|bibliography|works|albums|publications", section, re.IGNORECASE)
        for row in rows:
            name = row["name"].strip(' "“”')
            yield name, "dates from", row["year"]
            if own:
                yield self._figure.name, "work", name

    def nouns(self, passage: Passage) -> list[str]:
        """Return what may stand for a passage that names nothing."""
        return english_nouns(passage.text)

    def _canonical(self, triple: Triple) -> Triple:
        subject, predicate, obj = triple
        subject, obj = self._name(subject), self._name(obj)
        if subject == self._figure.name:
            own = f"{subject}'s "
            obj, predicate = obj.removeprefix(own), predicate.replace(own, "")
        if predicate in ("released", "issued", "published", "recorded") and obj == self._figure.name:
            predicate = ""
        if predicate == "dates from" and subject == self._figure.name:
            predicate = ""
        return subject, predicate, obj

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
        bare = pattern.BRACKET.sub("", sentence)
        for match in pattern.ROLE.finditer(bare):
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
        for match in pattern.KIN.finditer(bare):
            yield match["owner"], match["kind"], match["name"]
        owned = set()
        for match in pattern.OWN_WORK.finditer(bare):
            name = match["name"].strip('"“”').rstrip(",.")
            owned.add(name)
            yield match["owner"], match["kind"], name
            if match["year"]:
                yield name, "dates from", match["year"]
        for match in pattern.WORK.finditer(bare):
            name = match["name"].strip('"“”').rstrip(",.")
            before = bare[: match.start()].rsplit(" ", 2)[-2:]
            apart = match["comma"] == ", " and (
                not any(word in ("a", "an", "another") for word in before)
                or bare[match.end() : match.end() + 1] not in (",", ".", ";", "")
            )
            if not apart and name not in self._names and len(name) > 3 and not re.match(en.MONTHS, name):
                yield name, "is", match["kind"]
        for match in pattern.MANY_WORKS.finditer(bare):
            kind = match["kind"].removesuffix("s")
            for title in re.findall(pattern.TITLE, match["list"]):
                yield title.strip('"“”').rstrip(",."), "is", kind
        for match in pattern.AMONG.finditer(bare):
            kind = match["kind"]
            if kind.split()[-1] not in en.STOPS | en.PRESENT:
                for name in re.split(r",? and (?=[\"“A-Z]|the )|, ", match["list"]):
                    yield name.removeprefix("the ").strip('"“”').rstrip(",."), "is among", kind
        for match in pattern.STANDS_IN.finditer(bare):
            if not re.match(en.MONTHS, match["place"]):
                yield match["name"], "is in", match["place"]
        for match in pattern.DATED_WORK.finditer(bare):
            yield match["name"].strip('"“”').rstrip(",."), "dates from", match["year"]
        for match in pattern.TITLED_ROLE.finditer(bare):
            yield match["name"], "is", match["role"]
        for match in pattern.IN_STATE.finditer(bare):
            yield match["place"], "is in", match["state"]
        for match in pattern.APPOSITION.finditer(bare):
            yield match["name"], "is", match["what"]
        if first and (life := pattern.LIFE.search(sentence)) and self._opens(sentence):
            yield self._figure.name, "was born on", life["birth"]
            yield self._figure.name, "died on", life["death"]
        elif first and self._opens(sentence) and (born := pattern.BORN.search(sentence)):
            yield self._figure.name, "was born in" if len(born["date"]) < 6 else "was born on", born["date"]
            if born["name"]:
                yield self._figure.name, "birth name", born["name"]
            if born["place"]:
                yield self._figure.name, "was born in", born["place"]
        for match in pattern.HAS.finditer(bare):
            if match["owner"].split(" ")[0].lower() in en.PREPOSITIONS | en.STOPS:
                continue
            what = noun_part(match["what"])
            if (
                what
                and len(" ".join(what)) > 4
                and not what[-1].endswith(("ed", "ing"))
                and not any(word in en.STOPS | en.PREPOSITIONS | en.PAST for word in what)
            ):
                yield match["owner"], "has", " ".join(what)
        for match in pattern.FEATURING.finditer(bare):
            yield match["name"].strip('"“”'), "features", match["what"].strip('"“”').rstrip(",.")
        for match in pattern.REDUCED.finditer(bare):
            yield (
                match["name"].strip('"“”'),
                f"{match['verb']} {match['prep']}",
                match["what"].strip('"“”').rstrip(",."),
            )
        for match in pattern.BY.finditer(bare):
            yield match["name"].strip('"“”').rstrip(",."), "by", match["who"]
        for match in pattern.YEAR_AFTER.finditer(sentence):
            yield match["name"].strip('"“”'), "dates from", match["year"]

    def _own(self, sentence: str) -> Iterator[Triple]:
        """Yield what ``his`` or ``her`` says is the figure's, where a sentence about it names nobody before."""
        bare = plain(pattern.BRACKET.sub("", sentence))
        for match in pattern.HIS.finditer(bare):
            others = [name for name in re.findall(pattern.PERSON, bare[: match.start()]) if name not in self._names]
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

    def _resolved(self, sentence: str, topic: str | None) -> str:
        """His and him become the figure's name where the sentence names nobody else before them."""
        if not _HIS_OR_HIM.search(sentence):
            return sentence
        parts: list[str] = []
        pending = 0
        for match in _HIS_OR_HIM.finditer(sentence):
            before = sentence[: match.start()]
            about = topic == self._figure.name or (self._alias is not None and self._alias.search(before) is not None)
            bare = self._alias.sub("", before) if self._alias is not None else before
            if not about or self._others(bare, strict=topic != self._figure.name or " he " not in f" {before.lower()}"):
                break
            parts.append(sentence[pending : match.start()])
            parts.append(f"⟦{self._figure.name}'s⟧" if match.group().lower() == "his" else f"⟦{self._figure.name}⟧")
            pending = match.end()
        return "".join(parts) + sentence[pending:]

    @staticmethod
    def _others(text: str, strict: bool) -> bool:
        """Whether a text names anyone that ``his`` might mean: a full name, or (strict) any capitalised word."""
        bare = re.sub(r"⟦[^⟧]*⟧", "", text)
        if re.search(rf"\b{pattern.PERSON}", bare):
            return True
        words = re.findall(r"(?<!^)\b[A-Z][a-z]+", bare)
        return strict and any(word not in en.MONTHS and word.lower() not in en.STOPS for word in words)

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
