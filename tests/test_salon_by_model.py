"""Summoning by model, from the command line down to a server of ours: asked first, counted, never paid twice."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from llm_server import KEY, Act, LlmServer, Seen

from chathistory.config import load
from chathistory.console import run
from chathistory.console.render import follow
from chathistory.console.spending import Consent
from chathistory.domain import Progress
from chathistory.errors import BudgetSpent, Cancelled
from chathistory.models.cancel import Cancel
from chathistory.salon import Archive, Terms
from chathistory.salon.summoning import summon

ROOT = Path(__file__).resolve().parents[1]
Cli = Callable[..., tuple[int, Any, str]]
COUNT = 12


def passage_number(seen: Seen) -> int:
    """Which paragraph a request is about."""
    last = next(m["content"] for m in reversed(seen.body["messages"]) if "段落：" in m["content"])
    found = re.search(r"江城(\d+)", last.rsplit("段落：", 1)[1])
    assert found
    return int(found.group(1))


def of_passages(decide: Callable[[int], Act]) -> Callable[[Seen], Act | None]:
    """The server's behaviour by the number of the paragraph; embeddings are left alone."""
    return lambda seen: decide(passage_number(seen)) if seen.body.get("messages") else None


def answer(n: int) -> Act:
    said = {"entities": ["李白", f"江城{n}"], "triples": [["李白", "来到", f"江城{n}"], ["他", "写", "诗"]]}
    return Act(text=json.dumps(said, ensure_ascii=False))


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        server.decide = of_passages(answer)
        yield server


@pytest.fixture
def config(server: LlmServer, tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    write(path, server)
    paragraphs = [f"第{n}年春天，李白来到江城{n}，与当地友人同游山水，写下诗篇。" * 3 for n in range(COUNT)]
    (tmp_path / "李白.md").write_text("# 李白\n\n" + "\n\n".join(paragraphs), encoding="utf-8")
    return path


def write(path: Path, server: LlmServer, budget: str = "") -> None:
    path.write_text(
        f"""
[[llm_providers]]
name = "here"
base_url = "{server.url}"
api_key = "{KEY}"
concurrency = 4
price = {{ input = 2.0, output = 8.0 }}
[entity_extract.llm]
provider = "here"
model = "qwen"
[rdf_build.llm]
provider = "here"
model = "qwen"
[embedding]
provider = "here"
model = "bge-m3"
{budget}
""",
        encoding="utf-8",
    )


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], config: Path, tmp_path: Path) -> Cli:
    def call(*argv: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        code = run([*argv, "--config", str(config), "--data", str(tmp_path / "data"), "--json"], ROOT)
        out, err = capsys.readouterr()
        return code, json.loads(out) if out.strip() else None, err

    return call


@pytest.fixture
def archive(config: Path, tmp_path: Path) -> Iterator[Archive]:
    archive = Archive(load(config), tmp_path / "data")
    yield archive
    archive.close()


def source(tmp_path: Path) -> str:
    return str(tmp_path / "李白.md")


def go(archive: Archive, tmp_path: Path, terms: Terms | None = None) -> list[Progress]:
    return list(summon(archive, "李白", source(tmp_path), terms))


def test_without_a_terminal_the_estimate_must_be_agreed_to_beforehand(
    server: LlmServer, cli: Cli, tmp_path: Path
) -> None:
    code, _, err = cli("summon", "李白", "--source", source(tmp_path))
    assert code == 2
    assert "--yes" in err
    assert server.chats == []
    code, out, err = cli("summon", "李白", "--source", source(tmp_path), "--yes")
    assert code == 0
    embeddings = len(server.seen) - len(server.chats)
    assert err.count(f"读 {out['passages']} 段") == 1
    assert f"约 {out['passages'] + embeddings} 次调用" in err
    assert "CNY" in err
    assert len(server.chats) == out["passages"]
    assert out["facts"] >= out["passages"]


def test_the_estimate_is_told_once_in_lines_of_progress(
    archive: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    consent = Consent(yes=True)
    follow(summon(archive, "李白", source(tmp_path), Terms(consent)), consent=consent)
    told = capsys.readouterr()
    assert (told.out + told.err).count("要用大模型读") == 1


def test_usage_tells_what_it_took(cli: Cli, tmp_path: Path) -> None:
    assert cli("usage")[1]["total"]["calls"] == 0
    _, summoned, _ = cli("summon", "李白", "--source", source(tmp_path), "--yes")
    code, used, _ = cli("usage")
    assert code == 0
    n = summoned["passages"]
    assert used["today"] == used["total"]
    assert [row["key"] for row in used["by_task"]] == ["embed", "extract"]
    assert [row["key"] for row in used["by_model"]] == ["here / bge-m3", "here / qwen"]
    extract = used["by_task"][1]
    assert (extract["calls"], extract["failed"]) == (n, 0)
    assert (extract["tokens_in"], extract["tokens_out"]) == (11 * n, 7 * n)
    assert extract["cost"] == pytest.approx(n * (11 * 2 + 7 * 8) / 1e6)


def test_usage_speaks_to_people_too(cli: Cli, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = ["--config", str(config), "--data", str(tmp_path / "data")]
    assert run(["usage", *plain], ROOT) == 0
    assert "还没有调用过" in capsys.readouterr().out
    cli("summon", "李白", "--source", source(tmp_path), "--yes")
    run(["usage", *plain], ROOT)
    out = capsys.readouterr().out
    assert "here / qwen" in out
    assert "CNY" in out


def test_a_second_run_asks_nothing(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    go(archive, tmp_path)
    before = len(server.chats)
    terms = Terms(confirm=lambda estimate: pytest.fail("nothing to confirm"))
    assert go(archive, tmp_path, terms)[-1].stage == "done"
    assert list(summon(archive, "李白"))[-1].stage == "done"
    assert len(server.chats) == before


def test_no_is_no(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(Cancelled, match="同意"):
        go(archive, tmp_path, Terms(confirm=lambda estimate: False))
    assert server.chats == []


def test_what_cannot_be_read_is_set_aside_shown_and_read_again_when_asked(
    server: LlmServer, cli: Cli, tmp_path: Path
) -> None:
    sick = True

    def decide(n: int) -> Act:
        return Act(text="这一段我不想读") if sick and n == 3 else answer(n)

    server.decide = of_passages(decide)
    code, out, _ = cli("summon", "李白", "--source", source(tmp_path), "--yes")
    assert code == 0
    calls = len(server.chats)
    code, found, _ = cli("doctor")
    [check] = [check for check in found["checks"] if check["name"] == "搁置 李白"]
    assert code == 1
    assert not check["ok"]
    assert "不想读" in check["detail"]
    assert "--retry-failed" in check["detail"]
    assert cli("summon", "李白", "--yes")[0] == 0
    assert len(server.chats) == calls
    sick = False
    assert cli("summon", "李白", "--yes", "--retry-failed")[0] == 0
    assert len(server.chats) == calls + 1
    assert not [check for check in cli("doctor")[1]["checks"] if check["name"].startswith("搁置")]
    assert out["passages"] == cli("list")[1][0]["passages"]


def test_what_was_dropped_is_counted_for_the_user(archive: Archive, tmp_path: Path) -> None:
    last = go(archive, tmp_path)[-1]
    assert f"丢弃了 {last.total} 条（代词 {last.total}）" in last.message


def test_a_spent_budget_stops_cleanly_and_a_larger_one_goes_on(server: LlmServer, config: Path, tmp_path: Path) -> None:
    write(config, server, "[budget]\nsummon_tokens = 2300\n")
    first = Archive(load(config), tmp_path / "data")
    with pytest.raises(BudgetSpent, match="summon_tokens"):
        go(first, tmp_path)
    first.close()
    done = len(server.chats)
    assert 0 < done < COUNT
    write(config, server)
    second = Archive(load(config), tmp_path / "data")
    total = go(second, tmp_path)[-1].total
    second.close()
    assert len(server.chats) == total


def test_stopping_keeps_what_was_read(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    def decide(n: int) -> Act:
        return Act(hang=True) if n >= 6 else answer(n)

    server.decide = of_passages(decide)
    cancel = Cancel()
    start = 0.0
    with pytest.raises(Cancelled):
        for step in summon(archive, "李白", source(tmp_path), Terms(cancel=cancel)):
            if step.stage == "extract" and "等模型" in step.message:
                start = time.monotonic()
                cancel.set()
    assert time.monotonic() - start < 2
    server.decide = of_passages(answer)
    asked = Counter(passage_number(seen) for seen in server.chats)
    go(archive, tmp_path)
    again = Counter(passage_number(seen) for seen in server.chats) - asked
    assert all(n >= 6 for n in again)


def test_kill_minus_nine_repeats_at_most_the_calls_in_flight(
    server: LlmServer, config: Path, tmp_path: Path, archive: Archive
) -> None:
    finished: Counter[int] = Counter()

    def decide(n: int) -> Act:
        if sum(finished.values()) >= 5 and not killed:
            return Act(hang=True)
        finished[n] += 1
        return answer(n)

    killed = False
    server.decide = of_passages(decide)
    program = [sys.executable, str(ROOT / "main.py"), "summon", "李白", "--source", source(tmp_path), "--yes"]
    program += ["--config", str(config), "--data", str(tmp_path / "data")]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)
    end = time.monotonic() + 120
    while time.monotonic() < end and sum(seen.answered for seen in server.chats) < 5:
        time.sleep(0.02)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert sum(finished.values()) == 5
    killed = True
    go(archive, tmp_path)
    assert set(finished) == set(range(len(finished)))
    assert sum(times - 1 for times in finished.values()) <= 4


def test_two_models_and_an_embedder_over_the_api(server: LlmServer, config: Path, tmp_path: Path) -> None:
    text = config.read_text(encoding="utf-8").replace('model = "qwen"', 'model = "second"', 1)
    config.write_text(text, encoding="utf-8")
    archive = Archive(load(config), tmp_path / "data")
    last = go(archive, tmp_path)[-1]
    tasks = Counter(row.key for row in archive.calls.usage("task") for _ in range(row.spent.calls))
    assert tasks["entities"] == tasks["facts"] == last.total
    assert tasks["embed"] > 0
    assert archive.embedder.dimension == 4
    archive.close()
