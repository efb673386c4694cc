"""The one reader of names."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.text import NameReader, fold_name, name_key, same_name


@dataclass(frozen=True)
class Person:
    name: str
    aliases: tuple[str, ...] = ()


ROSTER = (
    Person("孔子", ("仲尼", "孔丘", "孔夫子")),
    Person("李白", ("太白", "李太白", "青莲居士")),
    Person("王安石", ("介甫", "王荆公")),
    Person("王安", ("An Wang",)),
    Person("司马光", ("君实", "温公")),
    Person("曹操", ("孟德", "曹孟德")),
    Person("司马迁", ("太史公", "子长")),
    Person("杜甫", ("子美",)),
    Person("牛顿", ("Newton", "Isaac Newton")),
    Person("达尔文", ("Charles Darwin",)),
    Person("达芬奇", ("列奥纳多·达·芬奇", "Leonardo da Vinci")),
    Person("孙武", ("孙子",)),
)
READER = NameReader(ROSTER)


def named(text: str) -> list[str]:
    return [mention.name for mention in READER.mentions(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("下一位发言者是李白。", ["李白"]),
        ("王安石与王安不是一人", ["王安石", "王安"]),
        ("李太白先生", ["李白"]),
        ("請教孔丘先生", ["孔子"]),
        ("@Ｎｅｗｔｏｎ 你好", ["牛顿"]),
        ("isaac   newton said", ["牛顿"]),
        ("Newton's laws", ["牛顿"]),
        ("问问介甫吧", ["王安石"]),
        ("司马君实，你为何反对？", ["司马光"]),
        ("司马温公", ["司马光"]),
        ("darwin wrote it", ["达尔文"]),
        ("Da Vinci painted", ["达芬奇"]),
        ("列奥纳多·达·芬奇", ["达芬奇"]),
        ("列奥纳多达芬奇", ["达芬奇"]),
        ("孔先生和曹公", ["孔子", "曹操"]),
        ("孔 子，您好", ["孔子"]),
        ("子长大人", ["司马迁"]),
        ("墨子或李白", ["李白"]),
    ],
)
def test_names_are_found_in_every_spelling(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "孟德斯鸠论法的精神",
        "Newtonian mechanics",
        "孩子长大后",
        "孩子美不美",
        "苏子美的文章",
        "欧阳子美",
        "10牛顿的力",
        "牛顿第二定律",
        "我孙子五岁了",
        "说曹操，曹操到",
        "小王安全到家",
        "",
        "今天下雨",
    ],
)
def test_no_name_is_found_inside_other_words(text: str) -> None:
    assert named(text) == []


def test_a_longer_name_outside_the_roster_is_not_read_as_a_shorter_one() -> None:
    assert NameReader([Person("王安")]).mentions("王安石变法") == []


def test_a_form_claimed_by_two_means_nobody_but_a_canonical_name_wins() -> None:
    reader = NameReader(
        [Person("王维", ("先生",)), Person("王勃", ("先生",)), Person("子安", ()), Person("王粲", ("子安",))]
    )
    assert reader.resolve("先生") is None
    assert reader.resolve("王先生") is None
    assert reader.resolve("子安") == "子安"


def test_quoted_names_are_marked_and_bare_quotes_are_not() -> None:
    quoted = READER.mentions("他说“李白斗酒诗百篇”，「孔子」您说呢")
    assert [(m.name, m.quoted) for m in quoted] == [("李白", True), ("孔子", False)]
    assert READER.mentions("《曹操集》")[0].quoted


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("孔夫子", "孔子"),
        (" 孔 丘 ", "孔子"),
        ("@李太白", "李白"),
        ("「李白」先生", "李白"),
        ("李白先生", "李白"),
        ("AN WANG", "王安"),
        ("anwang", "王安"),
        ("達爾文", "达尔文"),
        ("Ｉｓａａｃ Ｎｅｗｔｏｎ", "牛顿"),
        ("鬼谷子", None),
        ("", None),
        ("李白和杜甫", None),
    ],
)
def test_a_name_given_by_a_user_is_resolved(given_name: str, name: str | None) -> None:
    assert READER.resolve(given_name) == name


def test_one_letter_of_a_canonical_name_can_be_a_name() -> None:
    reader = NameReader([Person("禹", ("大禹",)), Person("孔子", ("丘",))])
    assert [m.name for m in reader.mentions("禹，您三过家门而不入？")] == ["禹"]
    assert reader.mentions("山丘之上") == []


def test_keys_ignore_script_case_width_blanks_and_dots() -> None:
    assert same_name("諸葛亮", "诸葛 亮")
    assert same_name("Ｉｓａａｃ·Newton", "isaac newton")
    assert same_name("Gödel", "godel")
    assert not same_name("", "")
    assert not same_name("孔子", "老子")
    assert name_key("\ufeff玛丽·居里") == "玛丽居里"


@given(st.text(max_size=60))
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold_name(text)) == len(text)


@given(st.text(alphabet="李白孔子说，。“”曹操到 王安石newton@《》", max_size=40))
def test_mentions_lie_in_the_text_in_order(text: str) -> None:
    end = 0
    for mention in READER.mentions(text):
        assert mention.start >= end
        assert text[mention.start : mention.end] == mention.surface
        assert mention.name in {person.name for person in ROSTER}
        end = mention.end
