"""Which maker does which task: the one place where the configuration becomes objects."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from chathistory.config import Config
from chathistory.director import EmbeddedJudge, RandomJudge
from chathistory.knowledge import RecallParams
from chathistory.models.embedded import default_embedder
from chathistory.models.protocols import Embedder, Extractor, FactFilter, Judge, Speaker
from chathistory.openie import RuleExtractor
from chathistory.persona import ExtractiveSpeaker

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

    def judge_for(self, mode: Mode, rng: random.Random) -> Judge:
        """Return the director's judge for a mode of talk."""
        return RandomJudge(rng) if mode == "random" else self.judge


def make(config: Config, rng: random.Random) -> Makers:
    """Return the makers that a configuration asks for.

    Raises
    ------
    NoSuchProvider
        A task names a provider that is not defined.
    """
    embedder = default_embedder()
    return Makers(
        embedder=embedder,
        extractor=RuleExtractor(),
        speaker=ExtractiveSpeaker(embedder, rng),
        judge=EmbeddedJudge(),
        fact_filter=None,
        params=recall_params(config),
    )


def recall_params(config: Config) -> RecallParams:
    """Return ``[rag.params]`` and ``[qa.params]`` as recall takes them; 'auto' becomes None."""
    values = config.tables.rag.params.model_dump() | config.tables.qa.params.model_dump()
    return RecallParams(**{key: None if value == "auto" else value for key, value in values.items()})
