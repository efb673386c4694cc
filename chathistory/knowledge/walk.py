"""A short random walk over the graph: personalised PageRank, as far as it matters for the order of the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chathistory.knowledge.graph import spans
from quick_algo.graph import CSRGraph

STEPS = 5
_FEW = 0.05


def short_walk(
    graph: CSRGraph,
    inverse: NDArray[np.float32],
    nodes: NDArray[np.int64],
    weights: NDArray[np.float64],
    damping: float,
    wanted: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Return the rank of the wanted nodes after five steps of the power method from the reset itself.

    What the steps left out could still move is at most ``damping ** 5`` of the rank, 3% at 0.5, and most of that stays
    near the reset. While few nodes are reached only their rows are read, and of the last step only the wanted rows.

    Parameters
    ----------
    graph
        Symmetric weights.
    inverse : (n,)
        One over each node's weight sum.
    nodes, weights : (m,)
        The reset; weights sum to 1.
    wanted : (w,)
        Node ids.

    Returns
    -------
    (w,) float32
    """
    reset = np.bincount(nodes, weights, graph.n).astype(np.float32)
    base = np.float32(1 - damping) * reset
    rank = reset
    for step in range(1, STEPS + 1):
        moving = rank * inverse
        if step == STEPS:
            return np.asarray(base[wanted] + np.float32(damping) * _rows(graph, wanted, moving), dtype=np.float32)
        reached = np.flatnonzero(moving)
        if len(reached) < _FEW * graph.n:
            places, _ = spans(graph.indptr, reached)
            shares = graph.weights[places] * np.repeat(moving[reached], graph.lengths[reached])
            moved = np.bincount(graph.indices[places], shares, graph.n).astype(np.float32)
        else:
            moved = graph.matrix @ moving
        rank = base + np.float32(damping) * moved
    raise AssertionError("unreachable")


def _rows(graph: CSRGraph, wanted: NDArray[np.int32], moving: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product of some rows with a vector."""
    places, heads = spans(graph.indptr, wanted)
    out = np.zeros(len(wanted), dtype=np.float32)
    filled = graph.lengths[wanted] > 0
    if filled.any():
        out[filled] = np.add.reduceat(graph.weights[places] * moving[graph.indices[places]], heads[filled])
    return out
