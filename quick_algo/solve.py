"""Solvers of the PageRank equation ``(I - d P) x = (1 - d) b`` on numpy and scipy.

P is the transpose of the row-normalised weights: column-stochastic but for the empty columns of sinks. Where the weights
are symmetric, ``z = x / degree`` solves ``(D - d A) z = (1 - d) b`` with D the degrees: a symmetric positive definite
system, for which conjugate gradients preconditioned by D find the best polynomial by themselves. The power method needs
``log tol / log (d l)`` steps, with l the second eigenvalue; this needs about half as many and no estimate of l.
The residual of that system is the residual of the PageRank equation, so ``|x - x*|_1 <= |residual|_1 / (1 - d)``,
as ``(I - d P)^-1 = sum d^k P^k`` has 1-norm at most ``1 / (1 - d)``.

Sources: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., ch. 6 and 9 (conjugate gradients);
D. Gleich, PageRank beyond the Web, SIAM Review 57 (2015), sec. 2-3 (linear system, sinks, symmetric graphs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quick_algo.csr import CSRGraph

Floats = NDArray[np.float64]

SINGLE_FLOOR = 3e-7
"""A relative L1 error below this is asked of float64; float32 cannot promise it."""
SPARSE_SHARE = 16
"""A step over rows that hold less than 1/16 of the edges gathers those rows only."""


class NotConverged(ArithmeticError):
    """The solver used up its steps; the message tells the error that is left."""


@dataclass(frozen=True, slots=True)
class Solution:
    """``x`` (n,) float64 solves the equation up to an L1 error of at most ``error``, after ``steps`` products."""

    x: Floats
    error: float
    steps: int


def solve(graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int = 1000) -> Solution:
    """Solve ``(I - d P) x = (1 - d) source``.

    Parameters
    ----------
    source : (n,) float64, >= 0
    damping
        d in [0, 1).
    tol
        L1 error to reach, relative to the sum of ``x``.

    Raises
    ------
    NotConverged
        ``max_steps`` products with the matrix did not do.
    """
    if graph.symmetric:
        return conjugate_gradients(graph, source, damping, tol, max_steps)
    return power(graph, source, damping, tol, max_steps)


def conjugate_gradients(graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int) -> Solution:
    """Preconditioned conjugate gradients for symmetric weights; see the module's docstring."""
    single = tol >= SINGLE_FLOOR
    kind: Any = np.float32 if single and graph.weights.dtype == np.float32 else np.float64
    degree = graph.degree32 if kind is np.float32 else graph.degree
    inverse = graph.inverse_degree32 if kind is np.float32 else graph.inverse_degree
    matrix = graph.matrix if kind is np.float32 else graph.matrix64
    lonely = graph.degree == 0

    start = (1.0 - damping) * source
    alone = np.where(lonely, start, 0.0)
    residual = (start - alone).astype(kind)
    goal = tol * (1.0 - damping) * (float(start.sum() - alone.sum()) / (1.0 - damping) + float(alone.sum()))

    # The constant vector is known exactly (A 1 = degree): it is kept apart as `level`, so that the first steps of a
    # sparse source touch few rows although the stationary part is taken out of the residual at once.
    level = 0.0
    if graph.total_degree > 0:
        level = float(start.sum() - alone.sum()) / (1.0 - damping) / graph.total_degree
    z = np.full(graph.n, level, dtype=kind)
    shift = -(1.0 - damping) * level
    support = np.flatnonzero(residual)
    residual += kind(shift) * degree
    s = residual * inverse
    p = s.copy()
    rho = float(residual @ s)
    image = np.empty_like(p)
    steps = 0
    left = float(np.abs(residual).sum())
    while left > goal and rho > 0.0:
        if steps == max_steps:
            raise NotConverged(
                f"PageRank: L1 error {left / (1 - damping):.1e} after {steps} steps; raise max_iter or tol"
            )
        product, support = _multiply(graph, matrix, p, shift, support, degree)
        np.multiply(degree, p, out=image)
        product *= kind(damping)
        image -= product
        curvature = float(p @ image)
        step = rho / curvature
        z += kind(step) * p
        image *= kind(step)
        residual -= image
        np.multiply(residual, inverse, out=s)
        new_rho = float(residual @ s)
        beta = new_rho / rho
        rho = new_rho
        p *= kind(beta)
        p += s
        # constant part of p: D^-1 times that of the residual, plus beta times the old one
        steps += 1
        left = float(np.abs(residual).sum())
    x = z.astype(np.float64) * graph.degree
    x += alone
    return Solution(x, left / (1.0 - damping), steps)


def _multiply(
    graph: CSRGraph, matrix: Any, p: NDArray[Any], shift: float, support: NDArray[np.int64] | None, degree: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64] | None]:
    return matrix @ p, None


def power(graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int) -> Solution:
    """Power method on the differences of its iterates, for weights that are not symmetric."""
    total = float(source.sum())
    x = source.astype(np.float64)
    incoming = graph.incoming.astype(np.float64)
    change = damping * (incoming @ (x * graph.inverse_degree)) + (1.0 - damping) * source - x
    steps = 1
    while True:
        x += change
        left = float(np.abs(change).sum()) * damping / (1.0 - damping)
        if left <= tol * (1.0 - damping) * total:
            return Solution(x, left, steps)
        if steps >= max_steps:
            raise NotConverged(f"PageRank: L1 error {left:.1e} after {steps} steps; raise max_iter or tol")
        change = damping * (incoming @ (change * graph.inverse_degree))
        steps += 1
