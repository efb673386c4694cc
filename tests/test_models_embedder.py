"""Vectors over an API: in batches, in order, of length 1, of one dimension."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator

import numpy as np
import pytest
from llm_server import Act, LlmServer, vector_of
from model_fixtures import connected

from chathistory.errors import BadModelReply, BudgetSpent, ModelRefused, ModelTimeout, ModelUnreachable
from chathistory.models.dialect import MemoryTraits
from chathistory.models.ledger import Allowance, Meter
from chathistory.models.prefixes import prefixes_of
from chathistory.models.protocols import Embedder
from chathistory.models.remote_embedder import RemoteEmbedder


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


def unit(text: str, dimension: int = 4) -> np.ndarray:
    vector = np.asarray(vector_of(text, dimension), dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_vectors_come_in_order_and_of_length_one(server: LlmServer) -> None:
    texts = [f"第{n}段" for n in range(70)]
    with connected(server) as api:
        embedder = RemoteEmbedder(api, "bge-m3")
        vectors = embedder.passages(texts)
        assert isinstance(embedder, Embedder)
        assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)
        assert np.allclose(embedder.query("问"), unit("问"), atol=1e-6)
        assert embedder.dimension == 4
        assert embedder.passages([]).shape == (0, 4)
    assert max(len(seen.body["input"]) for seen in server.seen) <= 32


def test_a_fault_on_the_way_is_tried_again(server: LlmServer) -> None:
    server.queue = [Act(status=500), Act(status=429, headers={"Retry-After": "0"}), Act(raw=b'{"data": []}')]
    with connected(server) as api:
        assert RemoteEmbedder(api, "m").passages(["一"]).shape == (1, 4)
    assert len(server.seen) == 4


def answer(*items: dict[str, object]) -> bytes:
    return json.dumps({"data": list(items)}).encode()


BASE64 = base64.b64encode(np.array([3, 4], dtype="<f4").tobytes()).decode()


@pytest.mark.parametrize(
    "raw",
    [
        answer({"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [3, 4]}),
        answer({"embedding": [3, 4]}, {"embedding": [0, 1]}),
        answer({"index": 0, "embedding": BASE64}, {"index": 1, "embedding": [0, 1]}),
    ],
)
def test_vectors_are_read_in_every_form(server: LlmServer, raw: bytes) -> None:
    server.queue = [Act(raw=raw)]
    with connected(server) as api:
        assert np.allclose(RemoteEmbedder(api, "m").passages(["一", "二"]), [[0.6, 0.8], [0, 1]])


@pytest.mark.parametrize(
    "raw",
    [
        answer({"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [3, 4]}),
        answer({"index": 0, "embedding": [1, 2]}, {"embedding": [3, 4]}),
        answer({"index": 0, "embedding": "@@@"}, {"index": 1, "embedding": [3, 4]}),
        answer({"index": 0, "embedding": [1, 2]}),
        b'{"data": {"0": [1, 2], "1": [3, 4]}}',
        b"[]",
    ],
)
def test_an_answer_without_a_vector_for_each_text_is_asked_for_again(server: LlmServer, raw: bytes) -> None:
    server.queue = [Act(raw=raw)]
    with connected(server) as api:
        assert RemoteEmbedder(api, "m").passages(["一", "二"]).shape == (2, 4)
    assert len(server.seen) == 2


@pytest.mark.parametrize("message", ["encoding_format is not supported", "bad request"])
def test_a_provider_that_refuses_to_be_told_the_form_is_asked_without_and_that_is_remembered(
    server: LlmServer, message: str
) -> None:
    server.refuses = {"encoding_format": message}
    traits = MemoryTraits()
    with connected(server, traits=traits) as api:
        assert RemoteEmbedder(api, "m").passages(["一"]).shape == (1, 4)
        before = len(server.seen)
        assert RemoteEmbedder(api, "m").passages(["二", "三"]).shape == (2, 4)
    assert len(server.seen) == before + 1


def test_a_request_that_is_refused_either_way_says_so(server: LlmServer) -> None:
    server.otherwise = Act(status=400, error={"message": "input is too long"})
    with connected(server) as api, pytest.raises(BadModelReply, match="too long"):
        RemoteEmbedder(api, "m").passages(["一"])


def test_a_batch_too_large_is_halved_and_that_is_remembered(server: LlmServer) -> None:
    server.largest_batch = 10
    texts = [f"第{n}段" for n in range(40)]
    traits = MemoryTraits()
    with connected(server, traits=traits) as api:
        assert np.allclose(RemoteEmbedder(api, "m").passages(texts), [unit(text) for text in texts], atol=1e-6)
    before = len(server.seen)
    with connected(server, traits=traits) as api:
        RemoteEmbedder(api, "m").passages(texts)
    assert len(server.seen) - before == 5


def test_the_dimension_is_the_first_answers_and_is_remembered(server: LlmServer) -> None:
    traits = MemoryTraits()
    with connected(server, traits=traits) as api:
        embedder = RemoteEmbedder(api, "m", expected=1024)
        assert embedder.note == ""
        assert embedder.dimension == 4
        assert "1024" in embedder.note
    before = len(server.seen)
    with connected(server, traits=traits) as api:
        assert RemoteEmbedder(api, "m").dimension == 4
    assert len(server.seen) == before


def test_another_dimension_later_is_refused_not_mixed(server: LlmServer) -> None:
    with connected(server) as api:
        embedder = RemoteEmbedder(api, "m")
        embedder.query("一")
        server.dimension = 8
        with pytest.raises(BadModelReply, match="8 维"):
            embedder.query("二")


@pytest.mark.parametrize("act", [Act(hang=True), Act(status=429, headers={"Retry-After": "20"})])
def test_a_question_waits_no_longer_than_its_time_for_all_tries(server: LlmServer, act: Act) -> None:
    server.otherwise = act
    with connected(server) as api:
        embedder = RemoteEmbedder(api, "m", query_seconds=0.4)
        start = time.monotonic()
        with pytest.raises(ModelTimeout):
            embedder.query("一")
        assert time.monotonic() - start < 2
        assert [call.outcome for call in api.meter.log.calls if call.outcome != "rate_limited"] in ([], ["timeout"])  # type: ignore[attr-defined]
    assert len(server.seen) == 1


@pytest.mark.parametrize("vectors", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[]]])
def test_vectors_that_are_none_are_refused(server: LlmServer, vectors: list[list[float]]) -> None:
    server.queue = [Act(vectors=vectors)]
    with connected(server) as api, pytest.raises(BadModelReply):
        RemoteEmbedder(api, "m").query("一")


def test_vectors_of_several_lengths_are_refused(server: LlmServer) -> None:
    server.queue = [Act(vectors=[[1.0, 2.0], [1.0]])]
    with connected(server) as api, pytest.raises(BadModelReply, match="长短不一"):
        RemoteEmbedder(api, "m").passages(["一", "二"])


def test_a_wrong_key_and_a_dead_server_are_named(server: LlmServer) -> None:
    with connected(server, key="sk-wrong") as api, pytest.raises(ModelRefused):
        RemoteEmbedder(api, "m").query("一")
    server.otherwise = Act(status=500)
    with connected(server) as api, pytest.raises(ModelUnreachable):
        RemoteEmbedder(api, "m").passages(["一", "二"])
    server.otherwise = Act(status=429, headers={"Retry-After": "3600"})
    with connected(server) as api, pytest.raises(ModelTimeout):
        RemoteEmbedder(api, "m").query("一")


def test_embedding_counts_on_the_days_budget(server: LlmServer) -> None:
    with connected(server, meter=Meter(per_day=Allowance(tokens=10))) as api, pytest.raises(BudgetSpent):
        RemoteEmbedder(api, "m").passages(["字" * 100])
    assert server.seen == []


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", "Instruct: ", ""),
        ("BAAI/bge-large-zh-v1.5", "为这个句子", ""),
        ("BAAI/bge-m3", "", ""),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: ", ""),
        ("text-embedding-3-small", "", ""),
    ],
)
def test_prefixes_by_model(model: str, query: str, passage: str) -> None:
    found = prefixes_of(model)
    assert found.query.startswith(query)
    assert bool(found.query) == bool(query)
    assert found.passage == passage


def test_prefixes_are_sent_and_stand_in_the_models_id(server: LlmServer) -> None:
    with connected(server) as api:
        embedder = RemoteEmbedder(api, "multilingual-e5-small")
        embedder.query("问")
        embedder.passages(["文"])
        assert embedder.model_id.endswith("/multilingual-e5-small#e5")
    assert [seen.body["input"] for seen in server.seen] == [["query: 问"], ["passage: 文"]]
