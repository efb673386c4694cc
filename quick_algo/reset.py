"""The reset of a personalised PageRank: where walkers start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def scaled_reset(reset: Floats) -> Floats:
    """Return the reset scaled to sum 1; ValueError for one that is no distribution."""
    total = float(reset.sum())
    if not np.isfinite(total) or (reset.size and reset.min() < 0.0):
        raise ValueError("the reset holds a weight that is negative, NaN or infinite")
    if total <= 0.0:
        raise ValueError("the reset is zero everywhere: name at least one node with a positive weight")
    return reset / total
