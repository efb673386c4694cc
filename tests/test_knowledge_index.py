"""The index: what it holds, and that growing and shrinking it equals building it anew."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_support import EMBEDDER, TOLD, memory, told

from chathistory.domain import Extraction, Fact, Passage, Recall, text_id
from chathistory.knowledge import KnowledgeIndex, MemoryVectorCache, RecallParams, recall, texts_to_embed
from chathistory.knowledge import dense as dense_module
from chathistory.knowledge.dense import VectorTable
from chathistory.knowledge.graph import KnowledgeGraph, entity_key
from chathistory.knowledge.sentences import compose, pieces
from chathistory.models.embedded import HashingEmbedder

QUESTIONS = ["刘备的老师是谁？", "诸葛亮葬在哪里？", "What waterfall is in the country of the Bubye River?", "官渡"]


def same(one: Recall, other: Recall) -> bool:
    """Whether two recalls agree, rounding aside: sums that were taken in another order differ in the seventh digit."""
    scores = {r.passage.id: r.score for r in other.recollections}
    facts = {r.passage.id: r.facts for r in other.recollections}
    if {r.passage.id for r in one.recollections} != scores.keys():
        return False
    in_this_order = [scores[r.passage.id] for r in one.recollections]
    return (
        all(abs(r.score - scores[r.passage.id]) < 1e-4 for r in one.recollections)
        and all(before > after - 1e-4 for before, after in pairwise(in_this_order))
        and all(r.facts == facts[r.passage.id] for r in one.recollections if r.score > 1e-3)
        and one.confident == other.confident
        and abs(one.confidence - other.confidence) < 1e-4
    )


def test_an_index_tells_what_it_holds() -> None:
    index = memory()
    assert len(index) == len(TOLD)
    assert [one.text for one in index.passages] == [text for text, _ in TOLD]
    assert Fact("刘备", "师从", "卢植") in index.facts
    assert {"刘备", "卢植", "Zimbabwe"} <= set(index.entities)
    assert len(index.entities) == len(set(map(entity_key, index.entities)))


def test_the_fingerprint_changes_with_passages_facts_model_and_settings() -> None:
    passages, extractions = told(TOLD)
    poorer = [Extraction(extractions[0].passage_id, (), ()), *extractions[1:]]
    prints = {
        memory().fingerprint,
        memory(TOLD[:-1]).fingerprint,
        memory(params=RecallParams(ppr_damping=0.4)).fingerprint,
        KnowledgeIndex.build(passages, poorer, EMBEDDER, MemoryVectorCache()).fingerprint,
        KnowledgeIndex.build(passages, extractions, HashingEmbedder(64), MemoryVectorCache()).fingerprint,
    }
    assert len(prints) == 5
    assert memory().fingerprint == memory().fingerprint


def test_only_sentences_are_embedded_each_once() -> None:
    passages, extractions = told([*TOLD, TOLD[0]])
    texts = texts_to_embed(passages, extractions)
    assert all(text_id(text) == key for key, text in texts.items())
    cache = MemoryVectorCache()
    KnowledgeIndex.build(passages, extractions, EMBEDDER, cache)
    assert len(cache.get_many(EMBEDDER.model_id, list(texts))) == len(texts)


def test_sentences_are_whole_and_short_ones_find_a_neighbour() -> None:
    text = "好。刘备少年时拜同乡卢植为师，与公孙瓒同学。是。后来起兵讨伐黄巾，屡立战功，名声大振。"
    parts = pieces(text)
    assert "".join(parts) == text
    assert all(len(part) >= 12 for part in parts)
    assert len(parts) == 2
    assert pieces("短") == ["短"]


def test_a_passage_vector_is_the_mean_of_its_sentences_by_length() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1]], dtype=np.float32)
    mixed = compose(vectors, np.array([0, 0, 1], np.int32), np.array([3, 4, 9], np.float32), 2)
    np.testing.assert_allclose(mixed, [[0.6, 0.8], [0, 1]], atol=1e-6)


def test_the_last_row_left_lies_at_the_centre_and_has_no_direction() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = rng.standard_normal((9, 64)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        left = VectorTable.of(rows).without(np.arange(8))
        assert not left.cosines(rows[0]).any()


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_growing_and_shrinking_equal_a_rebuild(data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(TOLD))))
    rows = [TOLD[n] for n in order]
    passages, extractions = told(rows)
    cut = data.draw(st.integers(0, len(rows)))
    cache = MemoryVectorCache()
    index = KnowledgeIndex.build(passages[:cut], extractions[:cut], EMBEDDER, cache)
    gone = data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=len(rows) - 1))
    early = {n for n in gone if n < cut}
    index = index.without([passages[n].id for n in early])
    index = index.with_added(passages[cut:], extractions[cut:], EMBEDDER, cache)
    index = index.without([passages[n].id for n in gone - early])
    kept = [n for n in range(len(rows)) if n not in gone]
    anew = KnowledgeIndex.build([passages[n] for n in kept], [extractions[n] for n in kept], EMBEDDER, cache)
    assert index.passages == anew.passages
    assert index.facts == anew.facts
    assert set(map(entity_key, index.entities)) == set(map(entity_key, anew.entities))
    for question in QUESTIONS:
        assert same(recall(index, question, 9, embedder=EMBEDDER), recall(anew, question, 9, embedder=EMBEDDER))


def test_what_was_removed_may_come_back() -> None:
    index = memory()
    passages, extractions = told(TOLD)
    without = index.without([passages[1].id])
    assert "公孙瓒" not in without.entities
    again = without.with_added([passages[1]], [extractions[1]], EMBEDDER, MemoryVectorCache())
    assert "公孙瓒" in again.entities
    assert recall(again, "刘备的同学公孙瓒", 1, embedder=EMBEDDER).recollections[0].passage == passages[1]


def test_the_old_index_stays_as_it_was() -> None:
    index = memory(TOLD[:4])
    before = recall(index, QUESTIONS[0], 4, embedder=EMBEDDER)
    passages, extractions = told(TOLD)
    grown = index.with_added(passages[4:6], extractions[4:6], EMBEDDER, MemoryVectorCache())
    other = index.with_added(passages[6:], extractions[6:], EMBEDDER, MemoryVectorCache())
    index.without([passages[0].id])
    assert recall(index, QUESTIONS[0], 4, embedder=EMBEDDER) == before
    assert [one.text for one in grown.passages[4:]] == [text for text, _ in TOLD[4:6]]
    assert recall(other, "官渡袁绍", 1, embedder=EMBEDDER).recollections[0].passage == passages[6]


def test_adding_what_is_there_and_removing_what_is_not_changes_nothing() -> None:
    index = memory()
    passages, extractions = told(TOLD)
    assert index.with_added(passages, extractions, EMBEDDER, MemoryVectorCache()) is index
    assert index.without(["unknown"]) is index


def test_an_index_does_not_mix_models() -> None:
    passages, extractions = told(TOLD)
    with pytest.raises(ValueError, match="build a new one"):
        memory(TOLD[:2]).with_added(passages, extractions, HashingEmbedder(64), MemoryVectorCache())


def test_a_passage_without_an_extraction_can_still_be_found() -> None:
    index = KnowledgeIndex.build([Passage("刘备称帝于成都。")], [], EMBEDDER, MemoryVectorCache())
    assert recall(index, "在哪里称帝？", 3, embedder=EMBEDDER).recollections[0].passage.text == "刘备称帝于成都。"


def test_entities_are_one_in_any_spelling_of_one_name() -> None:
    assert entity_key("Kim Jong-Un") == entity_key("kim jong un")
    assert entity_key("刘备") != entity_key("刘禅")
    assert entity_key("?!") != ""


def test_names_within_names_are_linked_whichever_came_first() -> None:
    rows = [("徐州牧陶谦病逝。", [("陶谦", "任", "徐州牧")]), ("徐州百姓拥戴他。", [("百姓", "居于", "徐州")])]
    _, extractions = told(rows)
    for order in (extractions, extractions[::-1]):
        once = KnowledgeGraph.empty(0.3).with_added(order)
        twice = KnowledgeGraph.empty(0.3).with_added(order[:1]).with_added(order[1:])
        for graph in (once, twice):
            outer, inner = (graph.entity_nodes[graph.rows[entity_key(name)]] for name in ("徐州牧", "徐州"))
            assert graph.csr.matrix[outer, inner] == pytest.approx(2 / 3)
        unlinked = KnowledgeGraph.empty(2.0).with_added(order)
        assert unlinked.csr.nnz < once.csr.nnz


def test_a_fact_told_twice_weighs_twice_and_is_no_loop() -> None:
    fact = Fact("刘备", "胜", "曹操")
    rows = [Extraction(str(n), (), (fact, Fact("刘备", "是", "刘备"))) for n in range(2)]
    graph = KnowledgeGraph.empty(0.3).with_added(rows)
    ends = [graph.entity_nodes[graph.rows[entity_key(name)]] for name in ("刘备", "曹操")]
    assert graph.csr.matrix[ends[0], ends[1]] == 2
    assert graph.csr.matrix[ends[0], ends[0]] == 0


def test_the_ego_graph_reaches_as_far_as_it_is_asked() -> None:
    index = memory()
    near = index.ego("刘备", 1)
    assert near.nodes["刘备"]["kind"] == "entity"
    assert near.edges["刘备", "卢植"]["predicate"] == "师从"
    assert "北中郎将" not in near
    assert "北中郎将" in index.ego("刘备", 2)
    around = index.ego(index.passages[0].id, 1)
    assert set(around) == {index.passages[0].id, "刘备", "玄德", "涿郡涿县"}
    assert around.edges["刘备", index.passages[0].id]["kind"] == "mention"
    assert len(index.ego("无此人")) == 0
    assert index.passages[1].id not in index.without([index.passages[1].id]).ego("刘备", 2)


def test_cosines_are_those_of_centred_vectors() -> None:
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((40, 8)).astype(np.float32) + 2
    table = VectorTable.of(rows[:30]).with_added(rows[30:]).without(np.array([4, 5]))
    kept = np.setdiff1d(np.arange(40), [4, 5])
    moved = rows[kept] - rows[kept].mean(axis=0)
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    query = moved[3]
    np.testing.assert_allclose(table.cosines(query)[kept], moved @ query, atol=1e-4)
    assert (table.cosines(query)[[4, 5]] == 0).all()
    np.testing.assert_allclose(table.cosines(query, kept[:5]), (moved @ query)[:5], atol=1e-4)


def test_few_rows_are_searched_exactly() -> None:
    assert VectorTable.of(np.eye(4, dtype=np.float32)).found_share == 1.0


def test_many_rows_are_searched_in_cells_that_miss_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_module, "LARGE", 1000)
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((60, 32))
    rows = (centres[rng.integers(0, 60, 4000)] + 0.3 * rng.standard_normal((4000, 32))).astype(np.float32)
    table = VectorTable.of(rows[:3900])
    grown = table.with_added(rows[3900:]).without(np.arange(10))
    for one, size in ((table, 3900), (grown, 4000)):
        hits = []
        for at in range(20, size, 199):
            query = one.centred(np.array([at]))[0]
            exact = set(np.argsort(-one.cosines(query))[:50].tolist())
            near = one.nearest(query, 100)
            assert near.max() < size
            hits.append(len(exact & set(near.tolist())) / 50)
        assert np.mean(hits) >= 0.95
        assert one.found_share >= 0.98
    assert not set(range(10)) & set(grown.nearest(grown.centred(np.array([20]))[0], 4000).tolist())
