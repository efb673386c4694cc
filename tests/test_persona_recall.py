"""What a persona asks its memory, and follow-ups that lean on the talk."""

from __future__ import annotations

import random

import pytest

from chathistory.domain import USER, Figure, Line, Passage, Recall, Recollection, SpeechRequest, Year
from chathistory.persona import ExtractiveSpeaker, Persona
from chathistory.persona.evidence import box_tells
from chathistory.persona.followup import answered, complete, goes_on, leans_back
from chathistory.persona.kinds import forms, shows, subjects
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


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("你们好", "greeting"),
        ("大家好", "greeting"),
        ("各位好啊", "greeting"),
        ("诸位晚上好", "greeting"),
        ("hello everyone", "greeting"),
        ("久仰", "greeting"),
        ("打扰了", "greeting"),
        ("在吗", "greeting"),
        ("我叫小明，是一名中学生。", "greeting"),
        ("您最近好吗？", "well"),
        ("您真厉害", "praise"),
        ("各位都是谁？", "identity"),
        ("原来如此", "noted"),
        ("不好意思", "sorry"),
        ("各位，你们怎么看仁？", None),
        ("大家好，你们最得意的事是什么？", None),
        ("你好奇吗？", None),
        ("您身体好吗", "well"),
        ("您父亲身体好吗", None),
    ],
)
def test_greetings_to_all_and_other_small_talk_are_told_from_questions(line: str, kind: str | None) -> None:
    assert social(line) == kind


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("大家各自最得意的事是什么？", "主要成就"),
        ("您后悔什么", "遗憾"),
        ("您最大的敌人是谁", "政敌"),
        ("您信神吗", "信仰"),
        ("您有钱吗", "俸禄"),
        ("您结过婚吗", "妻子"),
    ],
)
def test_a_readers_word_is_completed_with_the_encyclopedias(
    persona: Persona, memory: Memory, line: str, words: str
) -> None:
    persona.recall_for(Line(USER, line), (), 5)
    assert memory.queries[0].startswith(line)
    assert words in memory.queries[0]


def test_the_infobox_pair_that_tells_a_topic_is_looked_for(memory: Memory) -> None:
    figure = Figure("孔子", ("仲尼",), infobox=(("主要成就", "兴办私学"), ("国籍", "鲁国")))
    Persona(figure, memory, ExtractiveSpeaker(None, random.Random(0))).recall_for(Line(USER, "您的成就"), (), 5)
    assert "孔子的主要成就是兴办私学" in memory.queries[0]
    assert "国籍" not in memory.queries[0]


def test_a_question_about_somebody_else_is_not_completed(persona: Persona, memory: Memory) -> None:
    persona.recall_for(Line(USER, "阳虎的成就是什么"), (), 5)
    assert memory.queries == ["阳虎的成就是什么"]


def test_words_of_the_topic_in_a_passage_make_an_open_question_worth_an_answer() -> None:
    def memory(query: str, k: int) -> Recall:
        return Recall((Recollection(Passage("孔子一生的遗憾是主张不行。", "志向"), 0.5),), False, 0.1)

    persona = Persona(KONGZI, memory, ExtractiveSpeaker(None, random.Random(0)))
    assert persona.recall_for(Line(USER, "您后悔什么"), (), 5).confident
    assert not persona.recall_for(Line(USER, "您怕什么"), (), 5).confident


def test_anothers_stock_phrase_is_nothing_to_answer(persona: Persona, memory: Memory) -> None:
    history = (Line(USER, "你为什么离开鲁国？"), Line("武则天", "朕听着，请说下去。"))
    persona.recall_for(history[-1], history, 5)
    assert memory.queries == ["你为什么离开鲁国？"]
    said = Line("武则天", "愿闻其详。鲁国在哪里？")
    assert answered(said, history, KONGZI) == said


@pytest.mark.parametrize(
    ("line", "sentence", "value"),
    [
        ("亏了多少", "亏掉两万英镑", 1.0),
        ("亏了多少", "在1720年亏了大钱", 0.4),
        ("亏了多少", "他很生气", 0.0),
        ("几个孩子", "有一个儿子和一个女儿", 1.0),
        ("几个孩子", "子女是李弘、李贤、李显", 1.0),
        ("几个孩子", "生于前551年", 0.4),
        ("多少岁", "享年八十四岁", 1.0),
        ("多少岁", "走了十四里路", 0.4),
    ],
)
def test_a_question_of_how_many_wants_a_number_of_what_is_asked(line: str, sentence: str, value: float) -> None:
    (form,) = [form for form in forms(line) if form.name == "count"]
    assert shows(form, line, sentence) == value


BOXED = Figure(
    "孔子", ("仲尼",), None, Year(-479, "前479年"), (("字", "仲尼"), ("国籍", "鲁国"), ("孙子", "孔伋（子思）"))
)
BOX = "孔子，字仲尼。孔子的国籍是鲁国。孔子的孙子是孔伋（子思）。"


@pytest.mark.parametrize(
    ("query", "sure"),
    [
        ("您的字是什么？", True),
        ("孔子，您字什么？", True),
        ("您的国籍是什么？", True),
        ("您的孙子是谁？", True),
        ("您认得这个字吗？", False),
        ("您的爷爷是谁？", False),
    ],
)
def test_what_the_infobox_tells_is_sure_even_where_the_scores_are_not(query: str, sure: bool) -> None:
    assert box_tells(query, BOXED, [BOX]) is sure
    unsure = Recall((Recollection(Passage(BOX), 1.0),), confident=False)
    persona = Persona(BOXED, lambda _query, _k: unsure, ExtractiveSpeaker(None, random.Random(1)))
    assert persona.recall_for(Line(USER, query), (), 1).confident is sure


def test_in_a_memory_of_one_passage_shared_words_are_enough() -> None:
    figure = Figure("赵大山")
    only = Recall((Recollection(Passage("赵大山少年时在青山学剑十年。"), 1.0),), confident=False)
    persona = Persona(figure, lambda _query, _k: only, ExtractiveSpeaker(None, random.Random(1)))
    assert persona.recall_for(Line(USER, "赵大山，您在哪里学剑？"), (), 3).confident
    assert not persona.recall_for(Line(USER, "赵大山，您会弹琴吗？"), (), 3).confident
