"""Vectors by the hash of their text and the model that made them: shared by all personas, never made twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import bindparam, func, select

from chathistory.errors import Corrupt
from chathistory.store.database import Database, insert_new
from chathistory.store.schema import embedding_model, vector

_BATCH = 500
_ASKED = select(vector.c.text_id, vector.c.data).where(
    vector.c.model == bindparam("number"), vector.c.text_id.in_(bindparam("keys", expanding=True))
)


class VectorRepository:
    """float32 rows in the database. Implements ``knowledge.vectors.VectorCache``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._models: dict[str, tuple[int, int]] = {}

    def get_many(self, model_id: str, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Return the stored vectors among ``ids`` (sha256 hex of the text), each of shape (dimension,)."""
        model = self._find(model_id)
        if model is None:
            return {}
        number, dimension = model
        found: dict[str, NDArray[np.float32]] = {}
        with self._database.read() as connection:
            for batch in _batches(ids):
                keys = [bytes.fromhex(text_id) for text_id in batch]
                for key, data in connection.execute(_ASKED, {"number": number, "keys": keys}).all():
                    values = np.frombuffer(data, dtype="<f4")
                    if values.shape != (dimension,):
                        raise Corrupt(
                            f"向量 {key.hex()[:12]} 的长度是 {values.size}，模型 {model_id} 应为 {dimension}。"
                        )
                    found[key.hex()] = values
        return found

    def put_many(self, model_id: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Store vectors that are not there yet, all or none.

        Raises
        ------
        ValueError
            A vector whose length is not the model's.
        """
        if not vectors:
            return
        dimension = len(next(iter(vectors.values())))
        number, known = self._find(model_id) or self._add(model_id, dimension)
        if any(len(row) != known for row in vectors.values()):
            raise ValueError(f"model {model_id} has dimension {known}")
        have = self.get_many(model_id, list(vectors))
        rows = [
            {"model": number, "text_id": bytes.fromhex(key), "data": np.ascontiguousarray(row, "<f4").tobytes()}
            for key, row in vectors.items()
            if key not in have
        ]
        if rows:
            with self._database.write() as connection:
                connection.execute(insert_new(vector, connection), rows)

    def models(self) -> dict[str, tuple[int, int]]:
        """Return {model id: (dimension, number of vectors)}."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(embedding_model.c.name, embedding_model.c.dimension, func.count(vector.c.id))
                .join_from(embedding_model, vector, isouter=True)
                .group_by(embedding_model.c.id)
            )
            return {name: (dimension, count) for name, dimension, count in rows}

    def _find(self, model_id: str) -> tuple[int, int] | None:
        if model_id not in self._models:
            with self._database.read() as connection:
                row = connection.execute(
                    select(embedding_model.c.id, embedding_model.c.dimension).where(embedding_model.c.name == model_id)
                ).first()
            if row is None:
                return None
            self._models[model_id] = (row[0], row[1])
        return self._models[model_id]

    def _add(self, model_id: str, dimension: int) -> tuple[int, int]:
        with self._database.write() as connection:
            connection.execute(insert_new(embedding_model, connection), [{"name": model_id, "dimension": dimension}])
        found = self._find(model_id)
        assert found is not None
        return found


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text_id in ids:
        batch.append(text_id)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
