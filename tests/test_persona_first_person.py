"""Third person into first: whose 'he' is whose, what stays, what is never said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.domain import Figure, Passage, Recollection, Year
from chathistory.persona import register
from chathistory.persona.candidates import gather
from chathistory.persona.english import first_person
from chathistory.persona.first_person import fit_to_speak, told_by, trim
from chathistory.persona.mentions import quoted
from chathistory.persona.register import is_woman

KONGZI = Figure(
    "孔子", ("孔丘", "仲尼"), Year(-551, "前551年"), Year(-479, "前479年"), (("字", "仲尼"), ("国籍", "鲁国"))
)
LIBAI = Figure("李白", ("太白", "青莲居士"), Year(701, "701年"), Year(762, "762年"), (("字", "太白"), ("朝代", "唐朝")))
NEWTON = Figure("牛顿", ("艾萨克·牛顿", "Newton"), Year(1643, "1643年"), Year(1727, "1727年"), (("国籍", "英国"),))
WU = Figure(
    "武则天",
    ("武媚", "武后"),
    Year(624, "624年"),
    Year(705, "705年"),
    (("丈夫", "唐高宗"), ("年号", "天授"), ("籍贯", "并州")),
)


def say(figure: Figure, text: str, of_death: bool = False, woman: bool = False) -> str:
    """What the figure makes of a passage, its sentences joined."""
    found = gather([Recollection(Passage(text, "生平"), 1.0)], figure, register(figure), woman, of_death)
    return "".join(candidate.text for candidate in found)


@pytest.mark.parametrize(
    ("figure", "source", "spoken"),
    [
        (KONGZI, "孔子的父亲是叔梁纥。", "家父是叔梁纥。"),
        (KONGZI, "孔子，字仲尼。", "吾字仲尼。"),
        (KONGZI, "孔子曰：“学而时习之。”", "吾曾说：“学而时习之。”"),
        (KONGZI, "孔子三岁时，其父去世。", "吾三岁时，家父去世。"),
        (KONGZI, "齐国怕孔子使鲁国强盛，把孔子困住。", "齐国怕我使鲁国强盛，把我困住。"),
        (KONGZI, "相传孔子向老子问礼。", "世传我向老子问礼。"),
        (LIBAI, "李白与杜甫在洛阳相遇，他们同游梁宋。", "我与杜甫在洛阳相遇，我们同游梁宋。"),
        (LIBAI, "李白被永王召入幕府。", "我被永王召入幕府。"),
        (LIBAI, "少年李白喜欢剑术。", "我少年时喜欢剑术。"),
        (NEWTON, "艾萨克·牛顿出生在英格兰。牛顿的母亲改嫁。", "我出生在英格兰。我的母亲改嫁。"),
        (NEWTON, "牛顿本人没有结婚。", "我自己没有结婚。"),
        (WU, "武则天的母亲是杨氏。", "朕的母亲是杨氏。"),
    ],
)
def test_names_and_possessives_become_the_figures_own_words(figure: Figure, source: str, spoken: str) -> None:
    assert say(figure, source) == spoken


@pytest.mark.parametrize(
    ("figure", "kept"),
    [
        (KONGZI, "《孔子家语》"),
        (KONGZI, "“孔子登东山而小鲁”"),
        (KONGZI, "孔子庙"),
        (NEWTON, "牛顿第二定律"),
        (NEWTON, "牛顿环"),
        (LIBAI, "号青莲居士"),
        (LIBAI, "别名是太白、青莲居士"),
    ],
)
def test_a_name_inside_a_quote_or_a_longer_name_stays(figure: Figure, kept: str) -> None:
    name = figure.name
    assert kept in say(figure, f"{name}在书房里同人谈到{kept}，谈得很高兴。")


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("孔子离开鲁国，他走得很慢。", "吾离开鲁国，吾走得很慢。"),
        ("鲁定公任用他为大司寇。", "鲁定公任用我为大司寇。"),
        ("孔子相信上天不会抛弃他。", "吾相信上天不会抛弃我。"),
        ("孔子称赞颜回，很喜欢他。", "吾称赞颜回，很喜欢他。"),
        ("其他弟子都很高兴，其中子路最高兴。", "其他弟子都很高兴，其中子路最高兴。"),
    ],
)
def test_a_pronoun_is_turned_only_where_it_is_the_figure(source: str, spoken: str) -> None:
    assert say(KONGZI, source) == spoken


def test_another_mans_he_makes_the_sentence_unclear_and_is_left_alone() -> None:
    text = "杜甫在长安住了十年。他写了许多诗。"
    found = gather([Recollection(Passage(text, "交游"), 1.0)], LIBAI, register(LIBAI), False)
    second = next(candidate for candidate in found if "许多诗" in candidate.text)
    assert not second.clear
    assert "我" not in second.text


def test_a_womans_pronoun_is_she_and_never_he() -> None:
    assert say(WU, "唐高宗信任她的才干，武则天劝他封禅。", woman=True) == "唐高宗信任朕的才干，朕劝他封禅。"


@pytest.mark.parametrize(
    "source",
    [
        "后世尊孔子为至圣先师。",
        "孔子死后，弟子守墓三年。",
        "1994年，孔子的塑像落成。",
        "孔子被后人称为圣人。",
        "学者认为孔子修订了《春秋》。",
    ],
)
def test_what_lies_behind_the_horizon_or_comes_from_later_judges_is_not_said(source: str) -> None:
    assert say(KONGZI, source) == ""


def test_a_later_voice_at_the_end_is_cut_off_as_a_whole_clause() -> None:
    assert say(LIBAI, "李白写了许多诗，被后人誉为“诗仙”。") == "我写了许多诗。"
    assert trim("李白是刘胜的后裔（《典略》称是旁支），好剑术。") == "李白是刘胜的后裔，好剑术。"
    assert trim("李白是著名诗人（今四川江油人），一说生于碎叶。") == "李白是诗人。"


def test_death_is_told_only_when_it_is_asked_for() -> None:
    assert say(LIBAI, "李白在当涂病逝。") == ""
    assert say(LIBAI, "李白在当涂病逝。", of_death=True) == "我在当涂病逝。"


def test_words_labelled_as_somebody_elses_are_nobody_elses_to_say() -> None:
    assert told_by("诸葛亮：刘公雄才盖世。") == "诸葛亮"
    assert told_by("祖父：刘雄，官至东郡范令。") == ""
    assert say(KONGZI, "司马迁：孔子布衣，传十余世。") == ""
    assert say(LIBAI, "祖父：李某，做过小官。") == "我的祖父是李某，做过小官。"


def test_an_authors_voice_is_no_figures_voice() -> None:
    assert not fit_to_speak("详见孔子家族世系。")
    assert not fit_to_speak("我们今天读到的《春秋》出自孔子之手。")
    assert fit_to_speak("孔子十五岁立志求学。")


def test_emperors_westerners_and_the_ancients_speak_each_their_own_way() -> None:
    emperor = Figure("某皇", (), Year(-259, ""), Year(-210, ""), (("身份", "皇帝"), ("朝代", "秦朝")))
    honoured = Figure("曹某", (), Year(155, ""), Year(220, ""), (("字", "孟某"), ("谥号", "武皇帝"), ("庙号", "太祖")))
    duke = Figure("越王某", (), None, Year(-465, ""), (("身份", "国君、天子"), ("时代", "春秋")))
    modern = Figure("鲁某", (), Year(1881, ""), Year(1936, ""), (("国籍", "中国"), ("字", "豫某")))
    assert register(emperor).subject == "朕"
    assert register(honoured).subject == "吾"
    assert register(duke).subject == "寡人"
    assert register(modern).plain
    assert register(NEWTON).era == "foreign"
    assert register(NEWTON).subject == "我"
    assert register(LIBAI).era == "imperial"


ALPHABET = "孔子李白他她其的父亲曰说在，。；：《》“”（）与杜甫鲁国前479年去世"


def test_a_quote_that_lost_its_brackets_is_not_said() -> None:
    assert say(KONGZI, "《（）》444，孔子说。") == ""


@given(st.text(alphabet=ALPHABET, max_size=60))
def test_any_text_gives_sentences_whose_quotes_are_the_sources(text: str) -> None:
    for candidate in gather([Recollection(Passage(text, ""), 1.0)], KONGZI, register(KONGZI), False):
        quotes = [candidate.text[start:end] for start, end in quoted(candidate.text)]
        assert all(quote in candidate.source for quote in quotes)
        assert set(candidate.text) <= set(candidate.source) | set("吾我的家父母兄弟舍妻儿子女孙长亲是时曾世传。们和有")


def test_a_sentence_too_long_to_say_is_told_in_whole_clauses() -> None:
    long = "李白因为战功被封为县尉，" + "后来朝廷下令淘汰官吏，" * 9
    long += "李白到驿站求见督邮，督邮不肯见李白，李白怀恨在心，鞭打督邮，弃官而去。"
    found = gather([Recollection(Passage(long, "早年"), 1.0)], LIBAI, register(LIBAI), False)
    assert all(len(candidate.text) <= 130 for candidate in found)
    assert "我到驿站求见督邮，督邮不肯见我，我怀恨在心，鞭打督邮，弃官而去。" in [c.text for c in found]


def test_english_sentences_turn_into_the_first_person() -> None:
    dylan = Figure("Bob Dylan", ("Robert Allen Zimmerman",))
    assert first_person("Bob Dylan (born 1941) is an American singer.", dylan) == "I am an American singer."
    assert first_person("In 1961 he has moved; his album made him famous.", dylan) == (
        "In 1961 I have moved; my album made me famous."
    )
    assert first_person('Dylan\'s father said "he plays well".', dylan) == 'My father said "he plays well".'
    assert first_person("Dylan writes songs.", dylan) == "I write songs."


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("牛顿的配偶是终身未婚。", "我终身未婚。"),
        ("牛顿的子女是无。", "我没有子女。"),
        ("牛顿的子女是无子女。", "我无子女。"),
        ("牛顿的妻子是不详。", ""),
        ("牛顿的配偶是凯瑟琳。", "我的配偶是凯瑟琳。"),
        ("牛顿的主要成就：微积分、光学。", "我的主要成就有微积分、光学。"),
    ],
)
def test_an_infobox_value_that_is_a_state_is_told_as_one(source: str, spoken: str) -> None:
    assert say(NEWTON, source) == spoken


def test_kin_words_tell_whom_he_and_she_can_mean() -> None:
    text = "牛顿搬到伦敦以后，外甥女凯瑟琳·巴顿来替他管家，凯瑟琳聪明漂亮，1717年她嫁给康杜伊特。"
    assert say(NEWTON, text) == ("我搬到伦敦以后，外甥女凯瑟琳·巴顿来替我管家，凯瑟琳聪明漂亮，1717年她嫁给康杜伊特。")
    brother = "牛顿搬家以后，弟弟本杰明·史密斯来了，他很高兴。"
    assert "我很高兴" not in say(NEWTON, brother)


def test_a_mans_article_full_of_women_does_not_make_him_one() -> None:
    texts = ("牛顿的外甥女很聪明，大家都喜欢她。", "牛顿怨恨母亲，她改嫁了。", "牛顿的母亲汉娜回来，她很穷。")
    assert not is_woman(Figure("牛顿"), texts)
    assert not is_woman(Figure("牛顿", ("牛顿爵士",)), ("牛顿说她来了。",))
    assert is_woman(Figure("居里"), ("居里在巴黎求学，她很穷。",))


def test_who_is_named_in_what_another_says_is_the_subject_of_it() -> None:
    assert say(NEWTON, "洛克说牛顿不好相处，因为他会怀疑人。") == "洛克说我不好相处，因为我会怀疑人。"
