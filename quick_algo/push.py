"""Ranking mode: the best nodes for a sparse reset, with a proof of their order where one can be had."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quick_algo.csr import Candidates, CSRGraph
from quick_algo.reset import scaled_reset
from quick_algo.solve import solve

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TopK:
    """The best candidates, best first.

    Attributes
    ----------
    ids : (k',) int64
        k' = min(k, number of candidates).
    scores : (k',) float64
        PageRank, off by at most ``residual`` each.
    proven
        True when the bound proves that these are the k best candidates in this order.
    residual
        Bound on the error of any one score.
    """

    ids: NDArray[np.int64]
    scores: Floats
    proven: bool
    residual: float


def top_k(
    graph: CSRGraph,
    ids: ArrayLike,
    weights: ArrayLike,
    k: int,
    candidates: Candidates | NDArray[np.bool_] | None = None,
    damping: float = 0.5,
) -> TopK:
    """Return the ``k`` candidates of the highest personalised PageRank for a reset on a few nodes.

    Parameters
    ----------
    ids, weights : (m,)
        The reset: distinct node ids and their weights, finite and >= 0, with a sum > 0.
    k
        How many, >= 1.
    candidates
        Who may be returned: ``graph.candidates(mask)``, made once a graph, or the mask (n,) itself; all when None.
    damping
        In [0, 1).
    """
    prepared = candidates if isinstance(candidates, Candidates) else graph.candidates(candidates)
    reset = np.zeros(graph.n)
    np.add.at(reset, np.asarray(ids, dtype=np.int64), np.asarray(weights, dtype=np.float64))
    return exact_top_k(graph, scaled_reset(reset), k, prepared, damping)


def exact_top_k(graph: CSRGraph, reset: Floats, k: int, candidates: Candidates, damping: float) -> TopK:
    """Rank by the exact solver; proven where neighbouring scores lie further apart than the error reaches."""
    solution = solve(graph, reset, damping, 1e-9)
    scores = solution.x / solution.mass
    error = 2 * solution.error
    pool = candidates.by_degree
    best = pool[np.lexsort((pool, -scores[pool]))][: k + 1]
    gaps = -np.diff(scores[best])
    return TopK(best[:k], scores[best[:k]], bool((gaps > 2 * error).all()), error)
