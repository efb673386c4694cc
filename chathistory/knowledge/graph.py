"""Entities, facts and passages as one graph: ids on one side, names on the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Extraction, Fact
from chathistory.knowledge.name_links import LONGEST_INNER, name_links
from chathistory.knowledge.words import units, units_of_lines
from quick_algo.graph import CSRGraph

Ids = NDArray[np.int32]
_ODD, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


def entity_key(name: str) -> str:
    """Return what makes two written forms one entity: the name's words or characters, without case and punctuation."""
    return entity_keys([name])[0]


def entity_keys(names: Sequence[str]) -> list[str]:
    """Return the ``entity_key`` of each name."""
    pieces = units_of_lines([name.replace("\n", " ") for name in names])
    return [" ".join(found) or name.strip().casefold() for found, name in zip(pieces, names, strict=True)]


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
        batch = _read(extractions, dict(self.rows), list(self.names))
        passages, entities = len(self.passage_nodes), len(self.names)
        new_passages, new_entities = len(extractions), len(batch.names) - entities
        nodes = self.csr.n
        passage_nodes = _append(self.passage_nodes, np.arange(nodes, nodes + new_passages))
        nodes += new_passages
        entity_nodes = _append(self.entity_nodes, np.arange(nodes, nodes + new_entities))
        ends, mentions = batch.ends, batch.mentions
        owners = np.repeat(passage_nodes[passages:], batch.mention_counts)
        links = name_links(batch.rows, entities, self.threshold)
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
        spread += np.bincount(mentions, minlength=len(spread)).astype(np.int32)
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
            for length in range(min(LONGEST_INNER, len(pieces) - at), 0, -1):
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


@dataclass(frozen=True, slots=True)
class _Batch:
    """Entities, facts and mentions of some extractions, numbered; counts are those of each extraction."""

    rows: dict[str, int]
    names: list[str]
    facts: list[Fact]
    ends: Ids
    fact_counts: NDArray[np.int64]
    mentions: Ids
    mention_counts: NDArray[np.int64]


def _read(extractions: Sequence[Extraction], rows: dict[str, int], names: list[str]) -> _Batch:
    """Number the entities of extractions, new ones from ``len(names)`` on; ``rows`` and ``names`` grow in place."""
    written: list[str] = []
    for extraction in extractions:
        for fact in extraction.facts:
            written += (fact.subject, fact.object)
        written += extraction.entities
    row_of_name = dict.fromkeys(written, 0)
    for name, key in zip(row_of_name, entity_keys(list(row_of_name)), strict=True):
        row = row_of_name[name] = rows.setdefault(key, len(names))
        if row == len(names):
            names.append(name.strip())
    met = np.fromiter(map(row_of_name.__getitem__, written), np.int32, len(written))
    told = np.array([len(extraction.facts) for extraction in extractions], dtype=np.int64)
    sizes = 2 * told + np.array([len(extraction.entities) for extraction in extractions], dtype=np.int64)
    heads = np.cumsum(sizes) - sizes
    ends = met[np.repeat(heads - np.cumsum(2 * told) + 2 * told, 2 * told) + np.arange(2 * int(told.sum()))]
    ends = ends.reshape(-1, 2)
    facts = [fact for extraction in extractions for fact in extraction.facts]
    owners = np.repeat(np.arange(len(extractions)), told)
    doubles = _doubles(facts, ends, owners)
    if len(doubles):
        ends, owners = np.delete(ends, doubles, axis=0), np.delete(owners, doubles)
        dropped = set(doubles)
        facts = [fact for at, fact in enumerate(facts) if at not in dropped]
    mentioning = np.repeat(np.arange(len(extractions)), sizes)
    first = np.sort(np.unique(mentioning * max(len(names), 1) + met, return_index=True)[1])
    return _Batch(
        rows=rows,
        names=names,
        facts=facts,
        ends=ends,
        fact_counts=np.bincount(owners, minlength=len(extractions)),
        mentions=met[first],
        mention_counts=np.bincount(mentioning[first], minlength=len(extractions)),
    )


def _doubles(facts: Sequence[Fact], ends: Ids, owners: NDArray[np.int64]) -> list[int]:
    """Return the positions of facts that their passage told before; only those of like ends are compared."""
    keys = (ends[:, 0].astype(np.uint64) << np.uint64(32)) | ends[:, 1].astype(np.uint64)
    keys = (keys ^ (keys >> np.uint64(29))) * _ODD + owners.astype(np.uint64) * _SPREAD
    ordered = np.sort(keys)
    suspects = np.flatnonzero(np.isin(keys, ordered[1:][ordered[1:] == ordered[:-1]]))
    seen: set[tuple[int, Fact]] = set()
    doubles = []
    for at in suspects.tolist():
        told = int(owners[at]), facts[at]
        if told in seen:
            doubles.append(at)
        seen.add(told)
    return doubles


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


def _starts(old: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate((old, old[-1] + np.cumsum(counts)))


def spans(starts: NDArray[np.int64], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all positions from ``starts[r]`` up to ``starts[r + 1]``, for each of rows, and where each row's begin."""
    counts = starts[rows + 1] - starts[rows]
    heads = np.concatenate(([0], np.cumsum(counts)[:-1])) if len(counts) else counts
    return np.repeat(starts[rows] - heads, counts) + np.arange(int(counts.sum())), heads
