"""The answer of an embedding API, read: vectors as numbers or as base64, numbered or in order."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from chathistory.models.retry import Fault
from chathistory.models.wire import usage_of


def read_vectors(text: str, count: int) -> tuple[list[list[float]], int | None]:
    """Return the vectors of an answer, in the order of the texts, and its tokens where it tells them.

    Raises
    ------
    Fault
        'cut': not one vector for each of the ``count`` texts.
    """
    try:
        data = json.loads(text)
        rows = [_numbers(item["embedding"]) for item in _ordered(data["data"], count)]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        rows = []
    if len(rows) != count:
        raise Fault("cut", 200, "回答里的向量数目不对")
    used = usage_of(data.get("usage"))
    return rows, used[0] if used else None


def _ordered(items: Sequence[Any], count: int) -> Sequence[Any]:
    """Return the items by their index, as they stand where none has one; nothing where not every index is there."""
    if len(items) != count:
        return []
    places = [item.get("index") for item in items]
    if all(place is None for place in places):
        return items
    if sorted(places) != list(range(count)):
        return []
    return [items[places.index(number)] for number in range(count)]


def _numbers(embedding: Any) -> list[float]:
    if not isinstance(embedding, str):
        return [float(value) for value in embedding]
    try:
        raw = base64.b64decode(embedding, validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
    return [float(value) for value in np.frombuffer(raw, dtype="<f4")]
