"""Summonses in the background: few at a time, visible after a reload, and never touching Streamlit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from chathistory.domain import Progress
from chathistory.errors import Cancelled, ChatHistoryError, ConsentNeeded

_log = logging.getLogger(__name__)
State = Literal["waiting", "running", "asking", "done", "failed"]
Steps = Callable[[], Generator[Progress, None, None]]
_AT_WORK = ("waiting", "running")
_STOPPED = "停下了；做完的都存着，再试一次会接着做。"
_DECLINED = "没有召：什么也没有花。读过的都存着，想好了再试一次。"
_WORKERS = 2
_MOST_ACTIVE = 12
_MOST_KEPT = 60


@dataclass(frozen=True, slots=True)
class Job:
    """One summons as it stands; ``error`` is the class name of what went wrong, '' where nothing did.

    One that is 'asking' stands still until somebody agrees to what ``message`` says it will cost; no thread waits.
    """

    id: str
    key: str
    label: str
    source: str | None
    state: State = "waiting"
    progress: Progress | None = None
    name: str = ""
    error: str = ""
    message: str = ""
    candidates: tuple[str, ...] = ()
    talks: frozenset[str] = frozenset()
    upload: Path | None = None

    @property
    def active(self) -> bool:
        """Whether it has not ended."""
        return self.at_work or self.state == "asking"

    @property
    def at_work(self) -> bool:
        """Whether it waits for its turn or runs."""
        return self.state in _AT_WORK


@dataclass(eq=False)
class _Run:
    steps: Steps
    agree: Callable[[], None]
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def anew(self) -> _Run:
        """Return another run of the same steps."""
        return _Run(self.steps, self.agree)


class JobBoard:
    """All summonses of one archive. Safe to share between sessions.

    Each job has a daemon thread, so that leaving the program never waits for a slow page; a semaphore lets ``workers``
    of them run at a time.
    """

    def __init__(self, new_id: Callable[[], str], workers: int = _WORKERS) -> None:
        self._new_id = new_id
        self._slots = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._runs: dict[str, _Run] = {}

    def start(
        self,
        key: str,
        label: str,
        talk: str,
        steps: Steps,
        source: str | None = None,
        upload: Path | None = None,
        agree: Callable[[], None] = lambda: None,
    ) -> Job:
        """Start a summons for a talk, or join the talk to the one that is on its way under the same key.

        Parameters
        ----------
        key
            What makes two summonses the same one, a figure's canonical name or its folded form.
        label
            The name to show until the article tells the canonical one.
        steps
            Makes the iterator of progress; called and run in the job's thread. Where it raises ConsentNeeded, the job
            is asking.
        source, upload
            Where it is read from; an uploaded file is deleted when the job is done or dismissed.
        agree
            Called before the steps are made again because somebody agreed to what they asked.
        """
        with self._lock:
            same = next((job for job in self._jobs.values() if job.active and job.key == key), None)
            if same is not None:
                return self._put(replace(same, talks=same.talks | {talk}))
            active = sum(job.at_work for job in self._jobs.values())
            job = Job(self._new_id(), key, label, source, talks=frozenset([talk]), upload=upload)
            self._runs[job.id] = _Run(steps, agree)
            self._trim()
            if active >= _MOST_ACTIVE:
                self._runs[job.id].ended.set()
                message = f"已有 {active} 个人在路上了。等他们到了，再点“再试一次”。"
                return self._put(replace(job, state="failed", error="Busy", message=message))
            self._put(job)
        self._launch(job.id)
        return job

    def retry(self, job_id: str) -> None:
        """Run a failed or stopped job again; it goes on from where it stopped."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.active:
                return
            self._again(job)
        self._launch(job_id)

    def agree(self, job_id: str) -> None:
        """Let a job that asks go on: somebody agreed to what it will cost."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.state != "asking":
                return
            self._runs[job_id].agree()
            self._again(job)
        self._launch(job_id)

    def stop(self, job_id: str) -> None:
        """Ask a job to stop at its next step; one that still waits or asks stops at once."""
        with self._lock:
            run, job = self._runs.get(job_id), self._jobs.get(job_id)
            if run is None or job is None:
                return
            run.stop.set()
            if job.state == "waiting":
                self._end(job, run, Cancelled(_STOPPED))
            elif job.state == "asking":
                self._end(job, run, Cancelled(_DECLINED))

    def dismiss(self, job_id: str, *, keep_upload: bool = False) -> None:
        """Forget a job that has ended."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.active:
                return
            del self._jobs[job_id], self._runs[job_id]
        if job.upload is not None and not keep_upload:
            job.upload.unlink(missing_ok=True)

    def adopt(self, old_talk: str, new_talk: str) -> None:
        """Let those who are on their way to one talk arrive in another."""
        with self._lock:
            for job in list(self._jobs.values()):
                if old_talk in job.talks:
                    self._put(replace(job, talks=job.talks - {old_talk} | {new_talk}))

    def arrivals(self, talk: str) -> list[str]:
        """Return the names of those who have come for a talk since the last call, in order."""
        with self._lock:
            came = [job for job in self._jobs.values() if job.state == "done" and talk in job.talks]
            for job in came:
                self._put(replace(job, talks=job.talks - {talk}))
            return [job.name or job.label for job in came]

    def shown(self, talk: str) -> list[Job]:
        """Return what a talk's page shows: every job on its way, and the talk's own that failed."""
        with self._lock:
            return [job for job in self._jobs.values() if job.active or (job.state == "failed" and talk in job.talks)]

    def busy(self) -> bool:
        """Whether anybody is on the way."""
        with self._lock:
            return any(job.active for job in self._jobs.values())

    def get(self, job_id: str) -> Job | None:
        """Return a job, or None when it is forgotten."""
        with self._lock:
            return self._jobs.get(job_id)

    def wait(self, job_id: str, seconds: float) -> bool:
        """Wait until a job has ended; False when the time is over first."""
        with self._lock:
            run = self._runs.get(job_id)
        return run is None or run.ended.wait(seconds)

    def _again(self, job: Job) -> None:
        """Put a job that stands still back among those that wait; the lock is held."""
        self._runs[job.id] = self._runs[job.id].anew()
        self._put(replace(job, state="waiting", progress=None, error="", message="", candidates=()))

    def _launch(self, job_id: str) -> None:
        threading.Thread(target=self._work, args=(job_id,), name=f"summon-{job_id}", daemon=True).start()

    def _work(self, job_id: str) -> None:
        with self._slots:
            with self._lock:
                job, run = self._jobs.get(job_id), self._runs.get(job_id)
                if job is None or run is None or job.state != "waiting":
                    return
                self._put(replace(job, state="running"))
            fault = ChatHistoryError("程序出错了，详情在 data/log/ 里。请再试一次；还不行，请把那一段日志告诉我们。")
            outcome: ChatHistoryError | None = fault
            try:
                self._follow(job_id, run)
                outcome = None
            except ChatHistoryError as error:
                outcome = error
            finally:
                if outcome is fault:
                    _log.error("summons of %r broke", job.label, exc_info=True)
                with self._lock:
                    self._rest(self._jobs[job_id], run, outcome)

    def _follow(self, job_id: str, run: _Run) -> None:
        with closing(run.steps()) as steps:
            for step in steps:
                with self._lock:
                    job = self._jobs[job_id]
                    self._put(replace(job, progress=step, name=step.name or job.name))
                if run.stop.is_set() and step.stage != "done":
                    raise Cancelled(_STOPPED)

    def _rest(self, job: Job, run: _Run, error: ChatHistoryError | None) -> None:
        """Write down that a job asks, or how it ended; the lock is held."""
        if not isinstance(error, ConsentNeeded):
            self._end(job, run, error)
        elif run.stop.is_set():
            self._end(job, run, Cancelled(_STOPPED))
        else:
            self._put(replace(job, state="asking", message=str(error)))
            run.ended.set()

    def _end(self, job: Job, run: _Run, error: ChatHistoryError | None) -> None:
        """Write down how a job ended; the lock is held."""
        if error is None:
            self._put(replace(job, state="done"))
            if job.upload is not None:
                job.upload.unlink(missing_ok=True)
        else:
            _log.info("summons of %r ended: %s", job.label, type(error).__name__)
            candidates = tuple(getattr(error, "candidates", ()))
            name, message = type(error).__name__, str(error)
            self._put(replace(job, state="failed", error=name, message=message, candidates=candidates))
        run.ended.set()

    def _put(self, job: Job) -> Job:
        self._jobs[job.id] = job
        return job

    def _trim(self) -> None:
        """Forget the oldest that ended or that nobody answered, their uploads too; the lock is held."""
        still = [job for job in self._jobs.values() if not job.at_work]
        for job in still[: max(0, len(self._jobs) - _MOST_KEPT)]:
            del self._jobs[job.id], self._runs[job.id]
            if job.upload is not None:
                job.upload.unlink(missing_ok=True)
