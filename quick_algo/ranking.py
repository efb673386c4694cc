"""Small pure functions on scores: scaling, cutting, fusing. Total on empty and constant input; NaN is an error."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Item = TypeVar("Item", bound=Hashable)

STRAIGHT = 1e-9
"""A curve that nowhere leaves its chord by more, on a scale of 0..1, has no elbow."""


def min_max(scores: ArrayLike) -> NDArray[np.float64]:
    """Scale scores to 0..1; where all are equal, all are as good as the best: 1.

    Parameters
    ----------
    scores : (n,) float, finite
        May be empty.

    Raises
    ------
    ValueError
        A score is NaN or infinite.

    Examples
    --------
    >>> min_max([2.0, 4.0, 3.0]).tolist()
    [0.0, 1.0, 0.5]
    >>> min_max([3.0, 3.0]).tolist()
    [1.0, 1.0]
    """
    values = _finite(scores)
    if not values.size:
        return values
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.ones_like(values)
    # halved first, so that the span of the largest floats stays finite
    return np.clip((values / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0)


def elbow_top_k(scores: ArrayLike, k_min: int = 1, k_max: int | None = None) -> NDArray[np.int64]:
    """Return the positions of the best scores, best first, cut at the elbow of their sorted curve.

    The elbow is where the sorted curve lies furthest from the straight line between its ends. Below the line a flat
    tail begins there, and it is left out; above the line a plateau ends there, and it is kept. Only the first
    ``k_max`` scores make the curve. A curve without a bend (constant, straight, or of fewer than three scores) is not
    cut.

    Parameters
    ----------
    scores : (n,) float, finite
        Higher is better; equal scores keep their order. May be empty.
    k_min, k_max
        Bounds on the number returned, 0 <= k_min <= k_max; fewer only where there are fewer scores.

    Returns
    -------
    (k,) int64

    Raises
    ------
    ValueError
        A score is NaN or infinite, or the bounds are out of order.

    Notes
    -----
    The distance to the chord is the rule of V. Satopaa et al., Finding a "Kneedle" in a Haystack (2011).

    Examples
    --------
    >>> elbow_top_k([0.1, 0.9, 0.85, 0.12, 0.08]).tolist()
    [1, 2]
    """
    values = _finite(scores)
    limit = values.size if k_max is None else min(k_max, values.size)
    if k_min < 0 or (k_max is not None and k_max < k_min):
        raise ValueError(f"k_min {k_min} and k_max {k_max} must satisfy 0 <= k_min <= k_max")
    order = np.argsort(-values, kind="stable").astype(np.int64)[:limit]
    return order[: max(_elbow(values[order]), min(k_min, limit))]


def _elbow(falling: NDArray[np.float64]) -> int:
    """Return how many of the falling scores stand before the elbow."""
    count = falling.size
    if count < 3:
        return count
    if falling[0] == falling[-1]:
        return count
    below = np.linspace(1.0, 0.0, count) - min_max(falling)
    deepest, highest = int(below.argmax()), int(below.argmin())
    if max(below[deepest], -below[highest]) < STRAIGHT:
        return count
    return deepest if below[deepest] >= -below[highest] else highest + 1


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[Item]], k: float = 60.0, weights: Sequence[float] | None = None
) -> list[tuple[Item, float]]:
    """Fuse rankings: an item scores ``weight / (k + rank)`` in each that holds it, ranks from 1; best first.

    Equal scores keep the order in which the items were first seen. Source: G. Cormack, C. Clarke, S. Buettcher,
    Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods, SIGIR 2009.

    Parameters
    ----------
    rankings
        Each best first, without repeats (a repeat counts at its best rank only). May be empty.
    k
        > 0; the larger, the less the first ranks stand out.
    weights
        One a ranking, finite and >= 0; 1 each when left out.

    Raises
    ------
    ValueError
        ``k`` or a weight is out of range, or their number differs from that of the rankings.

    Examples
    --------
    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    if not (np.isfinite(k) and k > 0):
        raise ValueError(f"k {k} must be positive")
    lists = list(rankings)
    shares = [1.0] * len(lists) if weights is None else [float(weight) for weight in weights]
    if len(shares) != len(lists):
        raise ValueError(f"{len(shares)} weights for {len(lists)} rankings; give one a ranking")
    if not all(np.isfinite(share) and share >= 0.0 for share in shares):
        raise ValueError("a weight is negative, NaN or infinite")
    scores: dict[Item, float] = {}
    for ranking, share in zip(lists, shares, strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + share / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def _finite(scores: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"scores must be one-dimensional, not of shape {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError("a score is NaN or infinite")
    return values
