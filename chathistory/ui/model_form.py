"""The settings' section 大模型: choose a provider, try it with a real call, keep it or forget it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

import streamlit as st
from pydantic import SecretStr

from chathistory.errors import ChatHistoryError
from chathistory.overlay import DEFAULT_JOBS, JOBS, OWN, PRESETS, Job, ModelChoice
from chathistory.salon import model_settings
from chathistory.salon.model_settings import Trial
from chathistory.ui.plain import clipped, plain
from chathistory.ui.visit import Visit

_PRESET, _URL, _KEY, _MODEL = "ui_llm_preset", "ui_llm_url", "ui_llm_key", "ui_llm_model"
_STATE = "ui_llm_state"
_LABELS = {name: label for name, (label, _) in PRESETS.items()} | {OWN: "自己写网址"}
_HELP: dict[Job, str] = {
    "reply": "谁开口，话都由它写，根据想起来的原文。",
    "director": "由它挑下一位谁说。",
    "extract": "召唤时由它读百科，一段要问两次，最费词元；不勾就用内置的规则。",
    "filter": "回想时由它筛一遍事实，等它最多 3 秒。",
}


@dataclass
class _State:
    """What the section shows beside its fields: the last trial, or what went wrong."""

    models: tuple[str, ...] = ()
    trial: Trial | None = None
    failed: str = ""
    """Why the trial failed."""
    error: str = ""
    """Why what is written could not be kept."""
    done: str = ""
    filled: bool = False


@st.fragment
def panel(visit: Visit) -> None:
    """Draw the section; what is kept here serves all windows at once, and only somebody at this machine sets it."""
    st.caption(_in_use(visit))
    if not at_this_machine(visit.address):
        st.caption("只能在运行它的那台机器上改；别处请改 config.toml。")
        return
    state = st.session_state.setdefault(_STATE, _State())
    if not state.filled:
        _fill(visit, state)
    st.selectbox("提供者", list(_LABELS), format_func=_LABELS.__getitem__, key=_PRESET, on_change=_preset_chosen)
    st.text_input("网址", key=_URL, max_chars=500, placeholder="https://……/v1", on_change=_address_written)
    kept = _has_key(visit)
    st.text_input(
        "密钥",
        key=_KEY,
        type="password",
        max_chars=500,
        placeholder="已存了一把，留空就不换" if kept else "本机的模型可以不写",
        help="也可以写 $名字，从环境变量里取。存下后只有这台机器的您能读，页面和日志里都不再出现。",
        autocomplete="off",
    )
    if st.button("试一下", key="ui_llm_try", icon=":material/bolt:", help="真问它一个字，看看多久能答，列出它的模型"):
        with st.spinner("正在问它……"):
            _try(visit, state)
    _tried(state)
    models = list(dict.fromkeys([*filter(None, [st.session_state.get(_MODEL)]), *state.models]))
    st.selectbox(
        "模型",
        models,
        key=_MODEL,
        index=None,
        accept_new_options=True,
        placeholder="从列出的里选，或直接写名字" if state.models else "写名字；或先“试一下”再选",
    )
    st.caption("交给它做：")
    with st.container(horizontal=True, gap="small", key="ui_llm_jobs"):
        for job, label in JOBS.items():
            st.checkbox(label, key=f"ui_llm_job_{job}", help=_HELP[job])
    with st.container(horizontal=True, gap="small", key="ui_llm_buttons"):
        st.button("保存", key="ui_llm_save", type="primary", on_click=_save, args=(visit, state))
        st.button(
            "清除",
            key="ui_llm_clear",
            on_click=_clear,
            args=(visit, state),
            disabled=not visit.salon.archive.settings_path.exists(),
            help="忘掉这里存的，回到 config.toml",
        )
    if state.error:
        st.error(plain(state.error), icon=":material/error:")
    if state.done:
        st.success(plain(state.done), icon=":material/check:")
    if visit.changed:
        visit.changed = False
        st.rerun()


def at_this_machine(address: str) -> bool:
    """Whether a visitor sits at the machine that serves the page; the framework gives no address then."""
    try:
        return not address or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _in_use(visit: Visit) -> str:
    task = visit.salon.archive.config.tables.qa.llm
    if visit.salon.archive.extractive:
        return "现在没有用：人物的话摘自原文，不联网。"
    return plain(f"现在由 {task.provider} 的 {task.model} 来说。")


def _fill(visit: Visit, state: _State) -> None:
    """Put what is stored into the fields, never the key."""
    kept = model_settings.stored(visit.salon.archive)
    preset = kept.name.removesuffix("-web") if kept is not None else next(iter(PRESETS))
    st.session_state[_PRESET] = preset if preset in _LABELS else OWN
    st.session_state[_URL] = kept.base_url if kept is not None else PRESETS[preset][1]
    st.session_state[_MODEL] = kept.model or None if kept is not None else None
    st.session_state[_KEY] = ""
    for job in JOBS:
        st.session_state[f"ui_llm_job_{job}"] = job in (kept.jobs if kept is not None else DEFAULT_JOBS)
    state.filled = True


def _preset_chosen() -> None:
    """Another provider: its address, and no model or result of the one before."""
    chosen = st.session_state[_PRESET]
    st.session_state[_URL] = PRESETS[chosen][1] if chosen in PRESETS else ""
    st.session_state[_MODEL] = None
    st.session_state[_STATE] = _State(filled=True)


def _address_written() -> None:
    """An address of another provider, or of none: it is called by its name, and what the one before said goes."""
    written = st.session_state[_URL].strip().rstrip("/")
    st.session_state[_PRESET] = next((name for name, (_, url) in PRESETS.items() if url == written), OWN)
    st.session_state[_STATE] = _State(filled=True)


def _has_key(visit: Visit) -> bool:
    kept = model_settings.stored(visit.salon.archive)
    return (
        kept is not None
        and bool(kept.key.get_secret_value())
        and kept.base_url == str(st.session_state.get(_URL)).strip()
    )


def _written() -> ModelChoice:
    jobs = tuple(job for job in JOBS if st.session_state.get(f"ui_llm_job_{job}"))
    return ModelChoice(
        st.session_state[_PRESET],
        st.session_state[_URL].strip(),
        (st.session_state.get(_MODEL) or "").strip(),
        jobs,
        SecretStr(st.session_state[_KEY]),
    )


def _try(visit: Visit, state: _State) -> None:
    state.trial, state.failed, state.error, state.done = None, "", "", ""
    try:
        state.trial = model_settings.try_out(visit.salon.archive, _written())
        state.models = state.trial.models or state.models
        if state.trial.model:
            st.session_state[_MODEL] = state.trial.model  # the field is drawn below, with this in it
    except ChatHistoryError as error:
        state.failed = str(error)


def _save(visit: Visit, state: _State) -> None:
    state.trial, state.failed, state.error, state.done = None, "", "", ""
    try:
        with visit.turn:
            kept = model_settings.save(visit.salon.archive, _written())
    except ChatHistoryError as error:
        state.error = str(error)
        return
    st.session_state[_KEY] = ""
    state.done = f"存下了。从下一句起，{'、'.join(JOBS[job] for job in kept.jobs)}由 {kept.model} 来做。"
    visit.notice_closed, visit.changed = False, True


def _clear(visit: Visit, state: _State) -> None:
    state.trial, state.failed, state.error, state.done = None, "", "", ""
    try:
        with visit.turn:
            model_settings.clear(visit.salon.archive)
    except ChatHistoryError as error:
        state.error = str(error)
        return
    st.session_state[_KEY] = ""
    state.done = "忘掉了，密钥也删了。一切照 config.toml。"
    visit.notice_closed, visit.changed = False, True


def _tried(state: _State) -> None:
    """Say what came of a trial."""
    if state.failed:
        st.error(plain(state.failed), icon=":material/error:")
    trial = state.trial
    if trial is None:
        return
    if trial.list_error:
        st.caption(plain(f"它没有列出模型：{trial.list_error}"))
    if trial.model:
        answer = clipped(" ".join(trial.answer.split()), 40)
        listed = f"它有 {len(trial.models)} 个模型。" if trial.models else ""
        st.success(plain(f"{trial.model} 用 {trial.seconds:.1f} 秒答了：“{answer}”。{listed}"), icon=":material/check:")
    else:
        st.info(
            plain(f"连上了，它有 {len(trial.models)} 个模型。在“模型”里选一个，再试一下。")
            if trial.models
            else "连上了，但它没有列出模型。请把模型的名字写上，再试一下。",
            icon=":material/list:",
        )
