"""Vectors by the hash of their text and the model that made them: shared by all personas, never made twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, func, select

from chathistory.errors import Corrupt
from chathistory.store.database import Database, insert_new, plain_rows
from chathistory.store.schema import embedding_model, vector

_BATCH = 500
_MOST = 4
"""Looking a vector up takes about four times as long as passing it by."""
_EVERY = select(vector.c.text_id, vector.c.data).where(vector.c.model == bindparam("number"))
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
        found: dict[str, NDArray[np.float32]] = {}
        for part in self.parts(model_id, ids):
            found |= {key: np.frombuffer(data, dtype="<f4") for key, data in part.items()}
        return found

    def parts(self, model_id: str, ids: Sequence[str]) -> Iterator[dict[str, bytes]]:
        """Yield the bytes of the stored vectors among ``ids`` in parts of some thousands, in any order.

        Raises
        ------
        Corrupt
            A stored vector is not as long as its model's are.
        """
        model = self._find(model_id)
        if model is None:
            return
        number, dimension = model
        wanted = {bytes.fromhex(text_id): text_id for text_id in ids}
        with self._database.read() as connection:
            for rows in _rows(connection, number, list(wanted)):
                wrong = next((row for row in rows if len(row[1]) != 4 * dimension), None)
                if wrong is not None:
                    raise Corrupt(
                        f"向量 {wrong[0].hex()[:12]} 的长度是 {len(wrong[1]) // 4}，模型 {model_id} 应为 {dimension}。"
                    )
                yield {wanted[key]: data for key, data in rows if key in wanted}

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

    def dimension(self, model_id: str) -> int | None:
        """Return the length of a model's vectors, None where none was stored."""
        found = self._find(model_id)
        return None if found is None else found[1]

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


def _rows(connection: Connection, number: int, keys: Sequence[bytes]) -> Iterator[list[tuple[Any, ...]]]:
    """Yield (text id, bytes): of all texts of the model where most are asked for, else of the keys."""
    if len(keys) > _BATCH:
        total = connection.scalar(select(func.count()).where(vector.c.model == number)) or 0
        if len(keys) * _MOST >= total:
            yield from plain_rows(connection, _EVERY, {"number": number})
            return
    for start in range(0, len(keys), _BATCH):
        yield from plain_rows(connection, _ASKED, {"number": number, "keys": keys[start : start + _BATCH]})
