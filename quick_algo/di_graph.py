"""Directed weighted graph with named nodes, the seed library's surface: DiGraph, DiNode, DiEdge.

Attributes are live: what ``graph[name]`` returns is the stored object, so an attribute set on it is set in the graph.
A missing node or edge, and one that is there already, raise KeyError as in the seed library. The numeric weight of an
edge is its attribute ``weight``, 1.0 where it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike

Attribute = str | int | float | bool
EdgeKey = tuple[str, str]

__all__ = ["DiEdge", "DiGraph", "DiNode", "load_from_file", "save_to_file"]


class DiNode:
    """A named node; ``node[key]`` reads and writes its attributes."""

    __slots__ = ("attr", "name")

    def __init__(self, name: str, attr: dict[str, Attribute] | None = None) -> None:
        self.name = name
        self.attr: dict[str, Attribute] = dict(attr or {})

    def __getitem__(self, key: str) -> Attribute:
        if key not in self.attr:
            raise KeyError(f"node {self.name!r} has no attribute {key!r}; it has {sorted(self.attr)}")
        return self.attr[key]

    def __setitem__(self, key: str, value: Attribute) -> None:
        self.attr[key] = value

    def __contains__(self, key: str) -> bool:
        return key in self.attr

    def __repr__(self) -> str:
        return f"DiNode({self.name!r}, {self.attr!r})"


class DiEdge:
    """An edge from ``src`` to ``dst``; ``edge[key]`` reads and writes its attributes."""

    __slots__ = ("attr", "dst", "src")

    def __init__(self, src: str, dst: str, attr: dict[str, Attribute] | None = None) -> None:
        self.src = src
        self.dst = dst
        self.attr: dict[str, Attribute] = dict(attr or {})

    def __getitem__(self, key: str) -> Attribute:
        if key not in self.attr:
            raise KeyError(f"edge {self.src!r} -> {self.dst!r} has no attribute {key!r}; it has {sorted(self.attr)}")
        return self.attr[key]

    def __setitem__(self, key: str, value: Attribute) -> None:
        self.attr[key] = value

    def __contains__(self, key: str) -> bool:
        return key in self.attr

    def __repr__(self) -> str:
        return f"DiEdge({self.src!r}, {self.dst!r}, {self.attr!r})"

    @property
    def weight(self) -> float:
        """The numeric weight: attribute ``weight``, 1.0 where it has none."""
        return float(self.attr.get("weight", 1.0))


class DiGraph:
    """A directed graph without parallel edges; nodes keep the order in which they came.

    Examples
    --------
    >>> graph = DiGraph()
    >>> graph.add_edge(DiEdge("刘备", "关羽", {"weight": 2.0}))
    >>> graph["刘备", "关羽"]["weight"]
    2.0
    >>> "关羽" in graph, ("关羽", "刘备") in graph
    (True, False)
    """

    def __init__(self) -> None:
        self._nodes: dict[str, DiNode] = {}
        self._successors: dict[str, dict[str, DiEdge]] = {}
        self._predecessors: dict[str, dict[str, None]] = {}

    @property
    def node_name2idx_map(self) -> dict[str, int]:
        """Name to position in ``get_node_list()``; a new dict each time."""
        return {name: position for position, name in enumerate(self._nodes)}

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __contains__(self, key: str | EdgeKey) -> bool:
        if isinstance(key, tuple):
            return key[1] in self._successors.get(key[0], {})
        return key in self._nodes

    def __getitem__(self, key: str | EdgeKey) -> DiNode | DiEdge:
        return self.get_edge(key) if isinstance(key, tuple) else self.get_node(key)

    def __delitem__(self, key: str | EdgeKey) -> None:
        if isinstance(key, tuple):
            self.remove_edge(key)
        else:
            self.remove_node(key)

    def add_node(self, node: DiNode) -> None:
        """Add a new node; KeyError when its name is taken."""
        if node.name in self._nodes:
            raise KeyError(f"node {node.name!r} is in the graph already; use update_node")
        self._nodes[node.name] = node
        self._successors[node.name] = {}
        self._predecessors[node.name] = {}

    def add_nodes_from(self, nodes: Iterable[DiNode]) -> None:
        """Add new nodes in order."""
        for node in nodes:
            self.add_node(node)

    def add_edge(self, edge: DiEdge) -> None:
        """Add a new edge, and its end nodes where they are missing; KeyError when the edge is there."""
        if (edge.src, edge.dst) in self:
            raise KeyError(f"edge {edge.src!r} -> {edge.dst!r} is in the graph already; use update_edge")
        for name in (edge.src, edge.dst):
            if name not in self._nodes:
                self.add_node(DiNode(name))
        self._successors[edge.src][edge.dst] = edge
        self._predecessors[edge.dst][edge.src] = None

    def add_edges_from(self, edges: Iterable[DiEdge]) -> None:
        """Add new edges in order."""
        for edge in edges:
            self.add_edge(edge)

    def update_node(self, node: DiNode) -> None:
        """Put ``node``'s attributes in the place of those of the node of its name; KeyError when there is none."""
        self.get_node(node.name)
        self._nodes[node.name] = node

    def update_edge(self, edge: DiEdge) -> None:
        """Put ``edge``'s attributes in the place of those of the edge between its ends; KeyError when there is none."""
        self.get_edge((edge.src, edge.dst))
        self._successors[edge.src][edge.dst] = edge

    def remove_node(self, node_name: str) -> None:
        """Remove a node and every edge that touches it; KeyError when it is not there."""
        self.get_node(node_name)
        for dst in self._successors.pop(node_name):
            self._predecessors[dst].pop(node_name)
        for src in self._predecessors.pop(node_name):
            if src != node_name:
                self._successors[src].pop(node_name)
        del self._nodes[node_name]

    def remove_edge(self, edge: EdgeKey) -> None:
        """Remove the edge (src, dst), its ends stay; KeyError when it is not there."""
        self.get_edge(edge)
        src, dst = edge
        del self._successors[src][dst]
        del self._predecessors[dst][src]

    def get_node(self, node_name: str) -> DiNode:
        """Return the node of that name; KeyError when it is not there."""
        if node_name not in self._nodes:
            raise KeyError(f"node {node_name!r} is not in the graph; add_node it first")
        return self._nodes[node_name]

    def get_edge(self, edge_key: EdgeKey) -> DiEdge:
        """Return the edge (src, dst); KeyError when it is not there."""
        src, dst = edge_key
        if edge_key not in self:
            raise KeyError(f"edge {src!r} -> {dst!r} is not in the graph; add_edge it first")
        return self._successors[src][dst]

    def get_node_list(self) -> list[str]:
        """Return the names of all nodes, in order of arrival."""
        return list(self._nodes)

    def get_edge_list(self) -> list[EdgeKey]:
        """Return all edges as (src, dst), by source in order of arrival."""
        return [(src, dst) for src, successors in self._successors.items() for dst in successors]

    def edges(self) -> Iterator[DiEdge]:
        """Yield all edges with their attributes, in the order of ``get_edge_list``."""
        for successors in self._successors.values():
            yield from successors.values()

    def nodes(self) -> Iterator[DiNode]:
        """Yield all nodes with their attributes, in the order of ``get_node_list``."""
        yield from self._nodes.values()

    def clear(self) -> None:
        """Remove everything."""
        self._nodes.clear()
        self._successors.clear()
        self._predecessors.clear()

    def compact_node_array(self) -> None:
        """Close the gaps that removed nodes left; nothing to do here, since no position outlives its node."""


def save_to_file(graph: DiGraph, filename: str | PathLike[str], enable_zip: bool = False) -> None:
    """Write the graph as GraphML, see ``quick_algo.graphml.save_to_file``."""
    from quick_algo import graphml

    graphml.save_to_file(graph, filename, enable_zip)


def load_from_file(filename: str | PathLike[str]) -> DiGraph:
    """Read a GraphML file, see ``quick_algo.graphml.load_from_file``."""
    from quick_algo import graphml

    return graphml.load_from_file(filename)
