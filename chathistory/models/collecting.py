"""An answer as it grows: reasoning told apart, ended at the first stop string."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from chathistory.models.chat import Ask, Piece, Reply
from chathistory.models.cutter import StopCutter
from chathistory.models.reasoning import Part, ReasoningSplitter
from chathistory.models.tokens import estimate_tokens
from chathistory.models.wire import Answer


@dataclass(frozen=True, slots=True)
class Delta:
    """A part of a streamed answer as it came; ``restart`` says that a new try begins and what came before is void."""

    content: str = ""
    reasoning: str = ""
    restart: bool = False


class Collected:
    """What came of an answer so far."""

    def __init__(self, ask: Ask, *, unmarked: bool = False) -> None:
        self.text = ""
        self.reasoning = ""
        self._splitter = ReasoningSplitter(unmarked=unmarked)
        self._cutter = StopCutter(ask.stop)
        self._stops = ask.stop

    @property
    def stopped(self) -> bool:
        """Whether a stop string came."""
        return self._cutter.stopped

    @property
    def closed_alone(self) -> bool:
        """Whether reasoning came that nothing opened."""
        return self._splitter.closed_alone

    def feed(self, delta: Delta) -> Iterator[Piece]:
        """Yield what may be shown after one more delta."""
        if delta.reasoning:
            self.reasoning += delta.reasoning
            yield Piece(reasoning=delta.reasoning)
        if delta.content:
            yield from self._take(self._splitter.feed(delta.content))

    def end(self) -> Iterator[Piece]:
        """Yield what was held back; the answer is over."""
        yield from self._take(self._splitter.end())
        tail = "" if self.stopped else self._cutter.end()
        if tail:
            self.text += tail
            yield Piece(text=tail)

    def _take(self, parts: Sequence[Part]) -> Iterator[Piece]:
        for part in parts:
            if part.retract:
                self.reasoning += self.text + self._cutter.end()
                self.text = ""
                self._cutter = StopCutter(self._stops)
                yield Piece(retract=True)
            if part.reasoning:
                self.reasoning += part.reasoning
                yield Piece(reasoning=part.reasoning)
            if part.text:
                shown = self._cutter.feed(part.text if self.text else part.text.lstrip())
                if shown:
                    self.text += shown
                    yield Piece(text=shown)

    def reply(self, answer: Answer | None, tokens_in: int, *, cut: bool = False) -> Reply:
        """Return the whole; tokens are estimated where the provider did not count them."""
        counted = answer.tokens if answer else None
        tokens = counted or (tokens_in, estimate_tokens(self.text + self.reasoning))
        finish: Literal["stop", "length", "cut"] = "cut" if cut else "stop"
        if answer and answer.finish == "length" and not self.stopped:
            finish = "length"
        return Reply(self.text.strip(), self.reasoning.strip(), *tokens, finish=finish)
