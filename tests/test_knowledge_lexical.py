"""The inverted index: texts by their pieces, and indexes end to end, score as those built at once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chathistory.knowledge.lexical import LexicalIndex, question_terms
from chathistory.knowledge.sentences import split

LINE = st.text(alphabet="刘备曹操孙权 and war,。！？“”12", min_size=1, max_size=60)


def scores(index: LexicalIndex, question: str) -> np.ndarray:
    return index.score(index.matches(question_terms(question)))


@given(st.lists(LINE, min_size=1, max_size=8), LINE)
def test_the_index_of_texts_may_be_put_together_from_their_sentences(texts: list[str], question: str) -> None:
    pieces, owners = split(texts)
    together = LexicalIndex.of(pieces).grouped(owners, len(texts))
    assert np.allclose(scores(together, question), scores(LexicalIndex.of(texts), question))


@given(st.lists(LINE, min_size=1, max_size=6), st.lists(LINE, max_size=6), LINE)
def test_two_indexes_end_to_end_are_the_index_of_all_texts(first: list[str], second: list[str], question: str) -> None:
    joined = LexicalIndex.of(first).joined(LexicalIndex.of(second))
    assert np.allclose(scores(joined, question), scores(LexicalIndex.of([*first, *second]), question))


def test_a_word_that_stands_very_often_is_counted_up_to_a_bound() -> None:
    often = LexicalIndex.of(["刘" * 200, "刘" * 200, "曹"]).grouped(np.array([0, 0, 1], dtype=np.int32), 2)
    assert np.allclose(
        scores(often, "刘"), scores(LexicalIndex.of(["刘" * 200 + "。" + "刘" * 200, "曹"]), "刘"), atol=2e-3
    )
