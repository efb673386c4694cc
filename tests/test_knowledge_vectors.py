"""Texts are embedded once, in batches that are kept at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from chathistory.domain import text_id
from chathistory.knowledge.vectors import MemoryVectorCache, as_rows, embed_missing
from chathistory.models.embedded import HashingEmbedder
from chathistory.models.protocols import Vectors


class Counting(HashingEmbedder):
    """Remembers what it was asked to embed; stops after so many batches."""

    def __init__(self, stop_after: int = 999) -> None:
        super().__init__(32)
        self.asked: list[list[str]] = []
        self.stop_after = stop_after

    def passages(self, texts: Sequence[str]) -> Vectors:
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(list(texts))
        return super().passages(texts)


def test_each_text_is_embedded_once_and_rows_keep_the_order() -> None:
    embedder, cache = Counting(), MemoryVectorCache()
    texts = ["刘备", "曹操曹操", "刘备", "孙"]
    vectors = embed_missing(texts, embedder, cache)
    assert sorted(text for batch in embedder.asked for text in batch) == sorted(set(texts))
    np.testing.assert_array_equal(vectors, HashingEmbedder(32).passages(texts))
    embedder.asked.clear()
    np.testing.assert_array_equal(embed_missing(texts[::-1], embedder, cache), vectors[::-1])
    assert embedder.asked == []


def test_a_stopped_run_goes_on_where_it_was() -> None:
    texts = [f"第{n}段" + "话" * n for n in range(20)]
    cache = MemoryVectorCache()
    with pytest.raises(KeyboardInterrupt):
        embed_missing(texts, Counting(stop_after=2), cache, batch=40)
    kept = len(cache.get_many(HashingEmbedder(32).model_id, [text_id(text) for text in texts]))
    assert kept > 0
    second = Counting()
    embed_missing(texts, second, cache, batch=40)
    assert sum(map(len, second.asked)) == len(texts) - kept


def test_progress_counts_what_the_cache_held_and_ends_full() -> None:
    texts = ["甲", "乙", "丙丙", "甲"]
    cache = MemoryVectorCache()
    embed_missing(["甲"], Counting(), cache)
    seen: list[tuple[int, int]] = []
    embed_missing(texts, Counting(), cache, lambda done, total: seen.append((done, total)), batch=1)
    assert seen == [(2, 4), (3, 4), (4, 4)]


def test_vectors_of_two_models_do_not_mix() -> None:
    cache = MemoryVectorCache()
    embed_missing(["刘备"], HashingEmbedder(32), cache)
    assert embed_missing(["刘备"], HashingEmbedder(64), cache).shape == (1, 64)


def test_a_cache_may_answer_in_bytes() -> None:
    class Bytes(MemoryVectorCache):
        def get_many(self, model_id: str, ids: Sequence[str]) -> Mapping[str, bytes]:  # type: ignore[override]
            return {key: value.tobytes() for key, value in super().get_many(model_id, ids).items()}

    embedder, cache = Counting(), Bytes()
    first = embed_missing(["刘备"], embedder, cache)
    np.testing.assert_array_equal(embed_missing(["刘备"], embedder, cache), first)
    assert len(embedder.asked) == 1


def test_nothing_to_embed_gives_no_rows() -> None:
    assert embed_missing([], Counting(), MemoryVectorCache()).shape == (0, 32)


def test_a_vector_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs"):
        as_rows([np.zeros(3, np.float32)], 4)
    with pytest.raises(ValueError, match="needs"):
        as_rows([bytes(12)], 4)
