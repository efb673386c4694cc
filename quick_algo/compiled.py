"""The compiled kernels of the extra ``fast``; imported through ``quick_algo.kernels`` only.

Indices are read as unsigned numbers: for signed ones numba adds a test for negative positions to every access.
"""

from __future__ import annotations

import numpy as np
from numba import njit

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
def _half_product(bounds, columns, values, loops, r, out):  # type: ignore[no-untyped-def]
    """Add ``S r`` to ``out``; returns ``r . S r``."""
    inner = 0.0
    for i in range(len(r)):
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
def _half_update(r, out, y, p, s, scale, damping, alpha, beta):  # type: ignore[no-untyped-def]
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


@njit(cache=True, nogil=True)
def load_half(residual, order, inverse, scale, shift):  # type: ignore[no-untyped-def]
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


@njit(cache=True, nogil=True)
def store_half(x, order, scale, y, unit, level):  # type: ignore[no-untyped-def]
    """Add the correction ``D^1/2 (unit * y + level * scale)`` to ``x`` in place."""
    for i in range(len(order)):
        x[order[i]] += scale[i] * (unit * y[i] + level * scale[i])


@njit(cache=True, nogil=True)
def half_gradients(  # type: ignore[no-untyped-def]
    bounds, columns, values, loops, scale, r, left, damping, goal, max_steps
):
    """Solve ``(I - d S) y = r`` by conjugate gradients with one reduction a step; ``r`` becomes the residual.

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
        inner = _half_product(bounds, columns, values, loops, r, out)
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
            part = _half_update(
                r[low:high], out[low:high], y[low:high], p[low:high], s[low:high], scale[low:high],
                np.float32(damping), np.float32(alpha), np.float32(beta),
            )  # fmt: skip
            gamma += part[0]
            left += part[1]
        steps += 1
    y += r
    return y, left, steps


@njit(cache=True, nogil=True)
def sparse_steps(  # type: ignore[no-untyped-def]
    indptr, indices, weights, inverse_degree, front, x, residual, damping, budget, max_rounds
):
    """Neumann steps ``x += r; r = d P r`` while ``r`` has few edges; ``x`` and ``residual`` (n,) change in place.

    ``front`` are the nodes where ``residual`` is not 0; ``budget`` bounds the edges read in one step.
    Returns the number of products done.
    """
    n = len(x)
    following = np.zeros(n)
    coming = np.empty(n, dtype=np.int64)
    for step in range(max_rounds):
        edges = 0
        for i in front:
            edges += indptr[i + 1] - indptr[i]
        if edges > budget:
            return step
        count = 0
        for i in front:
            r = residual[i]
            residual[i] = 0.0
            x[i] += r
            share = damping * r * inverse_degree[i]
            for e in range(indptr[i], indptr[i + 1]):
                j = indices[e]
                part = share * weights[e]
                if following[j] == 0.0 and part > 0.0:
                    coming[count] = j
                    count += 1
                following[j] += part
        front = coming[:count].copy()
        for j in front:
            residual[j] = following[j]
            following[j] = 0.0
    return max_rounds


@njit(cache=True, nogil=True)
def push(indptr, indices, weights, x, cells, touched, count, queue, damping, bound, budget):  # type: ignore[no-untyped-def]
    """Push until no ``cells[v, 0]`` exceeds ``bound * cells[v, 1]``; see ``quick_algo.push``.

    Returns (number of touched nodes, edges read); more edges than ``budget`` mean that it gave up.
    """
    room = len(queue)
    head = 0
    tail = 0
    read = 0
    for t in range(count):
        u = touched[t]
        if cells[u, 0] > bound * cells[u, 1]:
            queue[tail] = u
            tail += 1
    while head != tail:
        u = queue[head]
        head += 1
        if head == room:
            head = 0
        moved = cells[u, 0]
        cells[u, 0] = 0.0
        x[u] += (1.0 - damping) * moved
        share = damping * moved / cells[u, 1]
        start = indptr[u]
        stop = indptr[u + 1]
        read += stop - start
        if read > budget:
            return count, read
        for e in range(start, stop):
            v = indices[e]
            before = cells[v, 0]
            part = share * weights[e]
            if before == 0.0 and part > 0.0 and x[v] == 0.0:
                touched[count] = v
                count += 1
            cells[v, 0] = before + part
            line = bound * cells[v, 1]
            if before <= line and before + part > line:
                queue[tail] = v
                tail += 1
                if tail == room:
                    tail = 0
    return count, read


@njit(cache=True, nogil=True)
def contenders(x, cells, touched, count, mask, keep, slope, wanted, limit):  # type: ignore[no-untyped-def]
    """Find the candidates that may be among the ``wanted`` best.

    A node's score lies in ``[low, low + slope * degree]``, ``low = x + keep * residual``. Returns (number of candidates
    reached, contenders, their lows); no contenders where there would be more than ``limit``.
    """
    best = np.empty(wanted)
    held = 0
    for t in range(count):
        v = touched[t]
        if mask[v]:
            low = x[v] + keep * cells[v, 0]
            if held < wanted:
                place = held
            elif low > best[wanted - 1]:
                place = wanted - 1
            else:
                held += 1
                continue
            while place > 0 and best[place - 1] < low:
                best[place] = best[place - 1]
                place -= 1
            best[place] = low
            held += 1
    near = np.empty(limit, dtype=np.int64)
    lows = np.empty(limit)
    if held < wanted:
        return held, near[:0], lows[:0]
    found = 0
    for t in range(count):
        v = touched[t]
        if mask[v]:
            low = x[v] + keep * cells[v, 0]
            if low + slope * cells[v, 1] >= best[wanted - 1] * (1.0 - 2e-12):
                if found == limit:
                    return held, near[:0], lows[:0]
                near[found] = v
                lows[found] = low
                found += 1
    return held, near[:found], lows[:found]


@njit(cache=True, nogil=True)
def product(indptr, indices, weights, vector):  # type: ignore[no-untyped-def]
    """Return ``A vector`` (n,) in float64, whatever the kind of the weights."""
    n = len(vector)
    out = np.empty(n)
    for i in range(n):
        received = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            received += weights[e] * vector[indices[e]]
        out[i] = received
    return out
