"""Scaling, cutting and fusing scores: total on empty and constant input, NaN refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quick_algo.ranking import elbow_top_k, min_max, reciprocal_rank_fusion

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCORES = st.lists(FINITE, max_size=30)


@given(SCORES)
def test_min_max_lies_in_0_to_1_and_keeps_the_order(scores: list[float]) -> None:
    scaled = min_max(scores)
    assert scaled.shape == (len(scores),)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    if scores:
        assert scaled[int(np.argmax(scores))] == 1.0
        assert (np.diff(scaled[np.argsort(scores, kind="stable")]) >= 0).all()
        assert scaled.min() == (0.0 if min(scores) < max(scores) else 1.0)


def test_min_max_of_nothing_and_of_equals() -> None:
    assert min_max([]).tolist() == []
    assert min_max([0.3]).tolist() == [1.0]
    assert min_max([-2.0, -2.0]).tolist() == [1.0, 1.0]
    assert min_max([-1e308, 1e308]).tolist() == [0.0, 1.0]


@given(SCORES, st.integers(0, 5), st.integers(0, 10))
def test_the_elbow_returns_a_best_first_prefix_within_bounds(scores: list[float], k_min: int, more: int) -> None:
    k_max = k_min + more
    kept = elbow_top_k(scores, k_min, k_max)
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    assert kept.tolist() == order[: len(kept)]
    assert min(k_min, len(scores)) <= len(kept) <= k_max


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], []),
        ([0.4], [0]),
        ([0.2, 0.9], [1, 0]),
        ([0.5, 0.5, 0.5, 0.5], [0, 1, 2, 3]),
        ([0.1, 0.9, 0.88, 0.11, 0.09, 0.1], [1, 2]),
        ([1.0, 0.0, 0.0, 0.0], [0]),
        ([4.0, 3.0, 2.0, 1.0], [0, 1, 2, 3]),
        ([1.0, 1.0, 1.0, 0.0], [0, 1, 2]),
        ([0.9, 0.85, 0.8, 0.1, 0.05], [0, 1, 2]),
    ],
)
def test_the_elbow_cuts_where_the_tail_begins(scores: list[float], expected: list[int]) -> None:
    assert elbow_top_k(scores).tolist() == expected


def test_the_elbow_looks_at_the_first_k_max_only() -> None:
    scores = [1.0, 0.97, 0.5, 0.49, 0.48] + [0.0] * 50
    assert elbow_top_k(scores, k_max=5).tolist() == [0, 1]
    assert elbow_top_k(scores, k_min=3, k_max=5).tolist() == [0, 1, 2]


@pytest.mark.parametrize("bad", [[np.nan], [1.0, np.inf], [[1.0]]])
def test_scores_that_are_no_numbers_are_refused(bad: list) -> None:
    with pytest.raises(ValueError, match="score"):
        min_max(bad)
    with pytest.raises(ValueError, match="score"):
        elbow_top_k(bad)


def test_bounds_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="k_min"):
        elbow_top_k([1.0], k_min=3, k_max=2)
    with pytest.raises(ValueError, match="k_min"):
        elbow_top_k([1.0], k_min=-1)


def test_fusion_adds_reciprocal_ranks() -> None:
    fused = reciprocal_rank_fusion([["a", "b", "c"], ["c", "a"]], k=60)
    assert [item for item, _ in fused] == ["a", "c", "b"]
    assert dict(fused)["a"] == pytest.approx(1 / 61 + 1 / 62)
    assert dict(fused)["b"] == pytest.approx(1 / 62)


def test_fusion_of_nothing_repeats_and_ties() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []
    assert reciprocal_rank_fusion([["a", "a", "b"]]) == [("a", 1 / 61), ("b", 1 / 62)]
    assert [item for item, _ in reciprocal_rank_fusion([["x", "y"], ["y", "x"]])] == ["x", "y"]


def test_fusion_heeds_weights() -> None:
    fused = reciprocal_rank_fusion([["a"], ["b"]], weights=[1.0, 2.0])
    assert [item for item, _ in fused] == ["b", "a"]


@pytest.mark.parametrize("options", [{"k": 0}, {"k": np.nan}, {"weights": [1.0]}, {"weights": [1.0, -1.0]}])
def test_fusion_refuses_what_makes_no_sense(options: dict) -> None:
    with pytest.raises(ValueError, match="k|weight"):
        reciprocal_rank_fusion([["a"], ["b"]], **options)
