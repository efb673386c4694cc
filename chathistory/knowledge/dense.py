"""Rows of vectors that grow at the end, and cosines of centred vectors without a centred copy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from chathistory.knowledge.nearest import Cells
from chathistory.models.protocols import Vectors

Mask = NDArray[np.bool_]
LARGE = 50_000
"""From so many rows on, the nearest are looked for in cells instead of among all."""
_CHUNK = 20_000
_AT_CENTRE = 1e-3
"""A row of length 1 that lies nearer to the centre lies there: the rest is rounding, and has no direction."""


class _Room:
    """A buffer with spare rows behind the used ones, shared by the tables that grew from one another."""

    def __init__(self, capacity: int, dimension: int) -> None:
        self.rows = np.empty((capacity, dimension), dtype=np.float32)
        self.used = 0
        self.cells: Cells | None = None


class VectorTable:
    """Vectors with their centre. Immutable to its holder: ``with_added`` and ``without`` give a new table.

    The cosine of a centred row is ``(v - m) q / |v - m|``; with ``v`` kept raw that is ``(v q - m q) / |v - m|``, so a
    changed centre costs one product for the norms and no second copy of the vectors.
    """

    def __init__(self, room: _Room, alive: Mask, total: NDArray[np.float64]) -> None:
        self._room = room
        self._alive = alive
        self._total = total
        self.count = int(alive.sum())
        self.centre = (total / max(self.count, 1)).astype(np.float32)
        rows = self.rows
        squares = np.einsum("ij,ij->i", rows, rows) - 2 * (rows @ self.centre) + self.centre @ self.centre
        norms = np.sqrt(np.maximum(squares, 0))
        self._scale = np.where(alive & (norms > _AT_CENTRE), 1 / np.maximum(norms, _AT_CENTRE), 0).astype(np.float32)

    @classmethod
    def of(cls, rows: Vectors) -> VectorTable:
        """Return the table of rows, shape (n, d)."""
        return cls.filled(len(rows), rows.shape[1], lambda out: np.copyto(out, rows))

    @classmethod
    def filled(cls, size: int, dimension: int, fill: Callable[[Vectors], object]) -> VectorTable:
        """Return the table of the rows that ``fill`` writes into the array it is given, shape (size, dimension)."""
        room = _Room(size + size // 16 + 256, dimension)
        rows = room.rows[:size]
        fill(rows)
        room.used = size
        return cls(room, np.ones(size, dtype=np.bool_), rows.sum(axis=0, dtype=np.float64))

    def __len__(self) -> int:
        return len(self._alive)

    @property
    def rows(self) -> Vectors:
        """The raw vectors, shape (n, d), removed ones included; read only."""
        return self._room.rows[: len(self._alive)]

    def with_added(self, rows: Vectors) -> VectorTable:
        """Return the table with more rows at the end; the old rows are not copied while there is room behind them."""
        before, after = len(self), len(self) + len(rows)
        room = self._room
        if room.used != before or after > len(room.rows):
            room = _Room(after + after // 16 + 256, rows.shape[1])
            room.rows[:before] = self.rows
        room.rows[before:after] = rows
        room.used = after
        alive = np.concatenate((self._alive, np.ones(len(rows), dtype=np.bool_)))
        return VectorTable(room, alive, self._total + rows.sum(axis=0, dtype=np.float64))

    def without(self, gone: NDArray[np.intp]) -> VectorTable:
        """Return the table in which some rows count no longer; the others keep their numbers."""
        gone = gone[self._alive[gone]]
        alive = self._alive.copy()
        alive[gone] = False
        return VectorTable(self._room, alive, self._total - self.rows[gone].sum(axis=0, dtype=np.float64))

    def cosines(self, query: Vectors, rows: NDArray[np.intp] | slice | None = None) -> Vectors:
        """Return the cosine of each centred row with a query of shape (d,), norm 1, itself centred; 0 for removed rows.

        Parameters
        ----------
        rows
            Only these; all when None.
        """
        chosen = slice(None) if rows is None else rows
        moved = self.rows[chosen] @ query - np.float32(self.centre @ query)
        return np.asarray(moved * self._scale[chosen], dtype=np.float32)

    def centred(self, rows: NDArray[np.intp]) -> Vectors:
        """Return some rows centred, L2 norm 1 each, shape (len(rows), d)."""
        return np.asarray((self.rows[rows] - self.centre) * self._scale[rows, None], dtype=np.float32)

    def nearest(self, query: Vectors, k: int) -> NDArray[np.intp]:
        """Return the k rows nearest to a centred query, in no order; among many rows, nearly all of them."""
        if len(self) < LARGE:
            scores = self.cosines(query)
            return np.argpartition(-scores, k - 1)[:k] if 0 < k < len(scores) else np.arange(len(scores))
        found = self._searched_cells().search(query, k + len(self) - self.count)
        return found[(found < len(self)) & self._alive[np.minimum(found, len(self) - 1)]][:k]

    def nearest_exactly(self, queries: Vectors, k: int) -> NDArray[np.intp]:
        """Return the k rows nearest to each of many centred queries (q, d), in no order, shape (q, k)."""
        best: NDArray[np.intp] = np.zeros((len(queries), 0), dtype=np.intp)
        scores: Vectors = np.zeros((len(queries), 0), dtype=np.float32)
        for start in range(0, len(self), _CHUNK):
            rows = np.arange(start, min(start + _CHUNK, len(self)))
            scores = np.concatenate((scores, queries @ self.centred(rows).T), axis=1)
            best = np.concatenate((best, np.broadcast_to(rows, (len(queries), len(rows)))), axis=1)
            kept = np.argpartition(-scores, min(k, scores.shape[1]) - 1, axis=1)[:, :k]
            best, scores = np.take_along_axis(best, kept, 1), np.take_along_axis(scores, kept, 1)
        return best

    def prepare(self) -> None:
        """Do now what the first call of ``nearest`` would do."""
        if len(self) >= LARGE:
            self._searched_cells()

    @property
    def found_share(self) -> float:
        """The share of the exact neighbours that ``nearest`` finds, as measured on this table; 1 where it is exact."""
        return 1.0 if len(self) < LARGE else self._searched_cells().recall

    def _searched_cells(self) -> Cells:
        """Return the cells, which the tables that share a room share: made once, rows that joined are added."""
        room = self._room
        if room.cells is None:
            room.cells = Cells(self)
        elif len(room.cells) < len(self):
            room.cells.add(self, len(room.cells))
        return room.cells
