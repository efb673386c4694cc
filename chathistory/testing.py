"""Doubles for tests, shipped with the program: a scripted model, a still clock, a tiny embedder. No network."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from chathistory.domain import Message
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Piece, Reply
from chathistory.models.collecting import Collected, Delta
from chathistory.models.ledger import Price
from chathistory.models.protocols import Vectors

__all__ = ["FrozenClock", "HashEmbedder", "Heard", "ScriptedChat"]

Answer = str | Reply | BaseException | Callable[[Sequence[Message], Ask], "str | Reply"]


@dataclass(frozen=True, slots=True)
class Heard:
    """One question that was put to a ScriptedChat."""

    messages: tuple[Message, ...]
    ask: Ask

    @property
    def text(self) -> str:
        """The last message."""
        return self.messages[-1].text


class ScriptedChat:
    """A Chat that says what it was told to, in order, and logs what it was asked.

    Parameters
    ----------
    answers
        Each a text, a Reply, an exception to raise, or a function of (messages, ask).
    otherwise
        Said when the queue is empty; None fails the test.
    """

    def __init__(
        self,
        *answers: Answer,
        otherwise: Answer | None = None,
        provider: str = "scripted",
        model: str = "script",
        price: Price | None = None,
        concurrency: int = 4,
    ) -> None:
        self.provider = provider
        self.model = model
        self.price = price
        self.concurrency = concurrency
        self.queue: list[Answer] = list(answers)
        self.otherwise = otherwise
        self.log: list[Heard] = []
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None) -> Reply:
        """Return the next answer, its reasoning apart and ended at a stop string as ``OpenAIChat`` would."""
        if cancel:
            cancel.check()
        said = self._next(messages, ask)
        collected = Collected(ask)
        for _piece in [*collected.feed(Delta(said.text, said.reasoning)), *collected.end()]:
            pass
        return _ended(said, collected)

    def stream(
        self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None
    ) -> Generator[Piece, None, Reply]:
        """Yield the next answer character by character, its reasoning first; ``cancel`` cuts it."""
        if cancel:
            cancel.check()
        said = self._next(messages, ask)
        collected = Collected(ask)
        yield from collected.feed(Delta(reasoning=said.reasoning))
        for char in said.text:
            if cancel and cancel.is_set:
                said = replace(said, finish="cut")
                break
            yield from collected.feed(Delta(char))
            if collected.stopped:
                break
        yield from collected.end()
        return _ended(said, collected)

    def _next(self, messages: Sequence[Message], ask: Ask) -> Reply:
        with self._lock:
            self.log.append(Heard(tuple(messages), ask))
            if not self.queue and self.otherwise is None:
                raise AssertionError(f"nothing scripted for question {len(self.log)} ({ask.task})")
            answer = self.queue.pop(0) if self.queue else self.otherwise
        if callable(answer):
            answer = answer(messages, ask)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Reply) else Reply(str(answer))


def _ended(said: Reply, collected: Collected) -> Reply:
    """The answer as it was collected; how it ended as the script says, unless a stop string ended it."""
    finish = "stop" if collected.stopped else said.finish
    return replace(said, text=collected.text.strip(), reasoning=collected.reasoning.strip(), finish=finish)


class FrozenClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, at: datetime = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """Return the time."""
        return self.at

    def go(self, **by: float) -> None:
        """Go on by so much (the arguments of ``timedelta``)."""
        self.at += timedelta(**by)


class HashEmbedder:
    """Unit vectors from character hashes: the same text always the same vector, shared characters some likeness."""

    note = ""

    def __init__(self, dimension: int = 32) -> None:
        self.dimension = dimension
        self.model_id = f"testing/hash-{dimension}"

    def query(self, text: str) -> Vectors:
        """Return the vector of a text, shape (dimension,)."""
        vector = np.full(self.dimension, 0.01, dtype=np.float32)
        for char in text:
            vector[int.from_bytes(hashlib.sha256(char.encode("utf-8")).digest()[:4], "big") % self.dimension] += 1.0
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self.query(text) for text in texts])
