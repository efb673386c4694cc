"""A provider may do what it likes: an answer comes whole, or an error says what to do."""

from __future__ import annotations

import _thread
import logging
import threading
import time
import traceback
from collections.abc import Iterator

import pytest
from llm_server import KEY, Act, LlmServer
from model_fixtures import QUESTION, chat_at, connected, drain, shown

from chathistory.domain import Message
from chathistory.errors import (
    BadModelReply,
    BudgetSpent,
    Cancelled,
    ConfigError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from chathistory.models.api import Api
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Chat, JsonForm, Limits
from chathistory.models.dialect import MemoryTraits, think_switch
from chathistory.models.ledger import Allowance, MemoryLog, Meter, Price
from chathistory.models.limits import Pace
from chathistory.models.openai_compatible import OpenAIChat
from chathistory.models.sdk import is_loopback, safe_detail

FORM = JsonForm("f", {"type": "object"})
SOON = Limits(connect=1, first_token=0.5, between_tokens=0.5, whole=0.7)


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


@pytest.fixture
def api(server: LlmServer) -> Iterator[Api]:
    with connected(server) as api:
        yield api


@pytest.fixture
def chat(api: Api) -> OpenAIChat:
    return chat_at(api)


def outcomes(api: Api) -> list[str]:
    log = api.meter.log
    assert isinstance(log, MemoryLog)
    return [call.outcome for call in log.calls]


def test_an_answer_comes_with_its_tokens_and_stands_in_the_ledger(chat: OpenAIChat, api: Api) -> None:
    reply = chat.complete(QUESTION, Ask("reply", account="a"))
    assert isinstance(chat, Chat)
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.finish) == ("好。", 11, 7, "stop")
    [call] = api.meter.log.calls  # type: ignore[attr-defined]
    assert (call.task, call.provider, call.model, call.outcome, call.account) == ("reply", "test", "qwen", "ok", "a")
    assert (call.tokens_in, call.tokens_out, call.estimated, call.cost) == (11, 7, False, None)


@pytest.mark.parametrize(
    "fault",
    [
        Act(status=429, headers={"Retry-After": "0"}),
        Act(status=500),
        Act(status=503),
        Act(cut_after=0),
        Act(raw=b'{"choices": [{"mess'),
        Act(raw=b'{"error": {"message": "busy"}}'),
    ],
)
def test_a_passing_fault_is_tried_again(server: LlmServer, chat: OpenAIChat, fault: Act) -> None:
    server.queue = [fault, fault, fault]
    assert chat.complete(QUESTION, Ask("x")).text == "好。"
    assert len(server.chats) == 4


def test_there_are_four_tries_and_no_fifth(server: LlmServer, chat: OpenAIChat, api: Api) -> None:
    server.otherwise = Act(status=500)
    with pytest.raises(ModelUnreachable, match="500"):
        chat.complete(QUESTION, Ask("x"))
    assert len(server.chats) == 4
    assert outcomes(api) == ["server_error"] * 4


def test_retry_after_is_honoured(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(status=429, headers={"Retry-After": "0.3"})]
    chat.complete(QUESTION, Ask("x"))
    first, second = server.chats
    assert second.at - first.at >= 0.3


def test_a_provider_that_asks_for_too_long_a_wait_is_not_waited_for(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(status=429, headers={"Retry-After": "3600"})]
    with pytest.raises(ModelTimeout, match="3600"):
        chat.complete(QUESTION, Ask("x"))


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Act(status=401), "api_key"),
        (Act(status=402), "余额"),
        (Act(status=404), "base_url"),
        (Act(status=429, error={"code": "insufficient_quota", "message": "no"}), "余额"),
        (Act(raw=b"<html>hello</html>"), "base_url"),
    ],
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(
    server: LlmServer, chat: OpenAIChat, act: Act, words: str
) -> None:
    server.otherwise = act
    with pytest.raises(ModelRefused, match=words):
        chat.complete(QUESTION, Ask("x"))
    assert len(server.chats) == 1


def test_a_text_the_provider_will_not_take_is_a_bad_reply(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(status=400, error={"code": "data_inspection_failed", "message": "inappropriate"})
    with pytest.raises(BadModelReply):
        chat.complete(QUESTION, Ask("x"))
    assert len(server.chats) == 1


def test_nobody_at_the_address_is_unreachable() -> None:
    api = Api("gone", "http://127.0.0.1:9/v1", KEY, first_wait=0.001)
    try:
        with pytest.raises(ModelUnreachable, match="gone"):
            chat_at(api).complete(QUESTION, Ask("x"))
        assert outcomes(api) == ["unreachable"] * 4
    finally:
        api.close()


def test_a_hanging_provider_is_given_up_in_time(server: LlmServer, chat: OpenAIChat, api: Api) -> None:
    server.otherwise = Act(hang=True)
    start = time.monotonic()
    with pytest.raises(ModelTimeout):
        chat.complete(QUESTION, Ask("x", limits=SOON, tries=2))
    assert time.monotonic() - start < 3
    assert outcomes(api) == ["timeout", "timeout"]


def test_a_body_that_drips_is_given_up_though_every_byte_is_in_time(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(drip=0.05)
    with pytest.raises(ModelTimeout):
        chat.complete(QUESTION, Ask("x", limits=SOON, tries=1))


def test_a_deadline_holds_over_all_tries(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(status=429, headers={"Retry-After": "30"})
    start = time.monotonic()
    with pytest.raises(ModelTimeout):
        chat.complete(QUESTION, Ask("x", deadline=0.2))
    assert time.monotonic() - start < 2


def test_cancelling_closes_the_socket_within_half_a_second(server: LlmServer, chat: OpenAIChat, api: Api) -> None:
    server.otherwise = Act(hang=True)
    cancel = Cancel()

    def stop() -> None:
        server.wait_seen(1)
        stopped.append(time.monotonic())
        cancel.set()

    stopped: list[float] = []
    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(Cancelled):
        chat.complete(QUESTION, Ask("x"), cancel)
    thread.join()
    closed = server.wait_closed(server.chats[0])
    assert closed is not None
    assert closed - stopped[0] < 0.5
    assert outcomes(api) == ["cancelled"]


def test_a_call_cancelled_before_it_begins_sends_nothing(server: LlmServer, chat: OpenAIChat) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        chat.complete(QUESTION, Ask("x"), cancel)
    assert server.chats == []


# --- streams ---


def test_a_stream_comes_piece_by_piece_and_ends_with_the_whole(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(pieces=["床前", "明月光"])]
    pieces, reply = drain(chat.stream(QUESTION, Ask("reply")))
    assert [piece.text for piece in pieces] == ["床前", "明月光"]
    assert (reply.text, reply.tokens_out, reply.finish) == ("床前明月光", 7, "stop")


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_fields_stay_apart(server: LlmServer, chat: OpenAIChat, name: str) -> None:
    act = Act(text="答", reasoning="想", reasoning_field=name)
    server.queue = [act, act]
    whole = chat.complete(QUESTION, Ask("x"))
    pieces, reply = drain(chat.stream(QUESTION, Ask("x")))
    assert (whole.text, whole.reasoning) == (reply.text, reply.reasoning) == ("答", "想")
    assert shown(pieces) == "答"


def test_think_tags_in_a_stream_are_told_apart(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(pieces=["<th", "ink>想", "想</thi", "nk>\n", "答"])]
    pieces, reply = drain(chat.stream(QUESTION, Ask("x")))
    assert shown(pieces) == "答"
    assert (reply.text, reply.reasoning) == ("答", "想想")


def test_a_closing_tag_alone_takes_back_what_was_shown_and_is_remembered(server: LlmServer) -> None:
    traits = MemoryTraits()
    act = Act(pieces=["想了", "</think>", "答"])
    server.queue = [act, act]
    with connected(server, traits=traits) as api:
        pieces, reply = drain(chat_at(api).stream(QUESTION, Ask("x")))
        assert shown(pieces) == reply.text == "答"
        assert any(piece.retract for piece in pieces)
    with connected(server, traits=traits) as api:
        pieces, reply = drain(chat_at(api).stream(QUESTION, Ask("x")))
        assert not any(piece.retract for piece in pieces)
        assert (reply.text, reply.reasoning) == ("答", "想了")


def test_reasoning_that_never_closes_is_no_answer(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(text="<think>想不完", finish="length")]
    reply = chat.complete(QUESTION, Ask("x"))
    assert (reply.text, reply.reasoning, reply.finish) == ("", "想不完", "length")


def test_stop_strings_are_kept_to_though_the_provider_does_not(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(pieces=["我说完了。", "\n杜", "甫：该我了"])
    ask = Ask("reply", stop=("\n杜甫：", "\n李白：", "\n孔子：", "\n老子：", "\n用户："))
    pieces, reply = drain(chat.stream(QUESTION, ask))
    assert shown(pieces) == reply.text == "我说完了。"
    assert len(server.chats[0].body["stop"]) == 4


def test_a_stream_cut_before_any_text_is_tried_again(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(cut_after=0), Act(reasoning="想", text="没有", cut_after=1)]
    pieces, reply = drain(chat.stream(QUESTION, Ask("x")))
    assert shown(pieces) == reply.text == "好。"
    assert len(server.chats) == 3


def test_a_stream_cut_in_the_middle_keeps_its_text_and_says_so(server: LlmServer, chat: OpenAIChat, api: Api) -> None:
    server.queue = [Act(text="床前明月光", cut_after=2)]
    pieces, reply = drain(chat.stream(QUESTION, Ask("x")))
    assert (shown(pieces), reply.text, reply.finish) == ("床前", "床前", "cut")
    assert len(server.chats) == 1
    assert outcomes(api) == ["cut"]
    assert chat.complete(QUESTION, Ask("x")).text == "好。"


def test_a_stream_that_ends_without_saying_so_is_cut(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(text="床前", finish=None, done=False)]
    assert drain(chat.stream(QUESTION, Ask("x")))[1].finish == "cut"


def test_a_server_that_sends_done_but_no_reason_is_whole(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(text="床前", finish=None)]
    assert drain(chat.stream(QUESTION, Ask("x")))[1].finish == "stop"


def test_no_first_token_in_time_is_tried_again(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(hang=True)]
    limits = Limits(first_token=0.5)
    assert drain(chat.stream(QUESTION, Ask("x", limits=limits)))[1].text == "好。"
    assert len(server.chats) >= 2


def test_a_server_on_this_machine_may_read_its_prompt_slowly(server: LlmServer) -> None:
    server.queue = [Act(late=0.5)]
    with connected(server, local=True) as api:
        assert drain(chat_at(api).stream(QUESTION, Ask("x", limits=Limits(first_token=0.1))))[1].text == "好。"
    assert len(server.chats) == 1
    assert api.concurrency == 2


def test_a_stream_that_falls_silent_is_cut_in_time(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(text="床前", drip=0.05)]
    start = time.monotonic()
    reply = drain(chat.stream(QUESTION, Ask("x", limits=Limits(between_tokens=0.2, first_token=5))))[1]
    assert (reply.text, reply.finish) == ("床", "cut")
    assert time.monotonic() - start < 3


def test_closing_a_stream_closes_the_socket(server: LlmServer, chat: OpenAIChat, api: Api) -> None:
    server.queue = [Act(text="床前明月光", gap=0.05)]
    stream = chat.stream(QUESTION, Ask("x"))
    assert next(stream).text == "床"
    stream.close()
    server.wait_seen(1)
    assert outcomes(api) == ["cancelled"]
    assert api.meter.log.calls[0].estimated  # type: ignore[attr-defined]
    assert chat.complete(QUESTION, Ask("x")).text == "好。"


def test_cancelling_a_stream_from_another_thread_keeps_the_text(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(text="床前", drip=5)]
    cancel = Cancel()
    stream = chat.stream(QUESTION, Ask("x"), cancel)
    assert next(stream).text == "床"
    start = time.monotonic()
    threading.Thread(target=cancel.set).start()
    _, reply = drain(stream)
    assert (reply.text, reply.finish) == ("床", "cut")
    assert time.monotonic() - start < 0.5


def test_a_server_that_does_not_stream_is_understood(server: LlmServer, chat: OpenAIChat) -> None:
    server.queue = [Act(raw=b'{"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}')]
    assert drain(chat.stream(QUESTION, Ask("x")))[1].text == "whole"


def test_an_error_in_the_middle_of_a_stream_is_tried_again_or_cuts(server: LlmServer, chat: OpenAIChat) -> None:
    broken = b'data: {"error": {"message": "overloaded"}}\n\n'
    server.queue = [Act(raw=broken, headers={"Content-Type": "text/event-stream"})]
    assert drain(chat.stream(QUESTION, Ask("x")))[1].text == "好。"
    server.queue = [Act(raw=b"data: {not json\n\n", headers={"Content-Type": "text/event-stream"})]
    assert drain(chat.stream(QUESTION, Ask("x")))[1].text == "好。"


# --- what providers take ---


def test_json_schema_is_asked_for_where_it_is_taken(server: LlmServer, chat: OpenAIChat) -> None:
    chat.complete(QUESTION, Ask("x", form=FORM))
    assert server.chats[0].body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(("refused", "used"), [("json_schema", {"type": "json_object"}), ("response_format", None)])
def test_what_is_refused_is_found_out_once_and_remembered(
    server: LlmServer, refused: str, used: dict[str, str] | None
) -> None:
    server.refuses = {refused: f"{refused} is not supported"}
    traits = MemoryTraits()
    with connected(server, traits=traits) as api:
        chat_at(api).complete(QUESTION, Ask("x", form=FORM))
        assert server.chats[-1].body.get("response_format") == used
    before = len(server.chats)
    with connected(server, traits=traits) as api:
        chat_at(api).complete(QUESTION, Ask("x", form=FORM))
    assert len(server.chats) == before + 1


def test_an_unnamed_refusal_finds_its_way_too(server: LlmServer, chat: OpenAIChat) -> None:
    server.refuses = {"temperature": "bad request"}
    assert chat.complete(QUESTION, Ask("x", form=FORM, temperature=0.0)).text == "好。"


def test_a_server_that_breaks_on_a_feature_is_asked_without_it(server: LlmServer, chat: OpenAIChat) -> None:
    told = {"message": "[{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\"}]"}
    server.queue = [Act(status=500, error=told)]
    chat.complete(QUESTION, Ask("x", form=FORM))
    assert server.chats[-1].body["response_format"] == {"type": "json_object"}
    assert len(server.chats) == 2
    server.queue = [Act(status=500), Act(status=500)]
    with connected(server) as api:
        chat_at(api, "other").complete(QUESTION, Ask("x", form=FORM))
    assert server.chats[-1].body["response_format"] == {"type": "json_object"}


def test_the_newer_name_of_the_token_limit_is_found(server: LlmServer, chat: OpenAIChat) -> None:
    server.refuses = {"max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}
    chat.complete(QUESTION, Ask("x", max_tokens=9))
    assert server.chats[-1].body["max_completion_tokens"] == 9


def test_no_thinking_is_asked_of_models_with_a_switch(server: LlmServer) -> None:
    with connected(server) as api:
        OpenAIChat(api, "qwen3-8b").complete(QUESTION, Ask("x", think=False))
    assert server.chats[0].body["chat_template_kwargs"] == {"enable_thinking": False}
    assert think_switch("https://api.siliconflow.cn/v1", "Qwen/Qwen3-8B") == {"enable_thinking": False}
    assert think_switch("https://api.deepseek.com/v1", "deepseek-chat") == {"thinking": {"type": "disabled"}}
    assert think_switch("https://api.openai.com/v1", "gpt-4o") == {}
    assert think_switch("https://api.openai.com/v1", "gpt-5-mini") == {"reasoning_effort": "minimal"}


def test_a_switch_that_is_refused_is_left_out(server: LlmServer) -> None:
    server.refuses = {"chat_template_kwargs": "unknown field chat_template_kwargs"}
    with connected(server) as api:
        assert OpenAIChat(api, "qwen3-8b").complete(QUESTION, Ask("x", think=False)).text == "好。"


# --- limits, money, secrets ---


def test_no_more_requests_at_one_time_than_allowed(server: LlmServer) -> None:
    server.otherwise = Act(late=0.05)
    with connected(server, concurrency=2) as api:
        chat = chat_at(api)
        threads = [threading.Thread(target=chat.complete, args=(QUESTION, Ask("x"))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.chats) == 6
    assert server.busiest == 2


def test_what_is_asked_for_anew_goes_before_its_like(server: LlmServer) -> None:
    server.otherwise = Act(late=0.2)
    with connected(server, concurrency=1) as api:
        chat = chat_at(api)

        def ask(text: str, *, again: bool) -> threading.Thread:
            question = [Message("user", text)]
            thread = threading.Thread(target=chat.complete, args=(question, Ask("x", hurry=True, again=again)))
            thread.start()
            return thread

        threads = []
        for text, again in (("first", False), ("second", False), ("anew", True)):
            threads.append(ask(text, again=again))
            time.sleep(0.05)
        for thread in threads:
            thread.join()
    assert [seen.prompt for seen in server.chats] == ["first", "anew", "second"]


def test_the_rate_limiter_makes_the_next_request_wait(server: LlmServer) -> None:
    with connected(server, per_minute=2) as api:
        chat = chat_at(api)
        chat.complete(QUESTION, Ask("x"))
        chat.complete(QUESTION, Ask("x"))
        with pytest.raises(ModelTimeout):
            chat.complete(QUESTION, Ask("x", deadline=0.1))
    assert len(server.chats) == 2


def test_a_try_that_takes_far_longer_than_its_fellows_is_taken_as_hanging(server: LlmServer) -> None:
    with connected(server) as api:
        chat = chat_at(api)
        for _ in range(8):
            chat.complete(QUESTION, Ask("x", hurry=True))
        server.queue = [Act(hang=True)]
        start = time.monotonic()
        assert chat.complete(QUESTION, Ask("x", hurry=True)).text == "好。"
        assert time.monotonic() - start < 10
    assert outcomes(api) == ["ok"] * 8 + ["timeout", "ok"]


def test_patience_grows_with_each_timeout_and_never_past_the_limit() -> None:
    pace = Pace()
    for _ in range(7):
        pace.took(10)
    assert pace.patience(0, 100) == 100
    pace.took(10)
    assert [pace.patience(timeouts, 100) for timeouts in (0, 1, 2)] == [20, 40, 80]


def test_a_spent_budget_sends_nothing(server: LlmServer) -> None:
    meter = Meter(per_account=Allowance(tokens=1000), per_day=Allowance(cost=10.0))
    with connected(server, meter=meter, price=Price(1000.0, 1000.0)) as api:
        chat = chat_at(api)
        chat.complete(QUESTION, Ask("x", account="one"))
        with pytest.raises(BudgetSpent, match="summon_tokens"):
            chat.complete([Message("user", "字" * 2000)], Ask("x", account="one"))
        with pytest.raises(BudgetSpent, match="day_cost"):
            chat.complete([Message("user", "字" * 20000)], Ask("x"))
    assert len(server.chats) == 1


def test_neither_key_nor_prompt_gets_into_logs_or_errors(server: LlmServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with connected(server, key="sk-very-secret-key") as api, pytest.raises(ModelRefused) as refused:
        chat_at(api).complete(QUESTION, Ask("x"))
    server.otherwise = Act(status=400, error={"message": "cannot process: " + QUESTION[1].text})
    with connected(server) as api, pytest.raises(BadModelReply) as bad:
        chat_at(api).complete(QUESTION, Ask("x"))
    server.otherwise = Act(status=500, error={"message": f"key {KEY} is slow today"})
    with connected(server) as api, pytest.raises(ModelUnreachable) as slow:
        drain(chat_at(api).stream(QUESTION, Ask("x")))
    server.otherwise = Act(status=400, error={"message": f"no good: {KEY}", "param": KEY})
    with connected(server) as api, pytest.raises(BadModelReply) as named:
        chat_at(api).complete(QUESTION, Ask("x"))
    raised = (refused, bad, slow, named)
    told = caplog.text + "".join(str(error.value) for error in raised) + named.value.raw
    told += "".join(line for error in raised for line in traceback.format_exception(error.value))
    assert "secret" not in told
    assert KEY not in told
    assert "绝密的问题" not in told
    assert "slow today" in told


def test_a_message_is_cleaned_of_whatever_looks_like_a_key() -> None:
    assert safe_detail("bad key sk-abcd1234efgh", "", "") == "bad key ***"
    assert safe_detail("x" * 500, "", "") == "x" * 160


def test_the_models_a_provider_lists(chat: OpenAIChat) -> None:
    assert chat.models() == ["embed", "qwen"]


def test_listing_models_with_a_wrong_key_is_refused(server: LlmServer) -> None:
    with connected(server, key="sk-wrong") as api, pytest.raises(ModelRefused):
        chat_at(api).models()


@pytest.mark.parametrize(("url", "key"), [("nonsense", "k"), ("ftp://x/v1", "k"), ("http://x/v1", "sk-“引号”")])
def test_an_address_or_key_that_cannot_be_used_is_named(url: str, key: str) -> None:
    with pytest.raises(ConfigError, match="p"):
        Api("p", url, key)


def test_which_addresses_are_this_machine() -> None:
    assert is_loopback("http://localhost:11434/v1")
    assert is_loopback("http://127.0.0.1:8091/v1")
    assert not is_loopback("https://api.deepseek.com/v1")


def test_ctrl_c_in_the_middle_of_a_wait_closes_the_socket(server: LlmServer, chat: OpenAIChat) -> None:
    server.otherwise = Act(hang=True)

    def press() -> None:
        server.wait_seen(1)
        _thread.interrupt_main()

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        chat.complete(QUESTION, Ask("x"))
    thread.join()
    assert server.wait_closed(server.chats[0], 0.5) is not None
