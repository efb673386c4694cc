"""One utterance on the page: face, name and years, words, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chathistory.domain import USER, Utterance
from chathistory.salon import Card
from chathistory.ui.plain import only_years, plain
from chathistory.ui.portraits import USER_ICON, portrait
from chathistory.ui.sources import Source, chips
from chathistory.ui.visit import Trace

UNFINISHED = "未说完"


def user_line(text: str) -> None:
    """Draw what the user said."""
    with st.chat_message("user", avatar=USER_ICON):
        st.text(text)


def persona_frame(name: str, card: Card | None) -> DeltaGenerator:
    """Return the message box of a persona, its face drawn."""
    return st.chat_message(plain(name), avatar=_face(name, card))


def heading(name: str, card: Card | None, reason: str) -> None:
    """Draw the speaker's name and years; the director's reason waits behind the question mark."""
    years = f" :small[:gray[{plain(only_years(card.years))}]]" if card is not None and card.years else ""
    st.markdown(f"**{plain(name)}**{years}", help=plain(f"导演：{reason}") if reason else None)


def show(utterance: Utterance, card: Card | None, trace: Trace | None, sources: Sequence[Source]) -> None:
    """Draw an utterance that was said."""
    if utterance.speaker == USER:
        user_line(utterance.text)
        return
    with persona_frame(utterance.speaker, card):
        heading(utterance.speaker, card, trace.reason if trace else "")
        if trace and trace.reasoning:
            thinking(trace.reasoning)
        st.text(utterance.text)
        if utterance.cut:
            cut_mark()
        chips(sources, utterance.id)


def thinking(text: str) -> None:
    """Draw a model's reasoning, folded."""
    with st.expander("思考过程", icon=":material/psychology:", type="compact"):
        st.text(text)


def cut_mark() -> None:
    """Say that an utterance was cut off."""
    st.caption(f"……（{UNFINISHED}）")


def _face(name: str, card: Card | None) -> bytes:
    return portrait(name, card.avatar if card is not None else None)
