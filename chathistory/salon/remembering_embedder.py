"""An embedder that asks its model only for what nobody has asked before."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from chathistory.domain import text_id
from chathistory.errors import ModelError, ModelTimeout, ModelUnreachable
from chathistory.knowledge import VectorCache
from chathistory.models.protocols import Embedder, PaidEmbedder, Vectors

_SULKS = 30.0
"""Seconds for which what could not be embedded is not tried again."""


class RememberingEmbedder:
    """Keeps its last questions, and looks stored texts up before it embeds them.

    With five personas online one line is embedded once; a sentence that a persona speaks was embedded when it was
    summoned. Safe to share between threads.

    Parameters
    ----------
    cache
        Where vectors of stored texts are; None looks nothing up.
    """

    def __init__(
        self, inner: Embedder, cache: VectorCache | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.inner = inner
        self._cache = cache
        self.model_id = inner.model_id
        self._questions: Callable[[str], Vectors] = lru_cache(maxsize=256)(inner.query)
        self._now = now
        self._failed: tuple[str | None, ModelError, float] | None = None
        """The question that failed, None for whatever is asked; with what, and until when."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return self.inner.dimension

    @property
    def note(self) -> str:
        """What the interface should say about this embedder."""
        return self.inner.note

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimension,), read-only.

        Raises
        ------
        ModelError
            It cannot be had. For half a minute the same question is not tried again, and after a model that kept one
            waiting nothing is: a talk is not held up once for each line and persona.
        """
        vector = self._tried(text, lambda: self._questions(text))
        vector.setflags(write=False)
        return vector

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        ids = [text_id(text) for text in texts]
        known = self._cache.get_many(self.model_id, ids) if self._cache is not None else {}
        missing = {key: text for key, text in zip(ids, texts, strict=True) if key not in known}
        fresh: dict[str, Vectors] = {}
        if missing:
            vectors = self._tried("\n".join(missing), lambda: self.inner.passages(list(missing.values())))
            fresh = dict(zip(missing, vectors, strict=True))
        if self._cache is not None:
            self._cache.put_many(self.model_id, fresh)
        return np.stack([fresh[key] if key in fresh else _vector(known[key]) for key in ids])

    def _tried(self, what: str, ask: Callable[[], Vectors]) -> Vectors:
        failed = self._failed
        if failed is not None and failed[0] in (None, what) and self._now() < failed[2]:
            raise failed[1].with_traceback(None)
        try:
            return ask()
        except ModelError as error:
            slow = isinstance(error, ModelTimeout | ModelUnreachable)
            self._failed = None if slow else what, error, self._now() + _SULKS
            raise


def paid(embedder: Embedder) -> PaidEmbedder | None:
    """Return the embedder behind an API that an embedder asks, None where it runs on this machine."""
    inner = embedder.inner if isinstance(embedder, RememberingEmbedder) else embedder
    return inner if isinstance(inner, PaidEmbedder) else None


def _vector(value: bytes | Vectors) -> Vectors:
    return np.frombuffer(value, dtype=np.float32) if isinstance(value, bytes) else np.asarray(value, np.float32)
