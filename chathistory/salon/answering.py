"""Whether a persona would have an answer to a question: asked of it before the question is suggested."""

from __future__ import annotations

import random

from chathistory.domain import USER, Line, SpeechRequest
from chathistory.persona import ExtractiveSpeaker
from chathistory.salon.archive import Archive

_RECALLED = 3


def has_answer(archive: Archive, name: str, question: str) -> bool:
    """Whether a persona's memory holds words that answer a question asked by itself.

    It is the embedded speaker that tries, whoever speaks in the talk: what it cannot answer from the passages a model
    had to make up. It tries by the words alone, which costs one embedding, the question's; of 84 questions to five
    figures it never took one for answerable that the whole speaker could not answer, and missed one that it could.
    Tried once a question as long as the persona is in memory.

    Raises
    ------
    UnknownPersona
        Nobody of that name was summoned whole.
    """
    loaded = archive.load(name)
    known = loaded.answers.get(question)
    if known is not None:
        return known
    line = Line(USER, question)
    found = loaded.persona.recall_for(line, (), _RECALLED)
    answered = False
    if found.confident and found.recollections:
        speaker = ExtractiveSpeaker(None, random.Random(0))
        answered = bool(speaker.compose(SpeechRequest(loaded.figure, line, (), found)).passages)
    loaded.answers[question] = answered
    return answered
