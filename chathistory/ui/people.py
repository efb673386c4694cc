"""The sidebar's two sections of people: who to add, and who is here."""

from __future__ import annotations

import streamlit as st

from chathistory.errors import ChatHistoryError
from chathistory.salon import Card
from chathistory.ui import summoning
from chathistory.ui.plain import only_years, plain
from chathistory.ui.portraits import portrait
from chathistory.ui.visit import Visit

_SOURCES = {"sample": "自带样本", "wikipedia": "维基百科", "baike": "百度百科", "file": "文件", "seed": "旧版目录"}


@st.fragment
def add_form(visit: Visit) -> None:
    """Draw the form that summons somebody."""
    with st.form("ui_add", clear_on_submit=True, border=False):
        name = st.text_input("名字", placeholder="例如：孔子、刘备、Fermat", key="ui_add_name", max_chars=120)
        labels = list(summoning.SOURCES)
        source = st.selectbox("来源", labels, format_func=summoning.SOURCES.__getitem__, key="ui_add_source")
        upload = st.file_uploader(
            "或者给一个文件（存下来的网页、文本）",
            type=list(summoning.FILE_KINDS),
            key="ui_add_file",
            max_upload_size=20,
        )
        sent = st.form_submit_button("召来", icon=":material/hail:", type="primary", width="stretch")
    if sent:
        if name.strip() or upload is not None or source == "file":
            summoning.ask_for(visit, name, source, upload)
        else:
            visit.warnings.append("请写一个名字，例如：孔子。")
        st.rerun()


@st.fragment
def roster(visit: Visit) -> None:
    """Draw everybody who was summoned, with a switch to join or leave; a click never ends a running stream."""
    cards = visit.deck.cards_for("roster")
    if not any(card.ready for card in cards):
        st.caption("还没有召来任何人。")
    for card in cards:
        if card.ready:
            _member(visit, card)
        else:
            _half_done(visit, card)
    if visit.changed:
        visit.changed = False
        st.rerun()


def _member(visit: Visit, card: Card) -> None:
    key = f"ui_seat_{card.name}"
    st.session_state[key] = card.online
    row = st.container(
        horizontal=True, vertical_alignment="center", gap="small", wrap=False, key=f"ui_member_{card.name}"
    )
    with row:
        st.image(portrait(card.name, card.avatar), width=40, alt=card.name)
        with st.container(gap=None):
            st.markdown(f"**{plain(card.name)}**")
            st.caption(f"{plain(only_years(card.years))}  \n{card.passages} 段 · {card.facts} 条事实")
        st.toggle(
            f"{plain(card.name)}在座", key=key, on_change=_seat, args=(visit, card.name), label_visibility="collapsed"
        )
        with st.popover("", icon=":material/more_vert:", type="tertiary"):
            st.caption(plain(f"来源：{_SOURCES.get(card.source, card.source)}"))
            if card.aliases:
                st.caption(plain("又名：" + "、".join(card.aliases[:8])))
            st.caption("移除后记忆会删去；再召来时，读过的不必重读。")
            label = f"确定移除{plain(card.name)}"
            icon = ":material/delete:"
            st.button(label, key=f"ui_remove_{card.name}", on_click=_remove, args=(visit, card.name), icon=icon)


def _half_done(visit: Visit, card: Card) -> None:
    if any(card.name in (job.key, job.name, job.label) for job in visit.house.board.shown(visit.salon.talk_id)):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"ui_half_{card.name}"):
        st.caption(f"{plain(card.name)}：召唤没有做完")
        again = f"ui_again_{card.name}"
        st.button("接着做", key=again, on_click=_go_on, args=(visit, card.name), type="tertiary")
        drop = f"ui_remove_{card.name}"
        st.button("移除", key=drop, on_click=_remove, args=(visit, card.name), type="tertiary")


def seat(visit: Visit, name: str, *, wanted: bool) -> None:
    """Let somebody join or leave; what goes wrong is shown on the page."""
    try:
        with visit.turn:
            if wanted:
                visit.salon.join(name)
            elif name in visit.salon.online:
                visit.salon.leave(name)
    except ChatHistoryError as error:
        visit.warnings.append(str(error))
    visit.changed = True


def _seat(visit: Visit, name: str) -> None:
    seat(visit, name, wanted=bool(st.session_state[f"ui_seat_{name}"]))


def _remove(visit: Visit, name: str) -> None:
    try:
        with visit.turn:
            visit.toasts.append(f"{visit.salon.remove(name)}已离去。")
    except ChatHistoryError as error:
        visit.warnings.append(str(error))
    visit.sources.clear()
    visit.changed = True


def _go_on(visit: Visit, name: str) -> None:
    summoning.start(visit, name, None)
    visit.changed = True
