"""The compiled kernels of the extra ``fast``; imported through ``quick_algo.kernels`` only.

Indices are read as unsigned numbers: for signed ones numba adds a test for negative positions to every access.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from quick_algo.compiled_push import contenders, product, push, sparse_steps

__all__ = ["contenders", "count_upward", "gradients", "lay_upward", "load", "product", "push", "sparse_steps", "store"]

FAST = {"reassoc", "contract", "nsz"}
"""Sums may be taken in any order; NaN and infinity keep their meaning."""
BLOCK = 8192


@njit(cache=True, nogil=True)
def count_upward(indptr, indices, degree):  # type: ignore[no-untyped-def]
    """Count, for each node, its edges to nodes of higher degree (ties: of lower id)."""
    n = len(indptr) - 1
    counts = np.zeros(n, dtype=np.int64)
    for i in range(n):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            if degree[j] > degree[i] or (degree[j] == degree[i] and j < i):
                counts[i] += 1
    return counts


@njit(cache=True, nogil=True)
def lay_upward(indptr, indices, weights, degree, order, rank, inverse, bounds):  # type: ignore[no-untyped-def]
    """Write the half rows counted by ``count_upward``, scaled; returns (columns, values, diagonal)."""
    n = len(order)
    total = bounds[n]
    columns = np.empty(total, dtype=np.uint32)
    values = np.empty(total, dtype=np.float32)
    loops = np.zeros(n, dtype=np.float32)
    for row in range(n):
        i = order[row]
        at = bounds[row]
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            scaled = weights[e] * inverse[row] * inverse[rank[j]]
            if j == i:
                loops[row] = scaled
            elif degree[j] > degree[i] or (degree[j] == degree[i] and j < i):
                columns[at] = rank[j]
                values[at] = scaled
                at += np.uint64(1)
    return columns, values, loops


@njit(cache=True, nogil=True, fastmath=FAST)
def _half_rows(low, high, bounds, columns, values, loops, r, out):  # type: ignore[no-untyped-def]
    """Add to ``out`` what the edges of some half rows bring to both their ends; returns their part of ``r . S r``."""
    inner = 0.0
    for i in range(low, high):
        mine = r[i]
        received = np.float32(0.0)
        for e in range(bounds[i], bounds[i + 1]):
            j = columns[e]
            value = values[e]
            received += value * r[j]
            out[j] += value * mine
        own = loops[i] * mine
        out[i] += received + own
        inner += mine * (np.float32(2.0) * received + own)
    return inner


@njit(cache=True, nogil=True, fastmath=FAST)
def _half_pairs(low, high, bounds, columns, values, loops, r, out):  # type: ignore[no-untyped-def]
    """Do the same for rows of two edges each."""
    inner = 0.0
    e = bounds[low]
    for i in range(low, high):
        mine = r[i]
        j, value = columns[e], values[e]
        k, other = columns[e + np.uint64(1)], values[e + np.uint64(1)]
        e += np.uint64(2)
        received = value * r[j] + other * r[k]
        out[j] += value * mine
        out[k] += other * mine
        own = loops[i] * mine
        out[i] += received + own
        inner += mine * (np.float32(2.0) * received + own)
    return inner


@njit(cache=True, nogil=True, fastmath=FAST)
def _half_product(pairs, bounds, columns, values, loops, r, out):  # type: ignore[no-untyped-def]
    """Add ``S r`` to ``out``; returns ``r . S r``.

    Rows ``pairs[0]`` up to ``pairs[1]`` have two edges each, as entities of one fact have: most rows of a knowledge
    graph, where a loop over the edges costs as much as the edges.
    """
    low, high = pairs[0], pairs[1]
    inner = _half_rows(0, low, bounds, columns, values, loops, r, out)
    inner += _half_pairs(low, high, bounds, columns, values, loops, r, out)
    return inner + _half_rows(high, len(r), bounds, columns, values, loops, r, out)


@njit(cache=True, nogil=True, fastmath=FAST)
def _row_product(bounds, columns, values, r, out):  # type: ignore[no-untyped-def]
    """Write ``S r`` to ``out``; returns ``r . S r``."""
    inner = 0.0
    for i in range(len(r)):
        received = np.float32(0.0)
        for e in range(bounds[i], bounds[i + 1]):
            received += values[e] * r[columns[e]]
        out[i] = received
        inner += r[i] * received
    return inner


@njit(cache=True, nogil=True, fastmath=FAST)
def _update(r, out, y, p, s, scale, damping, alpha, beta):  # type: ignore[no-untyped-def]
    """One conjugate gradient update in place; clears ``out``; returns (r . r, L1 norm of the residual)."""
    gamma = np.float32(0.0)
    left = np.float32(0.0)
    for i in range(len(r)):
        value = r[i]
        direction = value + beta * p[i]
        image = value - damping * out[i] + beta * s[i]
        p[i] = direction
        s[i] = image
        y[i] += alpha * direction
        value -= alpha * image
        r[i] = value
        out[i] = np.float32(0.0)
        gamma += value * value
        left += scale[i] * abs(value)
    return gamma, left


@njit(cache=True, nogil=True, fastmath=FAST)
def load(residual, order, inverse, scale, shift):  # type: ignore[no-untyped-def]
    """Return (r, unit, L1 norm): ``r`` is ``(D^-1/2 residual - shift * scale) / unit`` in layout order, float32.

    Its mean square is 1; else squares in float32 would sink into subnormal numbers, which are slow. The L1 norm is that
    of the residual in x, divided by ``unit``.
    """
    n = len(order)
    exact = np.empty(n)
    square = 0.0
    for i in range(n):
        value = residual[order[i]] * inverse[i] - shift * scale[i]
        exact[i] = value
        square += value * value
    unit = np.sqrt(square / n) if square > 0.0 else 1.0
    r = np.empty(n, dtype=np.float32)
    left = 0.0
    for i in range(n):
        r[i] = exact[i] / unit
        left += scale[i] * abs(r[i])
    return r, unit, left


@njit(cache=True, nogil=True, fastmath=FAST)
def store(x, order, scale, y, unit, level):  # type: ignore[no-untyped-def]
    """Add the correction ``D^1/2 (unit * y + level * scale)`` to ``x`` in place."""
    for i in range(len(order)):
        x[order[i]] += scale[i] * (unit * y[i] + level * scale[i])


@njit(cache=True, nogil=True)
def gradients(  # type: ignore[no-untyped-def]
    bounds, columns, values, loops, pairs, scale, r, left, damping, goal, max_steps
):
    """Solve ``(I - d S) y = r`` by conjugate gradients with one reduction a step; ``r`` becomes the residual.

    ``pairs`` as in ``_half_product``; (-1, -1) where edges are laid both ways.

    Source of the one-reduction form: A. Chronopoulos, C. Gear, s-step iterative methods for symmetric linear systems,
    J. Comput. Appl. Math. 25 (1989). Returns (y, L1 norm of the last residual in x, steps); that residual has been
    added to ``y``.
    """
    n = len(r)
    y = np.zeros(n, dtype=np.float32)
    p = np.zeros(n, dtype=np.float32)
    s = np.zeros(n, dtype=np.float32)
    out = np.zeros(n, dtype=np.float32)
    gamma = 0.0
    for i in range(n):
        gamma += r[i] * r[i]
    before = 1.0
    alpha = 1.0
    steps = 0
    while left > goal and gamma > 0.0 and steps < max_steps:
        if pairs[1] >= 0:
            inner = _half_product(pairs, bounds, columns, values, loops, r, out)
        else:
            inner = _row_product(bounds, columns, values, r, out)
        curvature = gamma - damping * inner
        beta = 0.0
        if steps > 0:
            beta = gamma / before
            curvature -= beta * gamma / alpha
        if curvature <= 0.0:
            break
        alpha = gamma / curvature
        before = gamma
        gamma = 0.0
        left = 0.0
        # in blocks, so that the sums in float32 stay short
        for low in range(0, n, BLOCK):
            high = min(low + BLOCK, n)
            part = _update(
                r[low:high], out[low:high], y[low:high], p[low:high], s[low:high], scale[low:high],
                np.float32(damping), np.float32(alpha), np.float32(beta),
            )  # fmt: skip
            gamma += part[0]
            left += part[1]
        steps += 1
    y += r
    return y, left, steps
