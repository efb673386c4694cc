"""Exact PageRank agrees with networkx, on both kernels, whatever the graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick_algo import layout
from quick_algo.csr import CSRGraph
from quick_algo.graph import DiEdge, DiGraph, DiNode, run_pagerank
from quick_algo.kernels import compiled, numba_installed
from quick_algo.pagerank import NotConverged, pagerank
from quick_algo.solve import solve

KERNELS = [
    "numpy",
    pytest.param("numba", marks=pytest.mark.skipif(not numba_installed(), reason="the extra 'fast' is not installed")),
]


def random_graph(rng: np.random.Generator, n: int, edges: int, undirected: bool, dtype=np.float32) -> CSRGraph:
    src, dst = rng.integers(0, n, (2, edges))
    return CSRGraph.from_arrays(n, src, dst, rng.random(edges), undirected=undirected, dtype=dtype)


def oracle(graph: CSRGraph, reset: np.ndarray, damping: float) -> np.ndarray:
    """Return networkx's vector at a tolerance far below ours."""
    rows = graph.matrix.tocoo()
    named = nx.DiGraph()
    named.add_nodes_from(range(graph.n))
    named.add_weighted_edges_from(
        zip(rows.row.tolist(), rows.col.tolist(), rows.data.astype(float).tolist(), strict=True)
    )
    scores = nx.pagerank(
        named, alpha=damping, personalization=dict(enumerate(reset.tolist())), tol=1e-13 / graph.n, max_iter=5000
    )
    return np.array([scores[i] for i in range(graph.n)])


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("damping", [0.1, 0.5, 0.85])
@pytest.mark.parametrize("resets", ["one", "few", "all"])
def test_the_error_stays_below_1e_6(kernel, undirected: bool, damping: float, resets: str) -> None:
    rng = np.random.default_rng(11)
    for n, edges in ((2, 1), (6, 5), (60, 90), (800, 4000)):
        graph = random_graph(rng, n, edges, undirected)
        reset = np.zeros(n)
        reset[rng.integers(0, n, {"one": 1, "few": 5, "all": 10 * n}[resets])] = 1.0
        reset *= rng.random(n) + 0.1
        found = pagerank(graph, reset, damping, kernel=kernel)
        assert np.abs(found - oracle(graph, reset, damping)).sum() < 1e-6
        assert found.sum() == pytest.approx(1.0, abs=2e-6)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 25), density=st.floats(0, 3), undirected=st.booleans())
@settings(max_examples=80, deadline=None)
def test_any_small_graph_agrees_with_networkx(seed: int, n: int, density: float, undirected: bool) -> None:
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, n, int(n * density), undirected, np.float64)
    reset = rng.random(n) * (rng.random(n) < 0.4)
    reset[rng.integers(0, n)] += 0.5
    truth = oracle(graph, reset, 0.5)
    for kernel in ("numpy", "numba") if numba_installed() else ("numpy",):
        assert np.abs(pagerank(graph, reset, kernel=kernel) - truth).sum() < 1e-6
    assert np.abs(pagerank(graph, reset, tol=1e-11) - truth).sum() < 1e-10


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_block_is_its_columns(kernel) -> None:
    rng = np.random.default_rng(3)
    graph = random_graph(rng, 500, 2000, True)
    block = rng.random((500, 7)) ** 8
    block[:, 3] = 0.0
    block[17, 3] = 2.0
    found = pagerank(graph, block, kernel=kernel)
    assert found.shape == (500, 7)
    for column in range(7):
        assert np.abs(found[:, column] - oracle(graph, block[:, column], 0.5)).sum() < 1e-6
    assert pagerank(graph, np.zeros((500, 0))).shape == (500, 0)


def test_a_block_on_a_directed_graph_is_its_columns() -> None:
    rng = np.random.default_rng(4)
    graph = random_graph(rng, 50, 100, False)
    block = rng.random((50, 3))
    found = pagerank(graph, block)
    for column in range(3):
        assert np.abs(found[:, column] - oracle(graph, block[:, column], 0.5)).sum() < 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_large_graph_keeps_the_error_too(kernel) -> None:
    from benchmarks.pagerank_graphs import barabasi_case
    from benchmarks.pagerank_peers import reference

    for dense in (False, True):
        case = barabasi_case(20_000, 5, dense)
        found = pagerank(case.graph, case.reset, kernel=kernel)
        assert np.abs(found - reference(case)).sum() < 1e-6


@pytest.mark.skipif(not numba_installed(), reason="the extra 'fast' is not installed")
@pytest.mark.parametrize("cached", [0, 10**9])
def test_edges_laid_once_and_both_ways_give_one_vector(cached: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "CACHED", cached)
    rng = np.random.default_rng(21)
    for n, edges in ((1, 1), (7, 9), (400, 500), (900, 5000)):
        graph = random_graph(rng, n, edges, True)
        assert (graph.compiled_layout.pairs[0] < 0) == (cached == 0)
        reset = rng.random(n)
        assert np.abs(pagerank(graph, reset, kernel="numba") - oracle(graph, reset / reset.sum(), 0.5)).sum() < 1e-6


def test_the_solver_reports_an_error_that_holds() -> None:
    rng = np.random.default_rng(8)
    graph = random_graph(rng, 300, 900, True, np.float64)
    reset = rng.random(300)
    reset /= reset.sum()
    truth = oracle(graph, reset, 0.5)
    for tol in (1e-2, 1e-4, 1e-8):
        solution = solve(graph, reset, 0.5, tol)
        assert np.abs(solution.x / solution.mass - truth).sum() <= solution.error / solution.mass + 1e-7 * (tol > 1e-6)
        assert solution.error <= tol


def test_sinks_send_walkers_back_and_leak_nothing() -> None:
    graph = CSRGraph.from_arrays(3, [0, 0], [1, 2], [1.0, 3.0])
    found = pagerank(graph, [1.0, 0.0, 0.0], 0.5, 1e-12)
    assert found == pytest.approx([2 / 3, 1 / 12, 1 / 4], abs=1e-11)
    lonely = CSRGraph.from_arrays(3, [0], [1], undirected=True)
    assert pagerank(lonely, [0.0, 0.0, 1.0]) == pytest.approx([0.0, 0.0, 1.0])
    assert pagerank(lonely, [1.0, 1.0, 1.0], tol=1e-10) == pytest.approx([0.4, 0.4, 0.2])


def test_the_order_at_a_stop_of_n_times_tol_would_be_wrong_and_ours_is_right() -> None:
    # a path is slow to spread: one step, where n * tol stops, leaves most of it at zero
    path = CSRGraph.from_arrays(4000, np.arange(3999), np.arange(1, 4000), undirected=True)
    reset = np.zeros(4000)
    reset[0] = 1.0
    found = pagerank(path, reset, 0.85)
    assert (np.diff(found[1:30]) < 0).all()
    assert (found[:30] > 0).all()


def test_no_edges_no_nodes_and_no_damping() -> None:
    empty = CSRGraph.from_arrays(0, [], [])
    assert pagerank(empty, np.zeros(0)).shape == (0,)
    bare = CSRGraph.from_arrays(3, [], [])
    assert pagerank(bare, [1.0, 3.0, 0.0]).tolist() == [0.25, 0.75, 0.0]
    edge = CSRGraph.from_arrays(2, [0], [1], undirected=True)
    assert pagerank(edge, [1.0, 3.0], damping=0.0) == pytest.approx([0.25, 0.75])


def test_weights_of_any_scale_make_the_same_walk() -> None:
    rng = np.random.default_rng(2)
    src, dst, weight = rng.integers(0, 80, 300), rng.integers(0, 80, 300), rng.random(300) + 0.1
    reset = rng.random(80)
    plain = pagerank(CSRGraph.from_arrays(80, src, dst, weight, undirected=True), reset)
    for factor in (1e-12, 1e12):
        scaled = CSRGraph.from_arrays(80, src, dst, weight * factor, undirected=True)
        assert pagerank(scaled, reset) == pytest.approx(plain, abs=1e-6)


@pytest.mark.parametrize(
    ("reset", "options", "message"),
    [
        ([0.0, 0.0], {}, "zero"),
        ([-1.0, 2.0], {}, "negative"),
        ([np.nan, 1.0], {}, "NaN"),
        ([np.inf, 1.0], {}, "infinite"),
        ([1.0], {}, "shape"),
        ([[[1.0]], [[1.0]]], {}, "shape"),
        ([1.0, 1.0], {"damping": 1.0}, "damping"),
        ([1.0, 1.0], {"damping": -0.1}, "damping"),
        ([1.0, 1.0], {"tol": 0.0}, "tol"),
        ([1.0, 1.0], {"kernel": "cuda"}, "kernel"),
    ],
)
def test_bad_input_is_refused_by_name(reset, options: dict, message: str) -> None:
    graph = CSRGraph.from_arrays(2, [0], [1], undirected=True)
    with pytest.raises(ValueError, match=message):
        pagerank(graph, reset, **options)


def test_without_the_extra_numpy_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quick_algo.kernels.numba_installed", lambda: False)
    assert compiled("auto") is None
    with pytest.raises(ValueError, match="fast"):
        compiled("numba")


def named(edges: list[tuple[str, str, float]], *more: str) -> tuple[DiGraph, nx.DiGraph]:
    ours, theirs = DiGraph(), nx.DiGraph()
    for src, dst, weight in edges:
        ours.add_edge(DiEdge(src, dst, {"weight": weight}))
        theirs.add_edge(src, dst, weight=weight)
    for name in more:
        ours.add_node(DiNode(name))
        theirs.add_node(name)
    return ours, theirs


@pytest.mark.parametrize("personalization", [None, {"a": 1.0}, {"b": 2.0, "d": 1.0, "nobody": 5.0}])
@pytest.mark.parametrize("dangling", [None, {"c": 1.0, "a": 3.0}])
@pytest.mark.parametrize("alpha", [0.5, 0.85])
def test_run_pagerank_agrees_with_networkx_by_name(personalization, dangling, alpha: float) -> None:
    ours, theirs = named([("a", "b", 2.0), ("b", "c", 1.0), ("c", "a", 0.5), ("a", "d", 1.0)], "e")
    known = None if personalization is None else {key: value for key, value in personalization.items() if key in theirs}
    truth = nx.pagerank(theirs, alpha=alpha, personalization=known, dangling=dangling, tol=1e-14, max_iter=2000)
    found = run_pagerank(ours, {"a": 1.0}, personalization, dangling, alpha, 500, 1e-9)
    assert found == pytest.approx(truth, abs=1e-8)


def test_run_pagerank_of_nothing_is_nothing() -> None:
    assert run_pagerank(DiGraph()) == {}


def test_run_pagerank_of_an_edge_without_weight_counts_1() -> None:
    graph = DiGraph()
    graph.add_edges_from([DiEdge("a", "b"), DiEdge("a", "c", {"weight": 1.0})])
    found = run_pagerank(graph, personalization={"a": 1.0})
    assert found["b"] == pytest.approx(found["c"])


def test_run_pagerank_tells_when_max_iter_is_too_low() -> None:
    ours, _ = named([("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0), ("a", "c", 1.0)])
    with pytest.raises(NotConverged, match="steps"):
        run_pagerank(ours, alpha=0.99, personalization={"a": 1.0}, max_iter=2)
    path = DiGraph()
    for i in range(60):
        path.add_edges_from([DiEdge(str(i), str(i + 1)), DiEdge(str(i + 1), str(i))])
    with pytest.raises(NotConverged, match="steps"):
        run_pagerank(path, alpha=0.99, personalization={"0": 1.0}, max_iter=2)


def test_run_pagerank_refuses_a_reset_on_nobody() -> None:
    ours, _ = named([("a", "b", 1.0)])
    with pytest.raises(ValueError, match="reset"):
        run_pagerank(ours, personalization={"nobody": 1.0})
    with pytest.raises(ValueError, match="alpha"):
        run_pagerank(ours, alpha=1.0)
