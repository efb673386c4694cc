"""The ranking mode by the exact solver: for small graphs, for what push cannot prove, and for weights of any kind.

For symmetric weights any x, however it was found, carries its own certificate. Take the residual
``r = b - (x - d P x) / (1 - d)`` in float64; with densities ``z = x / degree``, ``g = r / degree``, ``z* = z + R g``,
where R has no negative entry and rows that sum to 1 (see ``push``), so

    d min g <= z*(v) - z(v) - (1 - d) g(v) <= d max g.

The solver may thus work in float32 and stop early: its rounding is part of the residual.
"""

from __future__ import annotations

import numpy as np

from quick_algo.certificate import SLACK, Floats, TopK, settle
from quick_algo.csr import Candidates, CSRGraph
from quick_algo.kernels import Kernel, compiled
from quick_algo.solve import solve

FIRST_TOL, LAST_TOL = 1e-4, 1e-10


def exact_top_k(
    graph: CSRGraph, reset: Floats, k: int, candidates: Candidates, damping: float, kernel: Kernel = "auto"
) -> TopK:
    """Rank by the exact solver.

    Parameters
    ----------
    reset : (n,) float64
        Sums to 1.

    Returns
    -------
    TopK
        Not proven where scores lie nearer than the solver can tell apart.
    """
    wanted = min(k, len(candidates.by_degree))
    if not graph.symmetric:
        return _by_sum(graph, reset, wanted, candidates, damping)
    answer, ratio = _by_density(graph, reset, wanted, candidates, damping, FIRST_TOL, kernel)
    if answer.proven:
        return answer
    # as near as the closest pair asks for, if that is in reach
    tol = max(FIRST_TOL * ratio / 2.0, LAST_TOL)
    return _by_density(graph, reset, wanted, candidates, damping, tol, kernel)[0]


def _by_density(
    graph: CSRGraph, reset: Floats, wanted: int, candidates: Candidates, damping: float, tol: float, kernel: Kernel
) -> tuple[TopK, float]:
    solution = solve(graph, reset, damping, tol, kernel=kernel)
    x = solution.x
    fast = compiled(kernel)
    flow = x * graph.inverse_degree
    arriving = graph.matrix64 @ flow if fast is None else fast.product(graph.indptr, graph.indices, graph.weights, flow)
    residual = reset - (x - damping * arriving) / (1.0 - damping)
    density = residual * graph.inverse_degree
    lowest, highest = float(density.min()), float(density.max())
    pool = candidates.by_degree
    low = x[pool] + (1.0 - damping) * residual[pool] + damping * lowest * candidates.degrees
    width = damping * (highest - lowest) * candidates.degrees
    kth = np.partition(low, len(pool) - wanted)[len(pool) - wanted]
    near = low + width >= kth * (1.0 - 2.0 * SLACK)
    return settle(pool[near], low[near], width[near], wanted, solution.mass)


def _by_sum(graph: CSRGraph, reset: Floats, wanted: int, candidates: Candidates, damping: float) -> TopK:
    """Weights that are not symmetric: all scores are known to within the L1 error."""
    solution = solve(graph, reset, damping, LAST_TOL)
    pool = candidates.by_degree
    # the mass is known from x only: scaling by it may double the error
    error = 2.0 * solution.error
    width = np.full(len(pool), 2.0 * error)
    return settle(pool, solution.x[pool] - error, width, wanted, solution.mass)[0]
