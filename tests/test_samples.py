"""The shipped figures: whole articles that need no network, and vectors that are theirs."""

import numpy as np
import pytest

from chathistory.domain import text_id
from chathistory.encyclopedia import figure, passages, read_sample, sample_names
from chathistory.knowledge import texts_to_embed
from chathistory.models.embedded import default_embedder
from chathistory.samples.vectors import pack, shipped_vectors, unpack

SIX = ("孔子", "秦始皇", "李白", "武则天", "苏格拉底", "牛顿")


def test_six_figures_are_shipped() -> None:
    assert set(sample_names()) == set(SIX)


@pytest.mark.parametrize("name", SIX)
def test_a_sample_is_a_whole_article(name: str) -> None:
    article = read_sample(name)
    assert article is not None
    assert len(list(article.paragraphs())) >= 35
    assert len(article.infobox) >= 10
    assert article.birth is not None
    assert article.birth.year is not None
    assert article.death is not None
    assert article.death.year is not None
    assert len(article.aliases) >= 3
    assert article.birth.year < article.death.year
    assert figure(article).name == name


@pytest.mark.parametrize(
    ("one", "other"), [("孔子", "老子"), ("苏格拉底", "柏拉图"), ("李白", "杜甫"), ("牛顿", "莱布尼茨")]
)
def test_relations_cross(one: str, other: str) -> None:
    article = read_sample(one)
    assert article is not None
    assert sum(other in text for _, text in article.paragraphs()) >= 2


@pytest.mark.parametrize("name", SIX)
def test_every_sentence_of_a_sample_has_its_vector_shipped(name: str) -> None:
    embedder = default_embedder()
    vectors = shipped_vectors(embedder.model_id)
    if not vectors:
        pytest.skip(f"no vectors are shipped for {embedder.model_id}")
    article = read_sample(name)
    assert article is not None
    texts = texts_to_embed(passages(article), ())
    missing = [text for key, text in texts.items() if key not in vectors]
    assert missing == [], "run `make vectors`"
    some = sorted(texts)[:3]
    fresh = embedder.passages([texts[key] for key in some])
    shipped = np.stack([vectors[key] for key in some])
    assert (fresh * shipped).sum(axis=1).min() > 0.999


def test_vectors_of_another_model_are_none() -> None:
    assert shipped_vectors("another/model") == {}


def test_packing_keeps_what_it_is_given() -> None:
    key = text_id("某句")
    back = unpack(pack({"m": {key: np.array([0.6, 0.8], np.float32)}, "m#query": {key: np.array([1, 0], np.float32)}}))
    assert set(back) == {"m", "m#query"}
    assert np.allclose(back["m"][key], [0.6, 0.8], atol=1e-3)
    assert np.allclose(back["m#query"][key], [1, 0])
