"""Ranking mode: the door to the k best nodes for a sparse reset. How it proves them: see ``push``."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quick_algo.certificate import Floats, Ids, TopK
from quick_algo.csr import Candidates, CSRGraph
from quick_algo.dense_ranking import exact_top_k
from quick_algo.kernels import Kernel, compiled
from quick_algo.push import push_top_k
from quick_algo.reset import scaled_reset

SMALL = 400_000
"""Edges up to which numpy solves for all nodes at once: its rounds of push cost more."""
EDGES_A_RANK = 4_000
"""Edges that push is expected to read for each node wanted; a graph with fewer is solved for all nodes at once."""


def top_k(
    graph: CSRGraph,
    ids: ArrayLike,
    weights: ArrayLike,
    k: int,
    candidates: Candidates | NDArray[np.bool_] | None = None,
    damping: float = 0.5,
    kernel: Kernel = "auto",
) -> TopK:
    """Return the ``k`` candidates of the highest personalised PageRank for a reset on a few nodes.

    Parameters
    ----------
    graph
        Symmetric weights are ranked by certified push, others by the exact solver.
    ids, weights : (m,)
        The reset: node ids (the weights of a repeated id are summed) and weights, finite and >= 0, with a sum > 0.
    k
        How many, >= 1.
    candidates
        Who may be returned: ``graph.candidates(mask)``, made once a graph, or the mask (n,) itself; all when None.
    damping
        In [0, 1).
    kernel
        "numpy", "numba" (extra ``fast``), or "auto".

    Returns
    -------
    TopK
        ``proven`` tells whether the order is certain. What push cannot prove soon goes to the exact solver, with a
        certificate of its own; what stays unproven are ties, or nearly.

    Raises
    ------
    ValueError
        An id outside the graph, a reset that is no distribution, k < 1 or damping out of range.
    """
    if k < 1:
        raise ValueError(f"k {k} must be at least 1")
    if not 0.0 <= damping < 1.0:
        raise ValueError(f"damping {damping} lies outside [0, 1)")
    prepared = candidates if isinstance(candidates, Candidates) else graph.candidates(candidates)
    nodes, shares = _reset(graph, ids, weights)
    if not len(prepared.by_degree):
        return TopK(np.zeros(0, dtype=np.int64), np.zeros(0), True, 0.0)
    fast = compiled(kernel)
    sparse = graph.nnz > (SMALL if fast is None else EDGES_A_RANK * k)
    if graph.symmetric and damping > 0.0 and sparse:
        found = push_top_k(graph, nodes, shares, k, prepared, damping, fast)
        if found is not None:
            return found
    reset = np.zeros(graph.n)
    reset[nodes] = shares
    return exact_top_k(graph, reset, k, prepared, damping, kernel)


def _reset(graph: CSRGraph, ids: ArrayLike, weights: ArrayLike) -> tuple[Ids, Floats]:
    nodes, shares = np.asarray(ids), np.asarray(weights, dtype=np.float64)
    if nodes.ndim != 1 or nodes.shape != shares.shape:
        raise ValueError(f"the reset's ids {nodes.shape} and weights {shares.shape} must be of one length")
    if nodes.size and (nodes.dtype.kind not in "iu" or nodes.min() < 0 or nodes.max() >= graph.n):
        raise ValueError(f"an id of the reset lies outside 0..{graph.n - 1}")
    scaled = scaled_reset(shares)
    unique, place = np.unique(nodes.astype(np.int64), return_inverse=True)
    summed = np.bincount(place, weights=scaled, minlength=len(unique))
    held = summed > 0.0
    return unique[held], np.asarray(summed[held], dtype=np.float64)
