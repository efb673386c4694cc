"""Reasoning never gets into an answer, and an answer never into reasoning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.models.cutter import StopCutter
from chathistory.models.reasoning import ReasoningSplitter, split_reasoning

CASES = [
    ("只有回答。", "只有回答。", ""),
    ("<think>想一想</think>回答。", "回答。", "想一想"),
    ("\n <think>\n想\n</think>\n\n回答", "回答", "想"),
    ("<THINKING>x</THINKING>回答", "回答", "x"),
    ("<think>一</think><think>二</think>回答", "回答", "一二"),
    ("先想想这个</think>回答", "回答", "先想想这个"),
    ("<think>想到一半就没了", "", "想到一半就没了"),
    ("<think></think>回答", "回答", ""),
    ("先说半句，<think>想一想</think>再说半句", "先说半句，再说半句", "想一想"),
    ("乙<think>甲", "乙", "甲"),
    ("<think>外<think>内</think>还在外</think>回答", "回答", "外内还在外"),
    ("<think>标签 <think> 只是提到</think>回答", "回答", "标签  只是提到"),
    ("<thinking>想一想：李白与杜甫</thinking>\n李白", "李白", "想一想：李白与杜甫"),
    ('<think effort="high">想</think>回答', "回答", "想"),
    ("＜think＞想＜／think＞回答", "回答", "想"),
    ("◁think▷想◁/think▷回答", "回答", "想"),
    ("<seed:think>想</seed:think>回答", "回答", "想"),
    ("<reflection>想</reflection>回答", "回答", "想"),
    ("<thinker>不是标签</thinker>", "<thinker>不是标签</thinker>", ""),
    ("比 <think 还短", "比 <think 还短", ""),
    ("先想</think>答</think>尾", "答</think>尾", "先想"),
    ("a < b，<书名>也在", "a < b，<书名>也在", ""),
    ("<think>想</think>他写下</think>三字", "他写下</think>三字", "想"),
    ("", "", ""),
]


@pytest.mark.parametrize(("raw", "answer", "reasoning"), CASES)
def test_a_whole_answer_is_split(raw: str, answer: str, reasoning: str) -> None:
    assert split_reasoning(raw) == (answer, reasoning)


@given(st.sampled_from(CASES), st.lists(st.integers(1, 40), max_size=8))
def test_pieces_of_any_size_give_the_same_as_the_whole(case: tuple[str, str, str], cuts: list[int]) -> None:
    raw, answer, reasoning = case
    splitter = ReasoningSplitter()
    parts, at = [], 0
    for cut in cuts:
        parts += splitter.feed(raw[at : at + cut])
        at += cut
    parts += splitter.feed(raw[at:]) + splitter.end()
    text, thought = "", ""
    for part in parts:
        if part.retract:
            text, thought = "", thought + text
        text += part.text
        thought += part.reasoning
    assert (text.strip(), thought.strip()) == (answer, reasoning)


def test_a_model_known_to_begin_with_reasoning_shows_nothing_before_it_closes() -> None:
    splitter = ReasoningSplitter(unmarked=True)
    assert splitter.feed("想了很") == splitter.feed("久") == []
    parts = splitter.feed("</think>答") + splitter.end()
    assert [p.reasoning for p in parts if p.reasoning] == ["想了很久"]
    assert "".join(p.text for p in parts) == "答"
    assert not splitter.closed_alone


def test_where_such_a_model_does_not_reason_all_of_it_is_the_answer() -> None:
    splitter = ReasoningSplitter(unmarked=True)
    parts = splitter.feed("直接回答") + splitter.end()
    assert "".join(p.text for p in parts) == "直接回答"


def test_a_closing_tag_alone_is_noticed_so_that_it_can_be_remembered() -> None:
    splitter = ReasoningSplitter()
    splitter.feed("想</think>答")
    assert splitter.closed_alone


@given(st.text("甲乙\n：", max_size=30), st.lists(st.integers(1, 5), max_size=10))
def test_a_stop_string_ends_the_answer_wherever_the_pieces_are_cut(text: str, cuts: list[int]) -> None:
    stops = ("\n甲：", "乙乙")
    ends = [text.find(stop) for stop in stops if stop in text]
    expected = text[: min(ends)] if ends else text
    cutter, said, at = StopCutter(stops), "", 0
    for cut in cuts:
        said += cutter.feed(text[at : at + cut])
        at += cut
    said += cutter.feed(text[at:])
    assert cutter.stopped == bool(ends)
    assert said + ("" if cutter.stopped else cutter.end()) == expected


def test_without_stop_strings_nothing_is_held_back() -> None:
    assert StopCutter(()).feed("话") == "话"
