"""BM25 over an inverted index that grows and shrinks without being built anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chathistory.knowledge.words import FREE_BITS, Owners, Terms, terms

Floats = NDArray[np.float32]
_Found = list[tuple[NDArray[np.int32], NDArray[np.uint8]]]
_CHUNK = 20_000
_DOC = np.uint64(2**FREE_BITS - 1)
_K1, _B = 1.2, 0.75
_TELLING = 0.1
_MOST = 255
_SOUGHT = 60
"""Where so many times fewer documents are wanted than there are, each is looked up instead of all being scored."""


@dataclass(frozen=True, slots=True)
class Postings:
    """Who holds which term, how often. ``docs`` and ``counts`` of term i are ``[starts[i]:starts[i + 1]]``."""

    terms: Terms
    starts: NDArray[np.int64]
    docs: NDArray[np.int32]
    counts: NDArray[np.uint8]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Postings:
        """Return the postings of texts; document i is ``texts[i]``."""
        return cls.merged([_postings(texts[at : at + _CHUNK], at) for at in range(0, len(texts), _CHUNK)])

    @classmethod
    def merged(cls, parts: Sequence[Postings]) -> Postings:
        """Return the postings of all parts; documents rise from part to part."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))
        every = np.sort(np.concatenate([part.terms for part in parts]))
        every = every[_heads(every)]
        places = [np.searchsorted(every, part.terms) for part in parts]
        held = np.zeros(len(every), dtype=np.int64)
        for part, at in zip(parts, places, strict=True):
            held[at] += np.diff(part.starts)
        starts = np.concatenate(([0], np.cumsum(held)))
        docs, counts = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)
        free = starts[:-1].copy()
        for part, at in zip(parts, places, strict=True):
            lengths = np.diff(part.starts)
            rows = np.repeat(free[at] - part.starts[:-1], lengths) + np.arange(len(part.docs))
            docs[rows], counts[rows] = part.docs, part.counts
            free[at] += lengths
        return cls(every, starts, docs, counts)

    def numbered_from(self, first: int) -> Postings:
        """Return the same postings with documents numbered on from ``first``."""
        return Postings(self.terms, self.starts, self.docs + np.int32(first), self.counts) if first else self

    def grouped(self, groups: NDArray[np.int32]) -> Postings:
        """Return the postings of groups of documents.

        Parameters
        ----------
        groups : (documents,), rising
            The group of each document.
        """
        docs = groups[self.docs]
        new = np.ones(len(docs), dtype=np.bool_)
        new[1:] = docs[1:] != docs[:-1]
        new[self.starts[:-1]] = True
        heads = np.flatnonzero(new)
        counts = np.add.reduceat(self.counts, heads, dtype=np.int32) if len(heads) else self.counts
        starts = np.searchsorted(heads, self.starts)
        return Postings(self.terms, starts, docs[heads], np.minimum(counts, _MOST).astype(np.uint8))

    def find(self, asked: Terms) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where each term's documents begin and end, rising; at one place for a term nobody holds."""
        if not len(self.terms):
            nowhere = np.zeros(len(asked), dtype=np.int64)
            return nowhere, nowhere
        at = np.minimum(np.searchsorted(self.terms, asked), len(self.terms) - 1)
        starts = self.starts[at]
        return starts, np.where(self.terms[at] == asked, self.starts[at + 1], starts)

    def held(self, asked: Terms) -> _Found:
        """Return the documents of each term, rising, and how often each holds it."""
        starts, stops = self.find(asked)
        spans = zip(starts.tolist(), stops.tolist(), strict=True)
        return [(self.docs[start:stop], self.counts[start:stop]) for start, stop in spans]


def _postings(texts: Sequence[str], first: int) -> Postings:
    """Return the postings of at most ``_CHUNK`` texts: a document's number fits where a term's number has free bits."""
    found, owners = terms(texts)
    pairs = np.sort(found | owners.astype(np.uint64))
    heads = _heads(pairs)
    counts = np.minimum(np.diff(np.append(heads, len(pairs))), _MOST).astype(np.uint8)
    pairs = pairs[heads]
    found = pairs & ~_DOC
    heads = _heads(found)
    docs = (pairs & _DOC).astype(np.int32) + np.int32(first)
    return Postings(found[heads], np.append(heads, len(found)).astype(np.int64), docs, counts)


def _heads(values: Terms) -> NDArray[np.intp]:
    """Return where a new value begins in sorted values."""
    new = np.ones(len(values), dtype=np.bool_)
    new[1:] = values[1:] != values[:-1]
    return np.flatnonzero(new)


@dataclass(frozen=True, slots=True)
class Matches:
    """The terms of a question that an index holds: in which documents, how often, and what each weighs.

    ``weights`` are inverse document frequencies; ``total`` sums those of all terms of the question, known ones or not.
    """

    docs: tuple[NDArray[np.int32], ...]
    counts: tuple[NDArray[np.uint8], ...]
    weights: Floats
    total: float


class LexicalIndex:
    """Documents by the terms they hold. Immutable, sharing what stays with its successors.

    Document frequencies and lengths are those of the documents alive at query time, so an index that grew or shrank
    scores as one built at once.
    """

    def __init__(self, segments: tuple[Postings, ...], lengths: Floats, alive: NDArray[np.bool_]) -> None:
        self._segments = segments
        self._lengths = lengths
        self._alive = alive
        self._whole = bool(alive.all())
        self.count = int(alive.sum())
        mean = max(float(lengths[alive].mean()), 1.0) if self.count else 1.0
        self._damping = (_K1 * (1 - _B) + _K1 * _B / mean * lengths).astype(np.float32)

    @classmethod
    def of(cls, texts: Sequence[str]) -> LexicalIndex:
        """Return the index of texts; document i is ``texts[i]``."""
        postings = Postings.of(texts)
        lengths = np.bincount(postings.docs, postings.counts, len(texts)).astype(np.float32)
        return cls((postings,), lengths, np.ones(len(texts), dtype=np.bool_))

    def __len__(self) -> int:
        return len(self._lengths)

    def with_added(self, texts: Sequence[str]) -> LexicalIndex:
        """Return the index with more documents, numbered on from the last."""
        return self.joined(LexicalIndex.of(texts))

    def joined(self, other: LexicalIndex) -> LexicalIndex:
        """Return the index with the documents of another, numbered on from the last of this."""
        added = tuple(segment.numbered_from(len(self)) for segment in other._segments)
        return LexicalIndex(
            _tidy((*self._segments, *added)),
            np.concatenate((self._lengths, other._lengths)),
            np.concatenate((self._alive, other._alive)),
        )

    def grouped(self, groups: NDArray[np.int32], count: int) -> LexicalIndex:
        """Return the index of texts that these documents are the pieces of, cut where no term is cut.

        Parameters
        ----------
        groups : (documents,), rising, 0..count-1
            The text of each document.
        """
        postings = Postings.merged(self._segments).grouped(groups)
        lengths = np.bincount(groups, self._lengths, count).astype(np.float32)
        return LexicalIndex((postings,), lengths, np.ones(count, dtype=np.bool_))

    def without(self, docs: NDArray[np.intp]) -> LexicalIndex:
        """Return the index in which documents count no longer; the numbers of the others stay."""
        alive = self._alive.copy()
        alive[docs] = False
        return LexicalIndex(self._segments, self._lengths, alive)

    def matches(self, asked: Terms) -> Matches:
        """Look the terms of a question up, each given once (``question_terms``).

        Terms that stand in nearly every second document tell nothing apart and are left out, as stop words would be.
        """
        found = self._find(asked)
        sizes = np.array([len(docs) for docs, _ in found], dtype=np.float64)
        weights = self._weights(sizes)
        telling = weights >= _TELLING * self._weights(np.zeros(1))
        held = np.flatnonzero(telling & (sizes > 0)).tolist()
        return Matches(
            tuple(found[at][0] for at in held),
            tuple(found[at][1] for at in held),
            weights[held].astype(np.float32),
            float(weights[telling].sum()),
        )

    def rarities(self, found: Terms, owners: Owners, texts: int) -> list[float]:
        """Return for each text the largest inverse document frequency of its terms, as a share of an unknown term's.

        Parameters
        ----------
        found, owners
            What ``words.terms`` says of the texts.
        """
        largest = np.zeros(texts)
        sizes = np.array([len(docs) for docs, _ in self._find(found)], dtype=np.float64)
        np.maximum.at(largest, owners, self._weights(sizes))
        return list((largest / self._weights(np.zeros(1))).tolist())

    def score(self, matches: Matches, rows: NDArray[np.int64] | None = None) -> Floats:
        """Return the BM25 score of documents, as a share of what a text of all the question's terms could reach.

        Parameters
        ----------
        rows : (r,)
            Only these documents, each once, in any order; all when None.

        Returns
        -------
        (n,) or (r,) float32, 0..1

        Notes
        -----
        S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; k1 1.2, b 0.75.
        """
        if rows is not None and len(self) > _SOUGHT * len(rows):
            return self._score_few(matches, rows)
        if not matches.docs:
            return np.zeros(len(self) if rows is None else len(rows), dtype=np.float32)
        docs = np.concatenate(matches.docs)
        often = np.concatenate(matches.counts).astype(np.float32)
        weights = np.repeat(matches.weights, [len(part) for part in matches.docs])
        sums = np.bincount(docs, weights * often / (often + self._damping[docs]), len(self))
        return ((sums if rows is None else sums[rows]) / max(matches.total, 1e-9)).astype(np.float32)

    def _score_few(self, matches: Matches, rows: NDArray[np.int64]) -> Floats:
        """Do as ``score`` does for a few among many documents: look them up among those that hold each term."""
        order = np.argsort(rows)
        wanted = rows[order].astype(np.int32)
        sums = np.zeros(len(rows))
        for docs, counts, weight in zip(matches.docs, matches.counts, matches.weights, strict=True):
            if len(docs) > len(wanted):
                places = np.minimum(np.searchsorted(docs, wanted), len(docs) - 1)
                at = np.flatnonzero(docs[places] == wanted)
                often = counts[places[at]].astype(np.float32)
            else:
                places = np.minimum(np.searchsorted(wanted, docs), len(wanted) - 1)
                held = wanted[places] == docs
                at, often = places[held], counts[held].astype(np.float32)
            sums[at] += weight * often / (often + self._damping[wanted[at]])
        out = np.empty(len(rows), dtype=np.float32)
        out[order] = sums / max(matches.total, 1e-9)
        return out

    def _find(self, asked: Terms) -> _Found:
        """Return for each term the living documents that hold it, rising, and how often each does."""
        parts = [segment.held(asked) for segment in self._segments]
        found = parts[0] if len(parts) == 1 else [_end_to_end(pieces) for pieces in zip(*parts, strict=True)]
        if self._whole:
            return found
        kept = [self._alive[docs] for docs, _ in found]
        return [(docs[mask], counts[mask]) for (docs, counts), mask in zip(found, kept, strict=True)]

    def _weights(self, frequencies: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the inverse document frequency of terms that so many documents hold."""
        return np.log1p((self.count - frequencies + 0.5) / (frequencies + 0.5))


def _end_to_end(
    pieces: Sequence[tuple[NDArray[np.int32], NDArray[np.uint8]]],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Join what the segments hold of one term; most hold nothing of it."""
    filled = [piece for piece in pieces if len(piece[0])] or list(pieces[:1])
    if len(filled) == 1:
        return filled[0]
    return np.concatenate([docs for docs, _ in filled]), np.concatenate([counts for _, counts in filled])


def question_terms(question: str) -> Terms:
    """Return the terms of a question, each once."""
    return np.unique(terms([question])[0])


def _tidy(segments: tuple[Postings, ...]) -> tuple[Postings, ...]:
    """Merge the small segments once there are more than eight; the first, large one stays untouched."""
    segments = tuple(segment for segment in segments if len(segment.docs)) or segments[:1]
    if len(segments) <= 8:
        return segments
    first, *small = segments
    return (first, Postings.merged(small))
