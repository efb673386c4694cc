"""A neighbourhood of the graph as a networkx graph, for the interface."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Passage
from chathistory.knowledge.graph import KnowledgeGraph

Node = tuple[str, int]


def ego_graph(
    graph: KnowledgeGraph, passages: Sequence[Passage], alive: NDArray[np.bool_], name: str, hops: int
) -> nx.DiGraph:
    """Return what lies within ``hops`` edges of an entity's name or a passage's id; empty for an unknown one."""
    drawn: nx.DiGraph = nx.DiGraph()
    start = _start(graph, passages, alive, name)
    if start is None:
        return drawn
    told = np.flatnonzero(alive[graph.fact_passage])
    ends = graph.fact_ends[told]
    owners = np.repeat(np.arange(len(passages)), np.diff(graph.mention_starts))
    seen, frontier = {start}, {start}
    for _ in range(hops):
        reached: set[Node] = set()
        for kind, row in frontier:
            if kind == "passage":
                reached |= {("entity", int(e)) for e in graph.entities_of(row)}
            else:
                mentioning = owners[graph.mentions == row]
                reached |= {("passage", int(p)) for p in mentioning if alive[p]}
                reached |= {("entity", int(e)) for e in ends[(ends == row).any(axis=1)].ravel()}
        frontier = reached - seen
        seen |= reached

    def key(node: Node) -> str:
        return passages[node[1]].id if node[0] == "passage" else graph.names[node[1]]

    for node in sorted(seen):
        label = passages[node[1]].text if node[0] == "passage" else graph.names[node[1]]
        drawn.add_node(key(node), kind=node[0], label=label)
    for fact, (subject, object_) in zip(told.tolist(), ends.tolist(), strict=True):
        if ("entity", subject) in seen and ("entity", object_) in seen:
            drawn.add_edge(
                graph.names[subject], graph.names[object_], predicate=graph.facts[fact].predicate, kind="fact"
            )
    for node in seen:
        if node[0] == "passage":
            for entity in graph.entities_of(node[1]):
                if ("entity", int(entity)) in seen:
                    drawn.add_edge(graph.names[entity], key(node), predicate="", kind="mention")
    return drawn


def _start(graph: KnowledgeGraph, passages: Sequence[Passage], alive: NDArray[np.bool_], name: str) -> Node | None:
    for row, passage in enumerate(passages):
        if passage.id == name and alive[row]:
            return "passage", row
    entity = graph.row_of(name)
    return None if entity is None else ("entity", entity)
