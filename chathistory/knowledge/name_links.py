"""Names within names: 徐州牧 and 徐州 are not one entity, but an edge leads from one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
_LONGEST_OUTER, LONGEST_INNER = 16, 8
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Links:
    """Names within names: rows of the longer and the shorter name, and which share of the longer the shorter is."""

    outer: Ids
    inner: Ids
    share: NDArray[np.float64]


def name_links(rows: dict[str, int], first: int, threshold: float) -> Links:
    """Return the links of the entities from row ``first`` on, to each other and to older ones, in both roles.

    Parameters
    ----------
    rows
        Entity key (pieces with a space between) to row, rising from ``first`` on.
    threshold
        Share of the longer name that the shorter must make; above 1 for no links.
    """
    if not first:
        return _links_at_once(list(rows), threshold)
    found: dict[tuple[int, int], float] = {}
    new = {key: row for key, row in rows.items() if row >= first and threshold <= 1}
    for key, row in new.items():
        for inner, share in _within(key, threshold):
            other = rows.get(inner)
            if other is not None:
                found[row, other] = share
    if new:
        old = [(key, row) for key, row in rows.items() if row < first]
        text = "\n" + "\n".join(f" {key} " for key, _ in old) + "\n"
        starts = np.cumsum([0] + [len(key) + 3 for key, _ in old])
        for key, row in new.items():
            for place in _places(text, f" {key} "):
                outer, other = old[int(np.searchsorted(starts, place, side="right")) - 1]
                shares = dict(_within(outer, threshold))
                if key in shares:
                    found[other, row] = shares[key]
    pairs = np.array(list(found), dtype=np.int32).reshape(-1, 2)
    return Links(pairs[:, 0], pairs[:, 1], np.array(list(found.values()), dtype=np.float64))


def _links_at_once(keys: Sequence[str], threshold: float) -> Links:
    """Do as ``name_links`` does for all entities, in their order: runs of pieces are compared as numbers."""
    flat = " ".join(keys).split(" ") if keys else []
    number = {piece: n for n, piece in enumerate(dict.fromkeys(flat))}
    codes = np.fromiter(map(number.__getitem__, flat), np.uint64, len(flat))
    counts = np.fromiter((key.count(" ") + 1 for key in keys), np.int64, len(keys))
    letters = np.cumsum([0, *map(len, flat)])
    starts = np.cumsum(counts) - counts
    totals = letters[starts + counts] - letters[starts]
    owners = np.repeat(np.arange(len(keys)), counts)
    at = np.flatnonzero((counts[owners] > 1) & (counts[owners] <= _LONGEST_OUTER) & (threshold <= 1))
    runs = np.zeros(len(codes), dtype=np.uint64)
    found = []
    for length in range(1, min(LONGEST_INNER, len(codes)) + 1):
        runs[: len(codes) - length + 1] = runs[: len(codes) - length + 1] * _ODD + codes[length - 1 :] + np.uint64(1)
        inner = np.flatnonzero(counts == length)
        at = at[(at + length <= (starts + counts)[owners[at]]) & (counts[owners[at]] > length)]
        if not len(inner) or not len(at):
            continue
        size = letters[at + length] - letters[at]
        long = at[(size >= threshold * totals[owners[at]]) & (size > 1)]
        inner = inner[np.argsort(runs[starts[inner]], kind="stable")]
        known = runs[starts[inner]]
        other = inner[np.minimum(np.searchsorted(known, runs[long]), len(inner) - 1)]
        same = np.all([codes[long + k] == codes[starts[other] + k] for k in range(length)], axis=0)
        share = (letters[long + length] - letters[long]) / totals[owners[long]]
        found.append((owners[long[same]] * len(keys) + other[same], share[same]))
    if not found:
        return Links(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
    pairs, shares = (np.concatenate(column) for column in zip(*found, strict=True))
    pairs, once = np.unique(pairs, return_index=True)
    return Links((pairs // len(keys)).astype(np.int32), (pairs % len(keys)).astype(np.int32), shares[once])


def _within(key: str, threshold: float) -> Iterator[tuple[str, float]]:
    """Yield the names that may stand within a name, and their share of it: runs of words, of two characters or more."""
    pieces = key.split(" ")
    count = len(pieces)
    if not 1 < count <= _LONGEST_OUTER:
        return
    total = len(key) - count + 1
    least = threshold * total
    for start in range(count):
        length = 0
        for end in range(start + 1, min(count, start + LONGEST_INNER) + 1):
            length += len(pieces[end - 1])
            if length >= least and length > 1 and end - start < count:
                yield " ".join(pieces[start:end]), length / total


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
