"""The PageRank benchmark keeps its contract and measures the graphs it says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import pagerank as bench
from benchmarks import pagerank_peers as peers
from benchmarks.pagerank_graphs import barabasi_albert, barabasi_case, musique_case, sparse_reset


def openie(folder: Path) -> Path:
    docs = [
        {"extracted_triples": [["甲", "知", f"e{i}"], [f"e{i}", "在", f"e{i + 1}"], ["not", "a triple"]]}
        for i in range(60)
    ]
    file = folder / "openie.json"
    file.write_text(json.dumps({"docs": docs}), encoding="utf-8")
    return file


def test_the_json_is_one_object_with_a_row_for_each_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "SEED_FOLDER", tmp_path / "none")
    monkeypatch.setattr(peers, "PEERS", peers.PEERS[:3])
    monkeypatch.setattr(bench, "RANKING_RESETS", 2)
    assert bench.main(["--json", "--sizes", "2000", "--openie", str(openie(tmp_path))]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert {row["graph"] for row in told["rows"]} == {"musique", "ba-2k"}
    for row in told["rows"]:
        assert set(row) == {"graph", "kernel", "ms_median", "l1_error", "top20_same"}
        assert row["ms_median"] > 0
        assert row["l1_error"] < 1e-6
        assert row["top20_same"] is True
    assert all(row["proven"] >= 0.5 for row in told["ranking"])
    assert "quick_algo (PyPI): missing" in printed.err


def test_the_table_tells_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        peers, "PEERS", (*peers.PEERS[:1], peers.Peer("nobody", "no_such_module", peers.PEERS[0].prepare))
    )
    monkeypatch.setattr(bench, "RANKING_RESETS", 2)
    assert bench.main(["--sizes", "1000", "--openie", str(tmp_path / "none"), "--dense"]) == 0
    printed = capsys.readouterr()
    assert "ba-1k" in printed.out
    assert "nobody: missing; pip install -e '.[bench]'" in printed.err
    assert "musique: no such file" in printed.err


def test_the_generator_makes_the_degrees_it_says() -> None:
    graph = barabasi_albert(20_000, 3)
    assert graph.symmetric
    assert 19.5 < graph.nnz / graph.n < 20.0
    assert (graph.weights == 1.0).all()
    assert not graph.matrix.diagonal().any()
    assert graph.lengths.min() >= 8
    # preferential attachment: a heavy tail, hubs among the first
    assert graph.degree.max() > 30 * graph.degree.mean()
    assert graph.degree[:100].mean() > 10 * graph.degree.mean()
    assert np.array_equal(graph.indices, barabasi_albert(20_000, 3).indices)
    assert not np.array_equal(graph.indices, barabasi_albert(20_000, 4).indices)


def test_resets_are_those_of_recall(tmp_path: Path) -> None:
    case = barabasi_case(3000, 1, dense=False)
    assert np.count_nonzero(case.reset) == 55
    assert case.reset.sum() == pytest.approx(1.0)
    assert case.reset[~case.passages].sum() == pytest.approx(0.13)
    assert (barabasi_case(3000, 1, dense=True).reset > 0).all()
    ids, weights = sparse_reset(case.passages, np.random.default_rng(0))
    assert len(set(ids.tolist())) == len(weights) == 55
    told = musique_case(openie(tmp_path), 1, dense=False)
    # 62 entities, 60 passages; each passage knows 甲 and two others
    assert told.graph.n == 122
    assert told.graph.degree[told.passages].tolist() == [3.0] * 60


@pytest.mark.parametrize("peer", [peer for peer in peers.PEERS if peer.installed], ids=lambda peer: peer.name)
@pytest.mark.filterwarnings("ignore")
def test_every_installed_peer_computes_the_same_vector(peer: peers.Peer) -> None:
    case = barabasi_case(1500, 2, dense=False)
    assert np.abs(peer.prepare(case)() - peers.reference(case)).sum() < 1e-4
