"""What the page says before anything else: how answers are made, and what went wrong."""

from __future__ import annotations

import streamlit as st

from chathistory.errors import ChatHistoryError
from chathistory.ui import summoning
from chathistory.ui.plain import plain
from chathistory.ui.visit import Visit

EXTRACTIVE = "还没有接大模型：人物的话摘自原文，改成了第一人称。要请大模型来说，在左边的“设置 → 大模型”里接上一个。"


def banner(visit: Visit) -> None:
    """Say once a visit how answers are made, and what the embedder has to say of itself."""
    archive = visit.salon.archive
    task = archive.config.tables.qa.llm
    parts = [
        EXTRACTIVE if archive.extractive else f"人物的话由大模型 {plain(task.model)} 来说（{plain(task.provider)}）。"
    ]
    if archive.settings_error is not None:
        st.error(plain(str(archive.settings_error)), icon=":material/error:")
    note = archive.embedder.note
    if note:
        parts.append(plain(note))
    if visit.notice_closed:
        return
    with st.container(key="ui_notice", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.caption("  \n".join(parts))
        st.button("知道了", key="ui_notice_close", on_click=_close, args=(visit,), type="tertiary")


def _close(visit: Visit) -> None:
    visit.notice_closed = True


def memories(visit: Visit) -> None:
    """Say whose memory was made with an older embedding model, and offer to make it anew while the old one serves."""
    notes = visit.salon.notes
    busy = {job.key for job in visit.house.board.shown(visit.salon.talk_id) if job.active}
    stale = [name for name in notes if name not in busy]
    if not stale:
        return
    with st.container(key="ui_memories", gap="small"):
        st.caption("  \n".join(plain(notes[name]) for name in stale))
        st.button("换成新的嵌入模型", key="ui_reembed", on_click=_embed_anew, args=(visit, stale))


def _embed_anew(visit: Visit, names: list[str]) -> None:
    for name in names:
        summoning.start(visit, name, None)


def troubles(visit: Visit) -> None:
    """Greet those who came, and show what went wrong until it was read or the talk goes on."""
    for text in visit.toasts:
        st.toast(plain(text), icon=":material/hail:")
    visit.toasts.clear()
    for text in visit.warnings:
        st.warning(plain(text), icon=":material/warning:")
    if visit.warnings:
        st.button("知道了", key="ui_troubles_read", on_click=visit.warnings.clear, type="tertiary")


def closed_door(error: ChatHistoryError) -> None:
    """Say why the house cannot be opened at all, and what to do."""
    st.error(plain(f"打不开：{error}"), icon=":material/error:")
    st.caption("改好以后刷新这一页。在终端里运行 `python main.py doctor` 能看到更多。")
