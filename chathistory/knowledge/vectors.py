"""Texts to vectors, each text once: what the cache holds is never embedded again, what is new is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from chathistory.collector import paused_collection
from chathistory.domain import text_id
from chathistory.models.protocols import Embedder, Vectors

OnProgress = Callable[[int, int], None]
"""Called with (texts done, texts in all) after every batch."""


class VectorCache(Protocol):
    """Vectors by model and text id (``text_id`` of the text that was embedded)."""

    def get_many(self, model_id: str, ids: Sequence[str]) -> Mapping[str, bytes | Vectors]:
        """Return what is known of ``ids``: float32 arrays, or their bytes."""
        ...

    def parts(self, model_id: str, ids: Sequence[str]) -> Iterator[Mapping[str, bytes | Vectors]]:
        """Yield the same in parts that need not all be held at once, in any order."""
        ...

    def put_many(self, model_id: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors, durably when the cache is a store; a known id may be overwritten with the same value."""
        ...


class MemoryVectorCache:
    """A cache that lives as long as the process: for tests and for talks that are not kept."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, str], Vectors] = {}

    def get_many(self, model_id: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return what is known of ``ids``."""
        found = ((key, self._vectors.get((model_id, key))) for key in ids)
        return {key: vector for key, vector in found if vector is not None}

    def parts(self, model_id: str, ids: Sequence[str]) -> Iterator[dict[str, Vectors]]:
        """Yield the same at once."""
        yield self.get_many(model_id, ids)

    def put_many(self, model_id: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors."""
        for key, vector in vectors.items():
            self._vectors[model_id, key] = np.array(vector, dtype=np.float32)


def embed_missing(
    texts: Sequence[str],
    embedder: Embedder,
    cache: VectorCache,
    on_progress: OnProgress | None = None,
    batch: int = 6000,
    out: Vectors | None = None,
) -> Vectors:
    """Return the vectors of texts, embedding only those the cache does not hold.

    Every batch goes to the cache as soon as it is embedded: work that is stopped goes on from there.

    Parameters
    ----------
    texts
        Texts to embed; doubles are embedded once.
    on_progress
        Called with (texts done, texts in all), counting what the cache held as done.
    batch
        Characters a batch, about; texts of like length go together.
    out : (len(texts), embedder.dimension) float32
        Where to write; a new array when None.

    Returns
    -------
    Vectors
        float32, shape (len(texts), embedder.dimension), in the order of ``texts``.

    Raises
    ------
    ValueError
        The cache holds a vector of another dimension under this model's id.
    """
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(text_id(text), []).append(row)
    if out is None:
        out = np.empty((len(texts), embedder.dimension), dtype=np.float32)
    missing = dict.fromkeys(rows)
    with paused_collection():
        for known in cache.parts(embedder.model_id, list(rows)) if rows else ():
            places = [rows[key] for key in known]
            vectors = as_rows(list(known.values()), embedder.dimension)
            out[[row for row, *_ in places]] = vectors
            for at, (_, *doubles) in enumerate(places):
                if doubles:
                    out[doubles] = vectors[at]
            for key in known:
                del missing[key]
    done = len(texts) - sum(len(rows[key]) for key in missing)
    if on_progress and texts:
        on_progress(done, len(texts))
    for keys in _by_length(list(missing), [texts[rows[key][0]] for key in missing], batch):
        vectors = embedder.passages([texts[rows[key][0]] for key in keys])
        cache.put_many(embedder.model_id, dict(zip(keys, vectors, strict=True)))
        for key, vector in zip(keys, vectors, strict=True):
            out[rows[key]] = vector
            done += len(rows[key])
        if on_progress:
            on_progress(done, len(texts))
    return out


def as_rows(values: Sequence[bytes | Vectors], dimension: int) -> Vectors:
    """Return stored vectors as float32 rows, shape (len(values), dimension); raises ValueError for another length."""
    wrong = next((value for value in values if len(value) != dimension * (4 if isinstance(value, bytes) else 1)), None)
    if wrong is not None:
        size = len(wrong) // (4 if isinstance(wrong, bytes) else 1)
        raise ValueError(f"a stored vector has length {size}, this model needs {dimension}")
    joined = b"".join(value if isinstance(value, bytes) else np.asarray(value, "<f4").tobytes() for value in values)
    return np.frombuffer(joined, dtype="<f4").reshape(-1, dimension)


def _by_length(keys: Sequence[str], texts: Sequence[str], chars: int) -> Iterable[list[str]]:
    """Yield keys in lists of about ``chars`` characters of text, shortest texts first."""
    batch: list[str] = []
    room = chars
    for length, key in sorted(zip(map(len, texts), keys, strict=True)):
        if batch and length > room:
            yield batch
            batch, room = [], chars
        batch.append(key)
        room -= length
    if batch:
        yield batch
