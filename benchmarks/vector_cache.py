"""Vectors kept between benchmark runs, outside the repository, by model and text."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from chathistory.models.protocols import Vectors

_CHUNK = 500


def cache_folder() -> Path:
    """Return the folder of all benchmark caches; CHATHISTORY_BENCH_CACHE moves it."""
    home = os.environ.get("CHATHISTORY_BENCH_CACHE")
    return Path(home) if home else Path.home() / ".cache" / "chathistory-bench"


class FileVectorCache:
    """A VectorCache in one SQLite file."""

    def __init__(self, path: Path | None = None) -> None:
        path = path or cache_folder() / "vectors.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=60)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS vector (model TEXT, id TEXT, value BLOB, PRIMARY KEY (model, id)) WITHOUT ROWID"
        )

    def get_many(self, model_id: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Return what is known of ``ids``."""
        found: dict[str, bytes] = {}
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            query = f"SELECT id, value FROM vector WHERE model = ? AND id IN ({marks})"
            found.update(self._db.execute(query, (model_id, *part)).fetchall())
        return found

    def parts(self, model_id: str, ids: Sequence[str]) -> Iterator[dict[str, bytes]]:
        """Yield the same, some hundreds at a time."""
        for start in range(0, len(ids), _CHUNK):
            yield self.get_many(model_id, ids[start : start + _CHUNK])

    def put_many(self, model_id: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors."""
        rows = [(model_id, key, np.asarray(value, np.float32).tobytes()) for key, value in vectors.items()]
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
