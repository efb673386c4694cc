"""The sidebar's look into memory: what lay behind the last round, and a question to anybody's memory."""

from __future__ import annotations

import streamlit as st

from chathistory.domain import USER, Recall, Utterance
from chathistory.errors import ChatHistoryError
from chathistory.ui import sources
from chathistory.ui.egograph import ego_dot
from chathistory.ui.plain import clipped, plain
from chathistory.ui.visit import Visit

_RECALLED = 5


@st.fragment
def panel(visit: Visit, lines: list[Utterance]) -> None:
    """Draw the search first, then the last round's recollections."""
    names = [card.name for card in visit.deck.cards_for("memory") if card.ready]
    if names:
        _search(visit, names)
    else:
        st.caption("召来人之后，可以在这里翻看他的记忆。")
    _last_round(visit, lines)


def last_round(lines: list[Utterance]) -> list[Utterance]:
    """Return what personas said since the user's last line."""
    start = max((n for n, line in enumerate(lines) if line.speaker == USER), default=-1)
    return lines[start + 1 :]


def _search(visit: Visit, names: list[str]) -> None:
    online = visit.salon.online
    first = names.index(online[0]) if online and online[0] in names else 0
    name = st.selectbox("谁的记忆", names, index=first, key="ui_memory_name")
    question = st.text_input("问什么", placeholder="例如：您的老师是谁？", key="ui_memory_question", max_chars=500)
    if question.strip():
        try:
            found = visit.salon.recall(name, question.strip(), _RECALLED)
        except ChatHistoryError as error:
            st.error(plain(str(error)))
        else:
            _recalled(found)
    if st.toggle("关系图", key="ui_memory_graph"):
        _graph(visit, name)


def _recalled(found: Recall) -> None:
    if not found.confident:
        st.caption("没有把握：下面的段落只是最接近的。")
    if found.note:
        st.caption(plain(found.note))
    if not found.recollections:
        st.caption("什么也没有想起来。")
    for source in sources.from_recall(found.recollections):
        head = clipped(source.passage.text, 16)
        with st.expander(f"{source.score or 0:.2f} · {plain(source.passage.section or head)}"):
            sources.passage(source)


def _graph(visit: Visit, name: str) -> None:
    row = visit.salon.archive.find(name)
    facts = [fact for one in visit.salon.archive.personas.extractions(row.id) for fact in one.facts] if row else []
    dot = ego_dot(name, facts)
    if dot:
        st.graphviz_chart(dot, width="stretch")
    else:
        st.caption("没有可画的事实。")


def _last_round(visit: Visit, lines: list[Utterance]) -> None:
    said = last_round(lines)
    if not said:
        return
    st.caption("上一轮里，各人想起了什么：")
    shown = sources.sources_of(visit, said)
    for line in said:
        trace = visit.traces.get(line.id)
        recalled = sources.from_recall(trace.recall.recollections) if trace and trace.recall else shown[line.id]
        with st.expander(f"**{plain(line.speaker)}** · {len(recalled)} 段"):
            if not recalled:
                st.caption("这一句没有用到记忆。")
            for source in recalled:
                sources.passage(source)
