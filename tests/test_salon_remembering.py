"""What of a long talk reaches a prompt: the newest lines whole, the rest summed up, anew when a line is edited."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from chathistory.domain import USER, Utterance
from chathistory.errors import ModelTimeout
from chathistory.models.tokens import estimate_tokens
from chathistory.salon.remembering import TalkMemory
from chathistory.store import Database, SummaryRepository, TalkRepository
from chathistory.testing import ScriptedChat


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.open(tmp_path)


@pytest.fixture
def talk_id(database: Database) -> str:
    return TalkRepository(database).create("me").id


def lines(count: int) -> list[Utterance]:
    return [Utterance(f"{n:026d}", USER if n % 2 else "孔子", f"第{n}句话。" + "长" * 30) for n in range(count)]


def test_the_newest_lines_are_whole_and_within_both_limits(database: Database) -> None:
    memory = TalkMemory(SummaryRepository(database), None, 200)
    window, older = memory.split(lines(20), 30)
    assert [line.text for line in window] == [one.text for one in lines(20)[-len(window) :]]
    assert len(window) + len(older) == 20
    assert len(memory.split(lines(20), 3)[0]) == 3


def test_a_short_talk_needs_no_summary(database: Database, talk_id: str) -> None:
    memory = TalkMemory(SummaryRepository(database), None, 5000)
    window, older = memory.split(lines(4), 30)
    assert len(window) == 4
    assert memory.summary(talk_id, older) == ""


def test_without_a_model_what_fell_out_is_told_by_first_sentences(database: Database, talk_id: str) -> None:
    memory = TalkMemory(SummaryRepository(database), None, 200)
    _, older = memory.split(lines(20), 30)
    told = memory.summary(talk_id, older)
    assert f"第{len(older) - 1}句话。" in told
    assert "第19句话" not in told
    assert "长" * 30 not in told.split("\n")[0]


def test_a_model_sums_up_once_and_only_what_is_new(database: Database, talk_id: str) -> None:
    chat = ScriptedChat("他们谈了礼。", "他们谈了礼和乐。")
    memory = TalkMemory(SummaryRepository(database), chat, 200)
    memory.extend(talk_id, lines(10))
    memory.extend(talk_id, lines(12))
    assert len(chat.log) == 1
    assert memory.summary(talk_id, lines(10)) == "他们谈了礼。"
    assert "第11句话" in memory.summary(talk_id, lines(12))
    memory.extend(talk_id, lines(20))
    assert "他们谈了礼。" in chat.log[1].text
    assert "第9句话" not in chat.log[1].text
    assert "第19句话" in chat.log[1].text
    assert memory.summary(talk_id, lines(20)) == "他们谈了礼和乐。"


def test_an_edited_line_makes_the_summary_anew(database: Database, talk_id: str) -> None:
    chat = ScriptedChat("旧的。", "新的。")
    memory = TalkMemory(SummaryRepository(database), chat, 200)
    memory.extend(talk_id, lines(10))
    edited = lines(10)
    edited[2] = replace(edited[2], text="改过的话。")
    assert "旧的" not in memory.summary(talk_id, edited)
    assert "改过的话" in memory.summary(talk_id, edited)
    memory.extend(talk_id, edited)
    assert memory.summary(talk_id, edited) == "新的。"
    assert "改过的话" in chat.log[1].text


def test_a_model_that_fails_only_waits(database: Database, talk_id: str) -> None:
    memory = TalkMemory(SummaryRepository(database), ScriptedChat(ModelTimeout("慢")), 200)
    memory.extend(talk_id, lines(10))
    assert "第9句话" in memory.summary(talk_id, lines(10))


def test_a_long_talk_is_summed_up_a_part_at_a_time(database: Database, talk_id: str) -> None:
    chat = ScriptedChat(otherwise=lambda messages, ask: f"到{messages[-1].text.count('句话')}")
    memory = TalkMemory(SummaryRepository(database), chat, 200)
    for _ in range(9):
        memory.extend(talk_id, lines(400))
    assert all(estimate_tokens(heard.text) < 3500 for heard in chat.log)
    parts = [[int(n) for n in re.findall(r"第(\d+)句话", heard.text)] for heard in chat.log]
    assert [n for part in parts for n in part] == list(range(sum(map(len, parts))))
    assert sum(map(len, parts)) > 390
    assert "第0句话" not in memory.summary(talk_id, lines(400))
