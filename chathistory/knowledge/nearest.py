"""The one place of FAISS: candidates for the nearest rows of a large table, measured against the exact answer."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chathistory.models.protocols import Vectors

if TYPE_CHECKING:
    from chathistory.knowledge.dense import VectorTable

_log = logging.getLogger(__name__)
RECALL = 0.98
"""Share of the exact neighbours that the approximate search must find."""
_NEIGHBOURS = 100
_PROBED = 64
_TRAINED_ON = 10_000


class Cells:
    """An inverted file over centred rows (half precision), searched in as many cells as RECALL asks for.

    Deterministic: the sample it is trained on and the one it is measured on are drawn with a fixed seed.
    Source: J. Sivic, A. Zisserman, Video Google, ICCV 2003; the implementation is FAISS.
    """

    def __init__(self, table: VectorTable) -> None:
        import faiss

        rng = np.random.default_rng(0)
        size, dimension = table.rows.shape
        cells = int(min(256, max(1, size // 64)))
        quantizer = faiss.IndexFlatIP(dimension)
        self._index: Any = faiss.IndexIVFScalarQuantizer(
            quantizer, dimension, cells, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        )
        self._index.cp.niter = 6
        self._index.cp.seed = 0
        self._index.train(table.centred(np.sort(rng.choice(size, min(size, _TRAINED_ON), replace=False))))
        self.add(table, 0)
        self.probes, self.recall = self._measured(table, rng, cells)
        _log.info("%d rows in %d cells, %d probed: recall %.3f", size, cells, self.probes, self.recall)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def add(self, table: VectorTable, first: int) -> None:
        """Add a table's rows from ``first`` on."""
        for start in range(first, len(table), 20_000):
            self._index.add(table.centred(np.arange(start, min(start + 20_000, len(table)))))

    def search(self, query: Vectors, k: int) -> NDArray[np.intp]:
        """Return candidates for the k rows nearest to a centred query, in no order."""
        self._index.nprobe = self.probes
        found = self._index.search(query.reshape(1, -1), k)[1][0]
        return np.asarray(found[found >= 0], dtype=np.intp)

    def _measured(self, table: VectorTable, rng: np.random.Generator, cells: int) -> tuple[int, float]:
        """Return the fewest probes that find RECALL of the exact neighbours, and what share those find."""
        queries = table.centred(np.sort(rng.choice(len(table), min(_PROBED, len(table)), replace=False)))
        noise = rng.standard_normal(queries.shape).astype(np.float32)
        queries = queries + noise / np.linalg.norm(noise, axis=1, keepdims=True)
        k = min(_NEIGHBOURS, len(table))
        exact = [set(near.tolist()) for near in table.nearest_exactly(queries, k)]
        probes, share = 4, 0.0
        while True:
            self._index.nprobe = probes = min(probes, cells)
            found = self._index.search(queries, k)[1]
            share = float(np.mean([len(e & set(f.tolist())) / k for e, f in zip(exact, found, strict=True)]))
            if share >= RECALL or probes == cells:
                return probes, share
            probes *= 2
