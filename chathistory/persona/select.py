"""Which sentences answer a line: scoring the candidates, and choosing one to three."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from chathistory.domain import Figure
from chathistory.models.protocols import Vectors
from chathistory.persona import kinds, questions
from chathistory.persona.candidates import Candidate
from chathistory.persona.first_person import clauses, without
from chathistory.persona.kind import Kind
from chathistory.persona.mentions import quoted
from chathistory.persona.people import people, tagger
from chathistory.text import tokens

_NEEDS_BEFORE = re.compile(
    r"^(?:因此|为此|于是|对此|这[时样次些一件是使让个]|但|可是|然而|不过|结果|所以|从此|此后|随后|接着|而|又|也|同时|另外|其中|后者|前者|该|意思是|由此|就这样|第二年|次年|同年|这年|那年|当年|不久|后来|之后|其后|起因|原来|这以后|[他她它]们?|两人|二人|双方|众人)"
)

_ADDRESSED = re.compile(r"[你您]|各位|诸位|大家|各自|陛下|先生|夫子|阁下|大人|\byou|my lord", re.I)
_ME = re.compile(r"吾|我|朕|寡人")
_DANGLES = re.compile(r"^.{0,6}这(?:句|件|封|次|首|位|场|段|本|种|番|些|是|使|让|就|才)")

LEXICAL, MEANING, CUE, RECALLED, FACTS = 0.34, 0.24, 0.24, 0.12, 0.06
"""What each kind of evidence weighs in a sentence's score."""

UNPOINTED = 0.12
"""What a sentence loses that lacks the person, time, place or number asked for."""

NEAR, NEXT, FAR = 0.6, 0.85, 0.93
"""From which part of the best score on a neighbour joins the answer where a story is asked for, where a plain question
is, and from which part a sentence from elsewhere does."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and the parts that tell how good the evidence is, each 0..1."""

    candidate: Candidate
    score: float
    lexical: float
    meaning: float
    cue: float


def score(
    candidates: Sequence[Candidate],
    query: str,
    figure: Figure,
    similarity: Callable[[str, Sequence[str]], Vectors] | None,
    most_embedded: int = 10,
) -> list[Scored]:
    """Return the candidates with scores, best first.

    ``similarity`` gives the centred similarity of the query to each text, shape (len(texts),); it is asked only for
    the ``most_embedded`` sentences that the other evidence likes best. Without it the other evidence decides.
    """
    if not candidates:
        return []
    asked, forms = kinds.subjects(query), kinds.forms(query)
    mine = about_self(query)
    pointed = [form for form in forms if form.name in kinds.POINTED]
    words = topic_words(query, figure)
    lexical = _lexical(words, [candidate.source for candidate in candidates])
    rough: list[tuple[float, int, float]] = []
    for i, candidate in enumerate(candidates):
        cue = _cue(candidate, asked, forms, mine, query)
        value = LEXICAL * lexical[i] + CUE * cue + RECALLED * candidate.strength + FACTS * _facts(candidate)
        value += 0.08 * _titled(words, candidate.passage.section)
        if pointed:
            value -= UNPOINTED * (1 - max(_shows(candidate, form, query, asked) for form in pointed))
        if not candidate.clear:
            value -= 0.25
        if candidate.index and leans(candidate):
            value -= 0.06
        if len(candidate.text) < 9:
            value -= 0.05
        rough.append((value, i, cue))
    rough.sort(key=lambda row: (-row[0], row[1]))
    meaning = _meaning(query, [candidates[i].stored for _, i, _ in rough[:most_embedded]], similarity)
    scored = [
        Scored(candidates[i], value + MEANING * meaning.get(place, 0.0), lexical[i], meaning.get(place, 0.0), cue)
        for place, (value, i, cue) in enumerate(rough)
    ]
    return sorted(scored, key=lambda item: -item.score)


def about_self(query: str) -> bool:
    """Whether the figure himself is asked about: he is addressed, or nobody else is named."""
    return bool(_ADDRESSED.search(query)) or not people(query)


def topic_words(query: str, figure: Figure) -> list[str]:
    """Return the content words of a query that its subjects (父亲, 怎么死的) do not stand for already."""
    forms = kinds.forms(query)
    words = [word for word in questions.content_words(query, figure) if not any(f.asked.search(word) for f in forms)]
    if not about_self(query):
        return words
    asked = kinds.subjects(query)
    spans = " ".join(found.group() for kind in asked if (found := kind.asked.search(query)))
    return [word for word in words if word not in spans and not any(kind.asked.search(word) for kind in asked)]


def _lexical(words: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Share of the query's idf mass that a text covers, words for two thirds, pairs of characters for one; 0..1."""
    return [
        0.67 * word + 0.33 * pair
        for word, pair in zip(
            _covered(list(dict.fromkeys(words)), [set(tokens(text)) for text in texts]),
            _covered(_pairs(words), [{text[i : i + 2] for i in range(len(text) - 1)} for text in texts]),
            strict=True,
        )
    ]


def _pairs(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(word[i : i + 2] for word in words for i in range(len(word) - 1)))


def _covered(wanted: Sequence[str], bags: Sequence[set[str]]) -> list[float]:
    if not wanted:
        return [0.0] * len(bags)
    counts = Counter(word for bag in bags for word in wanted if word in bag)
    idf = {word: math.log(1 + len(bags) / (counts[word] or 0.5)) for word in wanted}
    whole = sum(idf.values())
    return [sum(idf[word] for word in wanted if word in bag) / whole for bag in bags]


def _cue(candidate: Candidate, asked: Sequence[Kind], forms: Sequence[Kind], mine: bool, query: str) -> float:
    """How well a sentence shows what the question's subject and form ask for, 0..1.

    ``mine`` tells that the figure himself is asked about: then a sentence that says it of himself counts whole, one
    that merely has the words counts little.
    """
    subject = sum(_subject(candidate, kind, mine) for kind in asked) / len(asked) if asked else 0.0
    form = sum(_shows(candidate, f, query, asked) for f in forms) / len(forms) if forms else 0.0
    if asked and forms:
        return 0.65 * subject + 0.35 * form
    return subject if asked else 0.7 * form


def _subject(candidate: Candidate, kind: Kind, mine: bool) -> float:
    if mine and kind.own is not None:
        if says_of_self(candidate, kind):
            return 1.0
        return 0.35 if kind.shown.search(candidate.source) else 0.0
    return 0.8 if kind.shown.search(candidate.source) else 0.0


def says_of_self(candidate: Candidate, kind: Kind) -> bool:
    """Whether a sentence, its quotes left out, tells of the figure himself what the kind asks; a section may say it."""
    bare = without(candidate.text, quoted(candidate.text))
    if kind.own is not None and (kind.own.search(bare) or _goes_on_to_say(bare, kind.own)):
        return True
    return (
        bool(kind.asked.search(candidate.passage.section)) and bool(kind.shown.search(bare)) and bool(_ME.search(bare))
    )


def _goes_on_to_say(text: str, own: re.Pattern[str]) -> bool:
    """Whether a later clause without a subject of its own says it of the figure, whose sentence this is."""
    me = _ME.match(text)
    if me is None:
        return False
    for clause in clauses(text)[1:]:
        if own.search(me.group() + clause):
            flag = next((flag for _, flag in tagger().cut(clause)), "n")
            if flag[0] in "vda":
                return True
    return False


def _shows(candidate: Candidate, form: Kind, query: str, asked: Sequence[Kind] = ()) -> float:
    """How well a sentence has what a form asks for; half where it stands in a clause that does not tell the subject."""
    if form.name == "who":
        return float(candidate.others > 0)
    whole = kinds.shows(form, query, candidate.source)
    if not whole or not asked or form.name not in kinds.POINTED:
        return whole
    told = [part for part in clauses(candidate.source) if any(kind.shown.search(part) for kind in asked)]
    return max([0.5 * whole, *(kinds.shows(form, query, part) for part in told)])


def own_first(scored: Sequence[Scored], hard: Sequence[Kind], pointed: bool = False) -> list[Scored]:
    """Return the candidates with those in front that tell of the figure himself what a hard subject asks, best first.

    For a ``pointed`` question those come first of all that also have the person, time, place or number asked for.
    """
    own = [item for item in scored if item.candidate.clear and any(says_of_self(item.candidate, k) for k in hard)]
    if pointed:
        own.sort(key=lambda item: -round(item.cue, 2))
    ahead = {id(item) for item in own}
    return [*own, *(item for item in scored if id(item) not in ahead)]


def leans(candidate: Candidate) -> bool:
    """Whether a sentence hangs on the one before it (于是, 第二年, 这件事)."""
    return bool(_NEEDS_BEFORE.match(candidate.text) or _DANGLES.match(candidate.text))


def _facts(candidate: Candidate) -> float:
    for place, fact in enumerate(candidate.facts):
        if fact.object in candidate.source and len(fact.object) > 1:
            return 1 / (1 + place)
    return 0.0


def _titled(words: Sequence[str], section: str) -> float:
    return 1.0 if any(len(word) > 1 and word in section for word in words) else 0.0


def _meaning(
    query: str, texts: Sequence[str], similarity: Callable[[str, Sequence[str]], Vectors] | None
) -> dict[int, float]:
    """Standard scores of the similarities, squeezed to 0..1, by place."""
    if similarity is None or not texts:
        return {}
    values = np.asarray(similarity(query, texts), dtype=np.float64)
    spread = float(values.std()) or 1.0
    standard = np.clip((values - values.mean()) / spread, -2, 2.5)
    return {place: float((value + 2) / 4.5) for place, value in enumerate(standard)}


def choose(scored: Sequence[Scored], room: int, pointed: bool = False, story: bool = False) -> list[Candidate]:
    """Return one to three candidates that answer together, in reading order, ``room`` characters at most.

    The best one leads; a sentence that leans on the one before it brings that one along. Then the answer ends, unless
    the next sentence goes on with it: one that leans on it, or one with (almost) as good evidence. A ``story`` asked
    for (讲讲, 怎么回事) takes neighbours at part of the best score, and a sentence from elsewhere that is as good; a
    ``pointed`` question (who, when, where, how many) two sentences at most.
    """
    best = next((item for item in scored if len(item.candidate.text) <= room), None)
    if best is None:
        return []
    chosen = [best.candidate]
    by_place = {(item.candidate.passage.id, item.candidate.index): item for item in scored}
    first = best.candidate
    if leans(first):
        before = by_place.get((first.passage.id, first.index - 1))
        if (
            before is not None
            and before.candidate.clear
            and before.score > 0.35 * best.score
            and _length(chosen) + len(before.candidate.text) <= room
        ):
            chosen.append(before.candidate)
    for item in scored:
        if len(chosen) >= (3 if story and not pointed else 2):
            break
        candidate = item.candidate
        if candidate in chosen or not candidate.clear or _length(chosen) + len(candidate.text) > room:
            continue
        if _joins(item, best, chosen, story) and not any(_alike(candidate, c) for c in chosen):
            chosen.append(candidate)
    order = {id_: place for place, id_ in enumerate(dict.fromkeys(c.passage.id for c in chosen))}
    return sorted(chosen, key=lambda c: (order[c.passage.id], c.index))


def _joins(item: Scored, best: Scored, chosen: Sequence[Candidate], story: bool) -> bool:
    """Whether a sentence goes on with what was chosen, or answers as well as the best does."""
    candidate = item.candidate
    same = [c for c in chosen if c.passage.id == candidate.passage.id]
    near = any(abs(candidate.index - c.index) == 1 for c in same)
    after = any(candidate.index == c.index + 1 for c in same)
    if leans(candidate):
        return after and item.score >= NEAR * best.score
    if near:
        return item.score >= (NEAR if story else NEXT) * best.score
    evident = story and item.cue >= best.cue and item.lexical >= 0.8 * best.lexical and item.cue + item.lexical > 0.3
    return evident and item.score >= FAR * best.score


def _length(chosen: Sequence[Candidate]) -> int:
    return sum(len(candidate.text) for candidate in chosen)


def _alike(left: Candidate, right: Candidate) -> bool:
    a, b = set(tokens(left.text)), set(tokens(right.text))
    return len(a & b) > 0.6 * min(len(a), len(b)) if a and b else True
