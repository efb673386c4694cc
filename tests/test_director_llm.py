"""A model may choose the next speaker, and only among those who may speak."""

from __future__ import annotations

import pytest

from chathistory import director
from chathistory.director.llm import LlmJudge
from chathistory.domain import END, USER, Line, Member, Scene
from chathistory.errors import BudgetSpent, ModelTimeout
from chathistory.testing import ScriptedChat

ROSTER = (
    Member("孔子", ("仲尼",)),
    Member("李白", ("太白",)),
    Member("苏格拉底", online=False),
    Member("牛顿", muted=True),
    Member("武则天"),
)


def scene(*lines: tuple[str, str], spoken: int = 0) -> Scene:
    history = tuple(Line(*line) for line in lines)
    last = next((line.speaker for line in reversed(history) if line.speaker != USER), None)
    return Scene(ROSTER, history, last, None, spoken)


ASKED = scene((USER, "你们怎么看月亮？"))


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ('{"choice": 2}', "李白"),
        ("2", "李白"),
        ('```json\n{"choice": "2"}\n```', "李白"),
        ("太白", "李白"),
        ("应该由李白来回答，因为他写过很多月亮。", "李白"),
        ('{"choice": 0}', END),
        ("END", END),
        ("3", "武则天"),
    ],
)
def test_a_number_a_name_or_the_end_is_understood(answer: str, name: str) -> None:
    assert LlmJudge(ScriptedChat(answer)).choose(ASKED).name == name


def test_only_those_who_may_speak_are_offered_by_number() -> None:
    chat = ScriptedChat("0")
    LlmJudge(chat).choose(ASKED)
    shown = chat.log[0].text
    assert "1. 孔子（仲尼）" in shown
    assert "3. 武则天" in shown
    assert "苏格拉底" not in shown
    assert "牛顿" not in shown
    assert "怎么看月亮" in shown
    assert (chat.log[0].ask.task, chat.log[0].ask.think) == ("direct", False)


def test_who_is_spoken_to_is_pointed_out() -> None:
    chat = ScriptedChat("2", "0")
    LlmJudge(chat).choose(scene((USER, "太白兄，你怎么看月亮？")))
    LlmJudge(chat).choose(ASKED)
    assert "对李白（2）说的" in chat.log[0].text
    assert "说的" not in chat.log[1].text


@pytest.mark.parametrize("answer", ["2", "0", '{"choice": 3}'])
def test_no_model_overrules_the_name_that_the_user_calls(answer: str) -> None:
    choice = LlmJudge(ScriptedChat(answer)).choose(scene((USER, "仲尼，您怎么看月亮？")))
    assert choice.name == "孔子"
    assert "以用户的话为准" in choice.reason


def test_several_names_and_names_called_by_figures_are_left_to_the_model() -> None:
    both = scene((USER, "仲尼，太白，你们怎么看月亮？"))
    assert LlmJudge(ScriptedChat("2")).choose(both).name == "李白"
    among_them = scene((USER, "说说月亮。"), ("李白", "仲尼先生，您怎么看？"), spoken=1)
    assert LlmJudge(ScriptedChat("2")).choose(among_them).name == "武则天"


def test_who_just_spoke_is_not_offered() -> None:
    chat = ScriptedChat("1")
    told = scene((USER, "月亮？"), ("孔子", "未知。"), spoken=1)
    assert LlmJudge(chat).choose(told).name == "李白"
    assert "1. 李白" in chat.log[0].text


@pytest.mark.parametrize("wrong", ["9", "苏格拉底", "牛顿", "不知道", "", "孔子和李白都行"])
def test_a_wrong_answer_is_asked_for_again(wrong: str) -> None:
    chat = ScriptedChat(wrong, '{"choice": 1}')
    choice = LlmJudge(chat).choose(ASKED)
    assert choice.name == "孔子"
    assert "重问" in choice.reason
    assert chat.log[1].messages[-2].role == "assistant"


def test_wrong_twice_is_the_rule_based_judge_and_the_trace_says_so() -> None:
    choice = LlmJudge(ScriptedChat("苏格拉底", "牛顿")).choose(scene((USER, "李白，你说呢？")))
    assert choice.name == "李白"
    assert "两次" in choice.reason


@pytest.mark.parametrize("error", [ModelTimeout("slow"), BudgetSpent("spent")])
def test_a_model_that_cannot_be_had_is_replaced_for_this_turn(error: Exception) -> None:
    choice = director.choose(scene((USER, "李白，你说呢？")), LlmJudge(ScriptedChat(error)))
    assert choice.name == "李白"
    assert "规则" in choice.reason


def test_nobody_left_to_speak_asks_no_model() -> None:
    chat = ScriptedChat()
    alone = Scene((Member("孔子"),), (Line(USER, "好"), Line("孔子", "善")), "孔子")
    assert LlmJudge(chat).choose(alone).name == END
    assert LlmJudge(chat).choose(Scene(ROSTER, ())).name == END
    assert chat.log == []


def test_long_lines_and_long_talks_are_shortened() -> None:
    chat = ScriptedChat("0")
    lines = [(USER, f"第{n}句" + "长" * 500) for n in range(50)]
    LlmJudge(chat).choose(scene(*lines))
    assert "第49句" in chat.log[0].text
    assert "第3句" not in chat.log[0].text
    assert len(chat.log[0].text) < 4000
