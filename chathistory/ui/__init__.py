"""The web salon. ``render`` is its only door; heavy modules load when the page is first drawn."""

from __future__ import annotations

from pathlib import Path

__all__ = ["render"]

_HERE = Path(__file__).parent
_SIDEBAR_PX = 340


def render(home: Path | None = None) -> None:
    """Draw the page; ``home`` is the folder of sl_UI.py, where config.toml is looked for."""
    import streamlit as st

    st.set_page_config(
        page_title="ChatHistory · 与历史人物群聊",
        page_icon="🏯",
        layout="centered",
        initial_sidebar_state=_SIDEBAR_PX,
    )
    st.html(_HERE / "style.css")
    from chathistory.ui.app import main

    main(home or _HERE.parents[1])
