"""The shipped doubles behave as what they stand for."""

import pytest
from llm_server import Act, LlmServer
from model_fixtures import QUESTION, chat_at, connected, drain, shown

from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Reply
from chathistory.testing import ScriptedChat

SAID = [
    "吾十有五而志于学。",
    "<think>想一想</think>吾不知也。",
    "想一想</think>吾不知也。",
    "吾不知也。<think>想一想",
    "<think>只想了想",
    "吾以为然。\n老子：我不同意。",
    "<think>想\n老子：</think>吾以为然。\n老子：我不同意。",
    "",
]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("streamed", [True, False])
def test_a_scripted_answer_comes_as_the_same_answer_of_a_server_does(said: str, streamed: bool) -> None:
    ask = Ask("x", stop=("\n老子：",))
    scripted = ScriptedChat(said)
    with LlmServer() as server, connected(server) as api:
        server.otherwise = Act(text=said)
        real = chat_at(api)
        if streamed:
            (pieces, expected), (own, found) = drain(real.stream(QUESTION, ask)), drain(scripted.stream(QUESTION, ask))
            assert shown(own) == shown(pieces)
        else:
            expected, found = real.complete(QUESTION, ask), scripted.complete(QUESTION, ask)
    assert (found.text, found.reasoning, found.finish) == (expected.text, expected.reasoning, expected.finish)


def test_how_an_answer_ended_is_as_the_script_says() -> None:
    chat = ScriptedChat(Reply("半句", reasoning="想", tokens_out=3, finish="length"))
    assert chat.complete(QUESTION, Ask("x")) == Reply("半句", reasoning="想", tokens_out=3, finish="length")


def test_a_cancelled_stream_is_cut_where_it_was() -> None:
    cancel = Cancel()
    stream = ScriptedChat("吾十有五").stream(QUESTION, Ask("x"), cancel)
    assert next(stream).text == "吾"
    cancel.set()
    pieces, reply = drain(stream)
    assert (pieces, reply.text, reply.finish) == ([], "吾", "cut")
