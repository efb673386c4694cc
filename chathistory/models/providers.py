"""The providers of one configuration: each is connected to once, at its first use, and shared by all its tasks."""

from __future__ import annotations

import random
import threading

from chathistory.config import Config, Task
from chathistory.errors import ConfigError
from chathistory.models.api import Api
from chathistory.models.dialect import TraitStore
from chathistory.models.ledger import Allowance, CallLog, Meter, Price
from chathistory.models.openai_compatible import OpenAIChat
from chathistory.models.remote_embedder import RemoteEmbedder


class Providers:
    """Makes chats and embedders. Safe to share between threads.

    Parameters
    ----------
    log
        Where calls are counted; None counts them in memory.
    traits
        Where it is remembered what models take; None remembers it for this process.
    """

    def __init__(
        self,
        config: Config,
        *,
        log: CallLog | None = None,
        traits: TraitStore | None = None,
        rng: random.Random | None = None,
    ) -> None:
        budget = config.tables.budget
        self.meter = Meter(
            log,
            per_account=Allowance(budget.summon_tokens, budget.summon_cost),
            per_day=Allowance(budget.day_tokens, budget.day_cost),
        )
        self._config = config
        self._traits = traits
        self._rng = rng
        self._apis: dict[str, Api] = {}
        self._lock = threading.Lock()

    def chat(self, task: str, chosen: Task) -> OpenAIChat:
        """Return the chat model that a task names, e.g. ('director.llm', config.tables.director.llm).

        Raises
        ------
        NoSuchProvider, ConfigError
            The provider is not defined, its key or address cannot be used, or the task names no model.
        """
        if not chosen.model:
            raise ConfigError(f"[{task}] 写了 provider = {chosen.provider!r}，却没有写 model。请补上模型的名字。")
        return OpenAIChat(self.api(task, chosen.provider), chosen.model)

    def embedder(self) -> RemoteEmbedder:
        """Return the embedding model of ``[embedding]``; raises as ``chat`` does."""
        table = self._config.tables.embedding
        if table.model in ("", "auto"):
            raise ConfigError(f"[embedding] 写了 provider = {table.provider!r}，却没有写 model。请补上模型的名字。")
        return RemoteEmbedder(self.api("embedding", table.provider), table.model, expected=table.dimension)

    def embedder_of(self, provider: str, model: str) -> RemoteEmbedder:
        """Return another embedding model of a provider; raises as ``chat`` does."""
        return RemoteEmbedder(self.api("embedding", provider), model)

    def api(self, task: str, name: str) -> Api:
        """Return the provider of that name, connected to at most once."""
        provider = self._config.provider(task, name)
        with self._lock:
            if name not in self._apis:
                price = provider.price
                self._apis[name] = Api(
                    name,
                    provider.base_url,
                    provider.key(),
                    concurrency=provider.concurrency,
                    per_minute=provider.requests_per_minute,
                    price=Price(price.input, price.output, price.currency) if price else None,
                    meter=self.meter,
                    traits=self._traits,
                    rng=self._rng,
                )
            return self._apis[name]

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            apis = list(self._apis.values())
            self._apis.clear()
        for api in apis:
            api.close()
