"""One question to one model, in the event loop: its tries, what had to be left out, and the ledger's record of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from chathistory.domain import Message, ModelCall
from chathistory.models.api import Api
from chathistory.models.chat import Ask
from chathistory.models.collecting import Delta
from chathistory.models.dialect import Feature, names, suspect
from chathistory.models.retry import Fault, with_retries
from chathistory.models.sdk import timeout_of
from chathistory.models.sse import EventReader, is_events
from chathistory.models.tokens import estimate_tokens, prompt_tokens
from chathistory.models.wire import Answer, Body, Halves, answer_of, bit_of, body_of, whole_characters

_AFTERWARDS = 2.0
"""Seconds to wait for the count of tokens once an answer has said that it is over."""


class Broken(Exception):
    """A stream failed after it had brought text: no other try can mend that."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Exchange:
    """One call of ``Chat``. Every request it makes is appended to ``calls``, however it ends."""

    def __init__(self, api: Api, model: str, messages: Sequence[Message], ask: Ask, calls: list[ModelCall]) -> None:
        self._api = api
        self._model = model
        self._messages = messages
        self._ask = ask
        self._calls = calls
        self._dialect = api.dialect(model)
        self._without: set[Feature] = set()
        self._refused: set[Feature] = set()
        self._guess: Feature | None = None
        self._server_errors = 0
        self._timeouts = 0
        self._tries = 0
        self._heard: list[str] = []

    async def whole(self) -> Answer:
        """Return the answer of the first try that succeeds; raises Fault."""
        pace = self._api.pace(self._model, self._ask.task)
        limits = self._ask.limits

        def seconds() -> float:
            return pace.patience(self._timeouts, limits.whole) if self._ask.hurry else limits.whole

        async def send(body: Body) -> Answer:
            started = time.monotonic()
            answer = await self._send_whole(body)
            pace.took(time.monotonic() - started)
            return answer

        async def attempt(_number: int) -> Answer:
            return await self._try(send, seconds, stream=False)

        return await self._until_heard(attempt)

    async def streamed(self, push: Callable[[Delta], None]) -> Answer:
        """Hand over every delta as it comes; raises Fault before any text came, Broken after."""
        said = pushed = False

        def hand_over(delta: Delta) -> None:
            nonlocal said, pushed
            said = said or bool(delta.content.strip())
            pushed = True
            self._heard.append(delta.content + delta.reasoning)
            push(delta)

        async def attempt(_number: int) -> Answer:
            nonlocal pushed
            if pushed:
                push(Delta(restart=True))
                pushed = False
            try:
                return await self._try(
                    lambda body: self._send_stream(body, hand_over), lambda: self._ask.limits.whole, stream=True
                )
            except Fault as fault:
                if said:
                    raise Broken(fault) from fault
                raise

        return await self._until_heard(attempt)

    async def _until_heard(self, attempt: Callable[[int], Awaitable[Answer]]) -> Answer:
        """Return the answer of the first attempt that succeeds, all of them within the call's deadline."""
        try:
            async with asyncio.timeout(self._ask.deadline):
                return await with_retries(
                    attempt,
                    tries=self._ask.tries,
                    rng=self._api.rng,
                    first_wait=self._api.first_wait,
                    answered_since=self._api.gate.answered_since,
                )
        except TimeoutError:
            fault = Fault("timeout")
            raise (Broken(fault) if any(self._heard) else fault) from None

    async def _try(
        self, send: Callable[[Body], Awaitable[Answer]], seconds: Callable[[], float], *, stream: bool
    ) -> Answer:
        """One try; asked again at once where the provider refuses a feature that can be left out."""
        while True:
            body = body_of(
                self._model,
                self._messages,
                self._ask,
                base_url=self._api.base_url,
                dialect=self._dialect,
                without=self._without,
                stream=stream,
            )
            async with self._api.gate.slot(patient=self._ask.hurry, again=self._ask.again or self._tries > 0):
                started = time.monotonic()
                outcome = "cancelled"
                answer = None
                self._tries += 1
                self._heard.clear()
                try:
                    answer = await self._api.request(partial(send, body), seconds=seconds, prompt=self._prompt)
                    outcome = "ok"
                except Fault as fault:
                    outcome = fault.kind
                    self._timeouts += outcome == "timeout"
                    if not self._leave_out(body, fault):
                        raise
                finally:
                    self._note(outcome, started, answer)
            if answer is not None:
                self._dialect.learn(body.features, self._refused | self._guessed())
                return answer

    def _guessed(self) -> set[Feature]:
        """What was left out last before it went well; the two forms of JSON are one field, refused as one."""
        return {self._guess, "json_schema"} if self._guess == "json_object" else {self._guess} if self._guess else set()

    async def _send_whole(self, body: Body) -> Answer:
        raw = await self._api.client.chat.completions.with_raw_response.create(
            **body.arguments, timeout=timeout_of(self._ask.limits)
        )
        return answer_of(raw.http_response.text)

    async def _send_stream(self, body: Body, hand_over: Callable[[Delta], None]) -> Answer:
        limits = self._ask.limits
        patience = limits.whole if self._api.local else limits.first_token
        watch = _Watch(patience, limits.between_tokens)
        create = self._api.client.chat.completions.with_streaming_response.create(
            **body.arguments, timeout=timeout_of(limits)
        )
        response = await asyncio.wait_for(create.__aenter__(), patience)
        try:
            chunks = _in_time(response.iter_bytes(), watch)
            async with aclosing(chunks):
                return await _read(chunks, watch, hand_over)
        finally:
            await create.__aexit__(None, None, None)

    def _prompt(self) -> str:
        return "\n".join(message.text for message in self._messages)

    def _note(self, outcome: str, started: float, answer: Answer | None) -> None:
        tokens = answer.tokens if answer else None
        estimated = tokens is None and (outcome in ("ok", "cancelled") or bool(self._heard))
        if estimated:
            heard = answer.content + answer.reasoning if answer and not self._heard else "".join(self._heard)
            tokens = (prompt_tokens(self._messages), estimate_tokens(heard))
        call = self._api.call(
            self._ask.task, self._model, outcome, started, self._ask.account, tokens or (0, 0), estimated
        )
        self._calls.append(call)

    def _leave_out(self, body: Body, fault: Fault) -> bool:
        """Whether to ask again at once without a feature that this refusal seems to be about."""
        unsure = [feature for feature in body.features if not self._dialect.certain([feature])]
        if fault.kind == "server_error":
            told = next((feature for feature in unsure if names(feature, fault.raw)), None)
            if told is not None:
                self._without.add(told)
                self._refused.add(told)
                return True
            self._server_errors += 1
            if self._server_errors >= 2 and "json_schema" in unsure:
                self._without.add("json_schema")
                self._guess = "json_schema"
            return False
        if fault.kind != "bad_request":
            return False
        feature = suspect(unsure, fault.raw)
        if feature is None:
            return False
        self._without.add(feature)
        if names(feature, fault.raw):
            self._refused.add(feature)
        else:
            self._guess = feature
        return True


class _Watch:
    """Until when the next piece must come: the first token, then each token, then the rest of a finished answer."""

    def __init__(self, first: float, between: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._between = between
        self.until: float = self._clock() + first
        self.finished = False

    @property
    def left(self) -> float:
        """Seconds left for the next piece."""
        return max(self.until - self._clock(), 0.001)

    def token(self) -> None:
        """A token came: signs of life without one (comments, empty events) do not count."""
        self.until = self._clock() + self._between

    def finish(self) -> None:
        """The answer is over but for its tokens and [DONE], which not every server sends."""
        self.finished = True
        self.until = self._clock() + min(self._between, _AFTERWARDS)

    def whole(self) -> None:
        """It is no stream: nothing is to be expected before the end."""
        self.until = float("inf")


async def _in_time(chunks: AsyncIterator[bytes], watch: _Watch) -> AsyncGenerator[bytes, None]:
    """Yield pieces as long as they come in time; raises TimeoutError, unless the answer is finished."""
    while True:
        try:
            yield await asyncio.wait_for(anext(chunks), None if watch.until == float("inf") else watch.left)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if watch.finished:
                return
            raise


async def _read(chunks: AsyncIterator[bytes], watch: _Watch, hand_over: Callable[[Delta], None]) -> Answer:
    """Read a body to its end, handing over what a stream brings; raises Fault where it is no whole answer."""
    reader, halves = EventReader(), Halves()
    finish, tokens = "", None
    head, streamed = b"", None

    def take(events: Sequence[dict[str, Any]]) -> None:
        nonlocal finish, tokens
        for event in events:
            bit = bit_of(event)
            tokens = bit.tokens or tokens
            delta = Delta(halves.feed(bit.content), whole_characters(bit.reasoning))
            if delta.content or delta.reasoning:
                watch.token()
                hand_over(delta)
            if bit.finish:
                finish = bit.finish
                watch.finish()

    async for chunk in chunks:
        if streamed is None:
            head += chunk
            streamed, chunk = is_events(head), head
            if streamed is False:
                watch.whole()
        elif not streamed:
            head += chunk
        if streamed:
            take(reader.feed(chunk))
            if reader.done:
                break
    if head and not streamed:
        answer = answer_of(head.decode("utf-8", "replace"))
        hand_over(Delta(answer.content, answer.reasoning))
        return answer
    if not reader.done:
        take(reader.end())
    if not reader.done and not finish:
        raise Fault("cut")
    return Answer("", "", finish, tokens)
