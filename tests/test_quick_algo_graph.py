"""Named graphs keep the seed library's surface, and GraphML carries them out and back."""

from __future__ import annotations

import gzip
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick_algo import di_graph as seed_module
from quick_algo.graph import BadGraphML, DiEdge, DiGraph, DiNode, load_from_file, save_to_file

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), min_size=1, max_size=8)
VALUES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), max_size=8),
    st.integers(-(2**31), 2**31 - 1),
    st.floats(allow_nan=False),
    st.booleans(),
)


@pytest.fixture
def shu() -> DiGraph:
    graph = DiGraph()
    graph.add_nodes_from([DiNode("刘备", {"born": 161}), DiNode("关羽", {"born": 160})])
    graph.add_edges_from(
        [DiEdge("刘备", "关羽", {"weight": 2.0}), DiEdge("关羽", "张飞", {"weight": 1.5, "kind": "义"})]
    )
    return graph


def test_the_seeds_module_names_still_import() -> None:
    from quick_algo import pagerank

    assert seed_module.DiGraph is DiGraph
    assert callable(pagerank.run_pagerank)
    assert callable(seed_module.save_to_file)
    assert callable(seed_module.load_from_file)


def test_items_are_read_by_name_and_by_pair(shu: DiGraph) -> None:
    assert shu["刘备"]["born"] == 161
    assert shu["关羽", "张飞"]["kind"] == "义"
    assert "张飞" in shu
    assert ("刘备", "关羽") in shu
    assert ("关羽", "刘备") not in shu
    assert ("曹操", "刘备") not in shu
    assert "born" in shu["刘备"]
    assert "kind" not in shu["刘备", "关羽"]
    assert shu.get_edge(("刘备", "关羽")).weight == 2.0


def test_an_edge_brings_its_ends_and_order_is_kept(shu: DiGraph) -> None:
    assert shu.get_node_list() == ["刘备", "关羽", "张飞"] == list(shu)
    assert shu.get_edge_list() == [("刘备", "关羽"), ("关羽", "张飞")]
    assert shu.node_name2idx_map == {"刘备": 0, "关羽": 1, "张飞": 2}
    assert len(shu) == 3


def test_attributes_set_on_an_item_are_set_in_the_graph(shu: DiGraph) -> None:
    edge = shu["刘备", "关羽"]
    edge["weight"] = 9.0
    shu["张飞"]["born"] = 167
    assert shu["刘备", "关羽"]["weight"] == 9.0
    assert shu["张飞"]["born"] == 167


def test_update_replaces_all_attributes(shu: DiGraph) -> None:
    shu.update_node(DiNode("刘备", {"died": 223}))
    shu.update_edge(DiEdge("刘备", "关羽", {"kind": "君臣"}))
    assert shu["刘备"].attr == {"died": 223}
    assert shu["刘备", "关羽"].attr == {"kind": "君臣"}
    assert shu.get_edge(("刘备", "关羽")).weight == 1.0


def test_removing_a_node_removes_its_edges(shu: DiGraph) -> None:
    shu.add_edge(DiEdge("关羽", "关羽"))
    del shu["关羽"]
    shu.compact_node_array()
    assert shu.get_node_list() == ["刘备", "张飞"]
    assert shu.get_edge_list() == []
    shu.add_edge(DiEdge("刘备", "张飞"))
    assert shu.node_name2idx_map["张飞"] == 1


def test_removing_an_edge_leaves_its_ends(shu: DiGraph) -> None:
    del shu["刘备", "关羽"]
    assert ("刘备", "关羽") not in shu
    assert "刘备" in shu
    shu.remove_node("刘备")
    assert shu.get_edge_list() == [("关羽", "张飞")]


def test_clear_empties_the_graph(shu: DiGraph) -> None:
    shu.clear()
    assert shu.get_node_list() == []
    assert shu.get_edge_list() == []


@pytest.mark.parametrize(
    "misuse",
    [
        lambda graph: graph["曹操"],
        lambda graph: graph["刘备", "张飞"],
        lambda graph: graph["刘备"]["died"],
        lambda graph: graph["刘备", "关羽"]["kind"],
        lambda graph: graph.add_node(DiNode("刘备")),
        lambda graph: graph.add_edge(DiEdge("刘备", "关羽")),
        lambda graph: graph.update_node(DiNode("曹操")),
        lambda graph: graph.update_edge(DiEdge("关羽", "刘备")),
        lambda graph: graph.remove_node("曹操"),
        lambda graph: graph.remove_edge(("刘备", "张飞")),
    ],
)
def test_misuse_is_a_key_error_and_changes_nothing(shu: DiGraph, misuse) -> None:
    with pytest.raises(KeyError):
        misuse(shu)
    assert shu.get_node_list() == ["刘备", "关羽", "张飞"]
    assert shu.get_edge_list() == [("刘备", "关羽"), ("关羽", "张飞")]


def contents(graph: DiGraph) -> tuple[dict, dict]:
    return (
        {node.name: node.attr for node in graph.nodes()},
        {(edge.src, edge.dst): edge.attr for edge in graph.edges()},
    )


@pytest.mark.parametrize("name", ["图.graphml", "图.graphml.gz", "图.graphmlz"])
def test_a_saved_graph_comes_back_whole(shu: DiGraph, tmp_path: Path, name: str) -> None:
    save_to_file(shu, tmp_path / name)
    assert contents(load_from_file(tmp_path / name)) == contents(shu)
    is_gzip = (tmp_path / name).read_bytes()[:2] == b"\x1f\x8b"
    assert is_gzip == (name != "图.graphml")


def test_enable_zip_compresses_whatever_the_name(shu: DiGraph, tmp_path: Path) -> None:
    save_to_file(shu, tmp_path / "graph", enable_zip=True)
    assert gzip.decompress((tmp_path / "graph").read_bytes()).startswith(b"<?xml")
    assert contents(load_from_file(tmp_path / "graph")) == contents(shu)


@pytest.mark.parametrize("name", ["g.graphml", "g.graphml.gz"])
def test_networkx_reads_what_we_write(shu: DiGraph, tmp_path: Path, name: str) -> None:
    save_to_file(shu, tmp_path / name)
    read = nx.read_graphml(tmp_path / name)
    assert read.is_directed()
    assert dict(read.nodes["刘备"]) == {"born": 161}
    assert dict(read.edges["关羽", "张飞"]) == {"weight": 1.5, "kind": "义"}


def test_we_read_what_networkx_writes(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=0.25)
    graph.add_node("c", deep=True, age=3)
    nx.write_graphml(graph, tmp_path / "nx.graphml")
    read = load_from_file(tmp_path / "nx.graphml")
    assert read["a", "b"]["weight"] == read["b", "a"]["weight"] == 0.25
    assert read["c"].attr == {"deep": True, "age": 3}


@given(
    nodes=st.dictionaries(NAMES, st.dictionaries(st.sampled_from(["甲", "b c"]), VALUES, max_size=2), max_size=5),
    pairs=st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8),
    weight=st.floats(0, 1e6),
)
@settings(max_examples=60, deadline=None)
def test_any_graph_survives_the_round_trip(tmp_path_factory, nodes, pairs, weight) -> None:
    # one type a column: mixed columns are widened, which the next test tells
    nodes = {name: {key: str(value) for key, value in attr.items()} for name, attr in nodes.items()}
    graph = DiGraph()
    graph.add_nodes_from(DiNode(name, attr) for name, attr in nodes.items())
    names = list(nodes)
    graph.add_edges_from(
        DiEdge(names[a], names[b], {"weight": weight}) for a, b in pairs if a < len(names) and b < len(names)
    )
    file = tmp_path_factory.mktemp("graphs") / "any.graphml.gz"
    save_to_file(graph, file)
    assert contents(load_from_file(file)) == contents(graph)


def test_a_column_of_two_types_is_widened(tmp_path: Path) -> None:
    graph = DiGraph()
    graph.add_nodes_from([DiNode("a", {"x": 1, "y": 1}), DiNode("b", {"x": 0.5, "y": "one"})])
    save_to_file(graph, tmp_path / "mixed.graphml")
    read = load_from_file(tmp_path / "mixed.graphml")
    assert (read["a"]["x"], read["b"]["x"]) == (1.0, 0.5)
    assert (read["a"]["y"], read["b"]["y"]) == ("1", "one")


@pytest.mark.parametrize("bad", [DiNode("a\x00b"), DiNode("a", {"x": "\x07"}), DiNode("a", {"x": None})])
def test_what_graphml_cannot_hold_is_refused_and_the_old_file_stays(shu: DiGraph, tmp_path: Path, bad: DiNode) -> None:
    file = tmp_path / "g.graphml"
    save_to_file(shu, file)
    before = file.read_bytes()
    shu.add_node(bad)
    with pytest.raises(BadGraphML):
        save_to_file(shu, file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["g.graphml"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not xml",
        b"<html></html>",
        b"\x1f\x8b\x08\x00cut",
        b"<graphml xmlns='http://graphml.graphdrawing.org/xmlns'/>",
    ],
)
def test_a_file_that_is_no_graphml_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.graphml").write_bytes(content)
    with pytest.raises(BadGraphML, match=r"bad\.graphml"):
        load_from_file(tmp_path / "bad.graphml")


def test_parallel_edges_and_bad_numbers_in_a_file_are_named(tmp_path: Path, shu: DiGraph) -> None:
    save_to_file(shu, tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text(encoding="utf-8")
    (tmp_path / "twice.graphml").write_text(
        text.replace('target="张飞"', 'target="关羽"').replace('source="关羽"', 'source="刘备"'), encoding="utf-8"
    )
    (tmp_path / "number.graphml").write_text(text.replace("161", "xvi"), encoding="utf-8")
    for name in ("twice.graphml", "number.graphml"):
        with pytest.raises(BadGraphML):
            load_from_file(tmp_path / name)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        seed_module.load_from_file(tmp_path / "none.graphml")
    with pytest.raises(OSError, match="none"):
        seed_module.save_to_file(DiGraph(), tmp_path / "none" / "g.graphml")
