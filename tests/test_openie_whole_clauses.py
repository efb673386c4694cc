"""Clauses told in their own words, frames of time, quotes, and the English clauses of version 2."""

from __future__ import annotations

import pytest

from chathistory.domain import Figure, Passage
from chathistory.openie import RuleExtractor

WANG = Figure("王某成", ("子仁", "王子仁"))
ROE = Figure("Jane Roe", ("Roe",))


def facts(text: str, figure: Figure = WANG, section: str = "") -> set[tuple[str, str, str]]:
    return {fact.parts() for fact in RuleExtractor().extract(Passage(text, section), figure).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王某成不喜欢音乐、绘画和诗歌。", ("王某成", "不喜欢", "音乐、绘画和诗歌")),
        ("王某成没有固定的老师。", ("王某成", "没有", "固定的老师")),
        ("王某成在洛阳遇到许多读书的少年。", ("王某成", "在洛阳遇到", "许多读书的少年")),
        ("王某成以勇力闻名。", ("王某成", "以勇力", "闻名")),
        ("王某成晚年回到洛阳。", ("王某成", "晚年", "回到洛阳")),
        ("王某成退位后搬到洛阳。", ("王某成", "退位后", "搬到洛阳")),
        ("王某成的性格温和。", ("王某成", "性格", "温和")),
        ("建安三年（198年），王某成进攻徐州。", ("建安三年", "即公元", "198年")),
        ("王某成最有名的学生是卢植。", ("王某成", "最有名的学生", "卢植")),
        ("张说：“王某成草创争天禄。”", ("张说", "评价王某成道", "王某成草创争天禄")),
    ],
)
def test_a_clause_that_names_its_subject_is_told(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(text)


def test_of_a_long_quote_the_first_sentences_are_told_each_by_itself() -> None:
    long = "君子坦荡荡小人长戚戚也是如此说的道理"
    read = facts(f"王某成说：“学而时习之。有朋自远方来很高兴。三人同行必有师。{long}。”")
    assert {("王某成", "说", "学而时习之"), ("王某成", "说", "有朋自远方来很高兴")} <= read
    assert not any(obj == long for _, _, obj in read)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("只要王某成击败袁术，天下就太平。", ("王某成", "击败", "袁术")),
        ("袁绍要王某成迁都洛阳。", ("王某成", "迁都", "洛阳")),
        ("王某成梦见袁术击败卢植。", ("袁术", "击败", "卢植")),
        ("王某成对袁术说，袁绍已经占领下邳。", ("袁绍", "占领", "下邳")),
    ],
)
def test_what_is_supposed_wished_dreamt_or_said_is_not_told_as_done(text: str, wrong: tuple[str, str, str]) -> None:
    assert wrong not in facts(text)


def test_an_object_that_points_back_is_no_fact() -> None:
    assert not facts("王某成听说这件事。")


def test_who_dies_is_not_who_acts_next() -> None:
    assert ("袁术", "占领", "下邳") not in facts("袁术死后，占领下邳。")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Roe began to work with Paul Smith.", ("Jane Roe", "began to work with", "Paul Smith")),
        ("Roe and Smith recorded a duet.", ("Jane Roe", "recorded", "duet")),
        ("Roe and Smith recorded a duet.", ("Smith", "recorded", "duet")),
        ("Green Hills was praised by Paul Smith.", ("Paul Smith", "praised", "Green Hills")),
        ("Roe toured Europe, performing 114 shows in Japan.", ("Jane Roe", "performing", "114 shows")),
        ("Roe read the 1963 album Green Hills.", ("Green Hills", "dates from", "1963")),
        ("Roe went to Halcyon Gallery in London.", ("Halcyon Gallery", "is in", "London")),
        ("It was announced that Roe had sold an archive.", ("Jane Roe", "had sold", "archive")),
        ("Simon & Schuster published Green Hills.", ("Simon & Schuster", "published", "Green Hills")),
        ("In 1994 Random House published Green Hills, a book.", ("Random House", "published", "Green Hills")),
        ("Roe played folk clubs, including the Troubadour and Bunjies.", ("Bunjies", "is among", "folk clubs")),
    ],
)
def test_english_clauses(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(text, ROE)


def test_an_english_quote_is_told_of_whom_it_names() -> None:
    read = facts('Michael Gray wrote: "The title undercuts any idea of inspired work."', ROE)
    assert ("Michael Gray", "wrote", "The title undercuts any idea of inspired work") in read


def test_a_discography_tells_work_and_year() -> None:
    read = facts("Green Hills (1964)\nBlue Sea (1966)", ROE, "Discography")
    assert {("Jane Roe", "work", "Blue Sea"), ("Blue Sea", "dates from", "1966")} <= read


@pytest.mark.parametrize("text", ["Others defended Roe's shows.", "Smith said the sequence was Roe's idea."])
def test_nobody_unnamed_and_no_report_is_a_subject(text: str) -> None:
    assert not any(verb in ("defended", "was") for _, verb, _ in facts(text, ROE))
