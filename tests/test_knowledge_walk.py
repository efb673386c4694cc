"""The short walk: how near three steps come to PageRank."""

from __future__ import annotations

import numpy as np
import pytest

from chathistory.knowledge import walk
from chathistory.knowledge.walk import coefficients, short_walk
from quick_algo.graph import CSRGraph
from quick_algo.pagerank import pagerank


def graph_of(seed: int, nodes: int = 300, edges: int = 1200) -> CSRGraph:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, nodes, (2, edges))
    kept = tails != heads
    return CSRGraph.from_arrays(nodes, tails[kept], heads[kept], rng.random(edges)[kept] + 0.1, undirected=True)


def walked(graph: CSRGraph, nodes: np.ndarray, weights: np.ndarray, damping: float) -> np.ndarray:
    every = np.arange(graph.n, dtype=np.int32)
    inverse = graph.inverse_degree.astype(np.float32)
    return short_walk(graph, inverse, nodes, weights, damping, every, graph.matrix)


@pytest.mark.parametrize("damping", [0.5, 0.8])
@pytest.mark.parametrize("seed", range(5))
def test_what_three_steps_leave_out_is_within_the_stated_share(seed: int, damping: float) -> None:
    graph = graph_of(seed)
    rng = np.random.default_rng(seed + 100)
    nodes = rng.choice(np.flatnonzero(graph.degree > 0), 12, replace=False)
    weights = rng.random(12)
    weights /= weights.sum()
    reset = np.zeros(graph.n)
    reset[nodes] = weights
    scale = np.sqrt(graph.inverse_degree)
    error = scale * (walked(graph, nodes, weights, damping) - pagerank(graph, reset, damping, 1e-10))
    share = {0.5: 0.0082, 0.8: 0.084}[damping]
    assert np.linalg.norm(error) <= share * np.linalg.norm(scale * reset)


def test_a_step_from_few_nodes_is_the_step_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(3)
    nodes, weights = np.array([4, 9]), np.array([0.25, 0.75])
    few = walked(graph, nodes, weights, 0.5)
    monkeypatch.setattr(walk, "_FEW", graph.nnz)
    assert np.allclose(few, walked(graph, nodes, weights, 0.5), atol=1e-6)


def test_the_polynomial_is_nearest_where_the_power_method_is_not() -> None:
    at = np.linspace(-1, 1, 401)
    series = np.polynomial.polynomial.polyval(at, np.array(coefficients(0.5), dtype=np.float64))
    assert np.abs(series - 0.5 / (1 - 0.5 * at)).max() < 0.0082
    assert coefficients(0.0)[0] == pytest.approx(1.0)
    assert all(value == 0 for value in coefficients(0.0)[1:])
