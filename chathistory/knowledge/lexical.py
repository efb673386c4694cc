"""BM25 over an inverted index that grows and shrinks without being built anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chathistory.knowledge.words import Terms, terms

Floats = NDArray[np.float32]
_CHUNK = 20_000
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Postings:
    """Who holds which term, how often. ``docs`` and ``counts`` of term i are ``[starts[i]:starts[i + 1]]``."""

    terms: Terms
    starts: NDArray[np.int64]
    docs: NDArray[np.int32]
    counts: NDArray[np.uint8]

    @classmethod
    def of(cls, texts: Sequence[str], first: int = 0) -> Postings:
        """Return the postings of texts, whose documents are numbered from ``first``."""
        parts = [_pairs(texts[at : at + _CHUNK], first + at) for at in range(0, len(texts), _CHUNK)]
        if not parts:
            return cls(np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))
        found, docs, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(found, kind="stable")
        found = found[order]
        heads = np.flatnonzero(np.concatenate(([True], found[1:] != found[:-1]))) if len(found) else np.zeros(0, int)
        return cls(found[heads], np.append(heads, len(found)).astype(np.int64), docs[order], counts[order])

    def find(self, term: np.uint64) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the documents that hold a term, rising, and how often each does."""
        at = int(np.searchsorted(self.terms, term))
        if at == len(self.terms) or self.terms[at] != term:
            return self.docs[:0], self.counts[:0]
        part = slice(self.starts[at], self.starts[at + 1])
        return self.docs[part], self.counts[part]


def _pairs(texts: Sequence[str], first: int) -> tuple[Terms, NDArray[np.int32], NDArray[np.uint8]]:
    """Return (term, document, count) of each pair that occurs, documents rising within a term."""
    found, owners = terms(texts)
    order = np.lexsort((owners, found))
    found, owners = found[order], owners[order]
    new = np.ones(len(found), dtype=np.bool_)
    new[1:] = (found[1:] != found[:-1]) | (owners[1:] != owners[:-1])
    heads = np.flatnonzero(new)
    counts = np.diff(np.append(heads, len(found)))
    return found[heads], (owners[heads] + first).astype(np.int32), np.minimum(counts, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Matches:
    """The terms of a question in an index: which documents hold each, how often, and what it weighs.

    ``weights`` are inverse document frequencies; ``total`` sums those of all terms of the question, known ones or not.
    """

    docs: tuple[NDArray[np.int32], ...]
    counts: tuple[NDArray[np.uint8], ...]
    weights: tuple[float, ...]
    total: float
    known: float


class LexicalIndex:
    """Documents by the terms they hold. Immutable: ``with_added`` and ``without`` give a new index, sharing what stays.

    Document frequencies and lengths are read at query time, so that an index that grew scores as one built at once.
    """

    def __init__(self, segments: tuple[Postings, ...], lengths: Floats, alive: NDArray[np.bool_]) -> None:
        self._segments = segments
        self._lengths = lengths
        self._alive = alive
        self._whole = bool(alive.all())
        self.count = int(alive.sum())
        self._mean = float(lengths[alive].mean()) if self.count else 1.0

    @classmethod
    def of(cls, texts: Sequence[str]) -> LexicalIndex:
        """Return the index of texts; document i is ``texts[i]``."""
        postings = Postings.of(texts)
        return cls((postings,), _lengths((postings,), len(texts)), np.ones(len(texts), dtype=np.bool_))

    def __len__(self) -> int:
        return len(self._lengths)

    def with_added(self, texts: Sequence[str]) -> LexicalIndex:
        """Return the index with more documents, numbered on from the last."""
        added = Postings.of(texts, first=len(self))
        segments = _tidy((*self._segments, added))
        lengths = np.concatenate((self._lengths, _lengths((added,), len(self) + len(texts))[len(self) :]))
        return LexicalIndex(segments, lengths, np.concatenate((self._alive, np.ones(len(texts), dtype=np.bool_))))

    def without(self, docs: NDArray[np.intp]) -> LexicalIndex:
        """Return the index in which documents count no longer; the numbers of the others stay."""
        alive = self._alive.copy()
        alive[docs] = False
        return LexicalIndex(self._segments, self._lengths, alive)

    def matches(self, question: str) -> Matches:
        """Look a question's terms up, each once."""
        docs, counts, weights = [], [], []
        unknown = 0.0
        for term in np.unique(terms([question])[0]):
            found, often = self._find(term)
            weight = self._weight(len(found))
            if len(found):
                docs.append(found)
                counts.append(often)
                weights.append(weight)
            else:
                unknown += weight
        known = sum(weights)
        return Matches(tuple(docs), tuple(counts), tuple(weights), known + unknown, known)

    def weight(self, text: str) -> float:
        """Return the largest inverse document frequency among a text's terms, as a share of an unknown term's: 0..1."""
        found = np.unique(terms([text])[0])
        if not len(found):
            return 0.0
        return max(self._weight(len(self._find(term)[0])) for term in found) / self._weight(0)

    def score(self, matches: Matches, groups: NDArray[np.int32] | None = None, size: int | None = None) -> Floats:
        """Return the BM25 score of every document, as a share of what a text of all the question's terms could reach.

        Parameters
        ----------
        groups, size
            ``groups[d]`` is the group, of ``size``, that document d belongs to: the groups are scored as if each were
            one document of all its members' text.

        Returns
        -------
        (n,) or (size,) float32, 0..1

        Notes
        -----
        S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; k1 1.2, b 0.75.
        """
        lengths, mean = self._lengths, self._mean
        if groups is not None and size is not None:
            lengths = np.bincount(groups, np.where(self._alive, lengths, 0), size).astype(np.float32)
            filled = lengths > 0
            mean = float(lengths[filled].mean()) if filled.any() else 1.0
        out = np.zeros(len(lengths), dtype=np.float32)
        damping = (_K1 * (1 - _B) + _K1 * _B / mean * lengths).astype(np.float32)
        for docs, counts, weight in zip(matches.docs, matches.counts, matches.weights, strict=True):
            often = counts.astype(np.float32)
            if groups is not None and size is not None:
                docs, often = _grouped(groups[docs], often)
            out[docs] += np.float32(weight) * often / (often + damping[docs])
        return out / np.float32(max(matches.total, 1e-9))

    def _find(self, term: np.uint64) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        parts = [segment.find(term) for segment in self._segments]
        docs, counts = parts[0] if len(parts) == 1 else (np.concatenate(c) for c in zip(*parts, strict=True))
        if self._whole:
            return docs, counts
        kept = self._alive[docs]
        return docs[kept], counts[kept]

    def _weight(self, frequency: int) -> float:
        return float(np.log1p((self.count - frequency + 0.5) / (frequency + 0.5)))


def _grouped(groups: NDArray[np.int32], often: Floats) -> tuple[NDArray[np.int32], Floats]:
    """Sum counts of equal neighbouring groups (documents rise, so do the groups that were laid in their order)."""
    if not len(groups):
        return groups, often
    heads = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))
    return groups[heads], np.add.reduceat(often, heads)


def _lengths(segments: tuple[Postings, ...], size: int) -> Floats:
    out = np.zeros(size, dtype=np.float64)
    for segment in segments:
        out += np.bincount(segment.docs, segment.counts, size)
    return out.astype(np.float32)


def _tidy(segments: tuple[Postings, ...]) -> tuple[Postings, ...]:
    """Merge the small segments once there are more than eight; the first, large one stays untouched."""
    if len(segments) <= 8:
        return segments
    first, *small = segments
    found = np.concatenate([np.repeat(s.terms, np.diff(s.starts)) for s in small])
    order = np.argsort(found, kind="stable")
    found = found[order]
    heads = np.flatnonzero(np.concatenate(([True], found[1:] != found[:-1])))
    docs = np.concatenate([s.docs for s in small])[order]
    counts = np.concatenate([s.counts for s in small])[order]
    return (first, Postings(found[heads], np.append(heads, len(found)).astype(np.int64), docs, counts))
