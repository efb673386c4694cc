"""The empty page: what this is, whom to summon with one click, and what to ask first."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from chathistory.encyclopedia import figure, read_sample, sample_names
from chathistory.salon import Archive, Card
from chathistory.salon.answering import has_answer
from chathistory.text import sentences
from chathistory.ui import people, summoning
from chathistory.ui.jobs import Job
from chathistory.ui.plain import first_clauses, only_years, plain
from chathistory.ui.portraits import portrait
from chathistory.ui.starters import starters
from chathistory.ui.visit import Visit

_WORDS = 28
_MOST_OTHERS = 6
_PATIENCE = 1.5
"""Seconds that finding suggestions may hold up the page."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A shipped figure as its card shows it."""

    name: str
    years: str
    words: str


@lru_cache(maxsize=1)
def invitations() -> tuple[Invitation, ...]:
    """Return the shipped figures: name, years, and the beginning of the article's first sentence."""
    found = []
    for name in sample_names():
        article = read_sample(name)
        if article is not None:
            who = figure(article)
            years = " – ".join(year.text if year else "？" for year in (who.birth, who.death))
            lead = next((paragraph for _, paragraph in article.paragraphs()), "")
            found.append(Invitation(name, years, first_clauses((sentences(lead) or [""])[0], _WORDS)))
    return tuple(found)


def greeting(visit: Visit, known: Mapping[str, Card]) -> None:
    """Draw the empty page; the questions stand last, next to the place to speak."""
    _hero("请先人入座" if not visit.salon.online else f"{'、'.join(visit.salon.online)}在座")
    _invite(visit, known)
    if visit.salon.online:
        _suggest(visit)


def _hero(title: str) -> None:
    with st.container(key="ui_hero"):
        st.markdown(f"## {plain(title)}")
        st.markdown("报上一个名字，程序读百科、建起记忆，请他来与您谈天。每句话都有出处，点开就是原文。")


def _invite(visit: Visit, known: Mapping[str, Card]) -> None:
    samples = [one.name for one in invitations()]
    others = [card for card in known.values() if card.ready and card.name not in samples][-_MOST_OTHERS:]
    every = 1.0 if visit.house.board.busy() else None
    st.fragment(_cards, run_every=every)(visit, others)


def _cards(visit: Visit, others: Sequence[Card]) -> None:
    known = {card.name: card for card in visit.deck.cards_for("welcome")}
    jobs = {key: job for job in visit.house.board.shown(visit.salon.talk_id) for key in (job.key, job.name, job.label)}
    shown = [*invitations(), *(Invitation(card.name, card.years, "") for card in others)]
    with st.container(key="ui_cards"):
        for one in shown:
            with st.container(border=True, height="stretch", key=f"ui_card_{one.name}"):
                _card(visit, one, known.get(one.name), jobs.get(one.name))
    if visit.changed:
        visit.changed = False
        st.rerun()


def _card(visit: Visit, one: Invitation, card: Card | None, job: Job | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.image(portrait(one.name, card.avatar if card else None), width=56, alt=one.name)
        with st.container(gap=None):
            st.markdown(f"**{plain(one.name)}**")
            st.caption(plain(only_years(card.years if card else one.years)))
    if one.words:
        st.caption(plain(one.words))
    if job is not None and job.state == "asking":
        summoning.question(visit, job, "card")
    elif job is not None and job.active:
        st.progress(summoning.share_done(job.progress), text=plain(summoning.progress_text(job)))
    elif card is not None and card.online:
        st.button("在座", key=f"ui_call_{one.name}", disabled=True, width="stretch", icon=":material/check:")
    else:
        label = "请入座" if card is not None and card.ready else "召来"
        st.button(label, key=f"ui_call_{one.name}", on_click=_call, args=(visit, one.name), width="stretch")


def _call(visit: Visit, name: str) -> None:
    row = visit.salon.archive.find(name)
    if row is not None and row.state == "ready":
        people.seat(visit, name, wanted=True)
    else:
        summoning.start(visit, name, None)
        visit.changed = True


def _suggest(visit: Visit) -> None:
    rows = {row.name: row for row in visit.deck.rows}
    articles = [rows[name].article for name in visit.salon.online if name in rows]
    asked = starters(articles, visit.salon.talk_id, _answers(visit.salon.archive))
    with st.container(key="ui_starters", horizontal=True, gap="small"):
        for number, question in enumerate(asked):
            st.button(plain(question), key=f"ui_starter_{number}", on_click=_ask, args=(visit, question))


def _answers(archive: Archive) -> Callable[[str, str], bool]:
    """Return who tells whether a person has an answer; on a busy machine some are left for the next run."""
    began: list[float] = []

    def answers(name: str, question: str) -> bool:
        if began and time.monotonic() > began[0] + _PATIENCE:
            return False
        found = has_answer(archive, name, question)
        began.append(time.monotonic())  # the first question may have to load the embedder
        return found

    return answers


def _ask(visit: Visit, question: str) -> None:
    visit.pending = question
