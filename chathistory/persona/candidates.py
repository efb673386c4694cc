"""The sentences of the recollections that a figure could say, in the first person and within the horizon."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chathistory.domain import Fact, Figure, Passage, Recollection
from chathistory.guard import anachronism, beyond
from chathistory.knowledge.sentences import pieces
from chathistory.persona import english, first_person, mentions
from chathistory.persona.register import Register, is_latin
from chathistory.text import sentences

_OTHERS_WORDS = re.compile(
    r"评价|后世|影响|纪念|艺术形象|文学形象|影视|研究|争议|地位|墓|故居|遗迹|史料|史籍|参考|相关作品|传说形象|Legacy|Influence|Reception",
    re.I,
)
LONGEST = 130
"""A longer sentence is offered in runs of its clauses."""
_HANGS = re.compile(
    r"^(?:虽然|虽|尽管|不但|不仅|因为|由于|如果|假如|当|既|与其)|^(?:后来|于是|随后|此后|但|而)[，；]?$"
)
_DEATH = re.compile(r"(?:不幸)?(?:病逝|逝世|去世|病故|病死|驾崩|崩|卒|殁|薨|自杀而死|饮鸩|饮下毒)(?:于|在)?")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be spoken: where it comes from, the source's words, and the figure's words for it.

    ``stored`` is the piece of the passage, the source sentence in it, whose vector the memory keeps.
    """

    passage: Passage
    index: int
    source: str
    text: str
    clear: bool
    strength: float
    facts: tuple[Fact, ...]
    others: int
    stored: str


def gather(
    recollections: Sequence[Recollection],
    figure: Figure,
    register: Register,
    woman: bool,
    of_death: bool = False,
) -> list[Candidate]:
    """Return all sentences of the recollections that the figure could say, in the first person, best passages first.

    ``of_death`` allows the figure's own death to be told, which is no sentence's business unless it is asked for.
    """
    found: list[Candidate] = []
    top = max((item.score for item in recollections), default=0.0) or 1.0
    seen: set[str] = set()

    def hidden(clause: str) -> bool:
        text = _DEATH.sub("", clause) if of_death else clause
        return beyond(text, figure.death, figure.names) or anachronism(clause, figure) is not None

    for item in recollections:
        section = item.passage.section
        if _OTHERS_WORDS.search(section) or first_person.told_by(item.passage.text):
            continue
        sources = [part.strip() for line in item.passage.text.split("\n") for part in sentences(line)]
        spoken = [_spoken(part, hidden) for part in sources]
        stored = _stored(item.passage.text, sources)
        readings = mentions.read([said or part for said, part in zip(spoken, sources, strict=True)], figure, woman)
        inside = False
        for index, (source, said, reading) in enumerate(zip(sources, spoken, readings, strict=True)):
            within, inside = inside, inside ^ (source.count('"') % 2 == 1)
            if not said or within:
                continue
            rendered = _say(said, reading, figure, register, woman)
            text = _close(rendered.text)
            altered = any(text[start:end] not in source for start, end in mentions.quoted(text))
            if altered or len(text) < 5 or text in seen:
                continue
            seen.add(text)
            others = sum(1 for mention in reading.mentions if mention.form == "name" and mention.who == "other")
            strength = item.score / top
            for piece in [text] if len(text) <= LONGEST else _windows(text, register):
                words = source if piece == text else piece
                found.append(
                    Candidate(
                        item.passage, index, words, piece, rendered.clear, strength, item.facts, others, stored[index]
                    )
                )
    return found


def _stored(text: str, sources: Sequence[str]) -> list[str]:
    """Return for each source sentence, in order, the piece of the passage that the memory embedded it in."""
    kept = pieces(text)
    found: list[str] = []
    at = 0
    for source in sources:
        at = next((place for place in range(at, len(kept)) if source in kept[place]), at)
        found.append(kept[at])
    return found


def _windows(text: str, register: Register) -> list[str]:
    """Runs of whole clauses of a sentence too long to say, each from where the figure is the subject (or the start).

    Chronicles string a whole affair together with commas; no clause is cut, and none that hangs on a next one ends a
    run.
    """
    parts = first_person.clauses(text)
    runs: list[str] = []
    for start, clause in enumerate(parts):
        if start and not clause.startswith((register.subject, register.object)):
            continue
        run: list[str] = []
        for part in parts[start:]:
            if sum(map(len, run)) + len(part) > LONGEST:
                break
            run.append(part)
        while run and _HANGS.match(run[-1]):
            run.pop()
        if run:
            runs.append(_close("".join(run)))
    return list(dict.fromkeys(runs))


def _spoken(source: str, hidden: Callable[[str], bool]) -> str:
    """What of a source sentence may be said at all, still in the third person; '' for nothing."""
    source = first_person.told_plainly(source)
    if first_person.told_by(source) or not first_person.fit_to_speak(source):
        return ""
    return first_person.trim(source, hidden)


def _say(
    said: str, reading: mentions.Reading, figure: Figure, register: Register, woman: bool
) -> first_person.Rendered:
    if is_latin(said):
        others = english.names_others(said, figure)
        return first_person.Rendered(english.first_person(said, figure, woman, others), clear=not others)
    return first_person.render(reading, register)


def _close(text: str) -> str:
    """End a sentence: a semicolon or a bare end becomes a full stop."""
    text = text.strip().rstrip("；;，,、：:")
    if not text or text[-1] in '。！？!?…”」』’."':
        return text
    return text + ("." if is_latin(text) else "。")
