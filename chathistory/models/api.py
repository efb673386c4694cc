"""One provider: its connections, its limits, what is known of its models, and one request at a time watched over."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import openai

from chathistory.config import shown_url
from chathistory.domain import ModelCall
from chathistory.models.background import event_loop
from chathistory.models.dialect import Dialect, MemoryTraits, TraitStore
from chathistory.models.ledger import Meter, Price
from chathistory.models.limits import Gate, Pace, watched
from chathistory.models.retry import FIRST_WAIT, Fault, Where
from chathistory.models.sdk import TRANSPORT_ERRORS, fault_of, is_loopback, make_client

T = TypeVar("T")
_REMOTE_CONCURRENCY = 8
_LOCAL_CONCURRENCY = 2


class Api:
    """A provider, shared by all tasks that use it.

    Parameters
    ----------
    key
        The key itself; it goes into the requests' header and nowhere else.
    concurrency
        Requests at one time; None is 8, or 2 for a server on this machine, which mostly works on one after another.
    per_minute
        Requests in any 60 seconds; 0 sets no limit.
    first_wait
        Seconds to wait before the second try where the provider does not say; doubled for each further one.
    local
        Whether it runs on this machine: then reading a long prompt may take as long as the whole answer, and silence
        before the first token is no sign of hanging. None tells it by the address.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        key: str = "",
        *,
        concurrency: int | None = None,
        per_minute: int = 0,
        price: Price | None = None,
        meter: Meter | None = None,
        traits: TraitStore | None = None,
        rng: random.Random | None = None,
        first_wait: float = FIRST_WAIT,
        local: bool | None = None,
    ) -> None:
        self.name = name
        self.base_url = base_url
        self.client: openai.AsyncOpenAI = make_client(name, base_url, key)
        self.price = price
        self.meter = meter or Meter()
        self.traits: TraitStore = traits or MemoryTraits()
        self.rng = rng or random.Random()
        self.first_wait = first_wait
        self.local = is_loopback(base_url) if local is None else local
        self.concurrency = concurrency or (_LOCAL_CONCURRENCY if self.local else _REMOTE_CONCURRENCY)
        self.gate = Gate(self.concurrency, per_minute)
        self._key = key
        self._paces: dict[tuple[str, str], Pace] = {}
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()

    def where(self, model: str) -> Where:
        """Return what error messages name."""
        return Where(self.name, model, shown_url(self.base_url))

    def dialect(self, model: str) -> Dialect:
        """Return what is known of a model."""
        with self._lock:
            if model not in self._dialects:
                self._dialects[model] = Dialect(self.traits, self.base_url, model)
            return self._dialects[model]

    def pace(self, model: str, task: str) -> Pace:
        """Return how fast a model does a task."""
        return self._paces.setdefault((model, task), Pace())

    async def request(
        self, send: Callable[[], Awaitable[T]], *, seconds: Callable[[], float], prompt: Callable[[], str]
    ) -> T:
        """Run one request that may take ``seconds()``, as a Fault where it fails.

        The caller holds a slot of ``gate``. ``prompt`` is what must not get into an error's detail.
        """
        try:
            result = await watched(asyncio.ensure_future(self._awaited(send)), seconds)
        except Fault as fault:
            self._failed(fault)
            raise
        except TRANSPORT_ERRORS as error:
            found = fault_of(error, self._key, prompt())
            self._failed(found)
            raise found from None  # the client's own error holds what the provider said, key and all
        self.gate.succeeded()
        return result

    def _failed(self, fault: Fault) -> None:
        if fault.kind == "rate_limited":
            self.gate.limited(fault.retry_after or 1.0)

    @staticmethod
    async def _awaited(send: Callable[[], Awaitable[T]]) -> T:
        return await send()

    def call(
        self,
        task: str,
        model: str,
        outcome: str,
        started: float,
        account: str = "",
        tokens: tuple[int, int] = (0, 0),
        estimated: bool = False,
    ) -> ModelCall:
        """Return the ledger's record of a request that began at ``started`` (``time.monotonic``)."""
        cost = self.price.cost(*tokens) if self.price else None
        return ModelCall(
            task=task,
            provider=self.name,
            model=model,
            outcome=outcome,  # type: ignore[arg-type]
            seconds=round(time.monotonic() - started, 3),
            at=self.meter.time(),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            cost=cost,
            currency=self.price.currency if self.price else "",
            account=account,
            estimated=estimated,
        )

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the money for tokens, 0 where no price is set."""
        return self.price.cost(tokens_in, tokens_out) if self.price else 0.0

    def close(self) -> None:
        """Close all connections."""
        asyncio.run_coroutine_threadsafe(self.client.close(), event_loop()).result(5)


async def listed_models(api: Api) -> list[str]:
    """Return the models a provider lists, sorted; raises Fault."""

    async def send() -> list[str]:
        page = await api.client.models.list(timeout=20)
        return sorted(str(model.id) for model in page.data or [])

    async with api.gate.slot():
        return await api.request(send, seconds=lambda: 20.0, prompt=str)
