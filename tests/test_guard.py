"""The blacklist and the era horizon."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.domain import Figure, Year
from chathistory.errors import Blacklisted, ConfigError
from chathistory.guard import Blacklist, anachronism, beyond, years_named
from chathistory.guard.eras import ERAS, RULERS, THINGS

CONFUCIUS, LI_BAI, NEWTON, LIU_BEI = Year(-479, "前479年"), Year(762, "762年"), Year(1727, "1727年"), Year(223, "223年")


def figure(name: str, death: int | None) -> Figure:
    return Figure(name, (), None, None if death is None else Year(death, str(death)))


# --- blacklist -------------------------------------------------------------------------------------------------------


@pytest.fixture
def listed(tmp_path: Path) -> Blacklist:
    path = tmp_path / "blacklist.txt"
    path.write_text("\ufeff# 不召\n希特勒 # 说明\n\n  诸葛亮\nAdolf Hitler\n#全注释\n", encoding="utf-8")
    return Blacklist.load(path)


@pytest.mark.parametrize("name", ["希特勒", "諸葛亮", "诸 葛 亮", "ADOLF  hitler", "Ａｄｏｌｆ Hitler", " 希特勒\n"])
def test_a_listed_name_is_refused_in_every_spelling(listed: Blacklist, name: str) -> None:
    with pytest.raises(Blacklisted, match="黑名单"):
        listed.check(name)


def test_an_alias_on_the_list_refuses_the_name_and_is_told(listed: Blacklist) -> None:
    with pytest.raises(Blacklisted, match="即“诸葛亮”"):
        listed.check("孔明", ("诸葛亮",))


@pytest.mark.parametrize("name", ["李白", "", "#", "说明", "希特勒传", "不召"])
def test_other_names_pass(listed: Blacklist, name: str) -> None:
    listed.check(name, ("某人",))


def test_a_missing_file_is_an_empty_list(tmp_path: Path) -> None:
    assert Blacklist.load(tmp_path / "none.txt") == Blacklist({})


def test_an_unreadable_list_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "gbk.txt").write_bytes("秦始皇".encode("gbk"))
    with pytest.raises(ConfigError, match="UTF-8"):
        Blacklist.load(tmp_path / "gbk.txt")
    with pytest.raises(ConfigError, match="读取"):
        Blacklist.load(tmp_path)


# --- horizon ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "death"),
    [
        ("唐玄宗开元二十七年，被封为文宣王。", CONFUCIUS),
        ("汉武帝罢黜百家。", CONFUCIUS),
        ("前479年，他去世了。", CONFUCIUS),
        ("生于绵州（今四川江油）。", LI_BAI),
        ("贞元年间有人编其集。", LI_BAI),
        ("宋代有人编订其集。", LI_BAI),
        ("20世纪的物理学", NEWTON),
        ("一九〇五年的论文", NEWTON),
        ("1980年代拍成电影", NEWTON),
        ("黄初元年以后，追谥武皇帝", Year(220, "220年")),
        ("死后葬于泗上", CONFUCIUS),
        ("后世尊称他为诗仙", LI_BAI),
        ("至今为人传颂", None),
        ("章武三年病逝于永安宫。", LIU_BEI),
        ("1642年—1800年间的通信", NEWTON),
    ],
)
def test_what_lies_after_the_death_is_beyond(text: str, death: Year | None) -> None:
    assert beyond(text, death, ("刘备",))


@pytest.mark.parametrize(
    ("text", "death"),
    [
        ("前551年，我生于鲁国陬邑。", CONFUCIUS),
        ("鲁定公十四年，我离开鲁国。", CONFUCIUS),
        ("弟子三千，贤者七十二人。", CONFUCIUS),
        ("他周游列国十四年。", CONFUCIUS),
        ("前500年—前497年任大司寇", CONFUCIUS),
        ("父亲叔梁纥去世，家境中落。", CONFUCIUS),
        ("天宝元年，应召入长安。", LI_BAI),
        ("安史之乱爆发。", LI_BAI),
        ("1703年—1727年任会长。", NEWTON),
        ("18世纪的科学", NEWTON),
        ("建安二十四年，关羽被杀。", LIU_BEI),
        ("关羽被杀，荆州失守。", LIU_BEI),
        ("宋代与民国", None),
    ],
)
def test_what_he_lived_through_is_his_to_tell(text: str, death: Year | None) -> None:
    assert not beyond(text, death, ("刘备",))


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("前551年9月28日", [(-551, -551)]),
        ("公元前3世纪", [(-300, -201)]),
        ("17世纪60年代", [(1660, 1669)]),
        ("1642年", [(1642, 1642)]),
        ("（701年—762年）", [(701, 762)]),
        ("（前551-前479）", [(-551, -479)]),
        ("公元8年", [(8, 8)]),
        ("开元元年", [(713, 713)]),
        ("贞观十七年", [(643, 643)]),
        ("北宋", [(960, 1127)]),
        ("十四年", []),
        ("3000名弟子，1500人", []),
        ("50多岁", []),
    ],
)
def test_years_are_read_from_numbers_eras_and_reigns(text: str, spans: list[tuple[int, int]]) -> None:
    assert years_named(text) == spans


@pytest.mark.parametrize(
    ("question", "who", "thing"),
    [
        ("您用手机吗？", figure("孔子", -479), "手机"),
        ("What do you think of AI?", figure("牛顿", 1727), "AI"),
        ("他 said again", figure("牛顿", 1727), None),
        ("您怎么看唐朝？", figure("孔子", -479), "唐朝"),
        ("1840年的事呢", figure("李白", 762), "1840年"),
        ("前221年的事呢", figure("孔子", -479), "公元前221年"),
        ("微积分是谁发明的", figure("牛顿", 1727), None),
        ("《三國演義》里写您奸诈", figure("曹操", 220), "三國演義"),
        ("您见过汉武帝吗", figure("汉武帝", -87), None),
        ("五百年后的人怎么看您", figure("孔子", -479), "五百年后"),
        ("仁是什么", figure("孔子", -479), None),
        ("您用手机吗？", figure("某人", None), None),
        ("互联网是什么", figure("爱因斯坦", 1955), "互联网"),
        ("二战呢", figure("爱因斯坦", 1955), None),
    ],
)
def test_a_question_about_later_things_names_the_thing(question: str, who: Figure, thing: str | None) -> None:
    assert anachronism(question, who) == thing


def test_the_tables_are_sound() -> None:
    assert all(first <= last for first, last in {**ERAS, **RULERS}.values())
    assert all(name == name.lower() for name in THINGS)


@given(st.text(alphabet="前公元年世纪一二十0159代初—（）唐开元", max_size=30), st.integers(-600, 2000))
def test_any_text_can_be_held_against_any_death(text: str, year: int) -> None:
    assert beyond(text, Year(year, "")) in (True, False)
    assert all(first <= last + 1 for first, last in years_named(text))


@pytest.mark.parametrize(
    "text",
    [
        "官渡一战，袁绍大败",
        "这是重大历史事件",
        "大清早起来练兵",
        "共同治理天下",
        "文明初期",
        "证明代价很大",
        "此后人心思汉",
        "刘表死后，我屯兵新野",
        "他传了五代",
        "绍兴是个好地方",
        "火箭射船",
        "人民国家",
    ],
)
def test_an_era_inside_another_word_is_no_era(text: str) -> None:
    assert not beyond(text, LIU_BEI, ("刘备",))
    assert anachronism(text, figure("刘备", 223)) is None


@pytest.mark.parametrize(
    "text", ["经历过二战", "民国初年", "绍兴二十年", "其中唐代最盛", "康熙皇帝", "五代十国", "明代人", "民国时期"]
)
def test_an_era_as_a_word_is_one(text: str) -> None:
    assert beyond(text, LIU_BEI)
