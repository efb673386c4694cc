"""The index of a persona at login: by today's embedding model, by an older one, or by words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chathistory.domain import Extraction, Passage
from chathistory.knowledge import KnowledgeIndex, MemoryVectorCache, RecallParams, texts_to_embed
from chathistory.models.protocols import Embedder, Vectors
from chathistory.salon.makers import Makers
from chathistory.salon.remembering_embedder import paid
from chathistory.samples.vectors import shipped_vectors
from chathistory.store import VectorRepository

_AT_ONCE = 100
"""Sentences that an embedder on this machine embeds at login, in a second or two; more wait for a summons."""


@dataclass(frozen=True, slots=True)
class Memory:
    """An index, the embedder for the questions put to it, and what the user should know of it ('' for nothing)."""

    index: KnowledgeIndex
    embedder: Embedder
    note: str = ""


class WordsAlone:
    """No embedder: every text has the same empty vector, so words and facts decide."""

    model_id = "words"
    dimension = 1
    note = ""

    def query(self, text: str) -> Vectors:
        """Return zeros, shape (1,)."""
        return np.zeros(1, dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return zeros, shape (len(texts), 1)."""
        return np.zeros((len(texts), 1), dtype=np.float32)


class _NotStored(Exception):
    """The store lacks vectors of a model."""


class _StoredOnly:
    """Stands for an embedder whose vectors must all be stored: whatever else is asked for is missing."""

    def __init__(self, model_id: str, dimension: int) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self.note = ""

    def query(self, text: str) -> Vectors:
        raise _NotStored

    def passages(self, texts: Sequence[str]) -> Vectors:
        raise _NotStored


def remembered(
    name: str, passages: Sequence[Passage], extractions: Sequence[Extraction], makers: Makers, store: VectorRepository
) -> Memory:
    """Return the memory of a persona for a talk.

    Vectors of today's model are taken where they are all stored. Where they are not, because another model was chosen
    since, an older model goes on serving whose vectors are whole and which can still be asked; the next summons embeds
    anew, with progress and after consent. Where there is none, words and facts alone serve meanwhile, unless so little
    is missing that an embedder on this machine does it now.
    """
    today = makers.embedder
    index = _stored(passages, extractions, today.model_id, makers.params, store)
    if index is not None:
        return Memory(index, today)
    for model_id in store.models():
        older = None if model_id == today.model_id else makers.older(model_id)
        if older is None:
            continue
        index = _stored(passages, extractions, model_id, makers.params, store)
        if index is not None:
            note = f"{name}的记忆是用旧的嵌入模型 {model_id} 建的，先照旧用着。"
            return Memory(index, older, note + _remedy(name, today.model_id))
    lacking = unseen(store, today.model_id, texts_to_embed(passages))
    if paid(today) is None and len(lacking) <= _AT_ONCE:
        return Memory(KnowledgeIndex.build(passages, extractions, today, store, makers.params), today)
    words = WordsAlone()
    index = KnowledgeIndex.build(passages, extractions, words, MemoryVectorCache(), makers.params)
    note = f"{name}的记忆还没有用嵌入模型读过，先只按字词和事实检索。"
    return Memory(index, words, note + _remedy(name, today.model_id))


def unseen(store: VectorRepository, model_id: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return those of {text id: text} that a model has not seen, the shortest first; shipped vectors are taken over."""
    shipped = shipped_vectors(model_id)
    store.put_many(model_id, {key: shipped[key] for key in texts if key in shipped})
    have = store.get_many(model_id, list(texts))
    return tuple(sorted((text for key, text in texts.items() if key not in have), key=len))


def _remedy(name: str, model_id: str) -> str:
    return f"再召一次（summon {name}）就换成 {model_id}。"


def _stored(
    passages: Sequence[Passage],
    extractions: Sequence[Extraction],
    model_id: str,
    params: RecallParams,
    store: VectorRepository,
) -> KnowledgeIndex | None:
    """Return the index by a model's stored vectors, None where some are missing."""
    dimension = store.dimension(model_id)
    if dimension is None:
        return None
    try:
        return KnowledgeIndex.build(passages, extractions, _StoredOnly(model_id, dimension), store, params)
    except _NotStored:
        return None
