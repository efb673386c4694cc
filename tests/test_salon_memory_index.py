"""Another embedding model: the old memory serves until the new one is whole; no model, and words serve."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from embedding_support import COUNT, embedded_texts, go, opened, write_config
from llm_server import Act, LlmServer
from sqlalchemy import delete, select

from chathistory.console import run
from chathistory.domain import Failed, Finished
from chathistory.errors import BadModelReply, BudgetSpent, ModelError, ModelTimeout, ModelUnreachable
from chathistory.knowledge import recall
from chathistory.models.embedded import HashingEmbedder
from chathistory.models.protocols import Vectors
from chathistory.models.remote_embedder import RemoteEmbedder
from chathistory.salon import Archive, Salon
from chathistory.salon.remembering_embedder import RememberingEmbedder, paid
from chathistory.salon.summoning import summon
from chathistory.store.schema import vector
from chathistory.testing import HashEmbedder

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "李白，您在江城7和谁同游？"


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


class Counted(HashEmbedder):
    """An embedder on this machine that keeps the stored texts it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return super().passages(texts)


def seated(archive: Archive) -> Salon:
    salon = Salon(archive)
    salon.join("李白")
    return salon


def said(salon: Salon, line: str = QUESTION) -> list[str]:
    events = list(salon.say(line, max_round=1))
    assert not [event for event in events if isinstance(event, Failed)]
    return [event.utterance.text for event in events if isinstance(event, Finished)]


def asked_of(server: LlmServer, model: str) -> int:
    return sum(seen.body.get("model") == model for seen in server.seen)


def test_an_old_model_of_a_provider_serves_until_the_new_one_is_whole(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()

    archive = opened(write_config(tmp_path, server, "new"))
    salon = seated(archive)
    assert "old" in salon.notes["李白"]
    assert "summon 李白" in salon.notes["李白"]
    assert "new" in salon.notes["李白"]
    before = asked_of(server, "old")
    assert said(salon)
    assert asked_of(server, "old") == before + 1
    texts_of_new = embedded_texts(server, "new")
    assert sum(texts_of_new.values()) <= 12, "at most the sentences that a speaker weighs"

    progress = [step for step in summon(archive, "李白") if step.stage == "embed"]
    assert progress[-1].done == progress[-1].total >= COUNT
    assert salon.notes, "whoever is seated keeps the old memory until he is spoken to again"
    before = asked_of(server, "old")
    assert said(salon, "李白，您在江城9和谁同游？")
    assert not salon.notes
    assert asked_of(server, "old") == before
    assert max(embedded_texts(server, "new").values()) == 1
    archive.close()


def test_the_command_line_says_whose_memory_is_old(
    server: LlmServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    config = write_config(tmp_path, server, "new")
    where = ["--config", str(config), "--data", str(tmp_path / "data"), "--json"]
    assert run(["say", QUESTION, "--with", "李白", "--max-round", "1", *where], ROOT) == 0
    out, err = capsys.readouterr()
    assert '"utterance"' in out
    assert "summon 李白" in err


def test_what_was_embedded_here_serves_where_an_api_is_chosen(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, embedded=True)
    archive = opened(config)
    go(archive, config)
    here = archive.embedder.model_id
    archive.close()
    server.otherwise = Act(status=500)
    archive = opened(write_config(tmp_path, server, "new"))
    salon = seated(archive)
    assert here in salon.notes["李白"]
    assert "江城7" in said(salon)[0]
    archive.close()


def test_an_interrupted_change_goes_on_and_the_old_memory_serves_meanwhile(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    archive = opened(write_config(tmp_path, server, "new", budget="[budget]\nsummon_tokens = 400"))
    with pytest.raises(BudgetSpent):
        list(summon(archive, "李白"))
    half = sum(embedded_texts(server, "new").values())
    assert 0 < half < 2 * COUNT
    assert "old" in seated(archive).notes["李白"]
    archive.close()
    archive = opened(write_config(tmp_path, server, "new"))
    list(summon(archive, "李白"))
    assert max(embedded_texts(server, "new").values()) == 1
    assert not seated(archive).notes
    archive.close()


def test_words_vectors_of_this_machine_serve_where_a_better_embedder_was_installed(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    archive = opened(config)
    archive._makers = replace(archive.makers, embedder=HashingEmbedder())
    go(archive, config)
    archive.close()
    archive = opened(config)
    archive._makers = replace(archive.makers, embedder=HashEmbedder())
    salon = seated(archive)
    assert HashingEmbedder().model_id in salon.notes["李白"]
    assert "江城7" in said(salon)[0]
    archive.close()


def test_a_login_never_embeds_for_long_on_this_machine(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    here = Counted()
    archive = opened(write_config(tmp_path, None))
    archive._makers = replace(archive.makers, embedder=here)
    salon = seated(archive)
    assert here.embedded == []
    assert "字词" in salon.notes["李白"]
    assert said(salon)
    progress = [step for step in summon(archive, "李白") if step.stage == "embed"]
    assert len(progress) > 2
    salon.join("李白")
    assert not salon.notes
    assert len(here.embedded) == len(set(here.embedded)) >= COUNT
    archive.close()


def test_a_few_missing_vectors_are_made_at_login_on_this_machine(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    here = Counted()
    archive = opened(config)
    archive._makers = replace(archive.makers, embedder=here)
    go(archive, config)
    here.embedded.clear()
    with archive.database.write() as connection:
        connection.execute(delete(vector).where(vector.c.id.in_(select(vector.c.id).limit(3))))
    assert not seated(archive).notes
    assert len(here.embedded) == 3
    archive.close()


def test_kill_minus_nine_in_the_middle_of_a_change_repeats_at_most_what_was_in_flight(
    server: LlmServer, tmp_path: Path
) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    config = write_config(tmp_path, server, "new")
    server.decide = lambda seen: Act(hang=True) if asked_of(server, "new") > 3 else None
    program = [sys.executable, str(ROOT / "main.py"), "summon", "李白", "--yes", "--config", str(config)]
    program += ["--data", str(tmp_path / "data")]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)
    end = time.monotonic() + 120
    while time.monotonic() < end and asked_of(server, "new") < 5:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    half = embedded_texts(server, "new")
    assert 0 < len(half) < 2 * COUNT
    server.decide = None
    archive = opened(config)
    salon = seated(archive)
    assert "old" in salon.notes["李白"]
    assert said(salon)
    list(summon(archive, "李白"))
    assert max(embedded_texts(server, "new").values()) == 1
    salon.join("李白")
    assert not salon.notes, "seated anew, he has the new memory at once"
    archive.close()


def test_two_models_lie_side_by_side_each_with_its_own_dimension_and_calibration(
    server: LlmServer, tmp_path: Path
) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    server.dimension = 6
    archive = opened(write_config(tmp_path, server, "multilingual-e5-new"))
    list(summon(archive, "李白"))
    models = archive.vectors.models()
    by_dimension = {name.split("/", 1)[1]: size for name, (size, _) in models.items()}
    assert by_dimension["old"] == by_dimension["old#query"] == 4
    assert by_dimension["multilingual-e5-new#e5"] == by_dimension["multilingual-e5-new#e5#query"] == 6
    assert archive.load("李白").index.centre.shape == (6,)
    archive.close()
    before = len(server.seen)
    server.dimension = 4
    archive = opened(write_config(tmp_path, server, "old"))
    assert list(summon(archive, "李白"))[-1].stage == "done"
    assert len(server.seen) == before, "going back to the old model costs nothing"
    assert archive.load("李白").index.centre.shape == (4,)
    archive.close()


def test_a_model_that_changes_its_dimension_under_its_name_is_not_mixed_in(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "bge-m3")
    archive = opened(config)
    go(archive, config)
    salon = seated(archive)
    server.dimension = 8
    found = salon.recall("李白", QUESTION)
    assert "字词" in found.note
    assert said(salon)
    archive.close()


def test_without_any_model_words_and_facts_serve(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "old")
    archive = opened(config)
    go(archive, config)
    archive.close()
    with LlmServer() as other:
        archive = opened(write_config(tmp_path, other, "new"))
        salon = seated(archive)
        assert "字词" in salon.notes["李白"]
        found = salon.recall("李白", QUESTION)
        assert "字词" in found.note
        assert "江城7" in found.recollections[0].passage.text
        assert said(salon)
        archive.close()


def test_a_model_that_does_not_answer_leaves_words_and_facts(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, "bge-m3")
    archive = opened(config)
    go(archive, config)
    salon = seated(archive)
    server.otherwise = Act(status=401, error={"message": "no"})
    found = salon.recall("李白", QUESTION)
    assert "只按字词和事实检索" in found.note
    assert "江城7" in found.recollections[0].passage.text
    before = len(server.seen)
    assert said(salon, "李白，您在江城8和谁同游？")
    assert len(server.seen) - before <= 2, "the question and the sentences once each, not once a persona"
    server.otherwise = Act()
    assert "只按字词" not in salon.recall("李白", "您在江城5写下什么？").note
    archive.close()


class Dead:
    """An embedder that never answers, with the error it is told to raise."""

    model_id, dimension, note = "dead", 4, ""

    def __init__(self, error: ModelError) -> None:
        self.error = error
        self.asked = 0

    def query(self, text: str) -> np.ndarray:
        self.asked += 1
        raise self.error

    def passages(self, texts: list[str]) -> np.ndarray:
        self.asked += 1
        raise self.error


@pytest.mark.parametrize("error", [ModelTimeout("late"), ModelUnreachable("gone")])
def test_a_model_that_keeps_one_waiting_is_asked_nothing_for_half_a_minute(error: ModelError) -> None:
    now = [0.0]
    dead = Dead(error)
    embedder = RememberingEmbedder(dead, now=lambda: now[0])
    for seconds, times in ((0.0, 1), (29.0, 1), (31.0, 2)):
        now[0] = seconds
        for text in ("问", "另一问"):
            with pytest.raises(type(error)):
                embedder.query(text)
        with pytest.raises(type(error)):
            embedder.passages(["句"])
        assert dead.asked == times


def test_a_question_that_was_refused_is_not_tried_again_at_once_others_are() -> None:
    dead = Dead(BadModelReply("not this text"))
    embedder = RememberingEmbedder(dead, now=lambda: 0.0)
    for text, times in (("问", 1), ("问", 1), ("另一问", 2)):
        with pytest.raises(BadModelReply):
            embedder.query(text)
        assert dead.asked == times


def test_a_hanging_model_holds_a_talk_up_once_whatever_is_asked(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server)
    archive = opened(config)
    go(archive, config)
    remote = paid(archive.embedder)
    assert isinstance(remote, RemoteEmbedder)
    remote.query_seconds = 0.5
    salon = seated(archive)
    server.otherwise = Act(hang=True)
    start = time.monotonic()
    for line in (QUESTION, "李白，您在江城8写下什么？", "您在江城9呢？"):
        assert said(salon, line)
    assert time.monotonic() - start < 3
    assert "字词" in salon.recall("李白", QUESTION).note
    archive.close()


def test_words_alone_do_not_claim_to_know_what_is_told_in_other_words() -> None:
    from knowledge_support import memory

    dead = Dead(ModelTimeout("no answer"))
    index = memory()
    plain = recall(index, "刘备拜谁为师？", 3, embedder=dead)
    assert plain.recollections
    assert not recall(index, "谁教过你手艺？", 3, embedder=dead).confident
