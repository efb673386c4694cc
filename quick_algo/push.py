"""Ranking mode: the best nodes for a sparse reset, with a proof of their order where one can be had.

Let ``W = D^-1 A`` be the row-normalised weights, A symmetric, b the reset, x* its PageRank before it is scaled to
sum 1, and write densities ``z = x / degree``, ``g = r / degree``. Forward push keeps x and a residual r, both >= 0,
with

    z* = z + R g,    R = (1 - d) sum_k d^k W^k,

by moving at a node u: ``x(u) += (1 - d) r(u)``, ``r(v) += d r(u) A(u, v) / degree(u)`` for its neighbours v, r(u) gone.

The bound. R has no negative entry and its rows sum to 1 (those of W do), so ``0 <= R g <= max g``. Unfolding
``R = (1 - d) I + d W R`` once, and once more at the neighbours, gives for every node v, with ``G = max g``,

    0 <= z*(v) - z(v) - (1 - d) g(v)                           <= d G
    0 <= z*(v) - z(v) - (1 - d) g(v) - d (1 - d) (W g)(v)      <= d^2 G.

So the score of v is known to within ``d G degree(v)``, or ``d^2 G degree(v)`` once its neighbours are read: for the
passages of a knowledge graph, which have few edges, that is narrow long before the residual is small in sum.

The proof of the order. With intervals [lower, upper] for all candidates, nodes never reached included (lower 0, upper
``d G degree``), the ranking is certain when each of the k has its lower end above the upper ends of all that follow,
the candidates beyond the k-th included. Push goes on, with G lowered as far as the closest pair asks for, until then.

What this costs depends on the gaps between scores and the degrees around the reset, hardly on the size of the graph.
Sources: R. Andersen, F. Chung, K. Lang, Local Graph Partitioning using PageRank Vectors, FOCS 2006 (push and its work,
at most ``1 / ((1 - d) G)`` edges); P. Lofgren, S. Banerjee, A. Goel, Bidirectional PageRank Estimation, WAW 2015
(the symmetry that bounds the error of one node by its degree).
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from quick_algo.certificate import SLACK, Floats, Ids, TopK, settle
from quick_algo.csr import Candidates, CSRGraph

FIRST_RATIO = 1 / 64
"""The first G, as a share of the largest density of the reset."""
STEEPEST, GENTLEST = 1 / 64, 1 / 2
"""By how much G may fall from one look to the next."""
HOPELESS = 1e-4
"""Two scores that lie this near, as a share of what is known of them, are left to the exact solver."""
RELAX = 0.5
"""On numpy a round costs more than its edges: who comes within this share of the line is pushed along."""
CLOSE_LOOK = 8
"""Neighbours are read of so many nodes for each one wanted."""
BUDGET_SHARE = 4
"""Push may read a quarter as many edges as the graph holds, then the exact solver is the faster way."""


class Scratch:
    """Arrays of length n that a push works on; clean between queries, so that a query touches only what it reaches."""

    __slots__ = ("cells", "count", "queue", "touched", "x")

    def __init__(self, graph: CSRGraph) -> None:
        self.x: Floats = np.zeros(graph.n)
        # residual and degree of a node side by side: a push reads both, in one cache line
        self.cells: Floats = np.zeros((graph.n, 2))
        self.cells[:, 1] = graph.degree
        self.touched: NDArray[np.int32] = np.empty(graph.n, dtype=np.int32)
        self.queue: NDArray[np.int32] = np.empty(graph.n + 1, dtype=np.int32)
        self.count = 0

    def reached(self) -> NDArray[np.int32]:
        """Return the nodes that hold or held residual, in order of arrival."""
        return self.touched[: self.count]

    def clean(self) -> None:
        """Set what was touched back to zero."""
        reached = self.reached()
        self.x[reached] = 0.0
        self.cells[reached, 0] = 0.0
        self.count = 0


def push_top_k(
    graph: CSRGraph, nodes: Ids, shares: Floats, k: int, candidates: Candidates, damping: float, fast: ModuleType | None
) -> TopK | None:
    """Push until the order is proven; None where it looks out of reach."""
    try:
        scratch = graph.scratch.pop()
    except IndexError:
        scratch = Scratch(graph)
    degrees = graph.degree[nodes]
    lonely = degrees == 0.0
    mass = 1.0 - damping * float(shares[lonely].sum())
    scratch.touched[: len(nodes)] = nodes
    scratch.count = len(nodes)
    scratch.x[nodes[lonely]] = (1.0 - damping) * shares[lonely]
    scratch.cells[nodes[~lonely], 0] = shares[~lonely]
    bound = float((shares[~lonely] / degrees[~lonely]).max()) if not lonely.all() else 0.0
    bound *= FIRST_RATIO
    budget = max(graph.nnz // BUDGET_SHARE, 4096)
    found = None
    while True:
        if bound > 0.0:
            budget -= _push(graph, scratch, damping, bound, budget, fast)
            if budget < 0:
                break
        found, ratio = _certify(graph, scratch, k, candidates, damping, bound, mass, fast)
        if found is not None or bound == 0.0 or ratio < HOPELESS:
            break
        bound *= min(max(ratio, STEEPEST), GENTLEST)
    scratch.clean()
    graph.scratch.append(scratch)
    return found


def _push(graph: CSRGraph, scratch: Scratch, damping: float, bound: float, budget: int, fast: ModuleType | None) -> int:
    """Push until no density exceeds ``bound``; returns the edges read, more than ``budget`` when it gave up."""
    if fast is not None:
        scratch.count, edges = fast.push(
            graph.indptr, graph.indices, graph.weights, scratch.x, scratch.cells, scratch.touched, scratch.count,
            scratch.queue, damping, bound, budget,
        )  # fmt: skip
        return int(edges)
    x, residual = scratch.x, scratch.cells[:, 0]
    lengths, degree = graph.lengths, graph.degree
    reached = scratch.reached()
    front = reached[residual[reached] > bound * degree[reached]]
    read = 0
    while len(front):
        counts = lengths[front]
        total = int(counts.sum())
        read += total
        if read > budget:
            return read
        moved = residual[front]
        residual[front] = 0.0
        x[front] += (1.0 - damping) * moved
        places = graph.places_of(front, counts)
        heads = graph.indices[places]
        parts = np.repeat(moved * (damping * graph.inverse_degree[front]), counts)
        parts *= graph.weights[places]
        # each head once: the last to write its number at the head's place wins
        numbers = np.arange(total, dtype=np.int32)
        scratch.queue[heads] = numbers
        once = heads[scratch.queue[heads] == numbers]
        fresh = once[(residual[once] == 0.0) & (x[once] == 0.0)]
        scratch.touched[scratch.count : scratch.count + len(fresh)] = fresh
        scratch.count += len(fresh)
        np.add.at(residual, heads, parts)
        line = bound * degree[once]
        held = residual[once]
        if (held > line).any():
            front = once[held > RELAX * line]
        else:
            front = once[:0]
    return read


def _certify(
    graph: CSRGraph, scratch: Scratch, k: int, candidates: Candidates, damping: float, bound: float, mass: float,
    fast: ModuleType | None,
) -> tuple[TopK | None, float]:  # fmt: skip
    """Return the proven ranking, or None and by which factor the bound should fall."""
    wanted = min(k, len(candidates.by_degree))
    find = fast.contenders if fast is not None else _contenders
    held, close, low = find(
        scratch.x, scratch.cells, scratch.touched, scratch.count, candidates.mask,
        1.0 - damping, damping * bound, wanted, CLOSE_LOOK * wanted + 64,
    )  # fmt: skip
    if held < wanted:
        return None, STEEPEST
    if not len(close):
        return None, GENTLEST
    residual, degree = scratch.cells[:, 0], graph.degree
    unreached = damping * bound * _unreached_degree(candidates, scratch)
    counts = graph.lengths[close]
    places = graph.places_of(close, counts)
    heads = graph.indices[places]
    density = residual[heads] * graph.inverse_degree[heads] * graph.weights[places]
    around = np.bincount(np.repeat(np.arange(len(close)), counts), weights=density, minlength=len(close))
    low = low + damping * (1.0 - damping) * around
    width = damping**2 * bound * degree[close]
    answer, ratio = settle(close, low, width, wanted, mass, unreached)
    return (answer if answer.proven else None), ratio


def _contenders(
    x: Floats, cells: Floats, touched: NDArray[np.int32], count: int, mask: NDArray[np.bool_],
    keep: float, slope: float, wanted: int, limit: int,
) -> tuple[int, Ids, Floats]:  # fmt: skip
    """Do as the compiled ``contenders`` does."""
    reached = touched[:count]
    pool = reached[mask[reached]].astype(np.int64)
    if len(pool) < wanted:
        return len(pool), pool[:0], np.zeros(0)
    low = x[pool] + keep * cells[pool, 0]
    kth = np.partition(low, len(pool) - wanted)[len(pool) - wanted]
    near = low + slope * cells[pool, 1] >= kth * (1.0 - 2.0 * SLACK)
    if int(near.sum()) > limit:
        return len(pool), pool[:0], np.zeros(0)
    return len(pool), pool[near], low[near]


def _unreached_degree(candidates: Candidates, scratch: Scratch) -> float:
    """Return the highest degree of a candidate that push did not reach, 0 when it reached all."""
    start, size = 0, 64
    while start < len(candidates.by_degree):
        block = candidates.by_degree[start : start + size]
        fresh = np.flatnonzero((scratch.cells[block, 0] == 0.0) & (scratch.x[block] == 0.0))
        if len(fresh):
            return float(candidates.degrees[start + fresh[0]])
        start, size = start + size, size * 4
    return 0.0
