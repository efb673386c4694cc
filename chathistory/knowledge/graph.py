"""Entities, facts and passages as one graph: ids on one side, names on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Extraction, Fact
from chathistory.knowledge.words import units
from quick_algo.graph import CSRGraph

Ids = NDArray[np.int32]
_LONGEST_OUTER, _LONGEST_INNER = 16, 8


def entity_key(name: str) -> str:
    """Return what makes two written forms one entity: the name's words or characters, without case and punctuation."""
    return " ".join(units(name)) or name.strip().casefold()


@dataclass(frozen=True, slots=True, eq=False)
class KnowledgeGraph:
    """Passages and entities as nodes; facts, mentions and names within names as edges, all both ways.

    Rows never move: what is removed keeps its number and loses its edges.

    Attributes
    ----------
    names
        Written form of each entity.
    rows
        Entity key to row, of the entities that are still mentioned.
    facts, fact_ends, fact_passage
        Every fact as often as passages tell it; (f, 2) entity rows of subject and object; (f,) passage rows.
    mentions, mention_starts
        Entity rows of passage p are ``mentions[mention_starts[p]:mention_starts[p + 1]]``.
    spread
        (e,) number of passages that mention each entity.
    passage_nodes, entity_nodes
        Node of each row in ``csr``.
    """

    names: tuple[str, ...]
    rows: dict[str, int]
    facts: tuple[Fact, ...]
    fact_ends: Ids
    fact_passage: Ids
    fact_starts: NDArray[np.int64]
    mentions: Ids
    mention_starts: NDArray[np.int64]
    spread: Ids
    passage_nodes: Ids
    entity_nodes: Ids
    csr: CSRGraph
    threshold: float

    @classmethod
    def empty(cls, threshold: float) -> KnowledgeGraph:
        """Return the graph without nodes; ``threshold`` is the share of a name that a name within it must make."""
        none, start = np.zeros(0, np.int32), np.zeros(1, np.int64)
        csr = CSRGraph.from_arrays(0, none, none, undirected=True)
        return cls((), {}, (), none.reshape(0, 2), none, start, none, start, none, none, none, csr, threshold)

    def with_added(self, extractions: Sequence[Extraction]) -> KnowledgeGraph:
        """Return the graph with one more passage for each extraction, in their order."""
        batch = _Batch(dict(self.rows), list(self.names))
        for extraction in extractions:
            batch.read(extraction)
        passages, entities = len(self.passage_nodes), len(self.names)
        new_passages, new_entities = len(extractions), len(batch.names) - entities
        nodes = self.csr.n
        passage_nodes = _append(self.passage_nodes, np.arange(nodes, nodes + new_passages))
        nodes += new_passages
        entity_nodes = _append(self.entity_nodes, np.arange(nodes, nodes + new_entities))
        ends = np.array(batch.ends, dtype=np.int32).reshape(-1, 2)
        mentions = np.array(batch.mentions, dtype=np.int32)
        owners = np.repeat(passage_nodes[passages:], batch.mention_counts)
        links = _links(batch, entities, self.threshold)
        csr = _joined(
            self.csr,
            new_passages + new_entities,
            [
                (entity_nodes[mentions], owners, np.ones(len(mentions))),
                (entity_nodes[ends[:, 0]], entity_nodes[ends[:, 1]], np.ones(len(ends))),
                (entity_nodes[links.outer], entity_nodes[links.inner], links.share),
            ],
        )
        spread = np.concatenate((self.spread, np.zeros(new_entities, np.int32)))
        np.add.at(spread, mentions, 1)
        return KnowledgeGraph(
            names=tuple(batch.names),
            rows=batch.rows,
            facts=(*self.facts, *batch.facts),
            fact_ends=np.concatenate((self.fact_ends, ends)),
            fact_passage=_append(
                self.fact_passage, np.repeat(np.arange(passages, passages + new_passages), batch.fact_counts)
            ),
            fact_starts=_starts(self.fact_starts, batch.fact_counts),
            mentions=_append(self.mentions, mentions),
            mention_starts=_starts(self.mention_starts, batch.mention_counts),
            spread=spread,
            passage_nodes=passage_nodes,
            entity_nodes=entity_nodes,
            csr=csr,
            threshold=self.threshold,
        )

    def without(self, passages: NDArray[np.intp]) -> KnowledgeGraph:
        """Return the graph in which passages, their facts and the entities that only they mention have no edges."""
        gone_facts = self.facts_of(passages)
        gone_mentions = spans(self.mention_starts, passages)[0]
        spread = self.spread.copy()
        np.subtract.at(spread, self.mentions[gone_mentions], 1)
        dead = np.unique(self.mentions[gone_mentions])
        dead = dead[spread[dead] == 0]
        ends = self.fact_ends[gone_facts]
        ends = ends[ends[:, 0] != ends[:, 1]]
        csr = self.csr.with_edges(
            self.entity_nodes[ends[:, 0]], self.entity_nodes[ends[:, 1]], np.full(len(ends), -1.0)
        )
        csr = csr.without_nodes(np.concatenate((self.passage_nodes[passages], self.entity_nodes[dead])))
        lost = set(dead.tolist())
        return KnowledgeGraph(
            names=self.names,
            rows={key: row for key, row in self.rows.items() if row not in lost},
            facts=self.facts,
            fact_ends=self.fact_ends,
            fact_passage=self.fact_passage,
            fact_starts=self.fact_starts,
            mentions=self.mentions,
            mention_starts=self.mention_starts,
            spread=spread,
            passage_nodes=self.passage_nodes,
            entity_nodes=self.entity_nodes,
            csr=csr,
            threshold=self.threshold,
        )

    def facts_of(self, passages: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the rows of the facts that passages tell, passage by passage."""
        return spans(self.fact_starts, passages)[0]

    def entities_of(self, passage: int) -> Ids:
        """Return the rows of the entities that a passage mentions."""
        return self.mentions[self.mention_starts[passage] : self.mention_starts[passage + 1]]

    def passages_of(self, entity: int) -> list[int]:
        """Return the rows of the passages that mention an entity, rising."""
        node = int(self.entity_nodes[entity])
        near = self.csr.indices[self.csr.indptr[node] : self.csr.indptr[node + 1]]
        at = np.minimum(np.searchsorted(self.passage_nodes, near), len(self.passage_nodes) - 1)
        return [int(p) for p in at[self.passage_nodes[at] == near]]

    def row_of(self, name: str) -> int | None:
        """Return the entity of a written name, None for one nobody mentions."""
        return self.rows.get(entity_key(name))

    def spread_of(self, name: str) -> int:
        """Return in how many passages an entity of that name is mentioned."""
        row = self.row_of(name)
        return 0 if row is None else int(self.spread[row])

    def named_in(self, text: str) -> list[int]:
        """Return the entities whose names stand in a text, the longest match at each place, in reading order."""
        pieces = units(text)
        found: dict[int, None] = {}
        at = 0
        while at < len(pieces):
            for length in range(min(_LONGEST_INNER, len(pieces) - at), 0, -1):
                part = pieces[at : at + length]
                if length == 1 and not part[0].isascii() and len(part[0]) == 1:
                    continue
                row = self.rows.get(" ".join(part))
                if row is not None:
                    found[row] = None
                    at += length - 1
                    break
            at += 1
        return list(found)


@dataclass(slots=True)
class _Batch:
    """Entities, facts and mentions of some extractions, being numbered."""

    rows: dict[str, int]
    names: list[str]
    facts: list[Fact] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)
    fact_counts: list[int] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    mention_counts: list[int] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)

    def read(self, extraction: Extraction) -> None:
        mentioned: dict[int, None] = {}
        facts = dict.fromkeys(extraction.facts)
        for fact in facts:
            ends = (self._entity(fact.subject), self._entity(fact.object))
            self.facts.append(fact)
            self.ends.append(ends)
            mentioned[ends[0]] = mentioned[ends[1]] = None
        for name in extraction.entities:
            mentioned[self._entity(name)] = None
        self.fact_counts.append(len(facts))
        self.mentions.extend(mentioned)
        self.mention_counts.append(len(mentioned))

    def _entity(self, name: str) -> int:
        row = self._seen.get(name)
        if row is None:
            key = entity_key(name)
            row = self.rows.get(key)
            if row is None:
                row = self.rows[key] = len(self.names)
                self.names.append(name.strip())
            self._seen[name] = row
        return row


@dataclass(frozen=True, slots=True)
class _Links:
    """Names within names: rows of the longer and the shorter name, and which share of the longer the shorter is."""

    outer: Ids
    inner: Ids
    share: NDArray[np.float64]


def _links(batch: _Batch, first: int, threshold: float) -> _Links:
    """Return the links of the entities from ``first`` on, to each other and to older ones, in both roles."""
    found: dict[tuple[int, int], float] = {}
    new = {key: row for key, row in batch.rows.items() if row >= first and threshold <= 1}
    for key, row in new.items():
        for inner, share in _within(key, threshold):
            other = batch.rows.get(inner)
            if other is not None:
                found[row, other] = share
    if first and new:
        old = [(key, row) for key, row in batch.rows.items() if row < first]
        text = "\n" + "\n".join(f" {key} " for key, _ in old) + "\n"
        starts = np.cumsum([0] + [len(key) + 3 for key, _ in old])
        for key, row in new.items():
            for place in _places(text, f" {key} "):
                outer, other = old[int(np.searchsorted(starts, place, side="right")) - 1]
                share = dict(_within(outer, threshold)).get(key)
                if share is not None:
                    found[other, row] = share
    rows = np.array(list(found), dtype=np.int32).reshape(-1, 2)
    return _Links(rows[:, 0], rows[:, 1], np.array(list(found.values()), dtype=np.float64))


def _within(key: str, threshold: float) -> Iterator[tuple[str, float]]:
    """Yield the names that may stand within a name, and their share of it: runs of words, of two characters or more."""
    pieces = key.split(" ")
    count = len(pieces)
    if not 1 < count <= _LONGEST_OUTER:
        return
    total = len(key) - count + 1
    least = threshold * total
    for start in range(count):
        length = 0
        for end in range(start + 1, min(count, start + _LONGEST_INNER) + 1):
            length += len(pieces[end - 1])
            if length >= least and length > 1 and end - start < count:
                yield " ".join(pieces[start:end]), length / total


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _joined(
    csr: CSRGraph, new_nodes: int, edges: Iterable[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]]
) -> CSRGraph:
    """Return the graph with nodes and edges added; loops are left out, an edge given often weighs as often."""
    tails, heads, weights = (np.concatenate(column) for column in zip(*edges, strict=True))
    kept = tails != heads
    if csr.n == 0:
        return CSRGraph.from_arrays(new_nodes, tails[kept], heads[kept], weights[kept], undirected=True)
    return csr.with_edges(tails[kept], heads[kept], weights[kept], new_nodes=new_nodes)


def _append(old: Ids, new: NDArray[np.int64] | Ids) -> Ids:
    return np.concatenate((old, new.astype(np.int32)))


def _starts(old: NDArray[np.int64], counts: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate((old, old[-1] + np.cumsum(counts, dtype=np.int64)))


def spans(starts: NDArray[np.int64], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all positions from ``starts[r]`` up to ``starts[r + 1]``, for each of rows, and where each row's begin."""
    counts = starts[rows + 1] - starts[rows]
    heads = np.concatenate(([0], np.cumsum(counts)[:-1])) if len(counts) else counts
    return np.repeat(starts[rows] - heads, counts) + np.arange(int(counts.sum())), heads
