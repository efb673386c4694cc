"""The encyclopedic memory of one persona: passages, facts, vectors, words and graph, derived from the database."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from chathistory.collector import paused_collection
from chathistory.domain import Extraction, Fact, Passage, text_id
from chathistory.knowledge.calibration import centred_question, unrelated_questions
from chathistory.knowledge.dense import VectorTable
from chathistory.knowledge.ego import ego_graph
from chathistory.knowledge.graph import KnowledgeGraph
from chathistory.knowledge.lexical import LexicalIndex
from chathistory.knowledge.params import RecallParams
from chathistory.knowledge.sentences import compose, split
from chathistory.knowledge.vectors import OnProgress, VectorCache, embed_missing
from chathistory.models.protocols import Embedder, Vectors
from quick_algo.graph import Candidates

_SAMPLED = 2000
_SPARSE = 0.5
"""Where more than this share of the rows was removed, what is left is laid anew."""


def texts_to_embed(passages: Sequence[Passage], extractions: Sequence[Extraction] = ()) -> dict[str, str]:
    """Return {text id: text} of every text whose vector an index of these needs, each once: the passages' sentences."""
    found, _ = split([passage.text for passage in passages])
    return {text_id(text): text for text in found}


@dataclass(frozen=True, eq=False)
class KnowledgeIndex:
    """Everything recall needs. Immutable: adding and removing give a new index that shares what did not change.

    Rows never move; ``alive`` tells which passages still count.
    """

    rows: tuple[Passage, ...]
    extractions: tuple[Extraction, ...]
    alive: NDArray[np.bool_]
    owners: NDArray[np.int32]
    sentence_vectors: VectorTable
    passage_vectors: VectorTable
    passage_words: LexicalIndex
    sentence_words: LexicalIndex
    fact_words: LexicalIndex
    graph: KnowledgeGraph
    questions: Vectors
    params: RecallParams
    model_id: str

    @classmethod
    def build(
        cls,
        passages: Sequence[Passage],
        extractions: Sequence[Extraction],
        embedder: Embedder,
        cache: VectorCache,
        params: RecallParams | None = None,
        on_progress: OnProgress | None = None,
    ) -> KnowledgeIndex:
        """Build the index; only texts that the cache does not hold are embedded.

        Parameters
        ----------
        passages
            A repeated id counts once.
        extractions
            In any order; those of unknown passages are ignored, a passage without one has no facts.
        on_progress
            Called with (texts embedded, texts in all).
        """
        params = params or RecallParams()
        kept, read = _paired(passages, extractions, frozenset())
        with paused_collection():
            texts, owners = split([passage.text for passage in kept])
        # numbering names and sorting words leave the vectors' way half free: a second core takes them
        with ThreadPoolExecutor(1) as pool:
            read_out = pool.submit(_read_out, read, texts, params.name_share)
            table = VectorTable.filled(
                len(texts), embedder.dimension, lambda out: embed_missing(texts, embedder, cache, on_progress, out=out)
            )
            lengths = np.array([len(text) for text in texts], dtype=np.float32)
            passage_table = VectorTable.filled(
                len(kept), embedder.dimension, lambda out: compose(table.rows, owners, lengths, len(kept), out)
            )
            passage_table.prepare()
            graph, fact_words, words = read_out.result()
        return cls(
            rows=tuple(kept),
            extractions=tuple(read),
            alive=np.ones(len(kept), dtype=np.bool_),
            owners=owners,
            sentence_vectors=table,
            passage_vectors=passage_table,
            passage_words=words.grouped(owners, len(kept)),
            sentence_words=words,
            fact_words=fact_words,
            graph=graph,
            questions=unrelated_questions(embedder, cache),
            params=params,
            model_id=embedder.model_id,
        )

    def with_added(
        self,
        passages: Sequence[Passage],
        extractions: Sequence[Extraction],
        embedder: Embedder,
        cache: VectorCache,
        on_progress: OnProgress | None = None,
    ) -> KnowledgeIndex:
        """Return the index with more passages; recall from it is that of an index built of all at once.

        Raises
        ------
        ValueError
            The embedder is not the one that this index was built with: build anew, the old index stays usable.
        """
        if embedder.model_id != self.model_id:
            raise ValueError(f"the index holds vectors of {self.model_id}, not of {embedder.model_id}; build a new one")
        known = frozenset(row.id for row, alive in zip(self.rows, self.alive, strict=True) if alive)
        kept, read = _paired(passages, extractions, known)
        if not kept:
            return self
        texts, owners = split([passage.text for passage in kept])
        vectors = embed_missing(texts, embedder, cache, on_progress)
        lengths = np.array([len(text) for text in texts], dtype=np.float32)
        graph = self.graph.with_added(read)
        words = LexicalIndex.of(texts)
        return KnowledgeIndex(
            rows=(*self.rows, *kept),
            extractions=(*self.extractions, *read),
            alive=np.concatenate((self.alive, np.ones(len(kept), dtype=np.bool_))),
            owners=np.concatenate((self.owners, owners + np.int32(len(self.rows)))),
            sentence_vectors=self.sentence_vectors.with_added(vectors),
            passage_vectors=self.passage_vectors.with_added(compose(vectors, owners, lengths, len(kept))),
            passage_words=self.passage_words.joined(words.grouped(owners, len(kept))),
            sentence_words=self.sentence_words.joined(words),
            fact_words=self.fact_words.with_added([fact.text for fact in graph.facts[len(self.graph.facts) :]]),
            graph=graph,
            questions=self.questions,
            params=self.params,
            model_id=self.model_id,
        )

    def without(self, passage_ids: Iterable[str]) -> KnowledgeIndex:
        """Return the index without some passages, as if built of the others; embeds nothing."""
        gone_ids = set(passage_ids)
        gone = np.array([n for n, row in enumerate(self.rows) if self.alive[n] and row.id in gone_ids], dtype=np.intp)
        if not len(gone):
            return self
        alive = self.alive.copy()
        alive[gone] = False
        if alive.sum() < _SPARSE * len(alive):
            return self._compacted(alive)
        sentences = np.flatnonzero(np.isin(self.owners, gone))
        return KnowledgeIndex(
            rows=self.rows,
            extractions=self.extractions,
            alive=alive,
            owners=self.owners,
            sentence_vectors=self.sentence_vectors.without(sentences),
            passage_vectors=self.passage_vectors.without(gone),
            passage_words=self.passage_words.without(gone),
            sentence_words=self.sentence_words.without(sentences),
            fact_words=self.fact_words.without(self.graph.facts_of(gone)),
            graph=self.graph.without(gone),
            questions=self.questions,
            params=self.params,
            model_id=self.model_id,
        )

    def _compacted(self, alive: NDArray[np.bool_]) -> KnowledgeIndex:
        kept = np.flatnonzero(alive)
        passages = [self.rows[n] for n in kept]
        read = [self.extractions[n] for n in kept]
        texts, owners = split([passage.text for passage in passages])
        vectors = self.sentence_vectors.rows[np.flatnonzero(alive[self.owners])]
        lengths = np.array([len(text) for text in texts], dtype=np.float32)
        graph = KnowledgeGraph.empty(self.graph.threshold).with_added(read)
        words = LexicalIndex.of(texts)
        return KnowledgeIndex(
            rows=tuple(passages),
            extractions=tuple(read),
            alive=np.ones(len(passages), dtype=np.bool_),
            owners=owners,
            sentence_vectors=VectorTable.of(vectors),
            passage_vectors=VectorTable.of(compose(vectors, owners, lengths, len(passages))),
            passage_words=words.grouped(owners, len(passages)),
            sentence_words=words,
            fact_words=LexicalIndex.of([fact.text for fact in graph.facts]),
            graph=graph,
            questions=self.questions,
            params=self.params,
            model_id=self.model_id,
        )

    def __len__(self) -> int:
        return int(self.alive.sum())

    @functools.cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The passages, in the order they came."""
        return tuple(row for row, alive in zip(self.rows, self.alive, strict=True) if alive)

    @functools.cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the passages tell, each once."""
        told = self.alive[self.graph.fact_passage]
        return tuple(dict.fromkeys(fact for fact, alive in zip(self.graph.facts, told, strict=True) if alive))

    @functools.cached_property
    def entities(self) -> tuple[str, ...]:
        """The entities that the passages mention, by the form in which each was first met."""
        return tuple(name for name, spread in zip(self.graph.names, self.graph.spread, strict=True) if spread)

    @functools.cached_property
    def fingerprint(self) -> str:
        """A digest of what the index was made from; another one means that an index is stale."""
        digest = hashlib.sha256(repr((self.model_id, self.params)).encode("utf-8"))
        for passage in self.passages:
            digest.update(passage.id.encode("ascii"))
        for fact in self.facts:
            digest.update(fact.text.encode("utf-8") + b"\n")
        return digest.hexdigest()

    @functools.cached_property
    def sentence_starts(self) -> NDArray[np.int64]:
        """Sentences of passage p are ``sentence_starts[p]`` up to ``sentence_starts[p + 1]``; each has one at least."""
        return np.concatenate(([0], np.cumsum(np.bincount(self.owners, minlength=len(self.rows))))).astype(np.int64)

    @functools.cached_property
    def centre(self) -> Vectors:
        """What all questions share, shape (d,)."""
        return np.asarray(self.questions.mean(axis=0), dtype=np.float32)

    @functools.cached_property
    def noise(self) -> float:
        """The cosine that the best passage reaches for a question about something else, on average."""
        rows = self.passage_vectors.centred(np.flatnonzero(self.alive)[:_SAMPLED])
        asked = np.stack([centred_question(question, self.centre) for question in self.questions])
        return float((rows @ asked.T).max(axis=0).mean())

    @functools.cached_property
    def inverse_degree(self) -> Vectors:
        """One over each node's weight sum in the graph, 0 for a node without edges; float32."""
        return self.graph.csr.inverse_degree.astype(np.float32)

    @functools.cached_property
    def passage_edges(self) -> Any:
        """The rows of the graph's matrix that are passages, shape (passages, nodes), scipy CSR."""
        return self.graph.csr.matrix[self.graph.passage_nodes]

    @functools.cached_property
    def candidates(self) -> Candidates:
        """The passages as nodes that the graph search may return."""
        mask = np.zeros(self.graph.csr.n, dtype=np.bool_)
        mask[self.graph.passage_nodes[self.alive]] = True
        return self.graph.csr.candidates(mask)

    @functools.cached_property
    def passage_of_node(self) -> NDArray[np.int32]:
        """Passage row of each node, -1 for entities."""
        out = np.full(self.graph.csr.n, -1, dtype=np.int32)
        out[self.graph.passage_nodes] = np.arange(len(self.rows), dtype=np.int32)
        return out

    def ego(self, name: str, hops: int = 1) -> nx.DiGraph:
        """Return the neighbourhood of an entity's name or a passage's id, for the interface to draw.

        Nodes carry ``kind`` ("entity" or "passage") and ``label``; edges carry ``kind`` ("fact" or "mention") and
        ``predicate``. An unknown name gives an empty graph.
        """
        return ego_graph(self.graph, self.rows, self.alive, name, hops)


def _read_out(
    extractions: Sequence[Extraction], sentences: Sequence[str], name_share: float
) -> tuple[KnowledgeGraph, LexicalIndex, LexicalIndex]:
    """Return the graph, the words of its facts and those of the sentences."""
    with paused_collection():
        graph = KnowledgeGraph.empty(name_share).with_added(extractions)
        return graph, LexicalIndex.of([fact.text for fact in graph.facts]), LexicalIndex.of(sentences)


def _paired(
    passages: Sequence[Passage], extractions: Sequence[Extraction], known: frozenset[str]
) -> tuple[list[Passage], list[Extraction]]:
    """Return the passages that are not known yet, each once, and the extraction of each."""
    by_id = {extraction.passage_id: extraction for extraction in extractions}
    kept = list({passage.id: passage for passage in passages if passage.id not in known}.values())
    return kept, [by_id.get(passage.id) or Extraction(passage.id, (), ()) for passage in kept]
