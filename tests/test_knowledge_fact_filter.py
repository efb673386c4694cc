"""A model chooses among candidate facts; whatever it says, recall goes on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chathistory.domain import Fact
from chathistory.errors import ModelTimeout, ModelUnreachable
from chathistory.knowledge.fact_filter import LlmFactFilter
from chathistory.testing import ScriptedChat

FACTS = [(Fact("李白", "生于", f"地方{n}"), 1.0 - n / 10) for n in range(6)]


def kept(answer: object, most: int = 5) -> Sequence[int] | None:
    return LlmFactFilter(ScriptedChat(answer), most=most).keep("李白生在哪里？", FACTS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "indexes"),
    [
        ('{"keep": [3, 1]}', [2, 0]),
        ('{"keep": []}', []),
        ("[2]", [1]),
        ('{"keep": ["2", "4. 李白"]}', [1, 3]),
        ('{"keep": 2}', [1]),
        ('{"facts": [{"id": 5}]}', [4]),
        ('```json\n{"keep": [2]}\n```', [1]),
        ("我认为第2条最有用。\n2, 4", [1, 3]),
        ("无", []),
        ('{"keep": [2, 2, 99, 0, -1, true, "x"]}', [1]),
    ],
)
def test_numbers_are_taken_from_whatever_is_said(answer: str, indexes: list[int]) -> None:
    assert kept(answer) == indexes


@pytest.mark.parametrize(
    "answer", ["", "说不好", '{"keep": "没有"}', '{"keep": [99]}', ModelTimeout("slow"), ModelUnreachable("gone")]
)
def test_without_a_usable_answer_there_is_no_judgement(answer: object) -> None:
    assert kept(answer) is None


def test_no_more_than_allowed_are_kept() -> None:
    assert kept('{"keep": [1, 2, 3, 4]}', most=2) == [0, 1]


def test_the_facts_are_numbered_and_the_time_is_limited() -> None:
    chat = ScriptedChat('{"keep": []}')
    LlmFactFilter(chat, seconds=2.0).keep("问题？", FACTS)
    assert "6. 李白 | 生于 | 地方5" in chat.log[0].text
    assert (chat.log[0].ask.deadline, chat.log[0].ask.think) == (2.0, False)


def test_no_facts_ask_no_model() -> None:
    assert LlmFactFilter(ScriptedChat()).keep("问题？", []) == []
