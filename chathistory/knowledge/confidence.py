"""Whether what came back answers the question at all."""

from __future__ import annotations

import numpy as np

from chathistory.knowledge.index import KnowledgeIndex
from chathistory.models.protocols import Vectors


def confidence_of(index: KnowledgeIndex, question: str, asked: Vectors, direct: Vectors) -> tuple[bool, float]:
    """Return (above the line, strength 0..1) of the best passage."""
    top = float(direct.max())
    strength = float(np.clip(top, 0.0, 1.0))
    return strength > 0.25, strength
