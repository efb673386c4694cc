"""The small parts that calls are made of."""

from __future__ import annotations

import asyncio
import random
import threading
from datetime import UTC, datetime

import pytest

from chathistory.config import Config, Tables, Task, parse
from chathistory.errors import Cancelled, ConfigError, ModelUnreachable, NoSuchProvider
from chathistory.models.background import run
from chathistory.models.cancel import Cancel
from chathistory.models.dialect import think_switch
from chathistory.models.fan_out import fan_out
from chathistory.models.limits import Gate
from chathistory.models.providers import Providers
from chathistory.models.retry import Fault, Where, named, retry_after, wait_seconds, with_retries
from chathistory.models.wire import answer_of, content_of, usage_of
from chathistory.prompts import prompt_version, render

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 01 May 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 01 May 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, 0.0),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_waits_grow_with_jitter_and_have_a_limit() -> None:
    rng = random.Random(1)
    waits = [wait_seconds(Fault("server_error"), tries, rng) for tries in (1, 2, 3, 10)]
    assert 0.15 <= waits[0] <= 0.25
    assert 0.45 <= waits[1] <= 0.75
    assert 1.35 <= waits[2] <= 2.25
    assert 4.8 <= waits[3] <= 8.0
    assert wait_seconds(Fault("timeout"), 1, rng) == 0.0
    assert 2.0 <= wait_seconds(Fault("rate_limited", retry_after=2.0), 1, rng) <= 2.1


@pytest.mark.parametrize("kind", ["cut", "unreachable", "server_error"])
def test_every_fault_of_the_way_is_unreachable(kind: str) -> None:
    error = named(Fault(kind, 500), Where("p", "m", "http://x/v1"))  # type: ignore[arg-type]
    assert isinstance(error, ModelUnreachable)


def test_content_may_be_typed_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "想"}]}, {"type": "text", "text": "答"}, "案"]
    assert content_of(parts) == ("答案", "想")
    assert content_of(None) == ("", "")


@pytest.mark.parametrize("usage", [None, "x", {"prompt_tokens": None}, {"prompt_tokens": True}, {"prompt_tokens": -1}])
def test_tokens_that_are_not_told_are_not_invented(usage: object) -> None:
    assert usage_of(usage) is None


def test_an_answer_without_choices_is_an_error_in_disguise() -> None:
    with pytest.raises(Fault, match="server_error"):
        answer_of('{"choices": []}')


@pytest.mark.parametrize(
    ("host", "model", "switch"),
    [
        ("https://api.openai.com/v1", "o3-mini", {"reasoning_effort": "low"}),
        ("https://openrouter.ai/api/v1", "x", {"reasoning": {"enabled": False}}),
        ("http://127.0.0.1:11434/v1", "qwen3", {"reasoning_effort": "none"}),
        ("http://127.0.0.1:8000/v1", "llama", {}),
    ],
)
def test_switches_by_host_and_model(host: str, model: str, switch: dict[str, object]) -> None:
    assert think_switch(host, model) == switch


def test_each_kind_of_fault_is_counted_by_itself() -> None:
    faults = [Fault("server_error"), Fault("cut"), Fault("timeout"), Fault("server_error")]
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def attempt(number: int) -> str:
        if number <= len(faults):
            raise faults[number - 1]
        return "ok"

    assert run(lambda: with_retries(attempt, tries=5, rng=random.Random(3), sleep=sleep)) == "ok"
    assert all(0.15 <= wait <= 0.25 for wait in waits[:2])
    assert waits[2] == 0.0
    assert 0.45 <= waits[3] <= 0.75


def test_a_fault_while_others_are_answered_is_chance_and_a_rate_limit_is_none() -> None:
    async def waits(kind: str, answered: bool) -> list[float]:
        found: list[float] = []

        async def sleep(seconds: float) -> None:
            found.append(seconds)

        async def attempt(number: int) -> None:
            raise Fault(kind)  # type: ignore[arg-type]

        with pytest.raises(Fault):
            await with_retries(
                attempt, tries=4, rng=random.Random(3), sleep=sleep, answered_since=lambda _moment: answered
            )
        return found

    assert max(run(lambda: waits("server_error", True))) <= 0.25
    assert run(lambda: waits("server_error", False))[2] >= 1.35
    assert run(lambda: waits("rate_limited", True))[2] >= 1.35


def test_one_rate_limit_for_each_of_many_slots_holds_everybody_back() -> None:
    async def go() -> tuple[float, float]:
        gate, clock = Gate(5), asyncio.get_running_loop().time
        start = clock()
        for _ in range(4):
            gate.limited(0.2)
        async with gate.slot():
            free = clock() - start
        gate.limited(0.2)
        async with gate.slot():
            return free, clock() - start

    free, held = run(go)
    assert free < 0.15
    assert held >= 0.2


def test_the_third_rate_limit_in_a_row_holds_everybody_back() -> None:
    async def go() -> float:
        gate = Gate(2)
        gate.limited(0.2)
        gate.limited(0.2)
        gate.succeeded()
        gate.limited(0.2)
        start = asyncio.get_running_loop().time()
        async with gate.slot():
            free = asyncio.get_running_loop().time() - start
        gate.limited(0.2)
        gate.limited(0.2)
        async with gate.slot():
            held = asyncio.get_running_loop().time() - start
        assert free < 0.15
        return held

    assert run(go) >= 0.2


def test_who_is_waited_for_goes_before_the_many() -> None:
    async def go() -> list[str]:
        gate, order = Gate(1), []

        async def ask(name: str, *, patient: bool) -> None:
            async with gate.slot(patient=patient):
                order.append(name)
                await asyncio.sleep(0.01)

        first = asyncio.create_task(ask("first", patient=True))
        await asyncio.sleep(0)
        many = [asyncio.create_task(ask(f"many {n}", patient=True)) for n in range(3)]
        await asyncio.sleep(0)
        talk = asyncio.create_task(ask("talk", patient=False))
        many[1].cancel()
        await asyncio.gather(first, *many, talk, return_exceptions=True)
        async with asyncio.timeout(1), gate.slot():
            order.append("free again")
        return order

    assert run(go) == ["first", "talk", "many 0", "many 2", "free again"]


def test_a_wish_to_stop_runs_what_was_registered_once() -> None:
    cancel, heard = Cancel(), []
    forget = cancel.on_set(lambda: heard.append("forgotten"))
    cancel.on_set(lambda: heard.append("kept"))
    forget()
    assert not cancel.wait(0)
    cancel.set()
    cancel.on_set(lambda: heard.append("late"))()
    assert heard == ["kept", "late"]
    assert cancel.is_set
    with pytest.raises(Cancelled):
        cancel.check()


def test_fan_out_shows_a_sign_of_life_and_lets_bugs_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chathistory.models.fan_out._BEAT", 0.02)
    shown = threading.Event()
    results = fan_out([1], lambda n: shown.wait(5) and n, workers=1, cancel=Cancel())
    assert next(results) is None
    shown.set()
    assert [result for result in results if result] == [(1, 1)]
    with pytest.raises(ZeroDivisionError):
        list(fan_out([0], lambda n: 1 // n, workers=1, cancel=Cancel()))


def test_fan_out_that_was_stopped_says_so() -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        list(fan_out([1], lambda n: n, workers=1, cancel=cancel))


def test_a_value_is_put_into_a_prompt_once_and_as_it_is() -> None:
    messages = render("fact_filter", question="{{facts}} {x}", facts="1. 甲", most="5")
    assert "{{facts}} {x}" in messages[-1].text
    assert [message.role for message in messages] == ["system", "user"]


def test_a_prompt_with_missing_or_surplus_values_is_refused() -> None:
    with pytest.raises(KeyError, match="question"):
        render("fact_filter", facts="", most="")
    with pytest.raises(KeyError):
        render("fact_filter", question="", facts="", most="", other="")
    with pytest.raises(KeyError):
        render("../config", x="")


def test_a_prompts_version_tells_prompts_apart() -> None:
    assert prompt_version("extract") == prompt_version("extract")
    assert len({prompt_version("extract"), prompt_version("entities"), prompt_version("extract", "entities")}) == 3


# --- from the configuration ---


def config(**provider: object) -> Config:
    from pathlib import Path

    table = {"name": "p", "base_url": "http://127.0.0.1:9/v1", **provider}
    return Config(parse({"llm_providers": [table]}), Path())


def test_a_provider_is_connected_to_once_and_closed() -> None:
    providers = Providers(config(price={"input": 1}, concurrency=3))
    first = providers.chat("qa.llm", Task(provider="p", model="a"))
    second = providers.chat("director.llm", Task(provider="p", model="b"))
    assert first.api is second.api
    assert first.concurrency == 3
    assert first.price is not None
    providers.close()
    providers.close()


def test_a_task_without_a_model_or_a_provider_is_named() -> None:
    providers = Providers(config())
    with pytest.raises(ConfigError, match=r"qa\.llm.*model"):
        providers.chat("qa.llm", Task(provider="p"))
    with pytest.raises(NoSuchProvider):
        providers.chat("qa.llm", Task(provider="q", model="m"))
    with pytest.raises(ConfigError, match="embedding"):
        Providers(Config(Tables(), config().root)).embedder()


def test_a_key_from_the_environment_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(ConfigError, match="NO_SUCH_KEY"):
        Providers(config(api_key="$NO_SUCH_KEY")).chat("qa.llm", Task(provider="p", model="m"))
