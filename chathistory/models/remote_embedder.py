"""An embedder behind any API that speaks OpenAI's."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from chathistory.domain import ModelCall
from chathistory.errors import BadModelReply
from chathistory.models.api import Api
from chathistory.models.background import run
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Limits
from chathistory.models.embedding_reply import read_vectors
from chathistory.models.estimate import Estimate, priced
from chathistory.models.prefixes import prefixes_of
from chathistory.models.protocols import Vectors
from chathistory.models.retry import Fault, named, with_retries
from chathistory.models.sdk import timeout_of
from chathistory.models.tokens import estimate_tokens

T = TypeVar("T")
_log = logging.getLogger(__name__)
_TASK = "embed"
_BATCH_TEXTS = 32
_BATCH_CHARS = 6000
_LIMITS = Limits(connect=5, whole=60)
_QUERY_SECONDS = 15.0
_CLOSE = 0.1
_PROBE = "孔子"


class RemoteEmbedder:
    """One embedding model of one provider. Safe to share between threads.

    The dimension is that of the first answer, remembered between runs; ``expected`` (config.toml) only warns.
    Vectors are made unit vectors here, whatever the provider sends.

    Parameters
    ----------
    query_seconds
        How long a question may wait for its vector, all tries together: somebody in a talk waits for it.
    """

    def __init__(
        self, api: Api, model: str, *, expected: int | None = None, query_seconds: float = _QUERY_SECONDS
    ) -> None:
        self._api = api
        self._model = model
        self._expected = expected
        self.query_seconds = query_seconds
        self._prefixes = prefixes_of(model)
        host = urlsplit(api.base_url).netloc
        mark = f"#{self._prefixes.name}" if self._prefixes.name else ""
        self.model_id = f"{host}/{model}{mark}"
        self.note = ""
        self.concurrency = api.concurrency
        self._lock = threading.Lock()
        known = api.traits.get(api.base_url, model, "dimension")
        self._dimension = int(known) if known else None
        batch = api.traits.get(api.base_url, model, "embed_batch")
        self._batch = int(batch) if batch else _BATCH_TEXTS
        self._formatted = api.traits.get(api.base_url, model, "embed_format") != "none"
        self._warn()

    @property
    def dimension(self) -> int:
        """The length of this model's vectors; asks the model once where no answer of it is known.

        Raises
        ------
        ModelError
            It had to be asked and could not be had.
        """
        if self._dimension is None:
            self._embed([self._prefixes.passage + _PROBE], _LIMITS)
        assert self._dimension is not None
        return self._dimension

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimension,), L2 norm 1.

        Raises
        ------
        ModelError
            The model could not be had within ``query_seconds``.
        """
        limits = Limits(connect=5, whole=self.query_seconds)
        row = self._embed([self._prefixes.query + text], limits, most=self.query_seconds)[0]
        return np.asarray(row, dtype=np.float32)

    def passages(self, texts: Sequence[str], *, account: str = "", cancel: Cancel | None = None) -> Vectors:
        """Return the vectors of stored texts, shape (len(texts), dimension), L2 norm 1 each.

        Parameters
        ----------
        account
            What the calls are charged to, as ``Ask.account``.

        Raises
        ------
        ModelError, Cancelled
            The model could not be had, the budget is spent or the work was stopped; nothing of this call is returned.
        """
        return self._many(self._prefixes.passage, texts, account, cancel)

    def queries(self, texts: Sequence[str], *, account: str = "", cancel: Cancel | None = None) -> Vectors:
        """Return the vectors of many questions at once; as ``passages`` otherwise."""
        return self._many(self._prefixes.query, texts, account, cancel)

    def batches(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the texts in the order given, in lists of which each makes one request; none for no text."""
        batches: list[list[str]] = []
        room = 0
        for text in texts:
            if not batches or len(batches[-1]) >= self._batch or len(text) > room:
                batches.append([])
                room = _BATCH_CHARS
            batches[-1].append(text)
            room -= len(text)
        return batches

    def estimate(self, texts: Sequence[str], questions: Sequence[str] = ()) -> Estimate:
        """Return what embedding these stored texts and questions will take."""
        both = [
            *(self._prefixes.passage + text for text in texts),
            *(self._prefixes.query + text for text in questions),
        ]
        calls = len(self.batches(texts)) + len(self.batches(questions))
        tokens = sum(estimate_tokens(text) for text in both)
        return priced(Estimate(texts=len(both), calls=calls, tokens_in=tokens), self._api.price)

    def _many(self, prefix: str, texts: Sequence[str], account: str, cancel: Cancel | None) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return self._embed([prefix + text for text in texts], _LIMITS, account, cancel)

    def _embed(
        self,
        texts: Sequence[str],
        limits: Limits,
        account: str = "",
        cancel: Cancel | None = None,
        most: float | None = None,
    ) -> Vectors:
        tokens = sum(estimate_tokens(text) for text in texts)
        with self._api.meter.allowed(account, tokens, self._api.cost(tokens, 0)) as calls:
            try:
                rows = run(lambda: _within(most, self._all(texts, limits, calls, account)), cancel)
            except Fault as fault:
                _log.warning("%s / %s cannot embed: %s %s", self._api.name, self._model, fault.kind, fault.status)
                raise named(fault, self._api.where(self._model)) from fault
        return self._as_vectors(rows)

    def _as_vectors(self, rows: Sequence[Sequence[float]]) -> Vectors:
        lengths = {len(row) for row in rows}
        if len(lengths) != 1 or 0 in lengths:
            raise BadModelReply(f"{self._api.name} 的 {self._model} 给出了长短不一的向量。请换一个嵌入模型。")
        vectors = np.asarray(rows, dtype=np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or (norms == 0).any():
            raise BadModelReply(f"{self._api.name} 的 {self._model} 给出了全零或不是数的向量。请换一个嵌入模型。")
        self._learn_dimension(lengths.pop())
        return np.asarray(vectors / norms, dtype=np.float32)

    def _learn_dimension(self, dimension: int) -> None:
        with self._lock:
            if self._dimension == dimension:
                return
            if self._dimension is not None:
                raise BadModelReply(
                    f"{self._api.name} 的 {self._model} 从前给 {self._dimension} 维的向量，现在给 {dimension} 维，"
                    "不能混用。请在 config.toml 里改用新模型的名字。"
                )
            self._dimension = dimension
            self._api.traits.put(self._api.base_url, self._model, "dimension", str(dimension))
        self._warn()

    def _warn(self) -> None:
        if self._dimension is not None and self._expected is not None and self._expected != self._dimension:
            self.note = f"config.toml 写的是 {self._expected} 维，以模型的 {self._dimension} 维为准。"
            _log.warning("[embedding] dimension is %d, the model's is %d", self._expected, self._dimension)

    # --- in the event loop ---

    async def _all(
        self, texts: Sequence[str], limits: Limits, calls: list[ModelCall], account: str
    ) -> list[list[float]]:
        tasks = [asyncio.ensure_future(self._some(batch, limits, calls, account)) for batch in self.batches(texts)]
        try:
            parts = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return [row for part in parts for row in part]

    async def _some(
        self, texts: Sequence[str], limits: Limits, calls: list[ModelCall], account: str
    ) -> list[list[float]]:
        """One batch; halved where the provider takes no batch as large, which is remembered."""
        try:
            return await with_retries(
                lambda _number: self._once(texts, limits, calls, account),
                tries=4,
                rng=self._api.rng,
                first_wait=self._api.first_wait,
                answered_since=self._api.gate.answered_since,
            )
        except Fault as fault:
            if fault.kind != "bad_request":
                raise
            if self._formatted and (len(texts) == 1 or "encoding_format" in fault.raw + fault.detail):
                return await self._unformatted(texts, limits, calls, account)
            if len(texts) == 1:
                raise
        half = (len(texts) + 1) // 2
        rows = await self._some(texts[:half], limits, calls, account)
        rows += await self._some(texts[half:], limits, calls, account)
        if half < self._batch:
            self._batch = half
            self._api.traits.put(self._api.base_url, self._model, "embed_batch", str(half))
        return rows

    async def _unformatted(
        self, texts: Sequence[str], limits: Limits, calls: list[ModelCall], account: str
    ) -> list[list[float]]:
        """Ask without naming the form of the vectors, which not every provider lets one do; remembered if it helps."""
        self._formatted = False
        try:
            rows = await self._some(texts, limits, calls, account)
        except Fault:
            self._formatted = True
            raise
        self._api.traits.put(self._api.base_url, self._model, "embed_format", "none")
        return rows

    async def _once(
        self, texts: Sequence[str], limits: Limits, calls: list[ModelCall], account: str
    ) -> list[list[float]]:
        async def send() -> tuple[list[list[float]], int | None]:
            body: dict[str, object] = {"model": self._model, "input": list(texts)}
            if self._formatted:
                body["encoding_format"] = "float"  # without it, OpenAI's own client asks for base64
            text = await self._api.client.post(
                "/embeddings", body=body, cast_to=str, options={"timeout": timeout_of(limits)}
            )
            return read_vectors(text, len(texts))

        async with self._api.gate.slot():
            started = time.monotonic()
            outcome, counted, estimated = "cancelled", 0, False
            try:
                rows, told = await self._api.request(
                    send, seconds=lambda: limits.whole, prompt=lambda: "\n".join(texts)
                )
                outcome, estimated = "ok", told is None
                counted = sum(estimate_tokens(text) for text in texts) if told is None else told
                return rows
            except Fault as fault:
                outcome = fault.kind
                raise
            except asyncio.CancelledError:
                if time.monotonic() - started > limits.whole - _CLOSE:
                    outcome = "timeout"
                raise
            finally:
                calls.append(self._api.call(_TASK, self._model, outcome, started, account, (counted, 0), estimated))


async def _within(seconds: float | None, work: Coroutine[Any, Any, T]) -> T:
    """Return what some work returns; raises Fault ('timeout') where it takes longer, waits between tries included."""
    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise Fault("timeout") from None
