"""Personalised PageRank: exact for one reset or a block of them, over names, and as a certified ranking."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quick_algo.certificate import TopK
from quick_algo.csr import CSRGraph
from quick_algo.di_graph import DiGraph
from quick_algo.kernels import Kernel
from quick_algo.reset import scaled_reset
from quick_algo.solve import NotConverged, solve
from quick_algo.topk import top_k

__all__ = ["NotConverged", "TopK", "pagerank", "run_pagerank", "top_k"]

Floats = NDArray[np.float64]


def pagerank(
    graph: CSRGraph, reset: ArrayLike, damping: float = 0.5, tol: float = 1e-6, kernel: Kernel = "auto"
) -> Floats:
    """Return the personalised PageRank of every node.

    The walker follows an edge with probability ``damping``, chosen by weight among those of the node it is at, and
    else, or where there is no edge, jumps to a node drawn from ``reset``.

    Parameters
    ----------
    graph
        n nodes; symmetric weights are solved fastest.
    reset : (n,) or (n, q), finite and >= 0, each column with a sum > 0
        Where walkers start; each column is scaled to sum 1.
    damping
        In [0, 1).
    tol
        The L1 error that each column stays below.
    kernel
        "numpy", "numba" (extra ``fast``), or "auto" for the latter where it is installed; the results agree within tol.

    Returns
    -------
    (n,) or (n, q) float64, each column summing to 1.

    Raises
    ------
    ValueError
        A reset of another shape, one that is negative, not finite or all zero; damping or tol out of range.

    Notes
    -----
    A sink sends its walker back to the reset. The vector then is the solution of ``(I - d P) x = (1 - d) reset``, in
    which sinks swallow their walkers, scaled to sum 1 (Gleich 2015, sec. 3.1): no matrix with dense columns is needed.

    Examples
    --------
    >>> graph = CSRGraph.from_arrays(3, [0, 1], [1, 2], undirected=True)
    >>> pagerank(graph, [1.0, 0.0, 0.0]).round(4).tolist()
    [0.5833, 0.3333, 0.0833]
    """
    columns = np.asarray(reset, dtype=np.float64)
    if not 0.0 <= damping < 1.0:
        raise ValueError(f"damping {damping} lies outside [0, 1)")
    if not tol > 0.0:
        raise ValueError(f"tol {tol} must be positive")
    if columns.ndim not in (1, 2) or columns.shape[0] != graph.n:
        raise ValueError(f"the reset has shape {columns.shape}; the graph asks for ({graph.n},) or ({graph.n}, q)")
    if graph.n == 0:
        return columns.copy()
    if columns.ndim == 2:
        found = np.empty_like(columns)
        for place, column in enumerate(columns.T):
            found[:, place] = _one(graph, column, damping, tol, kernel)
        return found
    return _one(graph, columns, damping, tol, kernel)


def _one(graph: CSRGraph, reset: Floats, damping: float, tol: float, kernel: Kernel) -> Floats:
    # where the mass is not known beforehand, scaling to sum 1 may double the error
    solution = solve(graph, scaled_reset(reset), damping, tol if graph.symmetric else tol / 2, kernel=kernel)
    return np.asarray(solution.x / solution.mass, dtype=np.float64)


def run_pagerank(
    graph: DiGraph,
    init_score: Mapping[str, float] | None = None,
    personalization: Mapping[str, float] | None = None,
    dangling_weight: Mapping[str, float] | None = None,
    alpha: float = 0.85,
    max_iter: int = 100,
    tol: float = 1e-6,
) -> dict[str, float]:
    """Return the PageRank of every node by name, as the seed library's function of that name.

    Parameters
    ----------
    graph
        Edges count by their attribute ``weight``, 1.0 where it has none.
    init_score
        Accepted for old callers; the result does not depend on where the search for it starts.
    personalization
        Weight of each name in the reset; names that are left out weigh 0, unknown names are ignored. Uniform when None.
    dangling_weight
        Where a walker goes from a node without edges; the personalization when None.
    alpha
        Damping, in [0, 1).
    max_iter
        Bound on the products with the matrix.
    tol
        The L1 error of the whole vector, whatever its length (networkx and the seed stop at n times this).

    Raises
    ------
    ValueError
        A personalization without a positive weight on a known node.
    NotConverged
        ``max_iter`` products did not do.
    """
    if not 0.0 <= alpha < 1.0:
        raise ValueError(f"alpha {alpha} lies outside [0, 1)")
    names = graph.get_node_list()
    if not names:
        return {}
    arrays = CSRGraph.from_digraph(graph)
    reset = scaled_reset(_vector(names, personalization))
    x = solve(arrays, reset, alpha, tol / 2, max_iter).x
    sinks = arrays.degree == 0
    if dangling_weight is not None and sinks.any():
        # x = u + c v: what starts at the reset, plus what sinks send out again, c = what reaches a sink
        dangling = scaled_reset(_vector(names, dangling_weight))
        again = solve(arrays, dangling, alpha, tol / 4, max_iter).x * (alpha / (1.0 - alpha))
        x = x + again * (float(x[sinks].sum()) / (1.0 - float(again[sinks].sum())))
    x = x / x.sum()
    return dict(zip(names, x.tolist(), strict=True))


def _vector(names: list[str], weights: Mapping[str, float] | None) -> Floats:
    if weights is None:
        return np.ones(len(names))
    return np.array([float(weights.get(name, 0.0)) for name in names])
