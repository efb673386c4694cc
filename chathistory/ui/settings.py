"""The sidebar's settings: how this visitor's talk runs, and beside it the model that serves all."""

from __future__ import annotations

import streamlit as st

from chathistory.salon import Mode
from chathistory.ui import model_form
from chathistory.ui.visit import Visit

_MODES: dict[Mode, str] = {"judged": "导演判断谁该说", "random": "在座的人里随机"}


def panel(visit: Visit) -> None:
    """Draw the settings of this talk and of the model."""
    talk, model = st.tabs(["这场谈话", "大模型"])
    with talk:
        _talk(visit)
    with model:
        model_form.panel(visit)


@st.fragment
def _talk(visit: Visit) -> None:
    """Draw the settings that hold for this visit only, from the next line on."""
    chosen = visit.settings
    modes = list(_MODES)
    chosen.mode = st.radio(
        "谁接话", modes, index=modes.index(chosen.mode), format_func=_MODES.__getitem__, key="ui_set_mode"
    )
    chosen.max_round = st.slider(
        "您说一句，最多接几句", 1, _most(chosen.max_round), chosen.max_round, key="ui_set_round"
    )
    chosen.max_query = st.slider(
        "每次发言最多用几段记忆", 1, _most(chosen.max_query), chosen.max_query, key="ui_set_query"
    )
    chosen.history_length = st.slider(
        "给人物看最近几句", 2, max(100, chosen.history_length), max(2, chosen.history_length), key="ui_set_history"
    )
    st.caption("只对这个窗口有效；要长久改动，请改 config.toml 的 [salon]。")


def _most(configured: int) -> int:
    """Return a slider's upper end: ten, or more where the configuration says so."""
    return max(10, configured)
