"""The rule-based maker: what it reads, what it leaves alone, and that no text breaks it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chathistory.domain import Fact, Figure, Passage
from chathistory.errors import ExtractionError
from chathistory.openie import RuleExtractor, infobox_facts
from chathistory.openie.english_words import PRONOUNS_LOWER
from chathistory.openie.lexicon import PRONOUNS

WANG = Figure("王某成", ("子仁", "王子仁"), infobox=(("父亲", "王某山"), ("代表作品", "《东园集》、《西园集》")))
DOE = Figure("Jane Roe", ("Roe",), infobox=(("Born", "May 1, 1900\nParis, France"), ("Occupation", "Writer; painter")))


def facts(text: str, figure: Figure = WANG, section: str = "") -> set[tuple[str, str, str]]:
    return {fact.parts() for fact in RuleExtractor().extract(Passage(text, section), figure).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王某成（155年－220年3月15日），字子仁，沛国谯县人。", ("王某成", "出生于", "155年")),
        ("王某成（155年－220年3月15日），字子仁，沛国谯县人。", ("王某成", "逝世于", "220年3月15日")),
        ("王某成（155年－220年3月15日），字子仁，沛国谯县人。", ("王某成", "籍贯", "沛国谯县")),
        ("王某成，字公瑾，号东园居士。", ("王某成", "字", "公瑾")),
        ("王某成谥号文正。", ("王某成", "谥号", "文正")),
        ("曹操任命王某成为洛阳令。", ("王某成", "任", "洛阳令")),
        ("曹操任命王某成为洛阳令。", ("曹操", "任命", "王某成")),
        ("王某成被任命为司空。", ("王某成", "任", "司空")),
        ("王某成著有《东园集》、《西园集》。", ("王某成", "著有", "《西园集》")),
        ("王某成少年时拜卢植为师。", ("王某成", "师从", "卢植")),
        ("王某成击败了袁术。", ("王某成", "击败", "袁术")),
        ("王某成被袁术击败。", ("袁术", "击败", "王某成")),
        ("王某成为袁术所杀。", ("袁术", "杀死", "王某成")),
        ("王某成的父亲王某山做过太守。", ("王某成", "父亲", "王某山")),
        ("王某成的老师是卢植。", ("王某成", "老师", "卢植")),
        ("徐州牧陶谦邀请王某成。", ("陶谦", "任", "徐州牧")),
        ("王某成病逝于洛阳，享年六十岁。", ("王某成", "享年", "六十岁")),
        ("建安三年（198年），王某成进攻徐州。", ("王某成", "于198年", "进攻徐州")),
        ("王某成在江陵会见了司马懿。", ("王某成", "会见", "司马懿")),
        ("王某成与袁绍结盟。", ("王某成", "结盟", "袁绍")),
        ("王某成娶许氏为妻。", ("王某成", "迎娶", "许氏")),
        ("王某成回到洛阳，拜访了卢植。", ("王某成", "拜访", "卢植")),
        ("子仁击败了袁术。", ("王某成", "击败", "袁术")),
    ],
)
def test_reads_the_plain_statements_of_a_biography(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(text)


def test_a_denial_stays_a_denial() -> None:
    read = facts("王某成没有接受袁术的建议。")
    assert ("王某成", "没有接受", "袁术的建议") in read
    assert not any(predicate == "接受" for _, predicate, _ in read)


@pytest.mark.parametrize(
    "text", ["如果王某成击败袁术，天下就太平了。", "王某成可能击败过袁术。", "王某成是否击败袁术？"]
)
def test_what_is_only_possible_is_no_fact(text: str) -> None:
    assert ("王某成", "击败", "袁术") not in facts(text)


def test_tradition_says_that_it_is_tradition() -> None:
    read = facts("相传王某成拜访了卢植。")
    assert ("王某成", "拜访", "卢植") not in read
    assert ("王某成", "据说拜访", "卢植") in read


def test_what_someone_says_is_no_fact_of_the_world() -> None:
    read = facts("袁术说：“王某成击败了袁绍。”")
    assert ("王某成", "击败", "袁绍") not in read
    assert ("袁术", "说", "王某成击败了袁绍") in read


def test_a_clause_without_subject_belongs_to_the_person_before_it_not_to_the_figure() -> None:
    read = facts("袁术进攻徐州，占领下邳。")
    assert ("袁术", "占领", "下邳") in read
    assert not any(subject == "王某成" for subject, _, _ in read)


def test_after_one_sends_another_nobody_is_carried_on() -> None:
    assert ("王某成", "占领", "上庸") not in facts("王某成派遣袁术、吕布南下，占领上庸。")


def test_a_verdict_is_ascribed_to_who_gave_it() -> None:
    read = facts("傅干：王某成宽仁有度，能得人死力。", section="评价")
    assert ("傅干", "评价", "王某成") in read


def test_a_row_of_a_table_is_read_by_its_work() -> None:
    read = facts("时间：1996；类型：电影；剧名：《东园》；饰演者：梁斌")
    assert {("《东园》", "类型", "电影"), ("《东园》", "饰演者", "梁斌"), ("梁斌", "饰演", "王某成")} <= read


def test_infobox_pairs_are_facts_of_the_figure() -> None:
    assert Fact("王某成", "父亲", "王某山") in infobox_facts(WANG)
    assert Fact("王某成", "代表作品", "《西园集》") in infobox_facts(WANG)
    told = facts("王某成，字子仁。王某成的父亲是王某山。王某成生于155年。", section="基本资料")
    assert {("王某成", "字", "子仁"), ("王某成", "父亲", "王某山"), ("王某成", "出生于", "155年")} <= told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jane Roe (born May 1, 1900) is a French writer.", ("Jane Roe", "was born on", "May 1, 1900")),
        ("In 1920, Roe moved to Berlin.", ("Jane Roe", "moved to", "Berlin")),
        ("In 1920, Roe moved to Berlin.", ("Jane Roe", "moved to Berlin in", "1920")),
        ("Roe married Paul Smith in 1925.", ("Jane Roe", "married", "Paul Smith")),
        ("Roe's brother, Tom Roe, was a painter.", ("Jane Roe", "brother", "Tom Roe")),
        ("She met folk singer Carolyn Hester.", ("Carolyn Hester", "is", "folk singer")),
        ('Roe wrote the novel "Green Hills".', ("Green Hills", "is", "novel")),
        ("Roe did not accept the prize.", ("Jane Roe", "did not accept", "prize")),
        ("Roe lived in Paterson, New Jersey.", ("Paterson", "is in", "New Jersey")),
    ],
)
def test_reads_plain_english(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(text, DOE)


def test_english_reports_and_quotes_are_not_told_as_facts() -> None:
    assert not facts("Critics claimed that Roe moved to Berlin.", DOE) & {("Jane Roe", "moved to", "Berlin")}
    assert not any(predicate == "hated" for _, predicate, _ in facts('She said, "I hated the city of Berlin."', DOE))


def test_every_entity_stands_in_the_passage_or_names_the_figure() -> None:
    text = "建安三年（198年），子仁在江陵会见了徐州牧陶谦，著有《东园集》。"
    entities = RuleExtractor().extract(Passage(text), WANG).entities
    assert "王某成" in entities
    assert {"陶谦", "《东园集》", "江陵"} <= set(entities)
    assert all(entity in text or entity in WANG.names for entity in entities)
    assert len(set(entities)) == len(entities)


def test_real_text_without_a_name_still_gives_entities() -> None:
    assert RuleExtractor().extract(Passage("那一年的庄稼收成很好，粮食装满了仓库。"), WANG).entities
    assert RuleExtractor().extract(Passage("the harvest was good that year and granaries were full"), DOE).entities


def test_text_of_nothing_but_pronouns_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ExtractionError, match="请检查来源文本"):
        RuleExtractor().extract(Passage("我们他们你们"), WANG)


def test_the_same_passage_gives_the_same_reading_whatever_was_read_before() -> None:
    passage = Passage("曹操任命王某成为洛阳令，王某成击败了袁术。")
    first = RuleExtractor().extract(passage, WANG)
    RuleExtractor().extract(Passage("袁术说，诸葛亮写过《出师表》。"), Figure("诸葛亮", ("孔明",)))
    assert RuleExtractor().extract(passage, WANG) == first


_PIECES = st.sampled_from(
    [
        *"，。；：、“”《》（）？的了在是为被把与和等①\n ",
        *[
            "王某成",
            "子仁",
            "袁术",
            "洛阳",
            "建安三年",
            "198年",
            "任命",
            "击败",
            "没有",
            "如果",
            "说",
            "他",
            "其",
            "著有",
        ],
        *["《东园集》", "刺史", "父亲", "相传", "认为", "派遣", "Jane Roe", "she ", "moved to ", "Berlin", ". ", '"'],
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    text=st.one_of(st.lists(_PIECES, max_size=40).map("".join), st.text(max_size=80)),
    section=st.sampled_from(["", "基本资料", "评价"]),
)
def test_no_text_breaks_it_and_no_fact_holds_a_pronoun(text: str, section: str) -> None:
    for figure in (WANG, DOE):
        try:
            extraction = RuleExtractor().extract(Passage(text, section), figure)
        except ExtractionError:
            continue
        assert all(part.strip() for fact in extraction.facts for part in fact.parts())
        assert all(fact.subject != fact.object for fact in extraction.facts)
        assert not {part for fact in extraction.facts for part in fact.parts()} & (PRONOUNS | PRONOUNS_LOWER)
        assert not any("他" in part or "她" in part for fact in extraction.facts for part in fact.parts())
        assert all(entity in text or entity in figure.names for entity in extraction.entities)
