"""Streams as servers really write them: whatever the line ends, blanks, comments and oddities, the answer is read."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from llm_server import Act, LlmServer
from model_fixtures import QUESTION, chat_at, connected, drain, shown

from chathistory.errors import BadModelReply, ModelRefused, ModelTimeout, ModelUnreachable
from chathistory.models.api import Api
from chathistory.models.chat import Ask, Limits
from chathistory.models.openai_compatible import OpenAIChat
from chathistory.models.sse import EventReader, is_events

ASK = Ask("reply", limits=Limits(connect=1, first_token=2, between_tokens=1, whole=5))
EVENTS = {"Content-Type": "text/event-stream"}
DONE = b"data: [DONE]\n\n"


def event(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def chunk(content: Any = None, finish: str | None = None, index: int | None = 0) -> bytes:
    delta = {} if content is None else {"content": content}
    place = {} if index is None else {"index": index}
    return event({"choices": [{**place, "delta": delta, "finish_reason": finish}]})


def choices(value: Any) -> bytes:
    return event({"choices": value})


GOOD = chunk("你好") + chunk("，世界") + chunk(None, "stop")
WHOLE = json.dumps({"choices": [{"message": {"content": "你好，世界"}, "finish_reason": "stop"}]}).encode()


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


BODIES = {
    "plain": GOOD + DONE,
    "crlf": (GOOD + DONE).replace(b"\n", b"\r\n"),
    "cr alone": (GOOD + DONE).replace(b"\n", b"\r"),
    "no blank after the colon": (GOOD + DONE).replace(b"data: ", b"data:"),
    "no empty lines": (GOOD + DONE).replace(b"\n\n", b"\n"),
    "comments": b": hello\n\n" + GOOD.replace(b"\n\n", b"\n\n: ping\n\n") + DONE,
    "other fields": GOOD.replace(b"data:", b"event: message\nid: 3\nretry: 10\ndata:") + DONE,
    "byte order mark": b"\xef\xbb\xbf" + GOOD + DONE,
    "never says [DONE]": GOOD,
    "last line has no end": GOOD.rstrip(),
    "[DONE] alone ends it, without a line end": chunk("你好") + chunk("，世界") + b"data: [DONE]",
    "data on two lines": b'data: {"choices":\ndata: [{"delta": {"content": "'
    + "你好，世界".encode()
    + b'"}}]}\n\n'
    + DONE,
    "usage and no choices": GOOD + event({"choices": [], "usage": {"prompt_tokens": 1}}) + DONE,
    "choices missing": event({"id": "x"}) + GOOD + DONE,
    "choices null": choices(None) + GOOD + DONE,
    "choices no list": choices({"0": 1}) + GOOD + DONE,
    "choice null": choices([None]) + GOOD + DONE,
    "delta null": choices([{"index": 0, "delta": None}]) + GOOD + DONE,
    "delta a string": choices([{"index": 0, "delta": "x"}]) + GOOD + DONE,
    "content null": choices([{"index": 0, "delta": {"role": "assistant", "content": None}}]) + GOOD + DONE,
    "role only": choices([{"index": 0, "delta": {"role": "assistant"}}]) * 3 + GOOD + DONE,
    "parts": chunk([{"type": "text", "text": "你好"}, None, 3]) + chunk([{"type": "text", "text": "，世界"}]) + DONE,
    "one part": chunk({"type": "text", "text": "你好，世界"}) + DONE,
    "parts of reasoning": chunk([{"type": "reasoning", "text": "想"}, {"type": "text", "text": "你好，世界"}]) + DONE,
    "two choices at once": choices(
        [{"index": 1, "delta": {"content": "坏"}}, {"index": 0, "delta": {"content": "你好，世界"}}]
    )
    + DONE,
    "two choices in turn": chunk("你好") + chunk("坏", "stop", 1) + chunk("，世界", "stop") + DONE,
    "no index": chunk("你好，世界", None, None) + chunk(None, "stop", None) + DONE,
    "a message for a delta": choices([{"message": {"content": "你好，世界"}, "finish_reason": "stop"}]) + DONE,
    "usage of odd types": event({"usage": {"prompt_tokens": "5", "completion_tokens": None}}) + GOOD + DONE,
    "not streamed though asked": WHOLE,
    "not streamed, with a byte order mark": b"\xef\xbb\xbf" + WHOLE,
    "not streamed, after blanks": b"\n\n  \n" + WHOLE,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json", "text/plain", "text/html; charset=utf-8"])
def test_a_stream_is_read_however_it_is_written(server: LlmServer, chat: OpenAIChat, body: bytes, kind: str) -> None:
    server.otherwise = Act(raw=body, headers={"Content-Type": kind})
    pieces, reply = drain(chat.stream(QUESTION, ASK))
    assert (shown(pieces), reply.text, reply.finish, len(server.seen)) == ("你好，世界", "你好，世界", "stop", 1)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_stream_nobody_asked_for_is_read_as_a_whole(server: LlmServer, chat: OpenAIChat, body: bytes) -> None:
    server.otherwise = Act(raw=body, headers=EVENTS)
    assert chat.complete(QUESTION, ASK).text == "你好，世界"


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("body", [body for name, body in BODIES.items() if "not streamed" not in name])
def test_how_a_stream_is_cut_into_pieces_changes_nothing(body: bytes, size: int) -> None:
    whole, reader = EventReader(), EventReader()
    expected = whole.feed(body) + whole.end()
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    assert [one for piece in pieces for one in reader.feed(piece)] + reader.end() == expected
    assert reader.done == whole.done
    assert is_events(body)


def test_a_compressed_stream_is_read(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(raw=gzip.compress(GOOD + DONE), headers={**EVENTS, "Content-Encoding": "gzip"})
    assert drain(chat.stream(QUESTION, ASK))[1].text == "你好，世界"


def test_halves_of_a_character_are_joined_and_lone_ones_do_no_harm(server: LlmServer, chat: OpenAIChat) -> None:
    halves = chunk("\ud83d") + chunk("\ude00")
    lone = chunk("a\ud83d")
    broken = b'data: {"choices": [{"delta": {"content": "\xff"}}]}\n\n'
    server.queue = [Act(raw=body + GOOD + DONE, headers=EVENTS) for body in (halves, lone, broken)]
    said = [drain(chat.stream(QUESTION, ASK))[1].text for _ in range(3)]
    assert said == ["😀你好，世界", "a\ufffd你好，世界", "\ufffd你好，世界"]


def test_a_finished_stream_that_stays_open_is_not_waited_for(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(text="好。", linger=30, done=False, usage=False)
    started = time.monotonic()
    reply = drain(chat.stream(QUESTION, ASK))[1]
    assert (reply.text, reply.finish) == ("好。", "stop")
    assert time.monotonic() - started < 3


def test_the_end_of_a_stream_is_noticed_at_once(server: LlmServer, chat: OpenAIChat) -> None:
    drain(chat.stream(QUESTION, ASK))
    started = time.monotonic()
    drain(chat.stream(QUESTION, ASK))
    assert time.monotonic() - started < 0.15


def test_signs_of_life_without_a_token_do_not_count(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(text="好", drip=0.1)
    started = time.monotonic()
    assert drain(chat.stream(QUESTION, ASK))[1].finish == "cut"
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("body", [b"<html>login</html>", b"<!doctype html>\n<html>", b"OK"])
@pytest.mark.parametrize("kind", ["text/event-stream", "text/html", "application/json"])
def test_a_page_where_an_answer_should_be_points_at_the_address(
    server: LlmServer, chat: OpenAIChat, body: bytes, kind: str
) -> None:
    server.otherwise = Act(raw=body, headers={"Content-Type": kind})
    for ask in (lambda: drain(chat.stream(QUESTION, ASK)), lambda: chat.complete(QUESTION, ASK)):
        with pytest.raises(ModelRefused, match="base_url"):
            ask()
    assert len(server.seen) == 2


@pytest.mark.parametrize("body", [b"", b'data: {"choices": [{"del', b"data: [1]\n\n", b"data: {oops\n\n"])
def test_a_body_that_breaks_off_is_tried_again(server: LlmServer, chat: OpenAIChat, body: bytes) -> None:
    server.queue = [Act(raw=body, headers=EVENTS)]
    assert drain(chat.stream(QUESTION, ASK))[1].text == "好。"
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("error", "named", "requests"),
    [
        ({"error": {"message": "boom", "code": 500}}, ModelUnreachable, 4),
        ({"error": "boom"}, ModelUnreachable, 4),
        ({"error": {"message": "slow down", "type": "rate_limit_exceeded"}}, ModelTimeout, 4),
        ({"error": {"message": "bad key", "code": "invalid_api_key"}}, ModelRefused, 1),
        ({"error": {"message": "no money", "code": "insufficient_quota"}}, ModelRefused, 1),
        (
            {"object": "error", "message": "too long: maximum context", "type": "BadRequestError", "code": 400},
            BadModelReply,
            1,
        ),
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
def test_an_error_in_the_clothes_of_a_success_is_told_like_its_status(
    server: LlmServer, chat: OpenAIChat, error: dict[str, Any], named: type[Exception], requests: int, streamed: bool
) -> None:
    server.otherwise = Act(raw=event(error) + DONE if streamed else json.dumps(error).encode(), headers=EVENTS)
    with pytest.raises(named):
        drain(chat.stream(QUESTION, ASK))
    assert len(server.seen) == requests


def test_an_event_of_the_kind_error_is_an_error(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(raw=b'event: error\ndata: {"message": "boom"}\n\n' + DONE, headers=EVENTS)]
    assert drain(chat.stream(QUESTION, ASK))[1].text == "好。"
    assert len(server.seen) == 2
