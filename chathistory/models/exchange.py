"""One question to one model, in the event loop: its tries, what had to be left out, and the ledger's record of each."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from chathistory.domain import Message, ModelCall
from chathistory.models.api import Api
from chathistory.models.chat import Ask
from chathistory.models.dialect import Feature, names, suspect
from chathistory.models.retry import Fault, with_retries
from chathistory.models.sdk import timeout_of
from chathistory.models.tokens import estimate_tokens, prompt_tokens
from chathistory.models.wire import Answer, Body, answer_of, body_of, content_of, usage_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Delta:
    """A part of a streamed answer as it came; ``restart`` says that a new try begins and what came before is void."""

    content: str = ""
    reasoning: str = ""
    restart: bool = False


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

        async def attempt(_number: int) -> Answer:
            started = time.monotonic()
            answer = await self._try(self._send_whole, seconds, stream=False)
            pace.took(time.monotonic() - started)
            return answer

        return await self._in_time(
            with_retries(attempt, tries=self._ask.tries, rng=self._api.rng, first_wait=self._api.first_wait)
        )

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

        return await self._in_time(
            with_retries(attempt, tries=self._ask.tries, rng=self._api.rng, first_wait=self._api.first_wait)
        )

    async def _in_time(self, work: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._ask.deadline):
                return await work
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
            async with self._api.gate.slot(patient=self._ask.hurry, again=self._tries > 0):
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
                self._dialect.learn(body.features, self._refused | ({self._guess} if self._guess else set()))
                return answer

    async def _send_whole(self, body: Body) -> Answer:
        raw = await self._api.client.chat.completions.with_raw_response.create(
            **body.arguments, timeout=timeout_of(self._ask.limits)
        )
        return answer_of(raw.http_response.text)

    async def _send_stream(self, body: Body, hand_over: Callable[[Delta], None]) -> Answer:
        clock = asyncio.get_running_loop().time
        limits = self._ask.limits
        patience = limits.whole if self._api.local else limits.first_token
        first = clock() + patience
        create = self._api.client.chat.completions.with_streaming_response.create(
            **body.arguments, timeout=timeout_of(limits)
        )
        finish, tokens, started, done = "", None, False, False
        response = await asyncio.wait_for(create.__aenter__(), patience)
        try:
            if "json" in response.headers.get("content-type", ""):
                answer = answer_of((await response.read()).decode("utf-8", "replace"))
                hand_over(Delta(answer.content, answer.reasoning))
                return answer
            async with aclosing(_events(response.iter_bytes())) as events:
                while not done:
                    left = limits.between_tokens if started else first - clock()
                    try:
                        event = await asyncio.wait_for(anext(events), max(left, 0.001))
                    except StopAsyncIteration:
                        break
                    done = event is None
                    if event is None:
                        continue
                    tokens = usage_of(event.get("usage")) or tokens
                    for choice in (event.get("choices") or ())[:1]:
                        finish = str(choice.get("finish_reason") or finish)
                        delta = _delta(choice.get("delta") or choice.get("message") or {})
                        if delta.content or delta.reasoning:
                            started = True
                            hand_over(delta)
        finally:
            await create.__aexit__(None, None, None)
        if not done and not finish:
            raise Fault("cut")
        return Answer("", "", finish, tokens)

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


def _delta(message: dict[str, Any]) -> Delta:
    content, reasoning = content_of(message.get("content"))
    return Delta(content, reasoning + str(message.get("reasoning_content") or message.get("reasoning") or ""))


async def _events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[dict[str, Any] | None, None]:
    """Yield the JSON of each server-sent event, None for [DONE].

    Raises
    ------
    Fault
        An event is no JSON object ('cut'), or tells of an error ('server_error').
    """
    held = b""
    async for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            text = line.strip()
            if not text.startswith(b"data:"):
                continue
            data = text[5:].strip()
            if data == b"[DONE]":
                yield None
                return
            try:
                event = json.loads(data)
            except ValueError:
                raise Fault("cut", 200, "回答里有读不懂的数据") from None
            if not isinstance(event, dict):
                raise Fault("cut", 200, "回答里有读不懂的数据")
            if event.get("error"):
                raise Fault("server_error", 200, "回答中途报错")
            yield event
