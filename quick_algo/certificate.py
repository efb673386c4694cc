"""The answer of the ranking mode, and how intervals around scores prove an order.

Given for every candidate an interval [low, low + width] that holds its score, an order is certain when each of the k
best has its low above the upper ends of all that follow it, the candidates beyond the k-th included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

SLACK = 1e-12
"""Gaps below this share of the score are left to rounding: not proven."""


@dataclass(frozen=True, slots=True)
class TopK:
    """The best candidates, best first.

    Attributes
    ----------
    ids : (k',) int64
        k' = min(k, number of candidates); equal scores by rising id.
    scores : (k',) float64
        PageRank, on the scale of ``pagerank``.
    proven
        True when the bound proves that these are the k best candidates in this order.
    residual
        Bound on the error of each score returned.
    """

    ids: Ids
    scores: Floats
    proven: bool
    residual: float


def settle(
    ids: Ids, low: Floats, width: Floats, wanted: int, mass: float, beyond: float = -np.inf
) -> tuple[TopK, float]:
    """Rank candidates by their lows and tell whether that order is certain.

    Parameters
    ----------
    ids, low, width : (m,), m >= wanted
        Candidates and the intervals of their scores.
    mass
        What scores are divided by for the answer.
    beyond
        Upper end of every candidate that is not among ``ids``.

    Returns
    -------
    (TopK, float)
        And the factor by which all widths should shrink to part the closest pair, 1 when proven, 0 or less for a tie.
    """
    order = np.lexsort((ids, -low))
    ids, low, width = ids[order], low[order], width[order]
    ends = np.append(low + width, beyond)
    behind = np.maximum.accumulate(ends[::-1])[::-1][1 : wanted + 1]
    proven = bool((low[:wanted] - behind > SLACK * np.abs(low[:wanted])).all())
    half = width[:wanted] / 2.0
    answer = TopK(ids[:wanted], (low[:wanted] + half) / mass, proven, float(half.max()) / mass)
    return answer, 1.0 if proven else _needed_ratio(low, width, beyond, wanted)


def _needed_ratio(low: Floats, width: Floats, beyond: float, wanted: int) -> float:
    last = low[wanted - 1]
    followers = slice(1, wanted + 1)
    distances = np.concatenate([low[: len(low[followers])] - low[followers], last - low[wanted:]])
    reach = np.concatenate([width[followers], width[wanted:]])
    ratio = float((distances / np.maximum(reach, 1e-300)).min()) if len(reach) else 1.0
    return 0.7 * min(ratio, float(last) / beyond if beyond > 0.0 else ratio)
