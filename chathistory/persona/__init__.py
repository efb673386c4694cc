"""Who speaks: a figure with a memory to ask and a speaker that turns what came back into an utterance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from chathistory.domain import Figure, Line, Passage, Recall, Recollection, SpeechRequest, Spoken, Void
from chathistory.models.protocols import Speaker
from chathistory.persona import kinds
from chathistory.persona.evidence import box_tells, shares_words
from chathistory.persona.extractive import ExtractiveSpeaker
from chathistory.persona.followup import answered, complete
from chathistory.persona.kinds import told
from chathistory.persona.questions import social
from chathistory.persona.register import Era, Rank, Register, era, rank, register
from chathistory.persona.select import about_self
from chathistory.persona.topics import worded

__all__ = ["Era", "ExtractiveSpeaker", "Persona", "Rank", "Register", "era", "rank", "register"]


@dataclass(frozen=True, slots=True)
class Persona:
    """A figure that can be asked. Holds no talk: the same persona may sit in many rooms at once.

    ``recall`` is the figure's memory (query, k) -> Recall; ``speaker`` any maker behind the Speaker protocol;
    ``lead`` the article's first passage, on which greetings and introductions rest when it is given.
    """

    figure: Figure
    recall: Callable[[str, int], Recall]
    speaker: Speaker
    lead: Passage | None = None

    def recall_for(self, line: Line, history: Sequence[Line], k: int) -> Recall:
        """Return what comes to mind at a line, ``k`` recollections at most.

        A follow-up (为什么？ 后来呢？) is completed with the talk before it; a question in a reader's words
        (最得意的事) with the encyclopedia's (主要成就), and is worth an answer as soon as a passage has these.
        A greeting or 你是谁 asks for the lead.
        """
        line = answered(line, history, self.figure)
        kind = social(line.text)
        if kind is None:
            query = complete(line.text, history, self.figure)
            own = [kind.name for kind in kinds.subjects(query)] if about_self(query) else []
            found = self.recall(worded(query, self.figure.name, self.figure.infobox, own) if own else query, k)
            texts = [item.passage.text for item in found.recollections]
            if found.confident or not texts:
                return found
            sure = (own and told(query, texts)) or box_tells(query, self.figure, texts)
            sure = sure or (len(texts) < k and shares_words(query, self.figure, texts))
            return replace(found, confident=True) if sure else found
        if kind not in ("greeting", "identity"):
            return Recall((), confident=True)
        found = self.recall(f"{self.figure.name}是谁，{self.figure.name}的生平", k)
        if self.lead is None:
            return found
        rest = tuple(item for item in found.recollections if item.passage.id != self.lead.id)
        return replace(found, recollections=(Recollection(self.lead, 1.0), *rest)[:k], confident=True, confidence=1.0)

    def reply(self, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
        """Yield the utterance piece by piece; the generator's return value is the whole of it."""
        return (yield from self.speaker.speak(request))
