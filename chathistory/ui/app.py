"""The page: sidebar, notices, the talk, the place to speak."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from chathistory.errors import ChatHistoryError
from chathistory.salon import Card
from chathistory.ui import memory, notice, people, settings, summoning, talk, welcome
from chathistory.ui.house import house
from chathistory.ui.places import places
from chathistory.ui.portraits import portrait
from chathistory.ui.sources import sources_of
from chathistory.ui.transcript import transcript
from chathistory.ui.visit import Visit, renew, visit

_LONGEST_LINE = 2000
_BRAND = "青史"


def main(home: Path) -> None:
    """Draw the page once; Streamlit runs it again after every click."""
    try:
        here = visit(house(places(sys.argv[1:], os.environ, home)))
        with here.turn:
            _page(here)
    except ChatHistoryError as error:
        notice.closed_door(error)


def _page(here: Visit) -> None:
    summoning.receive(here)
    here.look()
    cards = {card.name: card for card in here.deck.cards}
    lines = here.salon.history(here.shown + 1)
    before = len(lines) > here.shown
    lines = lines[-here.shown :]
    with st.sidebar:
        _sidebar(here)
        with st.expander("记忆检索", icon=":material/menu_book:"):
            memory.panel(here, lines)
        with st.expander("设置", icon=":material/tune:"):
            settings.panel(here)
    # a container each, so that what follows keeps its place: a fragment is known by its place, and a click on one
    # that has moved meanwhile would be lost
    with st.container():
        notice.banner(here)
        notice.memories(here)
        notice.troubles(here)
    page = st.container()
    if here.salon.online or lines:
        text = _input(here)
        st.empty()  # takes the place of the input in the flow at once
    else:
        text = None
        with st.container():
            _input(here)
    if lines:
        with page:
            talk.history(here, cards, lines, before=before)
    elif text or here.pending:
        page.empty()  # at once: what is not drawn again stays, greyed, as long as the round lasts
    else:
        with page, st.container():
            welcome.greeting(here, cards)
    _floor(here, cards, text)


def _input(here: Visit) -> str | None:
    """Draw the place to speak: at the foot of the page, or in the flow where an outer container holds it."""
    online = here.salon.online
    return st.chat_input(
        f"向{'、'.join(online[:4])}说……" if online else "先请一位入座，再开口",
        key="ui_say",
        max_chars=_LONGEST_LINE,
        disabled=not online,
        submit_mode="stop",
    )


def _floor(here: Visit, cards: Mapping[str, Card], text: str | None) -> None:
    """Play the round that a typed line or a suggested question begins."""
    said = (here.pending or text or "").strip()
    if here.pending:
        # the input turns into a stop button only for what was typed into it; any click ends a running round
        st.button("停下", key="ui_halt", icon=":material/stop_circle:", type="tertiary")
    here.pending = ""
    if said:
        talk.play(here, cards, said)
        st.rerun()


def _sidebar(here: Visit) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="ui_brand"):
        st.image(portrait(_BRAND), width=36, alt="")
        st.markdown("### ChatHistory")
        st.button(
            "",
            help="新的谈话",
            key="ui_new",
            on_click=renew,
            args=(here,),
            icon=":material/add_comment:",
            type="tertiary",
        )
        _download(here)
    seated = len(here.salon.online)
    st.markdown(f"##### 在线人物{f' :small[:gray[{seated} 位在座]]' if seated else ''}")
    people.roster(here)
    st.markdown("##### 添加人物")
    summoning.watch(here)
    people.add_form(here)


def _download(here: Visit) -> None:
    lines = here.salon.history()
    st.download_button(
        "",
        data=transcript(lines, sources_of(here, lines)).encode("utf-8"),
        file_name=f"谈话-{here.salon.talk_id}.md",
        mime="text/markdown",
        key="ui_download",
        help="存下谈话",
        icon=":material/download:",
        disabled=not lines,
        type="tertiary",
        on_click="ignore",
    )
