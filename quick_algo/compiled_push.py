"""The compiled kernels that read the graph's own rows: Neumann steps, push, contenders; see ``quick_algo.compiled``."""

from __future__ import annotations

import numpy as np
from numba import njit


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
