"""What a provider says of itself is heard: how it words its errors, what it does not take, how long it asks to wait."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from llm_server import Act, LlmServer, Seen
from model_fixtures import QUESTION, chat_at, connected, drain

from chathistory.errors import BadModelReply, ModelTimeout
from chathistory.models.api import Api
from chathistory.models.background import beating
from chathistory.models.chat import Ask, JsonForm
from chathistory.models.dialect import MemoryTraits
from chathistory.models.openai_compatible import OpenAIChat

FORM = JsonForm("f", {"type": "object"})


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as running:
        yield running


@pytest.fixture
def api(server: LlmServer) -> Iterator[Api]:
    with connected(server) as one:
        yield one


@pytest.fixture
def chat(api: Api) -> OpenAIChat:
    return chat_at(api)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'"nope"', "nope"),
        (b"nope", "nope"),
        (b'{"error": "nope"}', "nope"),
        (b'{"error": ["nope"]}', "nope"),
        (b'{"message": "nope"}', "nope"),
        (b'{"detail": "nope"}', "nope"),
        (b'{"detail": [{"loc": ["body", "top_k"], "msg": "extra field"}]}', "body.top_k: extra field"),
        (b"<html><h1>Bad</h1></html>", "HTTP 400"),
    ],
)
def test_what_an_error_says_is_found_wherever_it_stands(
    server: LlmServer, chat: OpenAIChat, body: bytes, told: str
) -> None:
    server.otherwise = Act(status=400, raw=body)
    with pytest.raises(BadModelReply) as error:
        chat.complete(QUESTION, Ask("x"))
    assert told in str(error.value)
    assert "<" not in str(error.value)


@pytest.mark.parametrize(
    "refusal",
    [
        b'{"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}',
        b'{"error": "response_format is not supported"}',
        b'{"error": {"message": "invalid value", "param": "response_format"}}',
        b"<html>Bad Request</html>",
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
def test_a_refused_form_is_left_out_from_the_second_call_on(
    server: LlmServer, chat: OpenAIChat, refusal: bytes, streamed: bool
) -> None:
    def decide(seen: Seen) -> Act | None:
        return Act(status=400, raw=refusal) if "response_format" in seen.body else None

    server.decide = decide
    ask = Ask("x", form=FORM, temperature=0.1, stop=("甲",))
    for _ in range(2):
        before = len(server.seen)
        text = drain(chat.stream(QUESTION, ask))[1].text if streamed else chat.complete(QUESTION, ask).text
        assert text == "好。"
    assert len(server.seen) - before == 1
    assert {"temperature", "stop"} <= set(server.seen[-1].body)


def test_a_field_named_by_itself_is_the_one_left_out(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(status=400, error={"message": "not allowed", "param": "stop"})]
    chat.complete(QUESTION, Ask("x", form=FORM, stop=("甲",)))
    assert "stop" not in server.seen[-1].body
    assert "response_format" in server.seen[-1].body
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "message", ["violates our content policy", "输入内容包含敏感信息", "maximum context length is 8192"]
)
def test_a_text_that_is_not_taken_is_not_sent_again_without_this_and_that(
    server: LlmServer, chat: OpenAIChat, message: str
) -> None:
    server.otherwise = Act(status=400, error={"message": message})
    with pytest.raises(BadModelReply):
        chat.complete(QUESTION, Ask("x", form=FORM, temperature=0.1, stop=("甲",)))
    assert len(server.seen) == 1


def test_a_wait_that_nobody_would_sit_out_holds_back_nobody(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(status=429, headers={"Retry-After": "3600"}) for _ in range(3)]
    for _ in range(3):
        with pytest.raises(ModelTimeout):
            chat.complete(QUESTION, Ask("x"))
    started = time.monotonic()
    assert chat.complete(QUESTION, Ask("x", deadline=5)).text == "好。"
    assert time.monotonic() - started < 1


def length(text: str, reasoning: str = "") -> Act:
    return Act(text=text, pieces=[text] if text else [], reasoning=reasoning, finish="length")


@pytest.mark.parametrize("cramped", [length("", "想了很久"), length("<think>想了很久")])
@pytest.mark.parametrize("streamed", [True, False])
def test_a_model_whose_reasoning_left_no_room_for_an_answer_is_given_room(
    server: LlmServer, cramped: Act, streamed: bool
) -> None:
    traits = MemoryTraits()
    server.queue = [cramped, Act(text="答。", reasoning="想"), Act(text="又答。")]
    ask = Ask("x", max_tokens=50)
    for expected in ("答。", "又答。"):
        with connected(server, traits=traits) as api:
            chat = chat_at(api)
            reply = drain(chat.stream(QUESTION, ask))[1] if streamed else chat.complete(QUESTION, ask)
        assert reply.text == expected
    most = [seen.body["max_tokens"] for seen in server.seen]
    assert most[0] == 50
    assert most[1] == most[2] > 1000


def test_a_short_answer_is_not_asked_for_again(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = length("半句")
    reply = chat.complete(QUESTION, Ask("x", max_tokens=50))
    assert (reply.text, reply.finish, len(server.seen)) == ("半句", "length", 1)


def test_a_model_that_reasons_without_end_is_asked_twice_and_no_more(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = length("", "想了很久")
    assert chat.complete(QUESTION, Ask("x", max_tokens=50)).text == ""
    assert len(server.seen) == 2
    assert json.dumps(server.seen[0].body["messages"]) == json.dumps(server.seen[1].body["messages"])


class Stopped(BaseException):
    """What an interface raises where it draws after it was told to stop."""


@pytest.mark.parametrize(
    "act", [Act(hang=True), Act(status=429, headers={"Retry-After": "30"}), Act(text="好", drip=0.05)]
)
@pytest.mark.parametrize("streamed", [True, False])
def test_an_interface_can_stop_a_wait_from_within(
    server: LlmServer, chat: OpenAIChat, act: Act, streamed: bool
) -> None:
    server.otherwise = act
    beats: list[float] = []

    def heart() -> None:
        beats.append(time.monotonic())
        if len(beats) == 2:
            raise Stopped

    with beating(heart), pytest.raises(Stopped):
        drain(chat.stream(QUESTION, Ask("x"))) if streamed else chat.complete(QUESTION, Ask("x"))
    assert time.monotonic() - beats[1] < 0.3
    assert beats[1] - beats[0] < 0.4
    if act.status == 200:
        closed = server.wait_closed(server.seen[-1])
        assert closed is not None
        assert closed - beats[1] < 0.5
