"""A chat model behind any API that speaks OpenAI's: whole answers and streams, for synchronous callers."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from queue import Empty, SimpleQueue

from chathistory.domain import Message
from chathistory.errors import Cancelled, ModelError
from chathistory.models.api import Api, listed_models
from chathistory.models.background import Running, beat, run
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Piece, Reply
from chathistory.models.collecting import Collected, Delta
from chathistory.models.exchange import Broken, Exchange
from chathistory.models.retry import Fault, named
from chathistory.models.tokens import prompt_tokens
from chathistory.models.wire import Answer

_log = logging.getLogger(__name__)
_POLL = 0.2
_LIKELY_OUT = 300
"""Tokens an answer is taken to have before it is there."""


class OpenAIChat:
    """One model of one provider."""

    def __init__(self, api: Api, model: str) -> None:
        self.provider = api.name
        self.model = model
        self.price = api.price
        self.concurrency = api.concurrency
        self.api = api

    def complete(self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None) -> Reply:
        """Return the whole answer; see ``Chat.complete``."""
        cramped = self._cramped(ask)
        reply = self._whole(messages, ask, cancel)
        return self._whole(messages, ask, cancel) if cramped and _only_reasoned(reply) else reply

    def stream(
        self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None
    ) -> Generator[Piece, None, Reply]:
        """Yield the answer as it comes; see ``Chat.stream``."""
        cramped = self._cramped(ask)
        reply = yield from self._streamed(messages, ask, cancel)
        if cramped and _only_reasoned(reply):
            reply = yield from self._streamed(messages, ask, cancel)
        return reply

    def _cramped(self, ask: Ask) -> bool:
        """Whether reasoning, if it turns out that this model reasons, may leave no room for the answer."""
        return ask.max_tokens is not None and not self.api.dialect(self.model).reasons

    def _whole(self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None) -> Reply:
        tokens_in = prompt_tokens(messages)
        with self.api.meter.allowed(ask.account, tokens_in + _LIKELY_OUT, self._likely_cost(tokens_in)) as calls:
            try:
                answer = run(lambda: Exchange(self.api, self.model, messages, ask, calls).whole(), cancel)
            except Fault as fault:
                raise self._named(fault, ask) from fault
        collected = self._collected(ask)
        for _piece in [*collected.feed(Delta(answer.content, answer.reasoning)), *collected.end()]:
            pass
        self._remember(collected)
        return collected.reply(answer, tokens_in)

    def _streamed(self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None) -> Generator[Piece, None, Reply]:
        if cancel:
            cancel.check()
        tokens_in = prompt_tokens(messages)
        with self.api.meter.allowed(ask.account, tokens_in + _LIKELY_OUT, self._likely_cost(tokens_in)) as calls:
            deltas: SimpleQueue[Delta | None] = SimpleQueue()
            running = Running(lambda: Exchange(self.api, self.model, messages, ask, calls).streamed(deltas.put))
            running.on_done(lambda: deltas.put(None))
            forget = cancel.on_set(running.cancel) if cancel else None
            collected = self._collected(ask)
            answer: Answer | None = None
            cut = False
            try:
                for delta in _until_done(deltas):
                    if delta.restart:
                        collected = self._collected(ask)
                        yield Piece(retract=True)
                    yield from collected.feed(delta)
                    if collected.stopped:
                        break
                yield from collected.end()
                if not collected.stopped:
                    try:
                        answer = running.result()
                    except (Broken, Fault, Cancelled) as error:
                        if not collected.text.strip():
                            raise self._as_ours(error, ask) from error
                        cut = True
            finally:
                if forget:
                    forget()
                running.stop()
        self._remember(collected)
        return collected.reply(answer, tokens_in, cut=cut)

    def models(self) -> list[str]:
        """Return the names of the provider's models, as it lists them.

        Raises
        ------
        ModelError
            The provider cannot be reached or refuses.
        """
        try:
            return run(lambda: listed_models(self.api))
        except Fault as fault:
            raise named(fault, self.api.where(self.model)) from fault

    def _collected(self, ask: Ask) -> Collected:
        return Collected(ask, unmarked=self.api.dialect(self.model).begins_reasoning)

    def _remember(self, collected: Collected) -> None:
        dialect = self.api.dialect(self.model)
        if collected.closed_alone:
            dialect.note_reasoning()
        if collected.reasoning.strip():
            dialect.note_reasons()

    def _likely_cost(self, tokens_in: int) -> float:
        return self.api.cost(tokens_in, _LIKELY_OUT)

    def _as_ours(self, error: Broken | Fault | Cancelled, ask: Ask) -> Cancelled | ModelError:
        if isinstance(error, Cancelled):
            return error
        return self._named(error.fault if isinstance(error, Broken) else error, ask)

    def _named(self, fault: Fault, ask: Ask) -> ModelError:
        _log.warning("%s / %s failed at %s: %s %s", self.provider, self.model, ask.task, fault.kind, fault.status or "")
        return named(fault, self.api.where(self.model))


def _only_reasoned(reply: Reply) -> bool:
    """Whether the tokens ran out before the answer began."""
    return reply.finish == "length" and not reply.text and bool(reply.reasoning)


def _until_done(deltas: SimpleQueue[Delta | None]) -> Iterator[Delta]:
    """Yield deltas until the None that ends them; the wait is in steps, so that Ctrl-C gets through everywhere."""
    beaten = time.monotonic()
    while True:
        if time.monotonic() - beaten >= _POLL:
            beat()
            beaten = time.monotonic()
        try:
            delta = deltas.get(timeout=_POLL)
        except Empty:
            continue
        if delta is None:
            return
        yield delta
