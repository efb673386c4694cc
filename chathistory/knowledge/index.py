"""The encyclopedic memory of one persona: passages, entities, facts, their vectors and the graph over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from chathistory.domain import Extraction, Fact, Passage, text_id
from chathistory.knowledge.params import RecallParams
from chathistory.knowledge.vectors import OnProgress, VectorCache, embed_missing
from chathistory.models.protocols import Embedder, Vectors


def entity_key(name: str) -> str:
    """Return what makes two written forms one entity: the name without case and outer blanks."""
    return name.strip().casefold()


def texts_to_embed(passages: Sequence[Passage], extractions: Sequence[Extraction]) -> dict[str, str]:
    """Return {text id: text} of every text whose vector an index of these needs, each once."""
    texts = [passage.text for passage in passages]
    texts += [fact.text for extraction in extractions for fact in extraction.facts]
    return {text_id(text): text for text in texts}


@dataclass(frozen=True, eq=False)
class KnowledgeIndex:
    """Everything recall needs, derived from passages and extractions; the database stays the truth."""

    passages: tuple[Passage, ...]
    extractions: tuple[Extraction, ...]
    entities: tuple[str, ...]
    facts: tuple[Fact, ...]
    entity_rows: dict[str, int]
    fact_ends: NDArray[np.int32]
    fact_passages: sparse.csr_matrix
    entity_passages: sparse.csr_matrix
    passage_vectors: Vectors
    fact_vectors: Vectors
    transition: sparse.csr_matrix
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
        params = params or RecallParams()
        rows = {passage.id: row for row, passage in enumerate(passages)}
        entity_rows: dict[str, int] = {}
        entities: list[str] = []
        fact_rows: dict[tuple[str, str, str], int] = {}
        facts: list[Fact] = []
        ends: list[tuple[int, int]] = []
        fp: list[tuple[int, int]] = []
        ep: list[tuple[int, int]] = []

        def entity(name: str) -> int:
            key = entity_key(name)
            row = entity_rows.get(key)
            if row is None:
                row = entity_rows[key] = len(entities)
                entities.append(name.strip())
            return row

        for extraction in extractions:
            p = rows.get(extraction.passage_id)
            if p is None:
                continue
            for fact in extraction.facts:
                key = (entity_key(fact.subject), entity_key(fact.predicate), entity_key(fact.object))
                f = fact_rows.get(key)
                if f is None:
                    f = fact_rows[key] = len(facts)
                    facts.append(fact)
                    ends.append((entity(fact.subject), entity(fact.object)))
                fp.append((f, p))
                ep.append((ends[f][0], p))
                ep.append((ends[f][1], p))
            for name in extraction.entities:
                ep.append((entity(name), p))
        texts = [p.text for p in passages] + [f.text for f in facts]
        vectors = embed_missing(texts, embedder, cache, on_progress)
        n_p, n_e = len(passages), len(entities)
        fact_ends = np.array(ends, dtype=np.int32).reshape(-1, 2)
        entity_passages = _pairs(ep, (n_e, n_p))
        fact_passages = _pairs(fp, (len(facts), n_p))
        return cls(
            passages=tuple(passages),
            extractions=tuple(extractions),
            entities=tuple(entities),
            facts=tuple(facts),
            entity_rows=entity_rows,
            fact_ends=fact_ends,
            fact_passages=fact_passages,
            entity_passages=entity_passages,
            passage_vectors=centred(vectors[:n_p]),
            fact_vectors=centred(vectors[n_p:]),
            transition=_transition(entity_passages, fact_ends, fact_passages),
            params=params,
            model_id=embedder.model_id,
        )

    def __len__(self) -> int:
        return len(self.passages)

    @property
    def fingerprint(self) -> str:
        """A digest of what the index was made from: another one means it is stale."""
        digest = hashlib.sha256(self.model_id.encode("utf-8"))
        for passage in self.passages:
            digest.update(passage.id.encode("ascii"))
        for fact in self.facts:
            digest.update(fact.id.encode("ascii"))
        return digest.hexdigest()

    def with_added(
        self,
        passages: Sequence[Passage],
        extractions: Sequence[Extraction],
        embedder: Embedder,
        cache: VectorCache,
        on_progress: OnProgress | None = None,
    ) -> KnowledgeIndex:
        known = {passage.id for passage in self.passages}
        new = [passage for passage in passages if passage.id not in known]
        return KnowledgeIndex.build(
            (*self.passages, *new), (*self.extractions, *extractions), embedder, cache, self.params, on_progress
        )

    def without(self, passage_ids: Iterable[str], embedder: Embedder, cache: VectorCache) -> KnowledgeIndex:
        gone = set(passage_ids)
        return KnowledgeIndex.build(
            [p for p in self.passages if p.id not in gone],
            [x for x in self.extractions if x.passage_id not in gone],
            embedder,
            cache,
            self.params,
        )

    def ego(self, name: str, hops: int = 1) -> nx.DiGraph:
        """Return the neighbourhood of an entity's name or a passage's id, for the interface.

        Nodes carry ``kind`` ("entity" or "passage") and ``label``; edges between entities carry the ``predicate``.
        An unknown name gives an empty graph.
        """
        graph: nx.DiGraph = nx.DiGraph()
        passage_rows = {passage.id: row for row, passage in enumerate(self.passages)}
        start = ("p", passage_rows[name]) if name in passage_rows else ("e", self.entity_rows.get(entity_key(name), -1))
        if start[1] < 0:
            return graph
        frontier, seen = {start}, {start}
        for _ in range(hops):
            reached: set[tuple[str, int]] = set()
            for kind, row in frontier:
                if kind == "p":
                    reached |= {("e", int(e)) for e in self._entities_of_passage(row)}
                else:
                    reached |= {("p", int(p)) for p in self.entity_passages[row].indices}
                    touching = np.flatnonzero((self.fact_ends == row).any(axis=1))
                    reached |= {("e", int(e)) for e in self.fact_ends[touching].ravel()}
            frontier = reached - seen
            seen |= reached
        for kind, row in sorted(seen):
            label = self.entities[row] if kind == "e" else self.passages[row].text
            graph.add_node(self._node(kind, row), kind="entity" if kind == "e" else "passage", label=label)
        for fact, (subject, object_) in zip(self.facts, self.fact_ends.tolist(), strict=True):
            if ("e", subject) in seen and ("e", object_) in seen:
                graph.add_edge(self._node("e", subject), self._node("e", object_), predicate=fact.predicate)
        for kind, row in seen:
            if kind == "p":
                for e in self._entities_of_passage(row):
                    if ("e", int(e)) in seen:
                        graph.add_edge(self._node("e", int(e)), self.passages[row].id)
        return graph

    def _node(self, kind: str, row: int) -> str:
        return self.entities[row] if kind == "e" else self.passages[row].id

    def _entities_of_passage(self, row: int) -> NDArray[np.int32]:
        return np.asarray(self.entity_passages.getcol(row).nonzero()[0], dtype=np.int32)


def centred(vectors: Vectors) -> Vectors:
    """Return vectors less their mean, L2 norm 1 each (zero vectors stay zero)."""
    if len(vectors) == 0:
        return vectors
    moved = vectors - vectors.mean(axis=0)
    norms = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.where(norms > 0, norms, 1), dtype=np.float32)


def _pairs(pairs: list[tuple[int, int]], shape: tuple[int, int]) -> sparse.csr_matrix:
    array = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return sparse.csr_matrix((np.ones(len(array), np.float32), (array[:, 0], array[:, 1])), shape=shape)


def _transition(ep: sparse.csr_matrix, ends: NDArray[np.int32], fp: sparse.csr_matrix) -> sparse.csr_matrix:
    n_e, n_p = ep.shape
    counts = np.asarray(fp.sum(axis=1)).ravel()
    ee = sparse.csr_matrix((counts, (ends[:, 0], ends[:, 1])), shape=(n_e, n_e), dtype=np.float32)
    ee = ee + ee.T
    links = (ep > 0).astype(np.float32)
    graph = sparse.bmat([[None, links.T], [links, ee]], format="csr", dtype=np.float32)
    if n_p and not n_e:
        graph = sparse.csr_matrix((n_p, n_p), dtype=np.float32)
    sums = np.asarray(graph.sum(axis=1)).ravel()
    scale = sparse.diags(np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0).astype(np.float32))
    return sparse.csr_matrix((scale @ graph).T)
