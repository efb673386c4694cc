"""Vectors of the samples' sentences, shipped so that a first summons waits for nothing that is known beforehand."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

FILE = "vectors.npz"


def shipped_vectors(model_id: str) -> Mapping[str, NDArray[np.float32]]:
    """Return {text id: unit vector} of the samples' sentences, made by that model; empty for any other model."""
    model, vectors = _read()
    return vectors if model == model_id else {}


def pack(model_id: str, vectors: Mapping[str, NDArray[np.float32]]) -> bytes:
    """Return the file's content: half precision, which moves a cosine by less than a thousandth."""
    ids = sorted(vectors)
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        model=np.array(model_id),
        ids=np.frombuffer(b"".join(bytes.fromhex(key) for key in ids), dtype=np.uint8).reshape(len(ids), 32),
        data=np.stack([vectors[key] for key in ids]).astype(np.float16),
    )
    return buffer.getvalue()


@lru_cache(maxsize=1)
def _read() -> tuple[str, dict[str, NDArray[np.float32]]]:
    file = resources.files("chathistory.samples") / FILE
    if not file.is_file():
        return "", {}
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as stored:
        data = stored["data"].astype(np.float32)
        data /= np.linalg.norm(data, axis=1, keepdims=True)
        keys = [row.tobytes().hex() for row in stored["ids"]]
        return str(stored["model"]), dict(zip(keys, data, strict=True))
