"""Ranking mode: what it calls proven is the exact order, and what it cannot prove it says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick_algo import topk
from quick_algo.csr import CSRGraph
from quick_algo.kernels import numba_installed
from quick_algo.pagerank import pagerank, top_k

KERNEL_NAMES = ("numpy", "numba") if numba_installed() else ("numpy",)


def exact(graph: CSRGraph, ids, weights, damping: float) -> np.ndarray:
    reset = np.zeros(graph.n)
    np.add.at(reset, ids, weights)
    return pagerank(graph, reset, damping, 1e-13)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 60),
    density=st.floats(0.2, 4),
    k=st.integers(1, 12),
    damping=st.sampled_from([0.2, 0.5, 0.85]),
    undirected=st.booleans(),
    whole=st.booleans(),
    walk=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_a_proven_order_is_the_exact_order(seed, n, density, k, damping, undirected, whole, walk) -> None:
    rng = np.random.default_rng(seed)
    edges = int(n * density)
    # whole weights make ties, random ones hardly ever
    weight = rng.integers(1, 3, edges) if whole else rng.random(edges) + 0.01
    graph = CSRGraph.from_arrays(n, rng.integers(0, n, edges), rng.integers(0, n, edges), weight, undirected=undirected)
    mask = rng.random(n) < 0.6
    ids = rng.choice(n, min(n, 5), replace=False)
    shares = np.ones(len(ids)) if whole else rng.random(len(ids)) + 0.01
    truth = exact(graph, ids, shares, damping)
    pool = np.flatnonzero(mask)
    for kernel in KERNEL_NAMES:
        with pytest.MonkeyPatch.context() as patch:
            if walk:  # small graphs are solved for all nodes at once, unless push is asked for
                patch.setattr(topk, "SMALL", 0)
                patch.setattr(topk, "EDGES_A_RANK", 0)
            found = top_k(graph, ids, shares, k, mask, damping, kernel)
        assert len(found.ids) == len(found.scores) == min(k, len(pool))
        assert mask[found.ids].all()
        assert len(set(found.ids.tolist())) == len(found.ids)
        assert (np.abs(found.scores - truth[found.ids]) <= found.residual + 1e-11).all()
        if found.proven:
            rivals = np.setdiff1d(pool, found.ids)
            assert (np.diff(truth[found.ids]) < 1e-12).all()
            assert not len(rivals) or truth[rivals].max() < truth[found.ids[-1]] + 1e-12
        else:
            # the exact solver's order, to within its own error
            best = np.sort(truth[pool])[::-1][: len(found.ids)]
            assert truth[found.ids] == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_a_large_graph_is_proven_without_being_walked(kernel: str) -> None:
    from benchmarks.pagerank_graphs import barabasi_case, sparse_reset

    case = barabasi_case(30_000, 3, dense=False)
    candidates = case.graph.candidates(case.passages)
    rng = np.random.default_rng(0)
    pool = np.flatnonzero(case.passages)
    proven = 0
    for _ in range(5):
        ids, weights = sparse_reset(case.passages, rng)
        found = top_k(case.graph, ids, weights, 5, candidates, kernel=kernel)
        truth = exact(case.graph, ids, weights, 0.5)
        assert found.ids.tolist() == pool[np.argsort(-truth[pool], kind="stable")[:5]].tolist()
        proven += found.proven
    assert proven == 5
    # the scratch arrays went back clean
    assert len(case.graph.scratch) == 1
    assert not case.graph.scratch[0].x.any()
    assert not case.graph.scratch[0].cells[:, 0].any()


@pytest.fixture(params=["solve", "push"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to a ranking of a small graph."""
    if request.param == "push":
        monkeypatch.setattr(topk, "SMALL", 0)
        monkeypatch.setattr(topk, "EDGES_A_RANK", 0)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_twins_tie_and_are_not_called_proven(kernel: str) -> None:
    star = CSRGraph.from_arrays(4, [0, 0, 0], [1, 2, 3], undirected=True)
    found = top_k(star, [0], [1.0], 2, np.array([False, True, True, True]), kernel=kernel)
    assert not found.proven
    assert found.scores == pytest.approx([1 / 9, 1 / 9])
    # one candidate too many is no rival when it is outside the mask
    assert top_k(star, [0, 1], [1.0, 1.0], 1, np.array([False, True, True, False]), kernel=kernel).proven


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_nodes_without_edges_keep_their_share(kernel: str) -> None:
    graph = CSRGraph.from_arrays(4, [0], [1], undirected=True)
    found = top_k(graph, [0, 2, 3], [1.0, 2.0, 0.5], 4, kernel=kernel)
    truth = exact(graph, [0, 2, 3], [1.0, 2.0, 0.5], 0.5)
    assert found.ids[0] == 2
    assert found.scores == pytest.approx(truth[found.ids], abs=found.residual + 1e-12)
    alone = top_k(graph, [2, 3], [2.0, 1.0], 2, kernel=kernel)
    assert alone.ids.tolist() == [2, 3]
    assert alone.proven
    assert alone.scores == pytest.approx([2 / 3, 1 / 3])


def test_a_repeated_id_sums_its_weights() -> None:
    graph = CSRGraph.from_arrays(3, [0, 1], [1, 2], undirected=True)
    twice = top_k(graph, [0, 2, 0], [1.0, 1.0, 1.0], 3)
    once = top_k(graph, [0, 2], [2.0, 1.0], 3)
    assert twice.ids.tolist() == once.ids.tolist()
    assert twice.scores == pytest.approx(once.scores)


def test_nobody_to_return_and_fewer_than_k() -> None:
    graph = CSRGraph.from_arrays(3, [0, 1], [1, 2], undirected=True)
    none = top_k(graph, [0], [1.0], 5, np.zeros(3, dtype=bool))
    assert none.ids.tolist() == []
    assert none.proven
    assert len(top_k(graph, [0], [1.0], 5).ids) == 3
    assert top_k(graph, [0], [1.0], 3, damping=0.0).ids[0] == 0


@pytest.mark.parametrize(
    ("ids", "weights", "options", "message"),
    [
        ([3], [1.0], {}, "outside"),
        ([-1], [1.0], {}, "outside"),
        ([0.5], [1.0], {}, "outside"),
        ([0], [0.0], {}, "zero"),
        ([], [], {}, "zero"),
        ([0], [-1.0], {}, "negative|zero"),
        ([0], [np.nan], {}, "NaN"),
        ([0, 1], [1.0], {}, "length"),
        ([0], [1.0], {"k": 0}, "k 0"),
        ([0], [1.0], {"damping": 1.0}, "damping"),
    ],
)
def test_bad_input_is_refused_by_name(ids, weights, options: dict, message: str) -> None:
    graph = CSRGraph.from_arrays(3, [0, 1], [1, 2], undirected=True)
    with pytest.raises(ValueError, match=message):
        top_k(graph, ids, weights, **{"k": 2, **options})
