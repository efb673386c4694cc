"""One browser tab's visit: its talk, its settings, and what was seen of the talk. The only thing in the session."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from chathistory.domain import Recall
from chathistory.errors import ChatHistoryError
from chathistory.salon import Mode, Salon
from chathistory.ui.deck import Deck
from chathistory.ui.house import House

if TYPE_CHECKING:
    from chathistory.ui.sources import Source

CIRCLE = "web"
"""The circle of every talk in the browser: the talk's own id is random, and who knows it may come in."""
TALK = "talk"
"""The query parameter that holds the talk's id, so that a reload finds it again."""
_KEY = "visit"
_PAGE = 40


@dataclass(slots=True)
class Settings:
    """How this visitor's talk runs; it starts from ``[salon]`` of the configuration."""

    mode: Mode
    max_round: int
    max_query: int
    history_length: int


@dataclass(slots=True)
class Trace:
    """What led to an utterance. ``recall`` is what this visit saw; after a reload only its ``scores`` are there."""

    reason: str = ""
    recall: Recall | None = None
    reasoning: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Visit:
    """The typed state of one session."""

    house: House
    salon: Salon
    settings: Settings
    address: str = ""
    """The client's address where the framework gives one: for the log only."""
    traces: dict[str, Trace] = field(default_factory=dict)
    """What led to the utterances that are drawn, by their ids: as this visit saw it, else as it is stored."""
    sources: dict[str, list[Source]] = field(default_factory=dict)
    unfinished: Trace | None = None
    """The trace of the utterance that is being spoken; it is still here when the utterance was cut."""
    pending: str = ""
    """A suggested question that was clicked and is still to be said."""
    closing: str = ""
    """The caption under the last round."""
    shown: int = _PAGE
    """How many of the last utterances are drawn."""
    notice_closed: bool = False
    turn: threading.RLock = field(default_factory=threading.RLock)
    """Held while a page is drawn: Streamlit starts a new run before the interrupted one has come to its end, and a
    salon belongs to one thread at a time."""
    changed: bool = False
    """A callback inside a fragment changed what the whole page shows."""
    toasts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    """What went wrong in a callback or a round, shown until it was read or the talk goes on."""

    deck: Deck = field(init=False)
    """Everybody who was summoned, as this run of the page found them."""

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """See who was summoned meanwhile."""
        self.deck = Deck(self.salon)

    def show_more(self) -> None:
        """Draw an older page of the talk too."""
        self.shown += _PAGE


def visit(house: House) -> Visit:
    """Return this session's visit; a reload or a changed address finds the talk that the address names."""
    wanted = st.query_params.get(TALK)
    here = st.session_state.get(_KEY)
    if isinstance(here, Visit) and here.house is house and wanted in (None, here.salon.talk_id):
        st.query_params[TALK] = here.salon.talk_id
        return here
    return _begin(house, wanted)


def renew(old: Visit) -> None:
    """Begin a new talk in this tab; those who are on their way will arrive there."""
    new = _begin(old.house, None)
    new.settings = old.settings
    new.notice_closed = old.notice_closed
    old.house.board.adopt(old.salon.talk_id, new.salon.talk_id)
    for name in old.salon.online:
        try:
            new.salon.join(name)
        except ChatHistoryError as error:
            new.warnings.append(str(error))


def client_address() -> str:
    """Return the visitor's address, '' for one at this machine."""
    return st.context.ip_address or ""


def _begin(house: House, talk: str | None) -> Visit:
    address = client_address()
    salon = Salon(house.archive, CIRCLE, talk, address=address)
    table = house.archive.config.tables.salon
    settings = Settings(table.mode, table.max_round, table.max_query, table.history_length)
    new = Visit(house, salon, settings, address)
    st.session_state[_KEY] = new
    st.query_params[TALK] = salon.talk_id
    return new
