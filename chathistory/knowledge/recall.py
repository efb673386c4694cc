"""Recall: from a question to the passages that answer it, by vectors, words, facts and the graph."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Fact, Figure, Recall, Recollection
from chathistory.errors import ModelError
from chathistory.knowledge.calibration import centred_question
from chathistory.knowledge.confidence import confidence_by_words, confidence_of
from chathistory.knowledge.dense import LARGE
from chathistory.knowledge.graph import spans
from chathistory.knowledge.index import KnowledgeIndex
from chathistory.knowledge.params import RecallParams
from chathistory.knowledge.question import rewrite
from chathistory.knowledge.seeds import (
    SeedFact,
    best,
    candidate_facts,
    entity_seeds,
    lift_openings,
    read_question,
    reset,
)
from chathistory.knowledge.walk import short_walk
from chathistory.knowledge.words import Terms
from chathistory.models.protocols import Embedder, FactFilter, Vectors
from quick_algo.pagerank import top_k
from quick_algo.ranking import elbow_top_k, min_max

_log = logging.getLogger(__name__)
_WORDS_ALONE = "没有嵌入模型可问，本次只按字词和事实检索。"
_UNFILTERED = "事实筛选没有及时给出结果，本次检索未经筛选。"
_LARGE = 8_000_000
"""Entries of the graph up to which a short walk is quicker than a certified search, and as good."""
_WALKED = 60
_PROVEN = 40
"""The first passages of a large graph whose rank is proven; fewer lose recall on MuSiQue only from 20 on."""
_FAINT = 1e-5
_CLOSELY = 200
_UNSEEN = 0.05
_ELBOW = 10
_HEAD = 5
_SHOWN = 20
_TAIL = 4
_NEVER = np.float32(-np.inf)


def recall(
    index: KnowledgeIndex,
    query: str,
    k: int | None = None,
    *,
    embedder: Embedder,
    fact_filter: FactFilter | None = None,
    params: RecallParams | None = None,
    figure: Figure | None = None,
) -> Recall:
    """Return the passages that answer a question, best first.

    Parameters
    ----------
    k
        How many passages; None lets the gap in their scores decide, at most ``params.res_top_k``.
    embedder
        The one that the index was built with. Where it cannot be had, words and facts alone are asked, and the note
        says so.
    fact_filter
        Chooses among the candidate facts; without its judgement in time recall goes on and says so in the note.
    params
        Those of the index when None.
    figure
        Who is asked: 您 and 你 in the question are then that name, and the name is no longer called out.
    """
    question = rewrite(query, figure, index.graph.spread_of)
    note = embedder.note
    vector: Vectors | None
    try:
        vector = embedder.query(question)
    except ModelError as error:
        _log.warning("the question could not be embedded (%s): recall goes by words and facts", type(error).__name__)
        vector = None
    if vector is None or not vector.any():
        note = f"{note} {_WORDS_ALONE}".strip()
    return recall_vector(index, question, vector, k, fact_filter=fact_filter, params=params, note=note)


def recall_vector(
    index: KnowledgeIndex,
    question: str,
    vector: Vectors | None,
    k: int | None = None,
    *,
    fact_filter: FactFilter | None = None,
    params: RecallParams | None = None,
    note: str = "",
) -> Recall:
    """Do as ``recall`` does, from a rewritten question and its vector, shape (d,), or from its words alone."""
    params = params or index.params
    if not len(index):
        return Recall((), confident=False, note=note)
    asked = np.zeros_like(index.centre) if vector is None else centred_question(vector, index.centre)
    terms, named = read_question(index, question)
    direct = direct_scores(index, terms, asked, params)
    strength = float(direct.max())
    lift_openings(index, named, direct)
    facts = candidate_facts(
        index,
        terms,
        direct,
        params.relation_search_top_k if fact_filter is None else max(_SHOWN, params.relation_search_top_k),
    )
    if fact_filter is not None and facts:
        kept = fact_filter.keep(question, [(seed.fact, seed.score) for seed in facts])
        if kept is None:
            note = f"{note} {_UNFILTERED}".strip()
            facts = facts[: params.relation_search_top_k]
        else:
            facts = [facts[at] for at in dict.fromkeys(kept) if 0 <= at < len(facts)]
    walked = _walk(index, named, direct, facts, params)
    rows, scores = _ranked(index, direct, walked, params)
    if asked.any():
        confident, confidence = confidence_of(strength - index.noise, question, bool(named))
    else:
        confident, confidence = confidence_by_words(strength)
    order = np.arange(min(k, len(rows))) if k is not None else elbow_top_k(scores[:_ELBOW], 1)[: params.res_top_k]
    led = _led_by(index, rows[order], facts)
    found = tuple(
        Recollection(index.rows[row], score, led_by)
        for row, score, led_by in zip(rows[order].tolist(), scores[order].tolist(), led, strict=True)
    )
    return Recall(found, confident, confidence, note)


def direct_scores(index: KnowledgeIndex, terms: Terms, asked: Vectors, params: RecallParams) -> Vectors:
    """Return how well each passage answers by itself, shape (n,); removed passages, and those not worth a look, -inf.

    The mean of two cosines, of the passage and of its best sentence, and BM25 (the mean of the passage's and its best
    sentence's). Only passages that are good without their sentences have these compared; of the others the passage's
    own cosine, less the usual gain, stands for them.
    """
    words, weight = index.sentence_words, params.lexical_weight
    whole = index.passage_words.score(index.passage_words.matches(terms))
    if len(index.rows) < LARGE:
        out = np.where(index.alive, index.passage_vectors.cosines(asked) + weight * whole, _NEVER)
        looked_at = len(index)
    else:
        rows = _worth_a_look(index, asked, whole, params)
        out = np.full(len(index.rows), _NEVER)
        out[rows] = index.passage_vectors.cosines(asked, rows) + weight * whole[rows]
        looked_at = len(rows)
    rows = np.sort(best(out, min(_CLOSELY, looked_at)))
    cosine = out[rows] - weight * whole[rows]
    sentences, heads = spans(index.sentence_starts, rows)
    nearest = np.maximum.reduceat(index.sentence_vectors.cosines(asked, sentences), heads)
    wordiest = np.maximum.reduceat(words.score(words.matches(terms), sentences), heads)
    close = (cosine + nearest) / 2 + weight * (whole[rows] + wordiest) / 2
    out += _median(close - out[rows]) - _UNSEEN
    out[rows] = close
    return out


def _worth_a_look(index: KnowledgeIndex, asked: Vectors, whole: Vectors, params: RecallParams) -> NDArray[np.intp]:
    """Return the passages near enough, in vectors or words, to be scored."""
    near = index.passage_vectors.nearest(asked, params.paragraph_search_top_k) if asked.any() else np.zeros(0, np.intp)
    worded = best(np.where(index.alive, whole, -np.inf), params.paragraph_search_top_k)
    return np.union1d(near, worded[index.alive[worded]])


def _median(values: Vectors) -> float:
    """Return what ``np.median`` does, without its checks."""
    low, high = (len(values) - 1) // 2, len(values) // 2
    return float(np.partition(values, (low, high))[low : high + 1].mean())


def _walk(
    index: KnowledgeIndex, named: dict[int, float], direct: Vectors, facts: Sequence[SeedFact], params: RecallParams
) -> NDArray[np.float32]:
    """Return the personalised PageRank of each passage, shape (n,); zeros where the graph has no edge to walk."""
    graph = index.graph
    if not graph.csr.nnz:
        return np.zeros(len(index.rows), dtype=np.float32)
    nodes, weights = reset(index, direct, entity_seeds(index, named, facts, params), params)
    if graph.csr.nnz <= _LARGE:
        wanted, last = graph.passage_nodes, index.passage_edges
        return short_walk(graph.csr, index.inverse_degree, nodes, weights, params.ppr_damping, wanted, last)
    out = np.zeros(len(index.rows), dtype=np.float32)
    found = top_k(graph.csr, nodes, weights, _PROVEN, index.candidates, params.ppr_damping)
    out[index.passage_of_node[found.ids]] = found.scores
    return out


def _ranked(
    index: KnowledgeIndex, direct: Vectors, walked: NDArray[np.float32], params: RecallParams
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the passages worth a look, best first, and their scores, falling from 1 to 0.

    A passage ranks by its direct score and the logarithm of its rank in the graph. Beyond the first five the graph
    counts more: those that answer by themselves are found by then, those that complete an answer are not.
    """
    worth = np.zeros(len(direct), dtype=np.bool_)
    worth[best(direct, _WALKED)] = worth[best(walked, _WALKED)] = True
    pool = np.flatnonzero(worth & index.alive)
    own = np.maximum(direct[pool], direct[np.isfinite(direct)].min()).astype(np.float64)
    graph = params.graph_weight * np.log(walked[pool].astype(np.float64) + _FAINT)
    head = best(own + graph, _HEAD)
    left = np.ones(len(pool), dtype=np.bool_)
    left[head] = False
    rest = np.flatnonzero(left)
    order = np.concatenate((head, rest[best((own + _TAIL * graph)[rest], len(rest))]))
    return pool[order], np.minimum.accumulate(min_max(own + graph)[order])


def _led_by(index: KnowledgeIndex, passages: NDArray[np.intp], facts: Sequence[SeedFact]) -> list[tuple[Fact, ...]]:
    """Return for each passage those of the seed facts that it tells."""
    graph = index.graph
    told, _ = spans(graph.fact_starts, passages)
    owners = np.repeat(np.arange(len(passages)), graph.fact_starts[passages + 1] - graph.fact_starts[passages])
    subjects, objects = graph.fact_ends[told].T
    led: list[list[Fact]] = [[] for _ in passages]
    for seed in facts:
        subject, object_ = graph.fact_ends[seed.row]
        alike = np.flatnonzero((subjects == subject) & (objects == object_))
        same = [at for at in alike.tolist() if graph.facts[told[at]] == seed.fact]
        for owner in dict.fromkeys(owners[same].tolist()):
            led[owner].append(seed.fact)
    return [tuple(found) for found in led]
