"""Names and years out of infoboxes, lead brackets and dates in many wordings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.encyclopedia.names import aliases_of, clean_name, split_names, surname_of
from chathistory.encyclopedia.years import lifespan, parse_year

DATES = [
    ("161年", 161, "year"),
    ("1911年（辛亥年）12月11日", 1911, "day"),
    ("前551年9月28日", -551, "day"),
    ("公元前259年", -259, "year"),
    ("西元前551年", -551, "year"),
    ("约前470年", -470, "about"),
    ("前469年或前470年", -469, "about"),
    ("公元前5世纪", -450, "century"),
    ("公元八世纪", 750, "century"),
    ("十八世纪", 1750, "century"),
    ("1870年代", 1870, "decade"),
    ("永寿元年（155年）", 155, "year"),
    ("贞观二十三年五月己巳日（649年7月10日）", 649, "day"),
    ("1893年12月26日（光绪十九年十一月十九日）", 1893, "day"),
    ("七〇一年", 701, "year"),
    ("一八九三年十二月二十六日", 1893, "day"),
    ("1941-05-24", 1941, "day"),
    ("1943.5", 1943, "month"),
    ("May 24, 1941 (age 76)", 1941, "day"),
    ("25 December 1642", 1642, "day"),
    ("20 March 1726/27", 1726, "day"),
    ("c. 470 BC", -470, "about"),
    ("469/470 BC", -469, "year"),
    ("AD 37", 37, "year"),
    ("1st century BC", -50, "century"),
]


@pytest.mark.parametrize(("text", "year", "precision"), DATES)
def test_dates_are_read(text: str, year: int, precision: str) -> None:
    found = parse_year(text)
    assert found is not None
    assert (found.year, found.precision) == (year, precision)


def test_the_sources_words_are_kept() -> None:
    found = parse_year("永寿元年（155年）\n东汉沛国谯县")
    assert found is not None
    assert found.text == "永寿元年（155年）"


@pytest.mark.parametrize("text", ["？", "不详", "生卒年不详"])
def test_an_unknown_year_has_no_number(text: str) -> None:
    found = parse_year(text)
    assert found is not None
    assert (found.year, found.precision) == (None, "unknown")


@pytest.mark.parametrize("text", ["元和三年", "建安五年", "61岁", "湖南会同", ""])
def test_a_reigns_year_or_an_age_is_no_year(text: str) -> None:
    assert parse_year(text) is None


LEADS = [
    ("孔子（公元前551年9月28日―公元前479年4月11日），子姓", -551, -479),
    ("李白（701年5月19日—762年12月），字太白", 701, 762),
    ("秦始皇帝嬴政（前259年—前210年），嬴姓", -259, -210),
    ("玄奘（602年～664年），俗姓陈", 602, 664),
    ("苏格拉底（古希腊语：Σωκράτης，羅馬化：Sōkrátēs；前470年－前399年）", -470, -399),
    ("牛顿（英語：Newton，1643年1月4日—1727年3月31日，儒略历1642年12月25日—1726年3月20日）", 1643, 1727),
    ("达·芬奇（Leonardo da Vinci；1452年4月15日－1519年5月2日）", 1452, 1519),
    ("拿破仑（Napoléon Bonaparte，1769年8月15日-1821年5月5日）", 1769, 1821),
    ("关羽（？－220年），字云长", None, 220),
    ("葛洪（約283年－3世紀末），號抱朴子", 283, 300),
    ("Socrates (/ˈsɒkrətiːz/; Greek: Σωκράτης; c. 470 – 399 BC) was a philosopher", -470, -399),
    ("Gaius Julius Caesar (12 July 100 BC – 15 March 44 BC) was", -100, -44),
    ("Augustus (23 September 63 BC – 19 August AD 14) was", -63, 14),
    ("某（1900—1980）诗人", 1900, 1980),
]


@pytest.mark.parametrize(("lead", "birth", "death"), LEADS)
def test_lead_brackets_tell_birth_and_death(lead: str, birth: int | None, death: int) -> None:
    found = lifespan("某", (), lead)
    assert found[0] is not None
    assert found[1] is not None
    assert (found[0].year, found[1].year) == (birth, death)


@pytest.mark.parametrize(
    "lead",
    [
        "周杰伦（Jay Chou），1979年1月18日出生于台湾省新北市",
        "罗永浩，1972年7月9日生于中国延边",
        "李国杰（1943.5-）男",
        "Bob (born Robert, May 24, 1941) is",
        "某（1931年3月4日－）诗人",
        "某，1931年3月4日生於臺北",
    ],
)
def test_the_living_have_no_death(lead: str) -> None:
    birth, death = lifespan("某", (), lead)
    assert birth is not None
    assert birth.year is not None
    assert death is None


def test_the_infobox_goes_before_the_lead_and_the_lead_before_categories() -> None:
    lead = "某（100年－160年），字子某"
    birth, death = lifespan("某", (("出生", "101年"),), lead, ("102年出生", "103年逝世"))
    assert birth is not None
    assert death is not None
    assert (birth.year, death.year) == (101, 160)
    birth, death = lifespan("某", (), "某是人。", ("前102年出生", "前50年逝世"))
    assert birth is not None
    assert death is not None
    assert (birth.year, death.year) == (-102, -50)
    birth, death = lifespan("某", (("生卒年", "101年－150年"),), "")
    assert birth is not None
    assert death is not None
    assert (birth.year, death.year) == (101, 150)


def test_a_place_in_brackets_is_no_lifespan() -> None:
    assert lifespan("某", (), "某是沛国谯县（今安徽亳州）人。") == (None, None)


@given(st.text(max_size=80))
def test_any_text_can_be_asked_for_a_year(text: str) -> None:
    found = parse_year(text)
    assert found is None or found.year is None or -10000 < found.year < 10000
    lifespan(text[:5], (("出生", text), ("逝世", text[::-1])), text)


def test_names_come_from_infobox_lead_and_bold_type() -> None:
    names = aliases_of(
        "苏轼",
        (("字", "子瞻，又字和仲"), ("号", "铁冠道人、东坡居士"), ("谥号", "文忠（追谥）"), ("民族", "汉族")),
        "苏轼（1037年－1101年），字子瞻，号东坡居士，世称苏东坡、苏仙，汉族，眉州眉山人。",
        ("苏轼", "坡公"),
    )
    assert set(names) == {
        "子瞻", "和仲", "铁冠道人", "东坡居士", "文忠", "苏东坡", "苏仙", "坡公", "苏子瞻", "苏和仲",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "lead", "name"),
    [
        ("老子", "老子，姓李名耳，字聃，春秋末期人", "李耳"),
        ("孔子", "孔子（前551年―前479年），子姓，孔氏，名丘，字仲尼，鲁国人", "孔丘"),
        ("关羽", "关羽（？－220年），本字长生，后改字云长，河东人，东汉末年名将", "关云长"),
        ("慈禧太后", "慈禧太后，又称“西太后”、“老佛爷”，清朝人", "老佛爷"),
        ("诸葛亮", "诸葛亮，字孔明，号卧龙，琅琊人", "诸葛孔明"),
        ("苏格拉底", "苏格拉底（英语：Socrates；前470年—前399年）", "Socrates"),
        ("爱因斯坦", "阿尔伯特·爱因斯坦（Albert Einstein，1879年3月14日－1955年4月18日）", "Albert Einstein"),
        ("孫文", "孫文（1866年－1925年），譜名德明，字載之，號日新，又號逸仙，世稱孫中山，廣東香山人", "孫中山"),
        ("孫文", "孫文（1866年－1925年），字載之，號日新，又號逸仙，廣東香山人", "孫載之"),
        ("Bob", "Bob (born Robert Allen Zimmerman, May 24, 1941) is a singer", "Robert Allen Zimmerman"),
    ],
)
def test_the_lead_tells_names(title: str, lead: str, name: str) -> None:
    assert name in aliases_of(title, (), lead)


@pytest.mark.parametrize("lead", ["某人，汉末名将，号召天下，名门之后，字号不详。", "某人是名臣，字画皆精。"])
def test_words_that_only_look_like_labels_give_no_names(lead: str) -> None:
    assert aliases_of("某人", (), lead) == ()


def test_names_are_cleaned_of_explanations_and_never_the_title() -> None:
    assert split_names("润之（原作咏芝，后改润芝）") == ["润之"]
    assert split_names("小名吉利、小字阿瞒") == ["吉利", "阿瞒"]
    assert split_names("Σωκράτης（Socrates）") == ["Σωκράτης", "Socrates"]
    assert split_names("不详") == []
    assert split_names("则天大圣皇后→则天顺圣皇后") == ["则天大圣皇后", "则天顺圣皇后"]
    assert clean_name("见正文第3节") == ""
    assert aliases_of("曹操", (("姓名", "曹操"),), "曹操是人。", ("曹操",)) == ()


def test_surnames() -> None:
    assert [surname_of(name) for name in ("曹操", "司马相如", "诸葛亮", "孔子", "汉武帝", "Bob", "爱因斯坦")] == [
        "曹", "司马", "诸葛", "", "", "", "",
    ]  # fmt: skip


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_can_be_asked_for_names(lead: str, value: str) -> None:
    for name in aliases_of("某人", (("别名", value), ("字", lead[:20])), lead, (value,)):
        assert name == name.strip()
        assert name
