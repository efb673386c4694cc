"""Change a few rows of a CSR graph and copy the rest in whole blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if TYPE_CHECKING:
    from quick_algo.csr import CSRGraph

Arrays = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def merge_rows(graph: CSRGraph, change: Any) -> Arrays:
    """Return (indptr, indices, weights) of ``graph`` plus ``change``.

    Parameters
    ----------
    change : scipy CSR (n_new, n_new), n_new >= graph.n
        What is added to each weight. Rows of the graph in which it is empty are copied.

    Raises
    ------
    ValueError
        A weight would fall below zero by more than rounding.
    """
    touched = np.flatnonzero(np.diff(change.indptr))
    rows = _new_rows(graph, change, touched)
    counts = np.zeros(change.shape[0], dtype=np.int64)
    counts[: graph.n] = np.diff(graph.indptr)
    counts[touched] = np.diff(rows.indptr)
    total = int(counts.sum())
    kind = np.int32 if max(total, change.shape[0]) < np.iinfo(np.int32).max else np.int64
    indptr = np.zeros(len(counts) + 1, dtype=kind)
    np.cumsum(counts, out=indptr[1:])
    indices = np.empty(total, dtype=kind)
    weights = np.empty(total, dtype=graph.weights.dtype)
    start = 0
    for position, row in enumerate([*touched.tolist(), graph.n]):
        stop = min(row, graph.n)
        if start < stop:
            old, new = slice(graph.indptr[start], graph.indptr[stop]), slice(indptr[start], indptr[stop])
            indices[new] = graph.indices[old]
            weights[new] = graph.weights[old]
        if position < len(touched):
            fresh, new = slice(rows.indptr[position], rows.indptr[position + 1]), slice(indptr[row], indptr[row + 1])
            indices[new] = rows.indices[fresh]
            weights[new] = rows.data[fresh]
            start = row + 1
    return indptr, indices, weights


def _new_rows(graph: CSRGraph, change: Any, touched: NDArray[np.int64]) -> Any:
    """Return the changed rows, (len(touched), n_new) CSR with sorted indices and no empty entries."""
    from quick_algo.csr import DUST

    known = touched[touched < graph.n]
    before = graph.matrix[known].tocoo()
    added = change[touched].tocoo()
    rows = sparse.coo_matrix(
        (
            np.concatenate([before.data.astype(np.float64), added.data]),
            (np.concatenate([before.row, added.row]), np.concatenate([before.col, added.col])),
        ),
        shape=(len(touched), change.shape[0]),
    ).tocsr()
    rows.sum_duplicates()
    if rows.nnz and rows.data.min() < -DUST:
        raise ValueError("a change would bring an edge's weight below zero; take away no more than was added")
    rows.data[np.abs(rows.data) <= DUST] = 0.0
    rows.eliminate_zeros()
    return rows
