"""Summonses in the background: bounded, joined, stoppable, and what goes wrong is kept for the page."""

import itertools
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from chathistory.domain import Progress
from chathistory.errors import Ambiguous, ConsentNeeded, NotFound
from chathistory.ui.jobs import Job, JobBoard

Steps = Generator[Progress, None, None]
SECONDS = 20.0


@pytest.fixture
def board() -> JobBoard:
    numbers = itertools.count(1)
    return JobBoard(lambda: f"job{next(numbers)}", workers=2)


def quick(name: str) -> Callable[[], Steps]:
    def steps() -> Steps:
        yield Progress("article", 0, 1, "找")
        yield Progress("done", 1, 1, "来了", name)

    return steps


class Gate:
    """Steps that wait, in the middle, until they are let through."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()
        self.closed = threading.Event()

    def steps(self) -> Steps:
        try:
            yield Progress("article", 0, 1)
            self.reached.set()
            assert self.open.wait(SECONDS)
            yield Progress("extract", 1, 2)
            yield Progress("done", 1, 1, name="甲")
        finally:
            self.closed.set()


def fails(error: Exception) -> Callable[[], Steps]:
    def steps() -> Steps:
        yield Progress("article", 0, 1)
        raise error

    return steps


def ended(board: JobBoard, job: Job) -> Job:
    assert board.wait(job.id, SECONDS)
    found = board.get(job.id)
    assert found is not None
    return found


def test_a_summons_runs_to_its_end_and_arrives_once_in_the_talk_that_asked(board: JobBoard) -> None:
    job = ended(board, board.start("甲", "甲", "talk", quick("甲先生")))
    assert (job.state, job.name) == ("done", "甲先生")
    assert board.arrivals("another") == []
    assert board.arrivals("talk") == ["甲先生"]
    assert board.arrivals("talk") == []
    assert not board.busy()


def test_the_same_figure_is_not_summoned_twice_and_arrives_in_both_talks(board: JobBoard) -> None:
    gate = Gate()
    first = board.start("甲", "甲", "one", gate.steps)
    second = board.start("甲", "甲", "two", fails(AssertionError("started twice")))
    assert first.id == second.id
    gate.open.set()
    ended(board, first)
    assert board.arrivals("one") == board.arrivals("two") == ["甲"]


def test_progress_is_seen_by_every_page_while_it_runs(board: JobBoard) -> None:
    gate = Gate()
    job = board.start("甲", "甲", "one", gate.steps)
    assert gate.reached.wait(SECONDS)
    seen = board.shown("a page that was just loaded")
    assert [one.id for one in seen] == [job.id]
    assert seen[0].progress == Progress("article", 0, 1)
    gate.open.set()
    ended(board, job)
    assert board.shown("one") == []


def test_no_more_than_the_workers_run_at_a_time(board: JobBoard) -> None:
    gates = [Gate() for _ in range(3)]
    jobs = [board.start(str(n), str(n), "t", gate.steps) for n, gate in enumerate(gates)]
    assert gates[0].reached.wait(SECONDS)
    assert gates[1].reached.wait(SECONDS)
    states = sorted(board.get(job.id).state for job in jobs)  # type: ignore[union-attr]
    assert states == ["running", "running", "waiting"]
    for gate in gates:
        gate.open.set()
    assert [ended(board, job).state for job in jobs] == ["done"] * 3


def test_a_stopped_summons_closes_its_steps_and_can_be_tried_again(board: JobBoard) -> None:
    gate = Gate()
    job = board.start("甲", "甲", "t", gate.steps)
    assert gate.reached.wait(SECONDS)
    board.stop(job.id)
    gate.open.set()
    stopped = ended(board, job)
    assert (stopped.state, stopped.error) == ("failed", "Cancelled")
    assert "接着做" in stopped.message
    assert gate.closed.is_set()
    board.retry(job.id)
    assert ended(board, job).state == "done"
    assert board.arrivals("t") == ["甲"]


def test_one_that_still_waits_stops_at_once_and_never_runs(board: JobBoard) -> None:
    gates = [Gate(), Gate()]
    running = [board.start(str(n), str(n), "t", gate.steps) for n, gate in enumerate(gates)]
    waiting = board.start("late", "late", "t", fails(AssertionError("ran after it was stopped")))
    board.stop(waiting.id)
    assert ended(board, waiting).error == "Cancelled"
    for gate in gates:
        gate.open.set()
    for job in running:
        assert ended(board, job).state == "done"


def test_what_went_wrong_is_kept_with_its_candidates_for_the_talk_that_asked(board: JobBoard) -> None:
    job = ended(board, board.start("甲", "甲", "t", fails(Ambiguous("请选一个。", ("甲（诗人）", "甲（将军）")))))
    assert (job.error, job.message, job.candidates) == ("Ambiguous", "请选一个。", ("甲（诗人）", "甲（将军）"))
    assert [one.id for one in board.shown("t")] == [job.id]
    assert board.shown("another") == []
    board.dismiss(job.id)
    assert board.shown("t") == []


def test_a_fault_of_ours_ends_the_job_with_a_message_and_frees_its_place(
    board: JobBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", seen.append)
    jobs = [ended(board, board.start(str(n), str(n), "t", fails(RuntimeError("bug")))) for n in range(3)]
    assert all(job.state == "failed" and "log" in job.message for job in jobs)
    assert ended(board, board.start("甲", "甲", "t", quick("甲"))).state == "done"
    for thread in threading.enumerate():
        if thread.name.startswith("summon-"):
            thread.join(SECONDS)
    assert len(seen) == 3


def test_an_upload_goes_when_it_was_read_or_dismissed_and_stays_for_another_try(
    board: JobBoard, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.touch()
    bad.touch()
    ended(board, board.start("甲", "甲", "t", quick("甲"), str(good), good))
    assert not good.exists()
    job = ended(board, board.start("乙", "乙", "t", fails(NotFound("没有。")), str(bad), bad))
    assert bad.exists()
    board.dismiss(job.id)
    assert not bad.exists()


def test_those_on_their_way_arrive_in_the_talk_that_took_over(board: JobBoard) -> None:
    job = board.start("甲", "甲", "old", quick("甲"))
    board.adopt("old", "new")
    ended(board, job)
    assert board.arrivals("old") == []
    assert board.arrivals("new") == ["甲"]


def test_too_many_at_once_are_refused_with_what_to_do(board: JobBoard) -> None:
    gates = [Gate() for _ in range(12)]
    jobs = [board.start(str(n), str(n), "t", gate.steps) for n, gate in enumerate(gates)]
    refused = ended(board, board.start("late", "late", "t", quick("late")))
    assert (refused.state, refused.error) == ("failed", "Busy")
    assert "再试一次" in refused.message
    for gate in gates:
        gate.open.set()
    for job in jobs:
        ended(board, job)
    board.retry(refused.id)
    assert ended(board, refused).state == "done"


def test_old_jobs_are_forgotten(board: JobBoard) -> None:
    jobs = [ended(board, board.start(str(n), str(n), "t", quick(str(n)))) for n in range(70)]
    assert board.get(jobs[0].id) is None
    assert board.get(jobs[-1].id) is not None


def test_an_active_job_is_neither_dismissed_nor_retried_and_unknown_ids_change_nothing(board: JobBoard) -> None:
    gate = Gate()
    job = board.start("甲", "甲", "t", gate.steps)
    board.dismiss(job.id)
    board.retry(job.id)
    board.stop("nobody")
    board.retry("nobody")
    board.dismiss("nobody")
    assert board.wait("nobody", 0)
    gate.open.set()
    assert ended(board, job).state == "done"


# --- one that must be agreed to ---


class Asking:
    """Steps that ask before they go on, as a summons by model does."""

    def __init__(self) -> None:
        self.agreed = False
        self.runs = 0

    def agree(self) -> None:
        self.agreed = True

    def steps(self) -> Steps:
        self.runs += 1
        yield Progress("article", 0, 1)
        if not self.agreed:
            raise ConsentNeeded("要用大模型读 3 段。")
        yield Progress("done", 1, 1, name="甲")


def asked(board: JobBoard, key: str = "甲", talk: str = "t") -> tuple[Job, Asking]:
    asking = Asking()
    return ended(board, board.start(key, key, talk, asking.steps, agree=asking.agree)), asking


def test_one_that_asks_waits_for_every_page_to_see_and_goes_on_when_agreed_to(board: JobBoard) -> None:
    job, asking = asked(board)
    assert (job.state, job.message, job.error) == ("asking", "要用大模型读 3 段。", "")
    assert [one.id for one in board.shown("a page that was just loaded")] == [job.id]
    assert board.busy()
    assert board.arrivals("t") == []
    assert board.start("甲", "甲", "two", fails(AssertionError("started twice"))).id == job.id
    board.agree(job.id)
    assert ended(board, job).state == "done"
    assert asking.runs == 2
    assert board.arrivals("t") == board.arrivals("two") == ["甲"]


def test_one_that_was_declined_ends_as_cancelled_and_asks_again_when_tried_again(board: JobBoard) -> None:
    job, asking = asked(board)
    board.stop(job.id)
    declined = ended(board, job)
    assert (declined.state, declined.error) == ("failed", "Cancelled")
    assert "没有花" in declined.message
    assert not board.busy()
    board.agree(job.id)  # too late
    assert asking.runs == 1
    board.retry(job.id)
    assert ended(board, job).state == "asking"


def test_those_that_ask_hold_nobody_up(board: JobBoard) -> None:
    asking = [asked(board, str(n))[0] for n in range(15)]
    assert all(job.state == "asking" for job in asking)
    assert ended(board, board.start("甲", "甲", "t", quick("甲"))).state == "done"


def test_one_stopped_on_its_way_to_the_question_does_not_ask(board: JobBoard) -> None:
    gate = Gate()

    def steps() -> Steps:
        gate.reached.set()
        assert gate.open.wait(SECONDS)
        raise ConsentNeeded("要用大模型读 3 段。")
        yield Progress("done", 1, 1)

    job = board.start("甲", "甲", "t", steps)
    assert gate.reached.wait(SECONDS)
    board.stop(job.id)
    gate.open.set()
    assert ended(board, job).error == "Cancelled"


def test_questions_nobody_answers_are_forgotten_with_their_uploads(board: JobBoard, tmp_path: Path) -> None:
    upload = tmp_path / "first.txt"
    upload.touch()
    asking = Asking()
    first = ended(board, board.start("first", "first", "t", asking.steps, str(upload), upload, asking.agree))
    for n in range(70):
        asked(board, str(n))
    assert board.get(first.id) is None
    assert not upload.exists()
