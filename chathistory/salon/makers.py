"""Which maker does which task: the one place where the configuration becomes objects."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from chathistory.config import EMBEDDED, Config, Tables, Task
from chathistory.director import EmbeddedJudge, RandomJudge
from chathistory.director.llm import LlmJudge
from chathistory.knowledge import RecallParams, VectorCache
from chathistory.knowledge.fact_filter import LlmFactFilter
from chathistory.models.chat import Chat
from chathistory.models.dialect import TraitStore
from chathistory.models.embedded import default_embedder
from chathistory.models.ledger import CallLog
from chathistory.models.protocols import Embedder, Extractor, FactFilter, Judge, Speaker
from chathistory.openie import RuleExtractor
from chathistory.openie.llm import ModelExtractor, StageStore
from chathistory.persona import ExtractiveSpeaker
from chathistory.persona.modelled import ModelSpeaker
from chathistory.persona.prompting import Manner
from chathistory.salon.older_embedders import OlderEmbedders
from chathistory.salon.remembering_embedder import RememberingEmbedder

Mode = Literal["judged", "random"]


@dataclass(frozen=True, slots=True)
class Makers:
    """The makers of one configuration. All are shared between talks, so all are free of talk state."""

    embedder: Embedder
    extractor: Extractor
    speaker: Speaker
    judge: Judge
    fact_filter: FactFilter | None
    params: RecallParams
    summariser: Chat | None = None
    """Sums up what of a talk no longer fits a prompt; None where no model replies."""
    close: Callable[[], None] = field(default=lambda: None)
    """Lets go of the models' connections."""
    older: Callable[[str], Embedder | None] = field(default=lambda _model_id: None)
    """Returns the embedder of a model id that is not today's, None where it cannot be had any more."""

    def judge_for(self, mode: Mode, rng: random.Random) -> Judge:
        """Return the director's judge for a mode of talk."""
        return RandomJudge(rng) if mode == "random" else self.judge


@dataclass(frozen=True, slots=True)
class ModelStores:
    """Where models' calls, manners and half-done readings are kept; None keeps them in memory."""

    log: CallLog | None = None
    traits: TraitStore | None = None
    stages: StageStore | None = None
    vectors: VectorCache | None = None


def make(
    config: Config, rng: random.Random, stores: ModelStores | None = None, embedder: Embedder | None = None
) -> Makers:
    """Return the makers that a configuration asks for; models are connected to only where one is asked for.

    ``embedder`` is taken instead of a new one where it is given.

    Raises
    ------
    NoSuchProvider, ConfigError
        A task names a provider that is not defined, or no model; a key or an address cannot be used.
    """
    stores = stores or ModelStores()
    tables = config.tables
    if not _by_model(tables):
        embedder = embedder or RememberingEmbedder(default_embedder(), stores.vectors)
        older = OlderEmbedders(config, stores.log, stores.traits, stores.vectors)
        return Makers(
            close=older.close,
            older=older.of,
            embedder=embedder,
            extractor=RuleExtractor(),
            speaker=ExtractiveSpeaker(embedder, rng),
            judge=EmbeddedJudge(),
            fact_filter=None,
            params=recall_params(config),
        )
    from chathistory.models.providers import Providers  # the openai client takes half a second to import

    providers = Providers(config, log=stores.log, traits=stores.traits, rng=random.Random(rng.random()))
    chosen = embedder or RememberingEmbedder(
        default_embedder() if tables.embedding.provider == EMBEDDED else providers.embedder(), stores.vectors
    )
    replying = None if tables.qa.llm.provider == EMBEDDED else providers.chat("qa.llm", tables.qa.llm)
    filtering, directing = tables.qa.filter, tables.director.llm
    return Makers(
        embedder=chosen,
        extractor=_extractor(tables, providers.chat, stores.stages),
        speaker=ExtractiveSpeaker(chosen, rng)
        if replying is None
        else ModelSpeaker(
            replying,
            _manner(tables),
            seconds=tables.qa.llm.timeout or 90.0,
            understudy=ExtractiveSpeaker(chosen, rng),
        ),
        judge=EmbeddedJudge()
        if directing.provider == EMBEDDED
        else LlmJudge(providers.chat("director.llm", directing), seconds=directing.timeout or 15.0),
        fact_filter=None
        if filtering.provider == EMBEDDED
        else LlmFactFilter(
            providers.chat("qa.filter", filtering), seconds=filtering.timeout or 3.0, most=filtering.keep
        ),
        params=recall_params(config),
        summariser=replying,
        close=providers.close,
        older=OlderEmbedders(config, stores.log, stores.traits, stores.vectors, providers).of,
    )


def _manner(tables: Tables) -> Manner:
    table = tables.persona
    return Manner(table.style, table.temper, table.show_citations, table.history_tokens)


def _by_model(tables: Tables) -> bool:
    """Whether any task is done by a model behind an API."""
    tasks = (tables.entity_extract.llm, tables.rdf_build.llm, tables.qa.llm, tables.qa.filter, tables.director.llm)
    return any(task.provider != EMBEDDED for task in (*tasks, tables.embedding))


def _extractor(tables: Tables, chat: Callable[[str, Task], Chat], stages: StageStore | None) -> Extractor:
    """The two tasks of OpenIE as one extractor; each of them may be embedded or done by a model."""
    entities, facts = tables.entity_extract.llm, tables.rdf_build.llm
    if entities.provider == facts.provider == EMBEDDED:
        return RuleExtractor()
    return ModelExtractor(
        RuleExtractor() if entities.provider == EMBEDDED else chat("entity_extract.llm", entities),
        RuleExtractor() if facts.provider == EMBEDDED else chat("rdf_build.llm", facts),
        stages,
        seconds=max(entities.timeout or 0.0, facts.timeout or 0.0) or 180.0,
    )


def recall_params(config: Config) -> RecallParams:
    """Return ``[rag.params]`` and ``[qa.params]`` as recall takes them; 'auto' becomes None."""
    rag, qa = config.tables.rag.params, config.tables.qa.params
    return RecallParams(
        synonym_search_top_k=rag.synonym_search_top_k,
        synonym_threshold=None if rag.synonym_threshold == "auto" else rag.synonym_threshold,
        relation_search_top_k=qa.relation_search_top_k,
        relation_threshold=None if qa.relation_threshold == "auto" else qa.relation_threshold,
        paragraph_search_top_k=qa.paragraph_search_top_k,
        paragraph_node_weight=qa.paragraph_node_weight,
        ent_filter_top_k=qa.ent_filter_top_k,
        ppr_damping=qa.ppr_damping,
        res_top_k=qa.res_top_k,
    )
