"""What a persona asks its memory, and follow-ups that lean on the talk."""

from __future__ import annotations

import random

import pytest

from chathistory.domain import USER, Figure, Line, Passage, Recall, Recollection, SpeechRequest
from chathistory.persona import ExtractiveSpeaker, Persona
from chathistory.persona.followup import complete, goes_on, leans_back
from chathistory.persona.kinds import forms, subjects
from chathistory.persona.questions import content_words, is_question, social

KONGZI = Figure("孔子", ("仲尼",))
LEAD = Passage("孔子名丘，字仲尼，是鲁国人。", "", 0)
HISTORY = (Line(USER, "你为什么离开鲁国？"), Line("孔子", "吾离开鲁国，是因为国君荒废政事。"))


class Memory:
    """Records its queries."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def __call__(self, query: str, k: int) -> Recall:
        self.queries.append(query)
        other = Passage("孔子十五岁立志求学。", "求学", 1)
        return Recall((Recollection(other, 0.9), Recollection(LEAD, 0.2))[:k], False, 0.1)


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def persona(memory: Memory) -> Persona:
    return Persona(KONGZI, memory, ExtractiveSpeaker(None, random.Random(0)), LEAD)


def test_a_line_that_stands_alone_is_the_query(persona: Persona, memory: Memory) -> None:
    persona.recall_for(Line(USER, "你有几个弟子？"), HISTORY, 5)
    assert memory.queries == ["你有几个弟子？"]


@pytest.mark.parametrize("line", ["为什么？", "后来呢？", "那是什么时候？", "然后呢", "真的吗？", "谁？"])
def test_a_follow_up_carries_the_topic_of_the_line_before(persona: Persona, memory: Memory, line: str) -> None:
    persona.recall_for(Line(USER, line), HISTORY, 5)
    assert "离开鲁国" in memory.queries[0]
    assert memory.queries[0].endswith(line)


@pytest.mark.parametrize(
    "line", ["你为什么焚书？", "为什么你不逃走？", "颜回是什么样的人", "什么是礼", "你做过什么官？", "你的老师是谁？"]
)
def test_a_line_with_its_own_topic_is_no_follow_up(line: str) -> None:
    assert not leans_back(line, KONGZI)


def test_a_follow_up_with_nothing_before_it_stays_as_it_is() -> None:
    assert complete("后来呢？", (), KONGZI) == "后来呢？"
    assert complete("为什么？", (Line(USER, "你好"),), KONGZI) == "为什么？"
    assert goes_on("后来呢？")
    assert not goes_on("为什么？")


def test_a_chain_of_follow_ups_reaches_back_to_the_topic() -> None:
    chain = (*HISTORY, Line(USER, "后来呢？"), Line("孔子", "吾到了卫国。"))
    assert "离开鲁国" in complete("为什么？", chain, KONGZI)


def test_a_greeting_rests_on_the_lead_and_thanks_ask_for_nothing(persona: Persona, memory: Memory) -> None:
    found = persona.recall_for(Line(USER, "你好"), (), 5)
    assert found.confident
    assert found.recollections[0].passage == LEAD
    assert [item.passage.id for item in found.recollections].count(LEAD.id) == 1
    memory.queries.clear()
    assert persona.recall_for(Line(USER, "谢谢"), (), 5).recollections == ()
    assert memory.queries == []


def test_without_a_known_lead_the_memory_is_asked_who_he_is(memory: Memory) -> None:
    persona = Persona(KONGZI, memory, ExtractiveSpeaker(None, random.Random(0)))
    persona.recall_for(Line(USER, "你是谁？"), (), 5)
    assert "孔子" in memory.queries[0]


def test_reply_streams_and_returns_what_the_speaker_said(persona: Persona) -> None:
    line = Line(USER, "你是谁？")
    generator = persona.reply(SpeechRequest(KONGZI, line, (), persona.recall_for(line, (), 5)))
    pieces: list[str] = []
    spoken = None
    while spoken is None:
        try:
            pieces.append(next(generator))
        except StopIteration as stop:
            spoken = stop.value
    assert spoken.text == "".join(pieces)
    assert spoken.passages == (LEAD.id,)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("你好", "greeting"),
        ("您好，在吗？", "greeting"),
        ("陛下是谁？", "identity"),
        ("请介绍一下你自己", "identity"),
        ("谢谢你", "thanks"),
        ("告辞了", "farewell"),
        ("Hello", "greeting"),
        ("你好，你父亲是谁？", None),
        ("贺知章怎么称呼你", None),
        ("你见过老子吗", None),
    ],
)
def test_small_talk_is_told_from_questions(line: str, kind: str | None) -> None:
    assert social(line) == kind


def test_a_question_is_read_by_subject_and_form() -> None:
    assert [kind.name for kind in subjects("你父亲是谁？")] == ["father"]
    assert [form.name for form in forms("你父亲是谁？")] == ["who"]
    assert [form.name for form in forms("怎么这么多，到底有多少人？")] == ["count"]
    assert is_question("你喜欢喝酒吗")
    assert not is_question("今天天气真好。")
    assert content_words("孔子，你怎么看仁？", KONGZI) == ["仁"]
