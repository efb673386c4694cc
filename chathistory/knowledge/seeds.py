"""Where the walk over the graph starts: facts that bear on the question, entities it names, passages it resembles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Fact
from chathistory.knowledge.graph import entity_key
from chathistory.knowledge.index import KnowledgeIndex
from chathistory.knowledge.params import RecallParams
from chathistory.knowledge.words import Terms, fold, terms, units
from chathistory.models.protocols import Vectors

_LOOKED_AT = 100
_STEEPNESS = 8
_SPECIFIC = 0.5
_OPENING = 0.1
_SEED_PASSAGES = 50


@dataclass(frozen=True, slots=True)
class SeedFact:
    """A fact that bears on the question: its row, and its score."""

    row: int
    fact: Fact
    score: float


def candidate_facts(index: KnowledgeIndex, asked: Terms, direct: Vectors, limit: int) -> list[SeedFact]:
    """Return the facts that bear on the question most, best first, each once.

    A fact scores by the words it shares with the question, and by how well the passage that tells it answers: so no
    fact needs a vector of its own.
    """
    if not index.graph.facts:
        return []
    passages = best(direct, _LOOKED_AT)
    rows = index.graph.facts_of(passages)
    if not len(rows):
        return []
    shared = index.fact_words.score(index.fact_words.matches(asked), rows)
    scores = shared + direct[index.graph.fact_passage[rows]]
    found: dict[Fact, SeedFact] = {}
    for at in best(scores, 3 * limit):
        fact = index.graph.facts[rows[at]]
        if scores[at] > 0:
            found.setdefault(fact, SeedFact(int(rows[at]), fact, float(scores[at])))
    return list(found.values())[:limit]


def read_question(index: KnowledgeIndex, question: str) -> tuple[Terms, dict[int, float]]:
    """Return the terms of the question, and the entities that it names, by row, with how rare each name is, 0..1.

    Common names are left out.
    """
    named = index.graph.named_in(question)
    found, owners = terms([question, *(index.graph.names[entity] for entity in named)])
    asked = np.unique(found[owners == 0])
    rarities = index.sentence_words.rarities(found, owners, len(named) + 1)[1:]
    return asked, {entity: rarity for entity, rarity in zip(named, rarities, strict=True) if rarity >= _SPECIFIC}


def lift_openings(index: KnowledgeIndex, named: dict[int, float], direct: Vectors) -> None:
    """Raise, in place, the passages that open with a name the question names: such a passage is about it."""
    graph = index.graph
    for entity, rarity in named.items():
        key = entity_key(graph.names[entity]).replace(" ", "")
        for row in graph.passages_of(entity):
            opening = fold(index.rows[row].text[: 2 * len(key) + 8])
            if "".join(units(opening)).startswith(key):
                direct[row] += _OPENING * rarity


def entity_seeds(
    index: KnowledgeIndex, named: dict[int, float], facts: Sequence[SeedFact], params: RecallParams
) -> dict[int, float]:
    """Return the weights of the seed entities, by row.

    An entity weighs the mean of its facts' scores (relative to the best, steeply) over the number of its passages; one
    that the question names weighs how rare its name is, over the same number.
    """
    weights: dict[int, list[float]] = {}
    for seed in facts:
        share = max(seed.score, 0.0) / max(facts[0].score, 1e-9)
        if params.relation_threshold is not None and share < params.relation_threshold:
            continue
        for entity in set(index.graph.fact_ends[seed.row].tolist()):
            weights.setdefault(entity, []).append(min(share, 1.0) ** _STEEPNESS)
    seeds = {entity: sum(shares) / len(shares) for entity, shares in weights.items()}
    for entity, rarity in named.items():
        seeds[entity] = seeds.get(entity, 0.0) + rarity
    spread = index.graph.spread
    seeds = {entity: weight / max(int(spread[entity]), 1) for entity, weight in seeds.items()}
    ranked = sorted(seeds.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[: params.ent_filter_top_k])


def reset(
    index: KnowledgeIndex, direct: Vectors, entities: dict[int, float], params: RecallParams
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the nodes that the walk starts from, and their weights, which sum to 1."""
    passages = best(direct, _SEED_PASSAGES)
    shares = np.exp((direct[passages] - direct[passages[0]]) / params.temperature).astype(np.float64)
    share = min(params.paragraph_node_weight * 10, 1.0) if entities else 1.0
    rows = np.fromiter(entities, dtype=np.int64, count=len(entities))
    weights = np.fromiter(entities.values(), dtype=np.float64, count=len(entities))
    nodes = np.concatenate((index.graph.passage_nodes[passages], index.graph.entity_nodes[rows])).astype(np.int64)
    parts = (share * shares / shares.sum(), (1 - share) * weights / max(float(weights.sum()), 1e-12))
    return nodes, np.concatenate(parts)


def best(scores: Vectors, k: int) -> NDArray[np.intp]:
    """Return the positions of the k best scores, best first, equal ones by position."""
    if k < len(scores):
        part = np.sort(np.argpartition(-scores, k - 1)[:k]) if k > 0 else np.zeros(0, dtype=np.intp)
    else:
        part = np.arange(len(scores))
    return part[np.argsort(-scores[part], kind="stable")]
