"""JSON is found in whatever a model says, and what cannot be used is asked for once more."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from chathistory.domain import Message
from chathistory.errors import BadModelReply
from chathistory.models.chat import Ask, Reply
from chathistory.models.json_reply import ask_json, read_as, read_json
from chathistory.testing import ScriptedChat


class Pair(BaseModel):
    """What the tests ask for."""

    names: list[str]


WANTED = {"names": ["孔子", "老聃"]}


@pytest.mark.parametrize(
    "text",
    [
        '{"names": ["孔子", "老聃"]}',
        '```json\n{"names": ["孔子", "老聃"]}\n```',
        '好的，结果如下：\n```\n{"names": ["孔子", "老聃"]}\n```\n希望有帮助！',
        '这是结果 {"names": ["孔子", "老聃"]} 完毕',
        "{'names': ['孔子', '老聃']}",
        '{"names": ["孔子", "老聃",],}',
        '{"names": ["孔子", "老聃"',
        '```json\n{"names": ["孔子", "老聃"]',
        '\ufeff{"names": ["孔子", "老聃"]}',
        '{names: ["孔子", "老聃"]}',
        '参考[1]和{}：{"names": ["孔子", "老聃"]}',
        '{"names": ["孔子", "老聃"]} // 注释',
        "{“names”: [“孔子”, “老聃”]}",
        "{“names“: [“孔子“, “老聃“]}",
        "{“names”：[“孔子”，“老聃”]}",
        '{"names"：["孔子"，"老聃"]}',
        '{"names": ["孔子"、"老聃"]}',
        '｛"names"：［"孔子"，"老聃"］｝',
        '{"names": 【"孔子", "老聃"】}',
        "{「names」：[「孔子」，「老聃」]}",
        "{'names'：['孔子'，'老聃'，]",
        '他答道：“好”。结果：{"names"：["孔子"，"老聃"]}',
        '~~~json\n{"names": ["孔子", "老聃"]}\n~~~',
        '\ufeff\n {"names": ["孔子", "老聃"]}',
        '{"names": ["孔子", "老聃", "苏格',
    ],
)
def test_json_is_read_amid_prose_and_repaired(text: str) -> None:
    assert read_json(text) == WANTED


def test_brackets_inside_strings_do_not_end_a_value() -> None:
    assert read_json('说 {"a": "] } {", "b": "\\"}"} 完') == {"a": "] } {", "b": '"}'}


def test_what_stands_inside_strings_stays() -> None:
    said = '{"a": "他说：“好，走吧”，｛完｝【一】", "b": ["it\'s"]}'
    assert read_json(said) == json.loads(said)
    assert read_json(said.replace('"b":', '"b"：')) == json.loads(said)
    assert read_json('{“a”：“曰“仁”，又曰"义"”}') == {"a": '曰“仁”，又曰"义"'}


def test_objects_without_a_key_in_common_are_one_answer() -> None:
    assert read_json('{"names": ["孔子"]}\n{"places": ["鲁国"]}') == {"names": ["孔子"], "places": ["鲁国"]}
    assert read_json('例如 {"names": ["某"]}。答：{"names": ["孔子", "老聃"]}') == WANTED


def test_half_a_character_is_marked_so_that_a_database_takes_it() -> None:
    value = read_json('{"names": ["孔\\ud83d子", "\\ud83d\\ude00"]}')
    assert value == {"names": ["孔\ufffd子", "😀"]}


def test_a_bare_array_is_json_too() -> None:
    assert read_json('["孔子"]') == ["孔子"]


@pytest.mark.parametrize("text", ["", "我不会。", "没有括号", "{"])
def test_what_holds_no_json_is_a_bad_reply_that_keeps_the_answer(text: str) -> None:
    with pytest.raises(BadModelReply) as error:
        read_json(text)
    assert error.value.raw == text


@given(st.text(max_size=60))
def test_no_answer_whatever_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(BadModelReply):
        assert isinstance(read_json(text), dict | list)


@pytest.mark.parametrize("piece", ["{", "[{", "{'", "｛“", '{"a":', "“", "'"])
def test_a_model_that_repeats_itself_without_end_costs_no_time(piece: str) -> None:
    started = time.monotonic()
    with contextlib.suppress(BadModelReply):
        read_json(piece * (20_000 // len(piece)))
    assert time.monotonic() - started < 2


def test_what_does_not_fit_says_where() -> None:
    with pytest.raises(BadModelReply, match="names"):
        read_as(Pair, '{"names": 3}')


def test_a_bad_answer_is_asked_for_once_more_with_the_fault() -> None:
    chat = ScriptedChat("我不会", '{"names": ["孔子"]}')
    found = ask_json(chat, [Message("user", "谁？")], Pair, Ask("x", temperature=0.0), use=lambda pair: pair.names)
    assert found == ["孔子"]
    assert [message.role for message in chat.log[1].messages] == ["user", "assistant", "user"]
    assert "没有 JSON" in chat.log[1].text
    assert chat.log[1].ask.temperature == 0.3
    assert [heard.ask.again for heard in chat.log] == [False, True]


def test_a_second_bad_answer_is_the_end_and_keeps_it() -> None:
    chat = ScriptedChat("我不会", "还是不会")
    with pytest.raises(BadModelReply) as error:
        ask_json(chat, [Message("user", "谁？")], Pair, Ask("x"), use=lambda pair: pair)
    assert error.value.raw == "还是不会"
    assert len(chat.log) == 2


def test_an_answer_of_nothing_but_reasoning_keeps_the_reasoning() -> None:
    reply = Reply("", reasoning="想不完")
    with pytest.raises(BadModelReply) as error:
        ask_json(ScriptedChat(reply, reply), [], Pair, Ask("x"), use=lambda pair: pair)
    assert error.value.raw == "想不完"


def test_what_its_user_cannot_use_is_asked_for_again() -> None:
    def use(pair: Pair) -> list[str]:
        if not pair.names:
            raise BadModelReply("一个也没有。")
        return pair.names

    chat = ScriptedChat('{"names": []}', '{"names": ["孔子"]}')
    assert ask_json(chat, [], Pair, Ask("x"), use=use) == ["孔子"]
