"""The tolerant reader of a model's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.director import members, run
from chathistory.director import read_choice
from chathistory.domain import END, Member

OWN = Path(__file__).parent / "fixtures" / "director_cases.json"
SHARED = Path(__file__).parents[1].parent / "shared" / "bench" / "zh_history" / "director_cases.json"
CASES: list[dict[str, Any]] = json.loads(OWN.read_text(encoding="utf-8"))["parse_cases"]
ROSTER = (Member("孔子", ("仲尼",)), Member("老子", ("老聃",)), Member("牛顿", ("Newton",)))


@pytest.mark.parametrize("case", CASES, ids=[f"{c['id']}-{c['category']}" for c in CASES])
def test_every_answer_written_beforehand_is_read_right(case: dict[str, Any]) -> None:
    assert read_choice(case["model_output"], members(case), case.get("numbered", False)) == case["expect"]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared answers are not beside this checkout")
def test_the_shared_answers_are_all_read_right() -> None:
    counts, _ = run(json.loads(SHARED.read_text(encoding="utf-8")))
    assert counts["parse_right"] == counts["parse_cases"] > 0


@pytest.mark.parametrize("piece", ['{"a":', "{'", "[{", "{", '"'])
def test_an_answer_without_bottom_names_nobody(piece: str) -> None:
    assert read_choice(piece * 4000, ROSTER, numbered=True) is None


def test_reasoning_never_reaches_the_answer() -> None:
    assert read_choice("<think>孔子</think>老子", ROSTER) == "老子"
    assert read_choice("孔子</think>老子", ROSTER) == "老子"
    assert read_choice("老子<think>孔子", ROSTER) == "老子"
    assert read_choice("＜think＞孔子＜/think＞老子", ROSTER) == "老子"
    assert read_choice("<think>孔子", ROSTER) is None


def test_numbers_count_only_where_the_choices_were_numbered() -> None:
    assert read_choice("2", ROSTER, numbered=True) == "老子"
    assert read_choice("2", ROSTER) is None
    assert read_choice("0", ROSTER, numbered=True) == END
    assert read_choice("4", ROSTER, numbered=True) is None


NUMBERS = {
    "老子": "2.|2：老子|第2位|第二位|第二个|二|二号|选二|编号：二|答案：二|候选人二|２|②|贰|请第二位说。|下一位是第二位"
    "|two|second|The second one.|number two|{'choice': '二'}|{'choice': '第二位'}|{'choice': 2.0}|{'choice'：2}"
    "|{“choice”: 2}|选第2位：老子，而不是第1位孔子|第二位<think>第一位</think>|这次由老子发言，第一位圣人刚说完",
    "牛顿": "最后一位|第三位发言者|3|the last one",
    END: "零|zero|0|0. 结束，请用户说话|请用户说话|END|＜think＞x＜/think＞END",
    None: "第四位|十|第一位或第二位|{'choice': true}|1. 孔子\n2. 老子|第一次来",
}


@pytest.mark.parametrize(
    ("raw", "expected"), [(raw, one) for one, all_of in NUMBERS.items() for raw in all_of.split("|")]
)
def test_a_number_is_a_number_in_digits_or_in_words(raw: str, expected: str | None) -> None:
    assert read_choice(raw, ROSTER, numbered=True) == expected


@given(st.text(max_size=120), st.booleans())
@settings(deadline=None)
def test_any_text_gives_a_member_or_the_end_or_nothing(raw: str, numbered: bool) -> None:
    assert read_choice(raw, ROSTER, numbered) in {"孔子", "老子", "牛顿", END, None}


@given(st.text(alphabet='{}[]":,孔老子牛顿ENDnext<think>/12 \n', max_size=60), st.booleans())
@settings(deadline=None, max_examples=300)
def test_broken_json_and_tags_never_raise(raw: str, numbered: bool) -> None:
    assert read_choice(raw, ROSTER, numbered) in {"孔子", "老子", "牛顿", END, None}


@given(
    st.sampled_from(["孔子", "老子", "牛顿", END]),
    st.sampled_from(
        ["{}", "【{}】", "**{}**", '{{"next": "{}"}}', "<think>牛顿或孔子</think>\n{}", "下一位：{}", "```\n{}\n```"]
    ),
)
def test_every_choice_is_read_in_every_dress(name: str, dress: str) -> None:
    assert read_choice(dress.format(name), ROSTER) == name
