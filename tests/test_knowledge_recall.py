"""Recall: what comes back, in which order, and what is said of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from knowledge_support import EMBEDDER, TOLD, memory, told

from chathistory.domain import Fact, Figure, Passage
from chathistory.knowledge import KnowledgeIndex, MemoryVectorCache, RecallParams, recall, recall_vector
from chathistory.knowledge.question import rewrite

LIU = Figure("刘备", ("玄德", "汉昭烈帝"))


class Scripted:
    """A fact filter that answers from a script and remembers what it was shown."""

    def __init__(self, answer: Sequence[int] | None) -> None:
        self.answer = answer
        self.shown: list[Fact] = []

    def keep(self, question: str, facts: Sequence[tuple[Fact, float]]) -> Sequence[int] | None:
        self.shown = [fact for fact, _ in facts]
        assert [score for _, score in facts] == sorted((score for _, score in facts), reverse=True)
        return self.answer


def first(question: str, **more: object) -> str:
    return recall(memory(), question, 3, embedder=EMBEDDER, **more).recollections[0].passage.text  # type: ignore[arg-type]


def test_the_passage_that_answers_comes_first_with_the_facts_that_led_there() -> None:
    found = recall(memory(), "刘备拜谁为师？", 3, embedder=EMBEDDER)
    assert found.recollections[0].passage.text == TOLD[1][0]
    assert found.recollections[0].facts[0] == Fact("刘备", "师从", "卢植")
    assert found.confident
    assert 0 < found.confidence <= 1


def test_scores_fall_from_1_to_0() -> None:
    scores = [one.score for one in recall(memory(), "官渡之战", len(TOLD), embedder=EMBEDDER).recollections]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1
    assert scores[-1] == 0
    assert len(scores) == len(TOLD)


def test_the_graph_leads_to_a_passage_that_shares_no_word_with_the_question() -> None:
    rows = [
        ("王生师从甲先生。", [("王生", "师从", "甲先生")]),
        *[(f"无关之事其{n}，风雨如晦。", [(f"事{n}", "是", "风雨")]) for n in range(8)],
        ("甲先生著有《算经》。", [("甲先生", "著", "算经")]),
    ]
    passages, extractions = told(rows)
    index = KnowledgeIndex.build(passages, extractions, EMBEDDER, MemoryVectorCache())
    found = recall(index, "王生的老师写了什么书？", 2, embedder=EMBEDDER)
    assert {one.passage.id for one in found.recollections} == {passages[0].id, passages[-1].id}


def test_a_bridge_is_crossed_in_english_too() -> None:
    found = recall(memory(), "What waterfall is in the country of the Bubye River?", 2, embedder=EMBEDDER)
    assert {one.passage.text for one in found.recollections} == {TOLD[7][0], TOLD[8][0]}


def test_without_a_number_the_gap_in_the_scores_decides() -> None:
    index = memory()
    found = recall(index, "刘备拜谁为师？", None, embedder=EMBEDDER)
    assert 1 <= len(found.recollections) <= index.params.res_top_k
    more = recall(index, "刘备拜谁为师？", None, embedder=EMBEDDER, params=RecallParams(res_top_k=1))
    assert len(more.recollections) == 1


@pytest.mark.parametrize("k", [1, 2, 50])
def test_as_many_come_as_are_asked_for_and_there_are(k: int) -> None:
    assert len(recall(memory(), "刘备", k, embedder=EMBEDDER).recollections) == min(k, len(TOLD))


def test_an_empty_memory_knows_nothing_and_says_so() -> None:
    index = KnowledgeIndex.build([], [], EMBEDDER, MemoryVectorCache())
    found = recall(index, "你是谁？", 3, embedder=EMBEDDER)
    assert found.recollections == ()
    assert not found.confident


def test_one_passage_is_enough() -> None:
    index = KnowledgeIndex.build([Passage("刘备称帝。")], [], EMBEDDER, MemoryVectorCache())
    found = recall(index, "刘备称帝了吗？", 3, embedder=EMBEDDER)
    assert found.recollections[0].score == 1
    assert found.recollections[0].facts == ()


def test_passages_that_say_the_same_of_nobody_all_score() -> None:
    passages = [Passage("雨。"), Passage("雪。"), Passage("风。")]
    index = KnowledgeIndex.build(passages, [], EMBEDDER, MemoryVectorCache())
    found = recall(index, "zzz", 3, embedder=EMBEDDER)
    assert len(found.recollections) == 3
    assert not found.confident


def test_the_unanswerable_is_told_from_the_answerable() -> None:
    index = memory()
    assert recall(index, "卢植官至何职？", 3, embedder=EMBEDDER).confident
    assert not recall(index, "Which team won the football cup?", 3, embedder=EMBEDDER).confident


def test_the_note_of_the_embedder_is_passed_on() -> None:
    assert recall(memory(), "刘备", 1, embedder=EMBEDDER).note == EMBEDDER.note


def test_a_filter_that_is_right_decides_which_facts_lead() -> None:
    index = memory()
    shown = Scripted([])
    recall(index, "诸葛亮葬在哪里？", 3, embedder=EMBEDDER, fact_filter=shown)
    right = shown.shown.index(Fact("诸葛亮", "葬于", "定军山"))
    found = recall(index, "诸葛亮葬在哪里？", 3, embedder=EMBEDDER, fact_filter=Scripted([right]))
    assert found.recollections[0].facts == (Fact("诸葛亮", "葬于", "定军山"),)
    assert all(fact == Fact("诸葛亮", "葬于", "定军山") for one in found.recollections for fact in one.facts)


def test_a_filter_that_is_wrong_does_not_hide_the_passage_that_answers() -> None:
    index = memory()
    shown = Scripted([])
    recall(index, "诸葛亮葬在哪里？", 3, embedder=EMBEDDER, fact_filter=shown)
    wrong = next(n for n, fact in enumerate(shown.shown) if fact.subject != "诸葛亮" and fact.object != "诸葛亮")
    found = recall(index, "诸葛亮葬在哪里？", 3, embedder=EMBEDDER, fact_filter=Scripted([wrong]))
    assert TOLD[5][0] in [one.passage.text for one in found.recollections]


def test_numbers_out_of_range_or_repeated_are_ignored() -> None:
    index = memory()
    wild = recall(index, "刘备", 3, embedder=EMBEDDER, fact_filter=Scripted([999, -1, 0, 0]))
    tame = recall(index, "刘备", 3, embedder=EMBEDDER, fact_filter=Scripted([0]))
    assert wild == tame


def test_an_empty_choice_leaves_no_fact() -> None:
    found = recall(memory(), "刘备", 3, embedder=EMBEDDER, fact_filter=Scripted([]))
    assert all(one.facts == () for one in found.recollections)
    assert "未经筛选" not in found.note


def test_without_a_judgement_in_time_recall_goes_on_and_says_so() -> None:
    index = memory()
    silent = recall(index, "刘备", 3, embedder=EMBEDDER, fact_filter=Scripted(None))
    plain = recall(index, "刘备", 3, embedder=EMBEDDER)
    assert silent.recollections == plain.recollections
    assert "未经筛选" in silent.note


def test_a_filter_is_shown_about_twenty_facts_each_once() -> None:
    rows = [
        (f"刘备第{n}次出征攻打城池{n}。", [("刘备", "攻打", f"城池{n}"), ("刘备", "出征", "很多次")]) for n in range(40)
    ]
    shown = Scripted(None)
    recall(memory(rows), "刘备攻打了哪些城池？", 3, embedder=EMBEDDER, fact_filter=shown)
    assert len(shown.shown) == 20
    assert len(set(shown.shown)) == 20


def test_a_relation_threshold_keeps_weak_facts_from_leading() -> None:
    strict = recall(memory(), "刘备拜谁为师？", 9, embedder=EMBEDDER, params=RecallParams(relation_threshold=1.0))
    assert strict.recollections[0].passage.text == TOLD[1][0]


def test_large_graphs_are_walked_by_the_certified_search_with_the_same_best(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["chathistory.knowledge.recall"]
    index = memory()
    exact = [one.passage.id for one in recall(index, "刘备的老师官至何职？", 4, embedder=EMBEDDER).recollections]
    monkeypatch.setattr(module, "_LARGE", 0)
    fast = [one.passage.id for one in recall(index, "刘备的老师官至何职？", 4, embedder=EMBEDDER).recollections]
    assert fast == exact


def test_many_passages_are_narrowed_by_vectors_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"无关的第{n}件事情，说的是{chr(0x4E00 + n)}。", []) for n in range(300)]
    index = memory([*TOLD, *rows])
    exact = recall(index, "刘备拜谁为师？", 2, embedder=EMBEDDER)
    for name in ("chathistory.knowledge.recall", "chathistory.knowledge.dense"):
        monkeypatch.setattr(sys.modules[name], "LARGE", 100)
    narrowed = recall(index, "刘备拜谁为师？", 2, embedder=EMBEDDER, params=RecallParams(paragraph_search_top_k=50))
    assert narrowed.recollections[0].passage == exact.recollections[0].passage


def test_a_question_vector_may_be_given() -> None:
    index = memory()
    text = "刘备拜谁为师？"
    by_vector = recall_vector(index, text, EMBEDDER.query(text), 3)
    assert by_vector.recollections == recall(index, text, 3, embedder=EMBEDDER).recollections


@pytest.mark.parametrize(
    ("asked", "put"),
    [
        ("您的老师是谁？", "刘备的老师是谁？"),
        ("玄德公，您怕打雷吗？", "刘备怕打雷吗？"),
        ("昭烈帝，您在哪里去世？", "刘备在哪里去世？"),
        ("陛下，你們好嗎？", "你们好吗？"),
        ("当年在荆州，您见过谁？", "当年在荆州，刘备见过谁？"),
        ("丞相，你们见过吗？", "你们见过吗？"),
        ("孔明，是您请来的吗？", "孔明，是刘备请来的吗？"),
    ],
)
def test_a_question_is_put_in_the_third_person_without_the_salutation(asked: str, put: str) -> None:
    assert rewrite(asked, LIU) == put


def test_courtesy_names_become_names_that_the_index_knows() -> None:
    known = {"诸葛亮", "吕布", "鲁肃", "刘子敬"}.__contains__
    assert rewrite("孔明和奉先见过吗？", LIU, known) == "诸葛亮和吕布见过吗？"
    assert rewrite("刘子敬是谁？", LIU, known) == "刘子敬是谁？"
    assert rewrite("云长在哪里？", LIU, known) == "云长在哪里？"
    assert rewrite("诸葛亮字孔明？", LIU, known) == "诸葛亮字孔明？"


def test_a_question_without_a_figure_is_only_normalised() -> None:
    assert rewrite("您認識孔明嗎？", None) == "您认识孔明吗？"


def test_a_figure_called_by_an_alias_is_found() -> None:
    assert first("玄德公，您拜谁为师？", figure=LIU) == TOLD[1][0]
