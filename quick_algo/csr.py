"""A weighted graph as arrays: immutable CSR rows, cheap to extend.

Only the raw weights are stored. A transition matrix needs them divided by the weight sum of their row; keeping that
sum as a vector beside the matrix, instead of dividing the entries, is what makes an added node touch just its
neighbours' rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy import sparse

from quick_algo.di_graph import DiGraph
from quick_algo.layout import CompiledLayout, RowLayout, compiled_layout, row_layout

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

DUST = 1e-6
"""A weight that subtraction brought below this is rounding left over from a sum in float32: the edge is gone."""


class CSRGraph:
    """A directed graph of ``n`` nodes; an undirected one holds each edge in both rows.

    Do not change its arrays: all that is derived from them is remembered.

    Attributes
    ----------
    n : int
        Number of nodes; ids are 0..n-1.
    indptr : (n + 1,) int32 or int64
    indices : (nnz,) int32 or int64
        Row ``i`` leads to ``indices[indptr[i]:indptr[i + 1]]``, ascending.
    weights : (nnz,) float32 or float64, > 0
    names : tuple of str or None
        Name of each node, where it has one.
    """

    def __init__(
        self,
        indptr: NDArray[Any],
        indices: NDArray[Any],
        weights: NDArray[Any],
        names: tuple[str, ...] | None = None,
        symmetric: bool | None = None,
    ) -> None:
        self.n = len(indptr) - 1
        self.indptr = indptr
        self.indices = indices
        self.weights = weights
        self.names = names
        self._symmetric = symmetric
        self.scratch: list[Any] = []
        if names is not None and len(names) != self.n:
            raise ValueError(f"{len(names)} names for {self.n} nodes; give one a node")

    @classmethod
    def from_arrays(
        cls,
        n: int,
        src: ArrayLike,
        dst: ArrayLike,
        weight: ArrayLike | None = None,
        *,
        undirected: bool = False,
        dtype: DTypeLike = np.float32,
        names: Sequence[str] | None = None,
    ) -> CSRGraph:
        """Build a graph from parallel arrays of edges.

        Parameters
        ----------
        n
            Number of nodes.
        src, dst : (m,) int
            Ends of the edges, 0..n-1.
        weight : (m,) float, finite and >= 0
            1 each when left out. Weights of one edge given several times are summed; edges of weight 0 are dropped.
        undirected
            Lay every edge both ways (a loop once). Give each edge once.
        dtype
            float32 or float64.

        Raises
        ------
        ValueError
            An id outside 0..n-1, a weight that is negative or no number, or arrays of different lengths.
        """
        matrix = _checked_matrix(n, src, dst, weight, undirected, dtype)
        if matrix.nnz and matrix.data.min() < 0:
            raise ValueError("an edge has a negative weight; PageRank needs weights >= 0")
        matrix.eliminate_zeros()
        return cls(matrix.indptr, matrix.indices, matrix.data, _as_names(names), True if undirected else None)

    @classmethod
    def from_digraph(cls, graph: DiGraph, dtype: DTypeLike = np.float64) -> CSRGraph:
        """Return the array form of a named graph; node ids follow ``graph.get_node_list()``."""
        position = graph.node_name2idx_map
        edges = list(graph.edges())
        src = np.fromiter((position[edge.src] for edge in edges), np.int64, len(edges))
        dst = np.fromiter((position[edge.dst] for edge in edges), np.int64, len(edges))
        weight = np.fromiter((edge.weight for edge in edges), np.float64, len(edges))
        return cls.from_arrays(len(position), src, dst, weight, dtype=dtype, names=list(position))

    @property
    def nnz(self) -> int:
        """Number of stored edges; an undirected edge counts twice."""
        return len(self.indices)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Name to id; empty when the nodes have no names."""
        return {name: position for position, name in enumerate(self.names or ())}

    @cached_property
    def matrix(self) -> Any:
        """The rows as a scipy CSR matrix (n, n) that shares this graph's arrays."""
        return _wrap(self.n, self.indptr, self.indices, self.weights)

    @cached_property
    def matrix64(self) -> Any:
        """``matrix`` with float64 weights; the same object where they are float64 already."""
        return self.matrix if self.weights.dtype == np.float64 else self.matrix.astype(np.float64)

    @cached_property
    def symmetric(self) -> bool:
        """Whether every edge lies both ways with one weight: what the fast solver and the certificates ask for."""
        if self._symmetric is None:
            turned = self.matrix.T.tocsr()
            turned.sort_indices()
            return bool(
                np.array_equal(turned.indptr, self.indptr)
                and np.array_equal(turned.indices, self.indices)
                and np.array_equal(turned.data, self.weights)
            )
        return self._symmetric

    @cached_property
    def incoming(self) -> Any:
        """The transpose as a scipy CSR matrix: row ``i`` lists who leads to ``i``."""
        return self.matrix if self.symmetric else self.matrix.T.tocsr()

    @cached_property
    def incoming64(self) -> Any:
        """``incoming`` with float64 weights."""
        return self.incoming if self.weights.dtype == np.float64 else self.incoming.astype(np.float64)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Number of entries of each row, (n,)."""
        return np.diff(self.indptr).astype(np.int64)

    @cached_property
    def lonely(self) -> NDArray[np.intp]:
        """Ids of the nodes without edges."""
        return np.flatnonzero(self.lengths == 0)

    @cached_property
    def degree(self) -> Floats:
        """Weight sum of each row, (n,) float64; 0 for a sink."""
        if not self.nnz:
            return np.zeros(self.n)
        filled = np.diff(self.indptr) > 0
        sums = np.zeros(self.n)
        sums[filled] = np.add.reduceat(self.weights, self.indptr[:-1][filled], dtype=np.float64)
        return sums

    @cached_property
    def inverse_degree(self) -> Floats:
        """``1 / degree``, 0 for a sink."""
        return np.divide(1.0, self.degree, out=np.zeros(self.n), where=self.degree > 0)

    @cached_property
    def total_degree(self) -> float:
        """Sum of all weights."""
        return float(self.degree.sum())

    @cached_property
    def single_layout(self) -> RowLayout:
        """S in float32, for the exact solver on numpy."""
        return row_layout(self, np.float32)

    @cached_property
    def double_layout(self) -> RowLayout:
        """S in float64, for tolerances that float32 cannot promise."""
        return row_layout(self, np.float64)

    @cached_property
    def compiled_layout(self) -> CompiledLayout:
        """S in float32, for the compiled solver."""
        from quick_algo import compiled

        return compiled_layout(self, compiled)

    def places_of(self, rows: NDArray[Any], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the entries of some rows lie in ``indices``, row after row; ``counts`` are their lengths."""
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(self.indptr[rows] - (ends - counts), counts) + np.arange(total, dtype=np.int64)

    def candidates(self, mask: NDArray[np.bool_] | None = None) -> Candidates:
        """Prepare the nodes that ``top_k`` may return; make it once a graph, not once a query.

        Parameters
        ----------
        mask : (n,) bool
            True for a node that may be returned; all when left out.
        """
        if mask is None:
            mask = np.ones(self.n, dtype=np.bool_)
        if mask.shape != (self.n,) or mask.dtype != np.bool_:
            raise ValueError(f"the mask must be bool of shape ({self.n},), not {mask.dtype} of {mask.shape}")
        ids = np.flatnonzero(mask)
        order = np.argsort(-self.degree[ids], kind="stable")
        return Candidates(mask, ids[order].astype(np.int64), self.degree[ids[order]])

    def with_edges(
        self,
        src: ArrayLike,
        dst: ArrayLike,
        change: ArrayLike | None = None,
        *,
        new_nodes: int = 0,
        new_names: Sequence[str] = (),
    ) -> CSRGraph:
        """Return the graph with the weights of some edges changed; rows that no change touches are copied in blocks.

        Parameters
        ----------
        src, dst : (m,) int
            Ends; ids from ``n`` on are new nodes. A graph built as undirected changes both ways.
        change : (m,) float
            Added to the edge's weight (1 each when left out). Negative takes away; an edge brought to 0 is gone.
        new_nodes
            How many nodes join, as ids n..n+new_nodes-1; ``new_names`` are their names where nodes have names.

        Raises
        ------
        ValueError
            A weight would fall below zero.
        """
        from quick_algo.merge import merge_rows

        n = self.n + new_nodes
        undirected = bool(self._symmetric)
        change_matrix = _checked_matrix(n, src, dst, change, undirected, np.float64)
        indptr, indices, weights = merge_rows(self, change_matrix)
        names = None if self.names is None else self.names + tuple(new_names)
        return CSRGraph(indptr, indices, weights, names, True if undirected else None)

    def without_nodes(self, ids: ArrayLike) -> CSRGraph:
        """Return the graph with every edge of ``ids`` gone; the ids stay, as nodes without edges.

        So no other id shifts. Use ``select`` now and then to close the gaps.
        """
        gone = np.unique(np.asarray(ids, dtype=np.int64))
        if gone.size and (gone[0] < 0 or gone[-1] >= self.n):
            raise ValueError(f"a node to remove lies outside 0..{self.n - 1}")
        rows = self.matrix[gone].tocoo()
        src, dst, weight = gone[rows.row], rows.col.astype(np.int64), rows.data
        if self._symmetric:
            once = ~np.isin(dst, gone) | (src <= dst)
            return self.with_edges(src[once], dst[once], -weight[once])
        arriving = self.incoming[gone].tocoo()
        other = ~np.isin(arriving.col, gone)
        return self.with_edges(
            np.concatenate([src, arriving.col[other]]),
            np.concatenate([dst, gone[arriving.row[other]]]),
            -np.concatenate([weight, arriving.data[other]]),
        )

    def select(self, keep: ArrayLike) -> CSRGraph:
        """Return the graph on the nodes ``keep`` (ascending ids), renumbered 0..len(keep)-1."""
        kept = np.asarray(keep, dtype=np.int64)
        part = self.matrix[kept][:, kept].tocsr()
        part.sort_indices()
        names = None if self.names is None else tuple(self.names[i] for i in kept)
        return CSRGraph(part.indptr, part.indices, part.data, names, self._symmetric)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The nodes ``top_k`` may return: a mask (n,), their ids by falling degree, and those degrees."""

    mask: NDArray[np.bool_]
    by_degree: NDArray[np.int64]
    degrees: Floats


def _as_names(names: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _wrap(n: int, indptr: NDArray[Any], indices: NDArray[Any], weights: NDArray[Any]) -> Any:
    matrix = sparse.csr_matrix((weights, indices, indptr), shape=(n, n), copy=False)
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _checked_matrix(
    n: int, src: ArrayLike, dst: ArrayLike, weight: ArrayLike | None, undirected: bool, dtype: DTypeLike
) -> Any:
    tails, heads = np.asarray(src), np.asarray(dst)
    values = np.ones(tails.shape) if weight is None else np.asarray(weight, dtype=np.float64)
    if not (tails.ndim == 1 and tails.shape == heads.shape == values.shape):
        raise ValueError(f"src, dst and weight differ in shape: {tails.shape}, {heads.shape}, {values.shape}")
    if not tails.size:
        tails = heads = np.zeros(0, dtype=np.int32)
    for ends in (tails, heads):
        if ends.dtype.kind not in "iu":
            raise ValueError(f"node ids must be integers, not {ends.dtype}")
        if ends.size and (ends.min() < 0 or ends.max() >= n):
            raise ValueError(f"a node id lies outside 0..{n - 1}")
    if not np.isfinite(values).all():
        raise ValueError("a weight is NaN or infinite")
    if undirected:
        # one triangle is summed and mirrored: the two directions of an edge must agree to the last bit
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
    matrix = sparse.coo_matrix((values, (tails, heads)), shape=(n, n)).tocsr()
    matrix.sum_duplicates()
    if undirected:
        matrix = (matrix + sparse.triu(matrix, 1, format="csr").T.tocsr()).tocsr()
        matrix.sort_indices()
    matrix.data = matrix.data.astype(dtype)
    return matrix
