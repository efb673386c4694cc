"""Words as numbers, and BM25 over them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chathistory.knowledge.lexical import LexicalIndex, question_terms
from chathistory.knowledge.words import fold, terms, units

TEXT = st.text(alphabet="刘备曹操ab é1,。\n", max_size=12)


def words_of(text: str) -> list[str]:
    """The oracle: the same terms, one text at a time, as strings."""
    text = fold(text.replace("\n", " "))
    found: list[str] = []
    run = ""
    for at, char in enumerate(text + " "):
        if "\u4e00" <= char <= "\u9fff":
            found.append(char)
            if at + 1 < len(text) and "\u4e00" <= text[at + 1] <= "\u9fff":
                found.append(text[at : at + 2])
        if char.isalnum() and not "\u4e00" <= char <= "\u9fff":
            run += char
        elif run:
            found.append(run)
            run = ""
    return found


@given(st.lists(TEXT, max_size=6))
@settings(max_examples=200, deadline=None)
def test_terms_are_the_words_characters_and_pairs_of_each_text(texts: list[str]) -> None:
    numbers, owners = terms(texts)
    names: dict[int, str] = {}
    for doc, text in enumerate(texts):
        mine = Counter(numbers[owners == doc].tolist())
        wanted = Counter(words_of(text))
        assert sorted(mine.values()) == sorted(wanted.values())
        alone = {word: int(terms([word])[0][0]) for word in wanted if len(word) == 1}
        for word, number in alone.items():
            assert mine[number] == wanted[word]
            assert names.setdefault(number, word) == word


def test_case_accents_and_width_of_the_word_do_not_matter() -> None:
    assert set(terms(["Jiménez"])[0]) == set(terms(["JIMENEZ"])[0])
    assert set(terms(["jimenez"])[0]) != set(terms(["jimenes"])[0])
    assert set(terms(["ab"])[0]) != set(terms(["ba"])[0])
    assert set(terms(["刘备"])[0]) != set(terms(["备刘"])[0])


def test_units_are_western_words_and_single_characters() -> None:
    assert units("Kim Jong-un, 刘备！") == ["kim", "jong", "un", "刘", "备"]
    assert units("São Tomé") == ["sao", "tome"]


def bm25(texts: list[str], question: str) -> list[float]:
    docs = [Counter(words_of(text)) for text in texts]
    lengths = [sum(doc.values()) for doc in docs]
    mean = max(sum(lengths) / len(lengths), 1)
    asked = set(words_of(question))
    weight = {
        w: math.log(1 + (len(docs) - f + 0.5) / (f + 0.5)) for w in asked for f in [sum(w in doc for doc in docs)]
    }
    least = 0.1 * math.log(1 + (len(docs) + 0.5) / 0.5)
    weight = {word: value for word, value in weight.items() if value >= least}
    total = sum(weight.values()) or 1e-9
    return [
        sum(weight[w] * doc[w] / (doc[w] + 1.2 * (0.25 + 0.75 * length / mean)) for w in weight if doc[w]) / total
        for doc, length in zip(docs, lengths, strict=True)
    ]


@given(st.lists(TEXT, min_size=1, max_size=6), TEXT)
@settings(max_examples=150, deadline=None)
def test_scores_are_bm25_between_0_and_1(texts: list[str], question: str) -> None:
    index = LexicalIndex.of(texts)
    scores = index.score(index.matches(question_terms(question)))
    np.testing.assert_allclose(scores, bm25(texts, question), atol=1e-5)
    assert ((scores >= 0) & (scores <= 1)).all()


@given(st.lists(TEXT, min_size=1, max_size=6), st.lists(TEXT, max_size=14), st.data(), TEXT)
@settings(max_examples=100, deadline=None)
def test_a_grown_and_shrunk_index_scores_as_one_built_at_once(
    first: list[str], more: list[str], data: st.DataObject, question: str
) -> None:
    index = LexicalIndex.of(first)
    for text in more:
        index = index.with_added([text])
    texts = first + more
    gone = data.draw(st.sets(st.integers(0, len(texts) - 1), max_size=len(texts) - 1))
    index = index.without(np.array(sorted(gone), dtype=np.intp))
    kept = [n for n in range(len(texts)) if n not in gone]
    scores = index.score(index.matches(question_terms(question)))
    np.testing.assert_allclose(scores[kept], bm25([texts[n] for n in kept], question), atol=1e-5)
    assert (scores[sorted(gone)] == 0).all()
    assert index.count == len(kept)


def test_rare_names_weigh_more_than_common_ones() -> None:
    index = LexicalIndex.of([f"the river number {n}" for n in range(20)] + ["the Bubye river"])
    bubye, river, unknown, nothing = index.rarities(*terms(["Bubye", "river", "Limpopo", "!?"]), 4)
    assert bubye > river > 0
    assert unknown == pytest.approx(1)
    assert nothing == 0


def test_an_empty_index_answers_with_nothing() -> None:
    index = LexicalIndex.of([])
    asked = question_terms("刘备")
    assert index.score(index.matches(asked)).shape == (0,)
    assert index.with_added(["刘备", "曹操"]).score(index.with_added(["刘备", "曹操"]).matches(asked))[0] > 0


@settings(max_examples=60)
@given(st.lists(TEXT, min_size=1, max_size=8), TEXT, st.integers(0, 2**8 - 1))
def test_a_few_documents_score_alone_as_they_do_among_all(texts: list[str], question: str, chosen: int) -> None:
    index = LexicalIndex.of([*texts, *(f"别的{n}" for n in range(600))]).with_added(["刘备曹操 ab"])
    rows = np.array([n for n in range(len(texts)) if chosen >> n & 1] + [len(index) - 1])[::-1]
    matches = index.matches(question_terms(question))
    np.testing.assert_allclose(index.score(matches, rows), index.score(matches)[rows], rtol=1e-6)
