"""Array graphs: built, extended and cut down without disturbing what does not change."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick_algo.csr import CSRGraph
from quick_algo.graph import DiEdge, DiGraph
from quick_algo.pagerank import pagerank


def same(one: CSRGraph, other: CSRGraph) -> bool:
    return (
        np.array_equal(one.indptr, other.indptr)
        and np.array_equal(one.indices, other.indices)
        and np.allclose(one.weights, other.weights, rtol=1e-6)
    )


def test_duplicates_are_summed_and_rows_sorted() -> None:
    graph = CSRGraph.from_arrays(3, [0, 0, 0, 2], [2, 1, 2, 0], [1.0, 2.0, 3.0, 0.0])
    assert graph.indices.tolist() == [1, 2]
    assert graph.weights.tolist() == [2.0, 4.0]
    assert graph.weights.dtype == np.float32
    assert graph.degree.tolist() == [6.0, 0.0, 0.0]
    assert graph.nnz == 2
    assert graph.lonely.tolist() == [1, 2]


def test_an_undirected_graph_lies_both_ways_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    src, dst = rng.integers(0, 20, (2, 3000))
    graph = CSRGraph.from_arrays(20, src, dst, rng.random(3000), undirected=True)
    dense = graph.matrix.toarray()
    assert np.array_equal(dense, dense.T)
    expected = np.zeros((20, 20))
    again = np.random.default_rng(0)
    src, dst = again.integers(0, 20, (2, 3000))
    for a, b, w in zip(src, dst, again.random(3000), strict=True):
        expected[a, b] += w
        if a != b:
            expected[b, a] += w
    assert dense == pytest.approx(expected, rel=1e-6)


def test_symmetry_is_seen_without_being_told() -> None:
    assert CSRGraph.from_arrays(2, [0, 1], [1, 0], [2.0, 2.0]).symmetric
    assert not CSRGraph.from_arrays(2, [0, 1], [1, 0], [2.0, 3.0]).symmetric
    assert not CSRGraph.from_arrays(2, [0], [1]).symmetric


def test_float64_weights_stay_float64() -> None:
    graph = CSRGraph.from_arrays(2, [0], [1], [0.1], undirected=True, dtype=np.float64)
    assert graph.weights.tolist() == [0.1, 0.1]
    assert graph.with_edges([0], [1], [0.2]).weights.dtype == np.float64


def test_names_lead_to_ids() -> None:
    named = DiGraph()
    named.add_edges_from([DiEdge("孔子", "颜回", {"weight": 2.0}), DiEdge("颜回", "孔子")])
    graph = CSRGraph.from_digraph(named)
    assert graph.names == ("孔子", "颜回")
    assert graph.index["颜回"] == 1
    assert graph.matrix.toarray().tolist() == [[0.0, 2.0], [1.0, 0.0]]
    grown = graph.with_edges([1], [2], new_nodes=1, new_names=["子路"])
    assert grown.index["子路"] == 2
    assert grown.select([1, 2]).names == ("颜回", "子路")
    assert CSRGraph.from_arrays(1, [], []).index == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, [0], [2]), "outside"),
        ((2, [-1], [0]), "outside"),
        ((2, [0], [1], [-1.0]), "negative"),
        ((2, [0], [1], [np.nan]), "NaN"),
        ((2, [0, 1], [1]), "shape"),
        ((2, [0.5], [1.0]), "integers"),
    ],
)
def test_bad_edges_are_refused_by_name(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CSRGraph.from_arrays(*arguments)


def test_names_must_match_the_nodes() -> None:
    with pytest.raises(ValueError, match="names"):
        CSRGraph.from_arrays(2, [], [], names=["one"])


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 12),
    before=st.integers(0, 30),
    after=st.integers(0, 12),
    new=st.integers(0, 4),
    undirected=st.booleans(),
)
@settings(max_examples=120, deadline=None)
def test_adding_edges_equals_a_rebuild(seed, n, before, after, new, undirected) -> None:
    rng = np.random.default_rng(seed)
    src, dst, weight = rng.integers(0, n, before), rng.integers(0, n, before), rng.integers(1, 5, before)
    more = rng.integers(0, n + new, (2, after)), rng.integers(1, 5, after)
    old = CSRGraph.from_arrays(n, src, dst, weight, undirected=undirected)
    untouched = (old.indptr.copy(), old.indices.copy(), old.weights.copy())
    grown = old.with_edges(*more[0], more[1], new_nodes=new)
    rebuilt = CSRGraph.from_arrays(
        n + new,
        np.concatenate([src, more[0][0]]),
        np.concatenate([dst, more[0][1]]),
        np.concatenate([weight, more[1]]),
        undirected=undirected,
    )
    assert same(grown, rebuilt)
    assert grown.n == n + new
    assert all(np.array_equal(a, b) for a, b in zip(untouched, (old.indptr, old.indices, old.weights), strict=True))
    # what was added can be taken away again
    assert same(grown.with_edges(*more[0], -more[1]).select(np.arange(n)), old)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), edges=st.integers(0, 40), undirected=st.booleans())
@settings(max_examples=80, deadline=None)
def test_removing_nodes_equals_a_rebuild(seed, n, edges, undirected) -> None:
    rng = np.random.default_rng(seed)
    src, dst, weight = rng.integers(0, n, edges), rng.integers(0, n, edges), rng.random(edges)
    gone = np.flatnonzero(rng.random(n) < 0.4)
    kept = ~np.isin(src, gone) & ~np.isin(dst, gone)
    less = CSRGraph.from_arrays(n, src, dst, weight, undirected=undirected).without_nodes(gone)
    rebuilt = CSRGraph.from_arrays(n, src[kept], dst[kept], weight[kept], undirected=undirected)
    assert same(less, rebuilt)
    keep = np.setdiff1d(np.arange(n), gone)
    position = np.cumsum(np.isin(np.arange(n), keep)) - 1
    packed = CSRGraph.from_arrays(
        len(keep), position[src[kept]], position[dst[kept]], weight[kept], undirected=undirected
    )
    assert same(less.select(keep), packed)


def test_taking_away_too_much_is_refused() -> None:
    graph = CSRGraph.from_arrays(2, [0], [1], [1.0], undirected=True)
    with pytest.raises(ValueError, match="below zero"):
        graph.with_edges([0], [1], [-2.0])
    with pytest.raises(ValueError, match="outside"):
        graph.without_nodes([2])


def test_rounding_dust_of_a_subtraction_is_swept_away() -> None:
    graph = CSRGraph.from_arrays(2, [0, 0], [1, 1], [0.1, 0.7], undirected=True)
    assert graph.with_edges([0, 0], [1, 1], [-0.1, -0.7]).nnz == 0


def test_a_grown_graph_ranks_as_a_rebuilt_one() -> None:
    rng = np.random.default_rng(6)
    src, dst = rng.integers(0, 400, (2, 1500))
    old = CSRGraph.from_arrays(400, src, dst, undirected=True)
    pagerank(old, np.ones(400))
    new = rng.integers(0, 410, (2, 60))
    grown = old.with_edges(*new, new_nodes=10)
    rebuilt = CSRGraph.from_arrays(410, np.append(src, new[0]), np.append(dst, new[1]), undirected=True)
    reset = rng.random(410)
    assert pagerank(grown, reset, tol=1e-10) == pytest.approx(pagerank(rebuilt, reset, tol=1e-10), abs=1e-12)


def test_ten_passages_join_a_large_graph_in_well_under_a_second() -> None:
    from benchmarks.pagerank_graphs import barabasi_albert

    graph = barabasi_albert(100_000, 1)
    rng = np.random.default_rng(0)
    src = np.repeat(np.arange(graph.n, graph.n + 10), 20)
    start = time.thread_time()
    grown = graph.with_edges(src, rng.integers(0, graph.n, 200), new_nodes=10)
    assert time.thread_time() - start < 0.5
    assert grown.nnz == graph.nnz + 400


def test_a_mask_of_another_shape_or_type_is_refused() -> None:
    graph = CSRGraph.from_arrays(3, [0], [1], undirected=True)
    for mask in (np.ones(2, dtype=bool), np.ones(3)):
        with pytest.raises(ValueError, match="mask"):
            graph.candidates(mask)
