"""What of a passage is embedded: its sentences. The passage's own vector is put together from theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from chathistory.models.protocols import Vectors
from chathistory.text import sentences

_SHORTEST = 12
_PART = 5000


def pieces(text: str) -> list[str]:
    """Return the sentences of a passage, those under 12 characters joined to a neighbour; never empty for real text."""
    joined: list[str] = []
    for sentence in sentences(text):
        if joined and min(len(sentence.strip()), len(joined[-1].strip())) < _SHORTEST:
            joined[-1] += sentence
        else:
            joined.append(sentence)
    return [piece.strip() for piece in joined if piece.strip()] or [text]


def compose(
    vectors: Vectors, owners: NDArray[np.int32], lengths: NDArray[np.float32], passages: int, out: Vectors | None = None
) -> Vectors:
    """Return passage vectors from those of their sentences.

    Encoders of the E5 kind take the mean over tokens, so the mean of sentences, weighted by length, comes near to what
    the whole passage would give, and each token is embedded once instead of twice.

    Parameters
    ----------
    vectors : (s, d)
    owners : (s,), rising
        Passage of each sentence, 0..passages-1.
    lengths : (s,)
        Characters of each sentence.
    out : (passages, d) float32
        Where to write; a new array when None.

    Returns
    -------
    (passages, d) float32, L2 norm 1 each
    """
    if out is None:
        out = np.empty((passages, vectors.shape[1]), dtype=np.float32)
    # in parts: memory that is used again costs less than memory that is new
    for first in range(0, passages, _PART):
        last = min(first + _PART, passages)
        low, high = np.searchsorted(owners, (first, last))
        rows, columns = owners[low:high] - np.int32(first), np.arange(high - low)
        weights = sparse.csr_matrix((lengths[low:high], (rows, columns)), shape=(last - first, high - low))
        mixed = weights @ vectors[low:high]
        norms = np.linalg.norm(mixed, axis=1, keepdims=True)
        np.divide(mixed, np.maximum(norms, 1e-9), out=out[first:last])
    return out


def split(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int32]]:
    """Return the sentences of all texts in order, and the position of the text of each, shape (s,)."""
    parts = [pieces(text) for text in texts]
    owners = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in parts])
    return [piece for part in parts for piece in part], owners
