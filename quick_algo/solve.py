"""Solvers of the PageRank equation ``(I - d P) x = (1 - d) b``.

P is the transpose of the row-normalised weights: column-stochastic but for the empty columns of sinks, so that
``(I - d P)^-1 = sum d^k P^k`` has 1-norm at most ``1 / (1 - d)`` and ``|x - x*|_1 <= |residual|_1 / (1 - d)``.

Symmetric weights go three ways one after the other:

1. While the residual sits on few nodes: Neumann steps that read those nodes' rows only, in float64.
2. Its stationary part is taken out: P maps the degrees to themselves, so their share is known without a step.
3. Conjugate gradients on ``(I - d S) y = r``, S similar to P (see ``layout``). They find the best polynomial in S by
   themselves, in about half the steps of the power method, and work in float32 on what is left to correct.

Other weights take the power method.

Sources: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., ch. 6; D. Gleich, PageRank beyond the Web,
SIAM Review 57 (2015), sec. 2-3 and 5 (linear system, sinks, symmetric graphs).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quick_algo.csr import CSRGraph
from quick_algo.kernels import Kernel, compiled
from quick_algo.layout import RowLayout

Floats = NDArray[np.float64]

SINGLE_FLOOR = 5e-7
"""A relative L1 error below this is asked of float64."""
ROUNDING = 0.05
"""The share of the tolerance that is left to rounding in float32."""
SPARSE_SHARE = 16
"""Neumann steps go on while they read less than 1/16 of the edges."""
SPARSE_ROUNDS = 8


class NotConverged(ArithmeticError):
    """The solver used up its steps; the message tells the error that is left."""


@dataclass(frozen=True, slots=True)
class Solution:
    """``x`` (n,) float64 and what is known of it.

    Attributes
    ----------
    error
        Bound on ``|x - x*|_1``, rounding aside.
    mass
        Sum of ``x*`` where it is known beforehand (symmetric weights), else that of ``x``.
    steps
        Products with the whole matrix.
    """

    x: Floats
    error: float
    mass: float
    steps: int


def solve(
    graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int = 1000, kernel: Kernel = "auto"
) -> Solution:
    """Solve ``(I - d P) x = (1 - d) source``.

    Parameters
    ----------
    source : (n,) float64, >= 0
    damping
        d in [0, 1).
    tol
        L1 error to reach, relative to the sum of ``x``.
    kernel
        "numpy", "numba", or whichever is there.

    Raises
    ------
    NotConverged
        ``max_steps`` products with the whole matrix did not do.
    """
    if graph.symmetric:
        return _symmetric(graph, source, damping, tol, max_steps, compiled(kernel))
    return _power(graph, source, damping, tol, max_steps)


def _symmetric(
    graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int, fast: ModuleType | None
) -> Solution:
    x = np.zeros(graph.n)
    residual = (1.0 - damping) * source
    lonely = graph.lonely
    alone = float(source[lonely].sum())
    mass = float(source.sum()) - damping * alone
    _sparse_steps(graph, x, residual, damping, fast)
    x[lonely] += residual[lonely]
    residual[lonely] = 0.0

    level = float(residual.sum()) / (1.0 - damping) / graph.total_degree if graph.total_degree else 0.0
    single = tol >= SINGLE_FLOOR
    # one Neumann step at the end needs no product: x + r leaves (I - d P)^-1 d P r, at most d / (1 - d) |r|_1
    shrink = damping / (1.0 - damping) if damping > 0.0 else 1.0
    goal = tol * (1.0 - ROUNDING if single else 1.0) * mass / shrink
    if single and fast is not None:
        laid = graph.compiled_layout
        r, unit, left = fast.load(residual, laid.order, laid.inverse, laid.scale, (1.0 - damping) * level)
        y, left, steps = fast.gradients(
            laid.bounds, laid.columns, laid.values, laid.loops, laid.pairs, laid.scale_single,
            r, left, damping, goal / unit, max_steps,
        )  # fmt: skip
        fast.store(x, laid.order, laid.scale, y, unit, level)
    else:
        rows = graph.single_layout if single else graph.double_layout
        start = residual[rows.order] * rows.inverse - (1.0 - damping) * level * rows.scale
        # a mean square of 1: in float32 the squares of small numbers would be subnormal, which is slow
        unit = float(np.sqrt(start @ start / graph.n)) or 1.0
        y, left, steps = _gradients(rows, start / unit, damping, goal / unit, max_steps)
        x[rows.order] += rows.scale * (unit * y + level * rows.scale)
    left *= unit * shrink
    if left > goal * shrink:
        raise NotConverged(f"PageRank: L1 error {left:.1e} after {steps} steps; allow more steps or a larger tol")
    return Solution(x, left, mass, steps)


def _sparse_steps(graph: CSRGraph, x: Floats, residual: Floats, damping: float, fast: ModuleType | None) -> None:
    """Do Neumann steps ``x += r; r = d P r`` in place while ``r`` has few edges."""
    front = np.flatnonzero(residual != 0.0)
    budget = graph.nnz // SPARSE_SHARE
    lengths = graph.lengths
    if int(lengths[front].sum()) > budget:
        return
    if fast is not None:
        fast.sparse_steps(
            graph.indptr, graph.indices, graph.weights, graph.inverse_degree,
            front, x, residual, damping, budget, SPARSE_ROUNDS,
        )  # fmt: skip
        return
    for _ in range(SPARSE_ROUNDS):
        if int(lengths[front].sum()) > budget:
            return
        spread = residual[front]
        x[front] += spread
        counts = lengths[front]
        places = graph.places_of(front, counts)
        parts = np.repeat(spread * (damping * graph.inverse_degree[front]), counts)
        parts *= graph.weights[places]
        residual[:] = np.bincount(graph.indices[places], weights=parts, minlength=graph.n)
        front = np.flatnonzero(residual != 0.0)


def _gradients(
    rows: RowLayout, start: Floats, damping: float, goal: float, max_steps: int
) -> tuple[NDArray[Any], float, int]:
    """Solve ``(I - d S) y = start`` by conjugate gradients; returns (y, L1 norm of the last residual in x, steps).

    That residual has been added to ``y``.
    """
    kind = rows.scale_kind.dtype.type
    residual = start.astype(kind)
    scratch = np.empty_like(residual)
    y = np.zeros_like(residual)
    p = residual.copy()
    gamma = norm = _dot(residual, residual)  # norm is p . p
    left = _dot(rows.scale_kind, np.abs(residual, out=scratch))
    steps = 0
    while left > goal and gamma > 0.0 and steps < max_steps:
        image = rows.matrix @ p
        curvature = norm - damping * _dot(p, image)
        if curvature <= 0.0:
            break
        alpha = gamma / curvature
        y += np.multiply(p, kind(alpha), out=scratch)
        residual -= scratch
        residual += np.multiply(image, kind(alpha * damping), out=scratch)
        following = _dot(residual, residual)
        beta = following / gamma
        gamma = following
        p *= kind(beta)
        p += residual
        norm = gamma + beta * beta * norm  # the residual is orthogonal to the old direction
        left = _dot(rows.scale_kind, np.abs(residual, out=scratch))
        steps += 1
    y += residual
    return y, left, steps


def _dot(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the inner product by numpy's own loop: a threaded BLAS would wait for its threads at every step."""
    return float(np.einsum("i,i->", a, b))


def _power(graph: CSRGraph, source: Floats, damping: float, tol: float, max_steps: int) -> Solution:
    """Power method on the differences of its iterates.

    Without sinks the differences sum to 0, and what is left after the last shrinks by d a step:
    ``|x - x*|_1 <= |last difference|_1 d / (1 - d)``.
    """
    x = source.copy()
    incoming = graph.incoming64
    change = damping * (incoming @ (x * graph.inverse_degree)) + (1.0 - damping) * source - x
    goal = tol * (1.0 - damping) * float(source.sum())
    steps = 1
    while True:
        x += change
        left = float(np.abs(change).sum()) * damping / (1.0 - damping)
        if left <= goal:
            return Solution(x, left, float(x.sum()), steps)
        if steps >= max_steps:
            raise NotConverged(f"PageRank: the L1 error is {left:.1e} after {steps} steps; allow more or a larger tol")
        change = damping * (incoming @ (change * graph.inverse_degree))
        steps += 1
