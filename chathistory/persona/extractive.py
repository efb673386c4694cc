"""The embedded speaker: picks the sentences that answer, says them in the first person, and shows where they stand."""

from __future__ import annotations

import logging
import random
import re
from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chathistory.domain import USER, Line, SpeechRequest, Spoken
from chathistory.errors import ModelError
from chathistory.guard import anachronism
from chathistory.models.protocols import Embedder, Vectors
from chathistory.persona import followup, kinds, phrases, questions, select
from chathistory.persona.candidates import Candidate, gather
from chathistory.persona.first_person import without_connective
from chathistory.persona.kind import Kind
from chathistory.persona.people import people
from chathistory.persona.register import Register, is_latin, is_woman, register
from chathistory.persona.select import Scored
from chathistory.persona.topics import OPEN

_log = logging.getLogger(__name__)
_KEPT_VECTORS = 4096
_STALE = 0.72
"""What is left must reach this part of the best score, or the figure says that it has told this already."""
_OPENS, _ADDRESSES, _ASKS_BACK = 0.1, 0.6, 0.25
"""How often a stock opener, the other's name, or a question back is added."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One request with what is derived from it once."""

    request: SpeechRequest
    register: Register
    query: str
    said: tuple[str, ...]
    by_persona: bool

    @property
    def manner(self) -> phrases.Manner:
        """How stock phrases are worded: English answers English where the figure is no Chinese."""
        if not self.register.plain:
            return phrases.Manner("old", self.register.subject)
        return phrases.Manner("english" if is_latin(self.request.line.text) else "plain", self.register.subject)


class ExtractiveSpeaker:
    """Speaks without a model: only sentences of the recalled passages, and stock phrases.

    Holds no talk: the vectors it keeps are of source sentences. ``rng`` draws among stock phrases only.
    """

    def __init__(self, embedder: Embedder | None, rng: random.Random) -> None:
        self._embedder = embedder
        self._rng = rng
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    def speak(self, request: SpeechRequest) -> Generator[str, None, Spoken]:
        """Yield the utterance in pieces of a few characters; returns the whole with the ids of its passages."""
        spoken = self.compose(request)
        position = 0
        while position < len(spoken.text):
            size = 2 + position % 3
            yield spoken.text[position : position + size]
            position += size
        return spoken

    def compose(self, request: SpeechRequest) -> Spoken:
        """Return the whole utterance at once."""
        figure = request.figure
        request = replace(request, line=followup.answered(request.line, request.history, figure))
        turn = _Turn(
            request,
            register(figure),
            followup.complete(request.line.text, request.history, figure),
            tuple(line.text for line in request.history if line.speaker == figure.name),
            request.line.speaker not in (USER, figure.name),
        )
        kind = questions.social(request.line.text)
        if kind in ("greeting", "identity"):
            return self._introduce(turn, greeting=kind == "greeting")
        if kind == "praise" and turn.register.rank == "sovereign":
            return self._stock(turn, "sovereign praise")
        if kind is not None:
            return self._stock(turn, kind)
        if not turn.by_persona:
            later = anachronism(request.line.text, figure)
            if later is not None:
                return self._stock(turn, "beyond", thing=later)
        if not request.recall.confident or not request.recall.recollections:
            return self._at_a_loss(turn)
        return self._answer(turn)

    def _answer(self, turn: _Turn) -> Spoken:
        scored = self._scored(turn)
        if not scored or not _holds(scored[0], turn):
            return self._at_a_loss(turn)
        fresh = [item for item in scored if not _was_said(item.candidate.text, turn.said)]
        if followup.goes_on(turn.request.line.text):
            fresh = _continued(fresh, scored, turn.said)
        stale = _STALE / 2 if turn.query != turn.request.line.text else _STALE
        if not fresh or fresh[0].score < stale * scored[0].score:
            return self._stock(turn, "told")
        head = self._head(turn)
        tail = self._tail(turn)
        room = turn.request.max_chars - len(head)
        pointed = any(form.name in kinds.POINTED for form in kinds.forms(turn.request.line.text))
        story = questions.wants_story(turn.request.line.text) or followup.goes_on(turn.request.line.text)
        chosen = select.choose(fresh, room, pointed, story)
        if not chosen and head:
            head, chosen = "", select.choose(fresh, turn.request.max_chars, pointed, story)
        if not chosen:
            return self._at_a_loss(turn)
        text = head + self._join(chosen, turn)
        if len(text) > turn.request.max_chars:
            text = _sentences(chosen)
        if len(text) + len(tail) <= turn.request.max_chars:
            text += tail
        return Spoken(text, tuple(dict.fromkeys(candidate.passage.id for candidate in chosen)))

    def _join(self, chosen: Sequence[Candidate], turn: _Turn) -> str:
        if is_latin(chosen[0].text) and not is_latin(turn.request.line.text):
            quote = " ".join(candidate.source for candidate in chosen[:1])
            return phrases.phrase("english", turn.manner, self._rng) + f"“{quote}”"
        return _sentences(chosen)

    def _scored(self, turn: _Turn) -> list[Scored]:
        request = turn.request
        texts = [item.passage.text for item in request.recall.recollections]
        woman = is_woman(request.figure, texts)
        of_death = any(kind.name in ("death", "lifespan") for kind in kinds.subjects(turn.query))
        candidates = gather(request.recall.recollections, request.figure, turn.register, woman, of_death)
        scored = select.score(candidates, turn.query, request.figure, self._similarity if self._embedder else None)
        pointed = any(form.name in kinds.POINTED for form in kinds.forms(turn.query))
        return select.own_first(scored, _hard(turn), pointed)

    def _similarity(self, query: str, texts: Sequence[str]) -> Vectors:
        """Dot products with the query, the texts' mean taken out of their vectors first; shape (len(texts),)."""
        assert self._embedder is not None
        try:
            return self._centred(self._embedder, query, texts)
        except ModelError as error:
            _log.warning("sentences could not be embedded: %s", type(error).__name__)
            return np.zeros(len(texts), dtype=np.float32)

    def _centred(self, embedder: Embedder, query: str, texts: Sequence[str]) -> Vectors:
        missing = [text for text in texts if text not in self._vectors]
        if missing:
            for text, vector in zip(missing, embedder.passages(missing), strict=True):
                self._vectors[text] = vector
        matrix = np.stack([self._vectors[text] for text in texts])
        while len(self._vectors) > _KEPT_VECTORS:
            self._vectors.popitem(last=False)
        centred: Vectors = (matrix - matrix.mean(axis=0)) @ embedder.query(query)
        return centred

    def _introduce(self, turn: _Turn, greeting: bool) -> Spoken:
        """A greeting or an introduction: stock words, and the article's first sentence where it was recalled.

        Who has introduced himself already greets without his name and life; wordings that anybody used are avoided.
        """
        name = _called(turn)
        heard = tuple(line.text for line in turn.request.history)
        parts = [phrases.phrase("greeting", turn.manner, self._rng, heard)] if greeting else []
        named = phrases.phrase("named", turn.manner, self._rng, name=name)
        known = greeting and any(named in text for text in turn.said)
        parts.extend([] if known else [named])
        lead = [] if known else self._lead(turn, of_death=not greeting)
        end = phrases.phrase("ask_on", turn.manner, self._rng, heard) if greeting and not turn.by_persona else ""
        used: tuple[str, ...] = ()
        for candidate in lead[: 1 if greeting else 2]:
            if len("".join(parts)) + len(candidate.text) + len(end) <= turn.request.max_chars:
                parts.append(candidate.text)
                used = (*used, candidate.passage.id)
        gap = " " if turn.manner.name == "english" else ""
        return Spoken(gap.join([*parts, end]).strip(), tuple(dict.fromkeys(used)))

    def _lead(self, turn: _Turn, of_death: bool = True) -> list[Candidate]:
        """Sentences of the recalled lead (section '') that have not been said yet."""
        leads = [item for item in turn.request.recall.recollections if not item.passage.section]
        leads.sort(key=lambda item: item.passage.position)
        woman = is_woman(turn.request.figure, [item.passage.text for item in leads])
        found = gather(leads[:3], turn.request.figure, turn.register, woman, of_death)
        if not any(not _was_said(candidate.text, turn.said) for candidate in found):
            rest = turn.request.recall.recollections
            found = gather(rest, turn.request.figure, turn.register, woman, of_death)
            found = [
                candidate
                for candidate in found
                if candidate.text.startswith(turn.register.subject) and len(candidate.text) > 12
            ]
        latin = turn.manner.name == "english"
        return [c for c in found if c.clear and not _was_said(c.text, turn.said) and is_latin(c.text) == latin]

    def _at_a_loss(self, turn: _Turn) -> Spoken:
        text = turn.request.line.text
        asked = questions.is_question(text) or (select.about_self(text) and bool(kinds.subjects(text)))
        return self._stock(turn, "unknown" if asked else "heard")

    def _stock(self, turn: _Turn, kind: str, **names: str) -> Spoken:
        return Spoken(phrases.phrase(kind, turn.manner, self._rng, turn.said, **names))

    def _head(self, turn: _Turn) -> str:
        if turn.by_persona and self._knows(turn.request.line) and self._rng.random() < _ADDRESSES:
            return phrases.phrase("to", turn.manner, self._rng, turn.said, other=turn.request.line.speaker)
        if not turn.by_persona and self._rng.random() < _OPENS:
            return phrases.phrase("opener", turn.manner, self._rng, turn.said)
        return ""

    def _tail(self, turn: _Turn) -> str:
        if turn.by_persona and self._knows_speaker(turn) and self._rng.random() < _ASKS_BACK:
            return phrases.phrase("back", turn.manner, self._rng, turn.said, other=turn.request.line.speaker)
        return ""

    def _knows(self, line: Line) -> bool:
        return bool(line.speaker)

    def _knows_speaker(self, turn: _Turn) -> bool:
        name = turn.request.line.speaker
        return any(name in item.passage.text for item in turn.request.recall.recollections)


def _called(turn: _Turn) -> str:
    """The name the figure gives: one in Latin letters where English is spoken, if there is one."""
    names = turn.request.figure.names
    return next((name for name in names if is_latin(name)), names[0]) if turn.manner.name == "english" else names[0]


def _sentences(chosen: Sequence[Candidate]) -> str:
    text = ""
    last: Candidate | None = None
    for candidate in chosen:
        follows = last is not None and (last.passage.id, last.index + 1) == (candidate.passage.id, candidate.index)
        blank = " " if text and is_latin(candidate.text) else ""
        text += blank + (candidate.text if follows else without_connective(candidate.text))
        last = candidate
    return text


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def _was_said(text: str, said: Sequence[str]) -> bool:
    core = _bare(text)
    return any(core in _bare(past) for past in said)


def _holds(best: Scored, turn: _Turn) -> bool:
    """Whether the best sentence has evidence beyond having been recalled.

    On hard subjects (birth, death, kin) it must speak of the figure himself; a topic that no recalled sentence names is
    answered only where the line is long enough to be another wording of it.
    """
    words = select.topic_words(turn.query, turn.request.figure)
    if is_latin(best.candidate.text) and not is_latin(turn.query):
        return best.cue > 0 or best.meaning > 0.8
    hard = _hard(turn)
    if hard:
        said = best.candidate.clear and any(select.says_of_self(best.candidate, kind) for kind in hard)
        return said or (best.lexical > 0.3 and not all(kind.name in OPEN for kind in hard))
    if best.lexical > (0.15 if turn.by_persona or not questions.is_question(turn.request.line.text) else 0.05):
        return True
    if turn.by_persona:
        return False
    if words:
        reworded = best.cue >= 0.6 and best.meaning > 0.5 and not people(turn.query)
        return reworded or (len(words) >= 4 and best.meaning > 0.8)
    return best.cue >= 0.5 or (best.cue > 0 and best.meaning > 0.7)


def _hard(turn: _Turn) -> list[Kind]:
    """The hard subjects of a line that asks about the figure himself and brings (almost) no other topic."""
    words = select.topic_words(turn.query, turn.request.figure)
    if len(words) > 1 or not select.about_self(turn.query):
        return []
    return [kind for kind in kinds.subjects(turn.query) if kind.name in kinds.HARD]


def _continued(fresh: Sequence[Scored], scored: Sequence[Scored], said: Sequence[str]) -> list[Scored]:
    """For 后来呢: what stands after the sentences already said, in the same passage, comes first."""
    ends: dict[str, int] = {}
    for item in scored:
        if _was_said(item.candidate.text, said[-1:]):
            place = item.candidate
            ends[place.passage.id] = max(ends.get(place.passage.id, -1), place.index)

    def follows(item: Scored) -> bool:
        return item.candidate.index > ends.get(item.candidate.passage.id, 10**6)

    later = sorted((item for item in fresh if follows(item)), key=lambda item: item.candidate.index)
    return [*later, *(item for item in fresh if not follows(item))]
