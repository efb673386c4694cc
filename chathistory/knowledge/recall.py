"""Recall: from a question to the passages that answer it, by dense search, facts and the graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Figure, Recall, Recollection
from chathistory.knowledge.index import KnowledgeIndex
from chathistory.knowledge.params import RecallParams
from chathistory.models.protocols import Embedder, FactFilter, Vectors


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
        How many passages; None lets the gap in the scores decide, at most ``params.res_top_k``.
    fact_filter
        Chooses among the candidate facts; without its judgement recall goes on and says so in the note.
    figure
        Who is asked.
    """
    return recall_vector(index, query, embedder.query(query), k, fact_filter=fact_filter, params=params)


def recall_vector(
    index: KnowledgeIndex,
    query: str,
    vector: Vectors,
    k: int | None = None,
    *,
    fact_filter: FactFilter | None = None,
    params: RecallParams | None = None,
) -> Recall:
    """Do as ``recall`` does, from the question's vector, shape (dimension,)."""
    params = params or index.params
    if not index.passages:
        return Recall((), False)
    dense = index.passage_vectors @ vector
    note = ""
    seeds: list[tuple[int, float]] = []
    if index.facts:
        scores = index.fact_vectors @ vector
        best = _top(scores, params.relation_search_top_k)
        line = params.relation_threshold
        floor = scores[best[0]] * 0.8 if line is None else line
        seeds = [(int(f), float(scores[f])) for f in best if scores[f] >= floor and scores[f] > 0]
        if fact_filter is not None and seeds:
            kept = fact_filter.keep(query, [(index.facts[f], score) for f, score in seeds])
            if kept is None:
                note = "事实筛选没有及时给出结果，本次检索未经筛选。"
            else:
                seeds = [seeds[i] for i in dict.fromkeys(kept) if 0 <= i < len(seeds)]
    ranks = _graph_ranks(index, dense, seeds, params) if seeds else _min_max(dense)
    order = _top(ranks, k if k is not None else params.res_top_k)
    top = _min_max(ranks)
    confidence = float(np.clip(dense.max(), 0, 1))
    found = tuple(Recollection(index.passages[p], float(top[p]), _facts_of(index, int(p), seeds)) for p in order)
    return Recall(found, confidence > 0.2, confidence, note)


def _graph_ranks(
    index: KnowledgeIndex, dense: Vectors, seeds: Sequence[tuple[int, float]], params: RecallParams
) -> NDArray[np.float32]:
    n = len(index.passages)
    reset = np.zeros(index.transition.shape[0], dtype=np.float32)
    spread = np.maximum(np.diff(index.entity_passages.indptr), 1)
    weights: dict[int, list[float]] = {}
    for fact, score in seeds:
        for entity in index.fact_ends[fact]:
            weights.setdefault(int(entity), []).append(score / float(spread[entity]))
    ranked = sorted(((float(np.mean(w)), e) for e, w in weights.items()), reverse=True)[: params.ent_filter_top_k]
    for weight, entity in ranked:
        reset[n + entity] = weight
    reset[:n] = _min_max(dense) * params.paragraph_node_weight
    reset /= reset.sum()
    rank = reset
    for _ in range(12):
        rank = params.ppr_damping * (index.transition @ rank) + (1 - params.ppr_damping) * reset
    return np.asarray(rank[:n], dtype=np.float32)


def _facts_of(index: KnowledgeIndex, passage: int, seeds: Sequence[tuple[int, float]]) -> tuple:  # type: ignore[type-arg]
    return tuple(index.facts[f] for f, _ in seeds if index.fact_passages[f, passage])


def _top(scores: Vectors, k: int) -> NDArray[np.intp]:
    k = min(k, len(scores))
    part = np.argpartition(-scores, k - 1)[:k] if 0 < k < len(scores) else np.arange(len(scores))[:k]
    return part[np.argsort(-scores[part], kind="stable")]


def _min_max(values: Vectors) -> Vectors:
    low, high = values.min(), values.max()
    if high <= low:
        return np.ones_like(values)
    return np.asarray((values - low) / (high - low), dtype=np.float32)
