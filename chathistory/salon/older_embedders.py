"""Embedders of models that were configured before: memories that were made with them can still be asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from chathistory.config import Config
from chathistory.errors import ChatHistoryError
from chathistory.knowledge import VectorCache
from chathistory.models.dialect import TraitStore
from chathistory.models.embedded import HashingEmbedder, default_embedder
from chathistory.models.ledger import CallLog
from chathistory.models.protocols import Embedder
from chathistory.salon.remembering_embedder import RememberingEmbedder

if TYPE_CHECKING:
    from chathistory.models.providers import Providers


class OlderEmbedders:
    """Finds the embedder of a model id: the one on this machine, or one of a provider that is still configured.

    Safe to share between threads.
    """

    def __init__(
        self,
        config: Config,
        log: CallLog | None,
        traits: TraitStore | None,
        vectors: VectorCache | None,
        providers: Providers | None = None,
    ) -> None:
        self._config = config
        self._log = log
        self._traits = traits
        self._vectors = vectors
        self._providers = providers
        self._own: Providers | None = None
        self._found: dict[str, Embedder | None] = {}
        self._lock = threading.Lock()

    def of(self, model_id: str) -> Embedder | None:
        """Return the embedder, None where it cannot be had any more; asks nobody."""
        with self._lock:
            if model_id not in self._found:
                inner = self._on_this_machine(model_id) or self._of_a_provider(model_id)
                self._found[model_id] = None if inner is None else RememberingEmbedder(inner, self._vectors)
            return self._found[model_id]

    def close(self) -> None:
        """Close the connections that were opened for older models alone."""
        with self._lock:
            if self._own is not None:
                self._own.close()

    def _on_this_machine(self, model_id: str) -> Embedder | None:
        here = (default_embedder(), HashingEmbedder())
        return next((embedder for embedder in here if embedder.model_id == model_id), None)

    def _of_a_provider(self, model_id: str) -> Embedder | None:
        for provider in self._config.tables.llm_providers:
            host = urlsplit(provider.base_url).netloc
            if not model_id.startswith(f"{host}/"):
                continue
            try:
                found = self._all().embedder_of(provider.name, model_id[len(host) + 1 :].split("#")[0])
            except ChatHistoryError:
                continue
            if found.model_id == model_id:
                return found
        return None

    def _all(self) -> Providers:
        if self._providers is not None:
            return self._providers
        if self._own is None:
            from chathistory.models.providers import Providers  # the openai client takes half a second to import

            self._own = Providers(self._config, log=self._log, traits=self._traits)
        return self._own
