"""How the exact solver keeps a symmetric graph: scaled to ``S = D^-1/2 A D^-1/2`` and renumbered.

S is symmetric with a spectrum in [-1, 1]; with ``x = D^1/2 y`` the PageRank equation becomes
``(I - d S) y = (1 - d) D^-1/2 b``. Rows of one length stand together, so that the processor foresees where each ends:
on graphs of short rows this halves the time of a product. A node without edges has an empty row and scale 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

if TYPE_CHECKING:
    from quick_algo.csr import CSRGraph

Floats = NDArray[np.float64]

CACHED = 200_000
"""Nodes up to which the vectors of the compiled solver stay in a cache of 2 MB or so."""


@dataclass(frozen=True, slots=True)
class RowLayout:
    """All of S by rows.

    ``order[i]`` is the node at row ``i``; ``scale`` (n,) float64 is the square root of the degree in that order and
    ``inverse`` its reciprocal, 0 where it is 0; ``matrix`` is S, CSR (n, n); ``scale_kind`` is ``scale`` in its dtype.
    """

    order: NDArray[np.intp]
    scale: Floats
    inverse: Floats
    matrix: Any
    scale_kind: NDArray[Any]


@dataclass(frozen=True, slots=True)
class CompiledLayout:
    """S for the compiled solver: each edge once, at its end of lower degree, or in both rows.

    Once is for graphs whose vectors lie in the processor's cache: a product reads one entry where rows read two, and
    touches ``r[j]`` and ``out[j]`` side by side. On larger graphs the scattered writes to ``out`` cost more than that.
    ``bounds`` (n + 1,) uint64, ``columns`` uint32 and ``values`` float32 are the rows in ``order``. Where edges are
    laid once, ``loops`` (n,) float32 is the diagonal of S, and the rows from ``pairs[0]`` up to ``pairs[1]`` are those
    of two edges; where they are laid both ways, ``loops`` is empty and ``pairs`` are (-1, -1).
    """

    pairs: NDArray[np.int64]
    order: NDArray[np.intp]
    scale: Floats
    inverse: Floats
    scale_single: NDArray[np.float32]
    bounds: NDArray[np.uint64]
    columns: NDArray[np.uint32]
    values: NDArray[np.float32]
    loops: NDArray[np.float32]


def row_layout(graph: CSRGraph, dtype: DTypeLike) -> RowLayout:
    """Lay the rows of S by falling degree."""
    lengths = np.diff(graph.indptr)
    order = np.lexsort((-graph.degree, -lengths))
    rank = np.empty(graph.n, dtype=graph.indices.dtype)
    rank[order] = np.arange(graph.n, dtype=graph.indices.dtype)
    scale = np.sqrt(graph.degree[order])
    inverse = np.divide(1.0, scale, out=np.zeros(graph.n), where=scale > 0)
    part = graph.matrix[order]
    columns = rank[part.indices]
    values = part.data * np.repeat(inverse, lengths[order])
    values *= inverse[columns]
    matrix = sparse.csr_matrix((values.astype(dtype), columns, part.indptr), shape=(graph.n, graph.n), copy=False)
    return RowLayout(order, scale, inverse, matrix, scale.astype(dtype))


def compiled_layout(graph: CSRGraph, kernels: Any) -> CompiledLayout:
    """Lay S in the way that suits its size; ``kernels`` are the compiled ones."""
    return _once(graph, kernels) if graph.n <= CACHED else _both_ways(graph)


def _both_ways(graph: CSRGraph) -> CompiledLayout:
    rows = row_layout(graph, np.float32)
    return CompiledLayout(
        np.array([-1, -1]), rows.order, rows.scale, rows.inverse, rows.scale_kind, rows.matrix.indptr.astype(np.uint64),
        rows.matrix.indices.astype(np.uint32), rows.matrix.data, np.zeros(0, dtype=np.float32),
    )  # fmt: skip


def _once(graph: CSRGraph, kernels: Any) -> CompiledLayout:
    degree = graph.degree
    counts = kernels.count_upward(graph.indptr, graph.indices, degree)
    order = np.lexsort((-degree, -counts))
    scale = np.sqrt(degree[order])
    inverse = np.divide(1.0, scale, out=np.zeros(graph.n), where=scale > 0)
    bounds = np.zeros(graph.n + 1, dtype=np.uint64)
    np.cumsum(counts[order], out=bounds[1:])
    rank = np.empty(graph.n, dtype=np.uint32)
    rank[order] = np.arange(graph.n, dtype=np.uint32)
    columns, values, loops = kernels.lay_upward(
        graph.indptr, graph.indices, graph.weights, degree, order, rank, inverse, bounds
    )
    falling = -counts[order]
    pairs = np.array([np.searchsorted(falling, -2), np.searchsorted(falling, -1)])
    return CompiledLayout(pairs, order, scale, inverse, scale.astype(np.float32), bounds, columns, values, loops)
