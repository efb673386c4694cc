"""The embedded speaker: only what the sources say, once, with their ids, within the limit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chathistory.domain import (
    USER,
    Fact,
    Figure,
    Line,
    Passage,
    Recall,
    Recollection,
    SpeechRequest,
    Spoken,
    Year,
)
from chathistory.knowledge import texts_to_embed
from chathistory.models.protocols import Speaker, Vectors
from chathistory.persona import ExtractiveSpeaker, Persona, register
from chathistory.persona.candidates import gather
from chathistory.persona.first_person import without_connective
from chathistory.persona.phrases import PHRASES, Manner, forms

LIBAI = Figure("李白", ("太白", "青莲居士"), Year(701, "701年"), Year(762, "762年"), (("字", "太白"), ("朝代", "唐朝")))
DYLAN = Figure("Bob Dylan", ("Dylan",), Year(1941, "1941"), None, (("Occupation", "singer"),))
TEXTS = (
    ("", "李白字太白，号青莲居士，是唐朝的诗人。李白一生漫游天下，爱喝酒，好剑术。"),
    ("家世", "李白的父亲名叫李客，是一位商人。李白五岁时随父亲迁到蜀中。"),
    ("婚姻", "李白先后娶过许氏和宗氏。许氏是故相许圉师的孙女。"),
    ("交游", "744年李白在洛阳认识了杜甫。李白和杜甫一起游览梁宋，饮酒赋诗。后来两人在鲁郡分手，从此再也没有见面。"),
    ("长安", "李白离开长安，是因为受到权贵谗毁。李白在长安做过翰林供奉。"),
    ("后世评价", "李白被后人誉为诗仙，1981年建有纪念馆。"),
)
PASSAGES = tuple(Passage(text, section, i) for i, (section, text) in enumerate(TEXTS))


class ByCharacters:
    """Vectors of character counts: alike texts are near, without a model."""

    model_id = "characters"
    dimension = 64
    note = ""

    def __init__(self) -> None:
        self.asked = 0

    def query(self, text: str) -> Vectors:
        return self.passages([text])[0]

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        out = np.full((len(texts), self.dimension), 1e-3, dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            for char in text:
                row[ord(char) % self.dimension] += 1
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), dtype=np.float32)


def recall_of(passages: Sequence[Passage] = PASSAGES, confident: bool = True) -> Recall:
    return Recall(tuple(Recollection(p, 1 - 0.05 * i) for i, p in enumerate(passages)), confident, 0.8)


def answer(
    line: str,
    history: tuple[Line, ...] = (),
    speaker: str = USER,
    recall: Recall | None = None,
    figure: Figure = LIBAI,
    seed: int = 1,
    **changes: int,
) -> Spoken:
    request = SpeechRequest(figure, Line(speaker, line), history, recall or recall_of(), ())
    generator = ExtractiveSpeaker(ByCharacters(), random.Random(seed)).speak(replace(request, **changes))  # type: ignore[arg-type]
    pieces: list[str] = []
    while True:
        try:
            pieces.append(next(generator))
        except StopIteration as stop:
            spoken = stop.value
            break
    assert "".join(pieces) == spoken.text
    assert all(len(piece) <= 4 for piece in pieces)
    assert isinstance(spoken, Spoken)
    return spoken


def stock(kind: str, figure: Figure = LIBAI, **names: str) -> list[str]:
    manner = Manner("plain" if register(figure).plain else "old", register(figure).subject)
    names.setdefault("thing", "手机")
    return forms(kind, manner, **names)


def ids(*places: int) -> tuple[str, ...]:
    return tuple(PASSAGES[place].id for place in places)


@pytest.mark.parametrize(
    ("question", "words", "place"),
    [
        ("你父亲是谁？", "家父名叫李客，是一位商人。", 1),
        ("你的妻子是谁？", "我先后娶过许氏和宗氏。", 2),
        ("你是怎么认识杜甫的？", "744年我在洛阳认识了杜甫。", 3),
        ("你为什么离开长安？", "我离开长安，是因为受到权贵谗毁。", 4),
        ("你在长安做过什么官？", "我在长安做过翰林供奉。", 4),
    ],
)
@pytest.mark.parametrize("embedder", [True, False])
def test_a_question_gets_the_sentence_that_answers_it_with_its_passage(
    question: str, words: str, place: int, embedder: bool
) -> None:
    request = SpeechRequest(LIBAI, Line(USER, question), (), recall_of())
    speaker = ExtractiveSpeaker(ByCharacters() if embedder else None, random.Random(1))
    spoken = speaker.compose(request)
    assert words in spoken.text
    assert PASSAGES[place].id in spoken.passages


def test_the_speaker_stands_behind_the_protocol() -> None:
    speaker: Speaker = ExtractiveSpeaker(None, random.Random(0))
    assert Persona(LIBAI, lambda query, k: recall_of(), speaker).figure.name == "李白"


def test_not_knowing_is_said_in_character_varied_and_without_sources() -> None:
    lost = [answer("你会下围棋吗？", recall=recall_of(confident=False), seed=seed) for seed in range(12)]
    assert all(spoken.text in stock("unknown") and spoken.passages == () for spoken in lost)
    assert len({spoken.text for spoken in lost}) > 2
    assert answer("你会下围棋吗？", recall=Recall((), True)).text in stock("unknown")


def test_the_same_seed_says_the_same_and_a_stock_phrase_is_not_said_twice() -> None:
    none = recall_of(confident=False)
    assert answer("你会下围棋吗？", recall=none, seed=5) == answer("你会下围棋吗？", recall=none, seed=5)
    history: tuple[Line, ...] = ()
    for _ in stock("unknown"):
        spoken = answer("你会下围棋吗？", history, recall=none)
        assert all(spoken.text != line.text for line in history)
        history = (*history, Line("李白", spoken.text))


def test_a_topic_that_no_recalled_sentence_names_is_not_answered_with_something_else() -> None:
    assert answer("你怎么看阿基米德？").text in stock("unknown")


def test_things_after_his_death_lie_beyond_his_days() -> None:
    assert answer("你用过手机吗？").text in stock("beyond")
    assert answer("清朝的皇帝你怎么看？").text in stock("beyond", thing="清朝")
    assert answer("你用过手机吗？").passages == ()


def test_greeting_introduces_himself_from_the_lead_and_cites_it() -> None:
    spoken = answer("你好")
    assert "我便是李白。" in spoken.text
    assert "我字太白" in spoken.text
    assert spoken.passages == ids(0)
    assert answer("你是谁？").passages == ids(0)
    assert answer("你是谁？", recall=Recall((), True)).passages == ()


def test_thanks_and_farewell_need_no_memory() -> None:
    assert answer("多谢先生指教").text in stock("thanks")
    assert answer("再见").text in stock("farewell")


def test_nothing_is_said_twice_and_in_the_end_he_says_so() -> None:
    history: tuple[Line, ...] = ()
    said: list[str] = []
    for _ in range(6):
        spoken = answer("你是怎么认识杜甫的？", history)
        for sentence in re.findall(r"[^。]+。", spoken.text):
            if spoken.passages and sentence not in stock("opener"):
                assert sentence not in said
                said.append(sentence)
        history = (*history, Line(USER, "你是怎么认识杜甫的？"), Line("李白", spoken.text))
    assert history[-1].text in stock("told")


def test_what_happened_then_goes_on_after_what_was_said() -> None:
    first = answer("你是怎么认识杜甫的？", max_chars=30)
    history = (Line(USER, "你是怎么认识杜甫的？"), Line("李白", first.text))
    assert "再也没有见面" in answer("后来呢？", history).text


def test_later_judges_are_never_quoted_as_his_own_words() -> None:
    for question in ("你有什么成就？", "人们怎么称呼你？", "你是诗仙吗？"):
        spoken = answer(question)
        assert "诗仙" not in spoken.text
        assert "1981" not in spoken.text


def test_another_persona_is_answered_and_addressed_by_name() -> None:
    heard = {answer("李白，你我在洛阳相识，同游梁宋，饮酒赋诗。", speaker="杜甫", seed=seed).text for seed in range(10)}
    assert any("杜甫，" in text or text.startswith(("杜甫", "听杜甫")) for text in heard)
    assert all("我" in text for text in heard)
    aside = answer("美德就是知识。", speaker="苏格拉底")
    assert aside.text in stock("heard")


def test_an_english_page_answers_in_english_or_quotes_the_original() -> None:
    page = (
        Passage("Bob Dylan is an American singer. Dylan was born in Duluth, Minnesota.", "", 0),
        Passage(
            'He won the Nobel Prize in 2016. He said then: "Whoever dreams? The Nobel Prize is far. Nobody."',
            "Awards",
            1,
        ),
    )
    recall = recall_of(page)
    assert "I was born in Duluth, Minnesota." in answer("Where were you born?", recall=recall, figure=DYLAN).text
    assert "“Dylan was born in Duluth, Minnesota.”" in answer("你出生在哪里？", recall=recall, figure=DYLAN).text
    assert "I won the Nobel Prize" in answer("Did you win the Nobel Prize?", recall=recall, figure=DYLAN).text
    assert "is far" not in answer("Is the Nobel Prize far?", recall=recall, figure=DYLAN).text
    assert answer("Hello", recall=recall, figure=DYLAN).text.count("I am") >= 2


def test_facts_help_the_sentence_that_holds_them() -> None:
    fact = Fact("李白", "迁居", "蜀中")
    recall = Recall((Recollection(PASSAGES[1], 0.9, (fact,)), Recollection(PASSAGES[3], 0.9)), True, 0.9)
    assert "蜀中" in answer("你小时候随父亲迁到哪里？", recall=recall).text


def test_sentence_vectors_are_asked_for_once() -> None:
    embedder = ByCharacters()
    speaker = ExtractiveSpeaker(embedder, random.Random(0))
    request = SpeechRequest(LIBAI, Line(USER, "你父亲是谁？"), (), recall_of())
    speaker.compose(request)
    first = embedder.asked
    speaker.compose(request)
    assert embedder.asked == first + 1  # the question only


QUESTIONS = st.sampled_from(
    [
        "你父亲是谁？",
        "你怎么认识杜甫的？",
        "你好",
        "你是谁",
        "讲讲长安",
        "你喜欢喝酒吗",
        "后来呢？",
        "为什么？",
        "谢谢",
        "手机",
        "嗯",
        "",
    ]
)


@settings(max_examples=60, deadline=None)
@given(QUESTIONS, st.integers(0, 10_000), st.integers(25, 200), st.lists(QUESTIONS, max_size=3), st.booleans())
def test_every_sentence_is_the_sources_or_a_stock_phrase_with_real_ids_and_within_the_limit(
    line: str, seed: int, room: int, before: list[str], by_persona: bool
) -> None:
    history: tuple[Line, ...] = ()
    for past in before:
        history = (*history, Line(USER, past), Line("李白", answer(past, history, seed=seed).text))
    spoken = answer(line, history, speaker="杜甫" if by_persona else USER, seed=seed, max_chars=room)
    sources = gather(recall_of().recollections, LIBAI, register(LIBAI), False, of_death=True)
    known = {form: c.passage.id for c in sources for form in (c.text, without_connective(c.text))}
    rest = spoken.text
    used: set[str] = set()
    for text, passage in sorted(known.items(), key=lambda item: -len(item[0])):
        if text in rest:
            rest = rest.replace(text, "")
            used.add(passage)
    for kind in PHRASES:
        for thing in ("手机", ""):
            for form in sorted(stock(kind, other="杜甫", name="李白", thing=thing), key=len, reverse=True):
                rest = rest.replace(form, "")
    assert rest == ""
    assert set(spoken.passages) == used
    assert set(spoken.passages) <= {passage.id for passage in PASSAGES}
    assert len(spoken.text) <= max(room, 45)


TALLIES = Passage(
    "李白在扬州买卖粮食亏了大钱。李白先买进粮食，又卖出，亏掉三十万贯钱。李白一生的遗憾是没有做成大官。李白性情豪放，怕受拘束。",
    "生活",
    9,
)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("您后悔什么？", "我一生的遗憾是没有做成大官。"),
        ("您怕什么？", "我性情豪放，怕受拘束。"),
        ("您脾气怎么样", "我性情豪放，怕受拘束。"),
    ],
)
def test_open_questions_get_the_sentence_that_tells_it_and_no_filling(question: str, words: str) -> None:
    spoken = answer(question, recall=recall_of((TALLIES, *PASSAGES)))
    assert spoken.text.removeprefix(next((o for o in stock("opener") if spoken.text.startswith(o)), "")) == words
    assert spoken.passages == (TALLIES.id,)


def test_how_much_was_lost_is_answered_with_the_number() -> None:
    spoken = answer("您做买卖亏了多少？", recall=recall_of((TALLIES, *PASSAGES)), max_chars=40)
    assert "亏掉三十万贯钱。" in spoken.text
    assert "遗憾" not in spoken.text


@pytest.mark.parametrize("question", ["您信神吗？", "您最喜欢的书是什么", "您长什么样"])
def test_an_open_question_that_no_sentence_tells_is_not_answered_with_another(question: str) -> None:
    assert answer(question).text in stock("unknown")


def test_a_greeting_to_all_is_answered_by_each_and_a_second_one_shortly() -> None:
    first = answer("大家好")
    assert "我便是李白。" in first.text
    again = answer("在吗", (Line(USER, "大家好"), Line("李白", first.text)))
    assert "李白" not in again.text
    assert again.passages == ()
    history = (Line(USER, "你们好"), Line("武则天", "朕听着，请说下去。"))
    assert "我便是李白。" in answer("朕听着，请说下去。", history, speaker="武则天").text


@pytest.mark.parametrize(
    ("line", "kind"), [("您好吗？", "well"), ("您真厉害", "praise"), ("原来如此", "noted"), ("抱歉", "sorry")]
)
def test_small_talk_is_answered_in_character(line: str, kind: str) -> None:
    assert answer(line, recall=Recall((), True)).text in stock(kind)


def test_the_vectors_asked_for_are_of_texts_the_memory_embeds() -> None:
    asked: list[str] = []

    class Noting(ByCharacters):
        def query(self, text: str) -> Vectors:
            return super().passages([text])[0]

        def passages(self, texts: Sequence[str]) -> Vectors:
            asked.extend(texts)
            return super().passages(texts)

    stored = set(texts_to_embed(PASSAGES).values())
    ExtractiveSpeaker(Noting(), random.Random(0)).compose(
        SpeechRequest(LIBAI, Line(USER, "你和杜甫后来见过面吗？"), (), recall_of())
    )
    assert asked
    assert set(asked) <= stored
