"""The graphs and resets that benchmarks.pagerank measures on; seeded, made without a loop over edges."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quick_algo.csr import CSRGraph

MUSIQUE = Path(__file__).resolve().parents[2] / "shared" / "bench" / "musique_train" / "openie.json"
HALF_DEGREE = 10
"""Edges that each new node of a Barabasi-Albert graph brings."""
ENTITY_MASS = 0.13
"""The share of the reset that entities hold in recall."""


@dataclass(frozen=True)
class Case:
    """A graph, which of its nodes are passages, and one reset (n,) that sums to 1."""

    name: str
    graph: CSRGraph
    passages: NDArray[np.bool_]
    reset: NDArray[np.float64]


def barabasi_albert(n: int, seed: int) -> CSRGraph:
    """Return a graph by preferential attachment, average degree just under ``2 * HALF_DEGREE``, weights 1.

    Each edge slot of node v picks a random end among all earlier slots' ends; a slot whose pick is another slot's head
    takes over that head, found for all slots at once by following the picks. Parallel edges fall together.
    Source: P. Sanders, C. Schulz, Scalable generation of scale-free graphs, Inf. Proc. Lett. 116 (2016).
    """
    rng = np.random.default_rng(seed)
    m = HALF_DEGREE
    tails = np.repeat(np.arange(m, n, dtype=np.int32), m)
    slots = np.arange(len(tails), dtype=np.int64)
    picks = (rng.random(len(tails)) * (2 * (slots // m * m))).astype(np.int64)
    heads = np.full(len(tails), -1, dtype=np.int32)
    heads[:m] = np.arange(m)
    pointer = picks >> 1
    at_tail = (picks & 1).astype(bool)
    at_tail[:m] = False
    heads[at_tail] = tails[pointer[at_tail]]
    open_slots = np.flatnonzero(heads < 0)
    while len(open_slots):
        found = heads[pointer[open_slots]]
        heads[open_slots] = found
        open_slots = open_slots[found < 0]
        pointer[open_slots] = pointer[pointer[open_slots]]
    summed = CSRGraph.from_arrays(n, tails, heads, undirected=True)
    return CSRGraph(summed.indptr, summed.indices, np.ones_like(summed.weights), symmetric=True)


def musique(openie: Path) -> tuple[CSRGraph, NDArray[np.bool_]]:
    """Return the graph of an OpenIE file (facts by count, entity-passage links, no synonyms) and its passage mask."""
    docs = json.loads(openie.read_text(encoding="utf-8"))["docs"]
    entities: dict[str, int] = {}
    facts: dict[tuple[int, int], float] = {}
    links: dict[tuple[int, int], None] = {}
    for passage, doc in enumerate(docs):
        for triple in doc["extracted_triples"]:
            if len(triple) != 3:
                continue
            subject, object_ = (
                entities.setdefault(str(part).strip().casefold(), len(entities)) for part in (triple[0], triple[2])
            )
            links[subject, passage] = links[object_, passage] = None
            if subject != object_:
                pair = (min(subject, object_), max(subject, object_))
                facts[pair] = facts.get(pair, 0.0) + 1.0
    first = len(entities)
    n = first + len(docs)
    src = [a for a, _ in facts] + [entity for entity, _ in links]
    dst = [b for _, b in facts] + [first + passage for _, passage in links]
    graph = CSRGraph.from_arrays(n, src, dst, [*facts.values(), *[1.0] * len(links)], undirected=True)
    return graph, np.arange(n) >= first


def sparse_reset(
    passages: NDArray[np.bool_], rng: np.random.Generator, n_passages: int = 50, n_entities: int = 5
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (ids, weights) of a reset like those of recall: a few entities, some passages, random weights."""
    some_passages = rng.choice(np.flatnonzero(passages), n_passages, replace=False)
    some_entities = rng.choice(np.flatnonzero(~passages), n_entities, replace=False)
    passage_weights, entity_weights = rng.random(n_passages), rng.random(n_entities)
    weights = np.concatenate(
        [
            (1.0 - ENTITY_MASS) * passage_weights / passage_weights.sum(),
            ENTITY_MASS * entity_weights / entity_weights.sum(),
        ]
    )
    return np.concatenate([some_passages, some_entities]), weights


def make_case(name: str, graph: CSRGraph, passages: NDArray[np.bool_], seed: int, dense: bool) -> Case:
    """Return the case with a sparse reset, or with one that is positive everywhere."""
    rng = np.random.default_rng(seed)
    if dense:
        reset = rng.random(graph.n)
    else:
        ids, weights = sparse_reset(passages, rng)
        reset = np.zeros(graph.n)
        reset[ids] = weights
    return Case(name, graph, passages, reset / reset.sum())


def size_name(n: int) -> str:
    """Return the name of the Barabasi-Albert graph of n nodes."""
    return f"ba-{n // 1000}k" if n < 1_000_000 else f"ba-{n // 1_000_000}M"


def barabasi_case(n: int, seed: int, dense: bool) -> Case:
    """Return a Barabasi-Albert graph; a random tenth of its nodes are called passages."""
    passages = np.random.default_rng(seed + 1).random(n) < 0.1
    return make_case(size_name(n), barabasi_albert(n, seed), passages, seed + 2, dense)


def musique_case(openie: Path, seed: int, dense: bool) -> Case:
    """Return the case of an OpenIE file."""
    graph, passages = musique(openie)
    return make_case("musique", graph, passages, seed, dense)
