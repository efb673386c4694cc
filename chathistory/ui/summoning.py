"""Asking for somebody, and watching those who are on their way."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path, PurePath
from typing import Protocol

import streamlit as st

from chathistory.domain import Progress
from chathistory.errors import ChatHistoryError, UnreadableFile
from chathistory.salon import Terms
from chathistory.salon.summoning import summon_for
from chathistory.store import write_atomically
from chathistory.text import name_key
from chathistory.ui.consent import Consent
from chathistory.ui.jobs import Job
from chathistory.ui.plain import clipped, plain
from chathistory.ui.visit import Visit

SOURCES = {"auto": "自动", "sample": "自带样本", "wikipedia": "维基百科", "baike": "百度百科", "file": "文件"}
FILE_KINDS = ("txt", "md", "html", "htm", "json")
STAGES = {
    "article": "寻访",
    "passages": "整理",
    "extract": "读出人地事",
    "embed": "记住",
    "graph": "织成记忆",
    "done": "到了",
}
_SHARE = {
    "article": (0.0, 0.1),
    "passages": (0.1, 0.12),
    "extract": (0.12, 0.4),
    "embed": (0.4, 0.95),
    "graph": (0.95, 1.0),
    "done": (1.0, 1.0),
}
_MOST_CANDIDATES = 12
_MOMENT = 0.4
"""Seconds to wait for a summons that ends at once (a blacklisted name, a figure who is there), so that no page is
drawn for it that the next second would redraw."""


class Upload(Protocol):
    """A file as the browser sent it."""

    name: str

    def getvalue(self) -> bytes:
        """Return its bytes."""
        ...


def ask_for(visit: Visit, name: str, source: str = "auto", upload: Upload | None = None) -> Job | None:
    """Start a summons in the background for this visit's talk.

    ``name`` may be empty where a file is given; the file's name is taken then. A file wins over the source.
    """
    stored = None
    if upload is not None:
        name = name.strip() or PurePath(upload.name).stem
        try:
            stored = _store(visit, upload)
        except ChatHistoryError as error:
            visit.warnings.append(str(error))
            return None
    elif source == "file":
        visit.warnings.append("请先选一个文件（.txt、.md、.html 或 .json），再点“召来”。")
        return None
    return start(visit, name.strip(), str(stored) if stored else archive_source(source), stored)


def archive_source(source: str) -> str | None:
    """Return the source as a summons takes it: None lets what is stored be used again."""
    return None if source == "auto" else source


def start(visit: Visit, name: str, source: str | None, upload: Path | None = None) -> Job:
    """Start (or join) the summons of a name from a source as ``summon`` takes it.

    Where models are to be paid for it, it stands still as asking until somebody agrees.
    """
    archive, address = visit.salon.archive, visit.address
    known = archive.find(name) if name else None
    key = known.name if known is not None else name_key(name)
    consent = Consent()

    def steps() -> Generator[Progress, None, None]:
        return summon_for(archive, name, source, address, Terms(consent))

    board = visit.house.board
    job = board.start(key, name or "（没有名字）", visit.salon.talk_id, steps, source, upload, consent.agree)
    board.wait(job.id, _MOMENT)
    return job


def _store(visit: Visit, upload: Upload) -> Path:
    """Keep an uploaded file where a summons can read it; its name is ours, only the kind is taken over."""
    kind = PurePath(upload.name).suffix.lower().lstrip(".")
    if kind not in FILE_KINDS:
        raise UnreadableFile(f"不认得这种文件：{clipped(upload.name, 60)}。请给 .txt、.md、.html 或 .json。")
    path = visit.salon.archive.data_dir / "uploads" / f"{visit.salon.archive.new_id()}.{kind}"
    write_atomically(path, upload.getvalue())
    return path


def receive(visit: Visit) -> bool:
    """Seat those who have come; True when somebody did."""
    came = visit.house.board.arrivals(visit.salon.talk_id)
    for name in came:
        try:
            with visit.turn:
                visit.toasts.append(f"{visit.salon.join(name)}入座了。")
        except ChatHistoryError as error:
            visit.warnings.append(str(error))
    return bool(came)


def watch(visit: Visit) -> None:
    """Draw who is on the way, once a second as long as anybody is; seat those who come."""
    every = 1.0 if visit.house.board.busy() else None
    st.fragment(_watch, run_every=every)(visit, every is not None)


def _watch(visit: Visit, polling: bool) -> None:
    if receive(visit) or polling != visit.house.board.busy():
        st.rerun()
    for job in visit.house.board.shown(visit.salon.talk_id):
        if job.state == "asking":
            _asks(visit, job)
        elif job.active:
            _on_the_way(visit, job)
        else:
            _failed(visit, job)


def share_done(progress: Progress | None) -> float:
    """Return how far a summons is, 0..1; the stages' shares are typical, only their order is certain."""
    if progress is None:
        return 0.0
    low, high = _SHARE[progress.stage]
    return low + (high - low) * (min(progress.done, progress.total) / progress.total if progress.total else 0.0)


def progress_text(job: Job) -> str:
    """Return a summons in words: stage and count."""
    if job.progress is None:
        return "正在排队……" if job.state == "waiting" else "动身了……"
    step = job.progress
    count = f" {step.done}/{step.total}" if step.total > 1 else ""
    return f"{STAGES[step.stage]}{count}"


def _on_the_way(visit: Visit, job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"ui_job_{job.id}"):
        st.progress(share_done(job.progress), text=f"**{plain(job.name or job.label)}** · {plain(progress_text(job))}")
        st.button(
            "",
            icon=":material/stop_circle:",
            help="停下",
            key=f"ui_stop_{job.id}",
            on_click=visit.house.board.stop,
            args=(job.id,),
            type="tertiary",
        )


def question(visit: Visit, job: Job, place: str) -> None:
    """Draw what a summons will cost, with a yes and a no; ``place`` tells one of several on a page from the others."""
    board = visit.house.board
    st.markdown(plain(job.message), width="stretch")
    with st.container(horizontal=True, gap="small"):
        st.button("召来", key=f"ui_agree_{place}_{job.id}", on_click=board.agree, args=(job.id,), type="primary")
        st.button("算了", key=f"ui_decline_{place}_{job.id}", on_click=board.stop, args=(job.id,))


def _asks(visit: Visit, job: Job) -> None:
    with st.container(border=True, key=f"ui_asking_{job.id}"):
        st.markdown(f"**{plain(job.name or job.label)}** 要花费才能召来")
        question(visit, job, "side")


def _failed(visit: Visit, job: Job) -> None:
    board = visit.house.board
    who = plain(job.name or job.label)
    if job.error == "Blacklisted":
        st.warning(f"**{who}**：{plain(job.message)}", icon=":material/block:")
    elif job.error in ("Cancelled", "Ambiguous", "Busy"):
        st.info(f"**{who}**：{plain(job.message)}", icon=":material/info:")
    else:
        st.error(f"**{who}**：{plain(job.message)}", icon=":material/error:")
    with st.container(horizontal=True, gap="small", key=f"ui_failed_{job.id}"):
        for number, name in enumerate(job.candidates[:_MOST_CANDIDATES]):
            key = f"ui_pick_{job.id}_{number}"
            st.button(plain(clipped(name, 24)), key=key, on_click=_pick, args=(visit, job, name))
        if job.error not in ("Blacklisted", "Ambiguous", "BadName"):
            st.button("再试一次", key=f"ui_retry_{job.id}", on_click=board.retry, args=(job.id,))
        st.button("知道了", key=f"ui_dismiss_{job.id}", on_click=board.dismiss, args=(job.id,), type="tertiary")


def _pick(visit: Visit, job: Job, name: str) -> None:
    visit.house.board.dismiss(job.id, keep_upload=True)
    start(visit, name, job.source, job.upload)
