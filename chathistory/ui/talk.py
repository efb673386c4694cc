"""The talk: what was said, and a round as it is being said."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chathistory.domain import Ended, Failed, Finished, Recalled, SpeakerChosen, Token, Utterance
from chathistory.models.background import beating
from chathistory.salon import Card
from chathistory.ui import speech
from chathistory.ui.plain import plain
from chathistory.ui.sources import sources_of
from chathistory.ui.visit import Trace, Visit

FLOOR = "请您说"


def history(visit: Visit, cards: Mapping[str, Card], lines: list[Utterance], *, before: bool) -> None:
    """Draw what was said, the last pages of it; ``before`` tells that older lines exist."""
    if before:
        st.button("看更早的", key="ui_older", on_click=visit.show_more, type="tertiary", icon=":material/history:")
    if visit.unfinished is not None and lines and lines[-1].cut:
        visit.traces[lines[-1].id] = visit.unfinished
    visit.unfinished = None
    sources = sources_of(visit, lines)
    for line in lines:
        speech.show(line, cards.get(line.speaker), visit.traces.get(line.id), sources[line.id])
    if visit.closing and lines:
        st.caption(plain(visit.closing), text_alignment="center")


def play(visit: Visit, cards: Mapping[str, Card], text: str) -> None:
    """Say a line and draw the round as it comes.

    A stop button, a click elsewhere or a closed tab ends the script inside the loop; ``closing`` then ends the
    salon's generator, which stores what was said so far. The script is ended where it draws: while a model is waited
    for, it draws nothing five times a second.
    """
    visit.closing = ""
    visit.warnings.clear()
    chosen = visit.settings
    speech.user_line(text)
    events = visit.salon.say(
        text,
        mode=chosen.mode,
        max_round=chosen.max_round,
        max_query=chosen.max_query,
        history_length=chosen.history_length,
    )
    pulse = st.empty()
    with closing(events), beating(pulse.empty):
        stage = _Stage(visit, cards)
        for event in events:
            if isinstance(event, SpeakerChosen):
                stage.enter(event)
            elif isinstance(event, Recalled):
                stage.trace.recall = event.recall
            elif isinstance(event, Token):
                stage.utter(event)
            elif isinstance(event, Finished):
                stage.finish(event)
            elif isinstance(event, Failed):
                stage.fail(event)
            elif isinstance(event, Ended):
                visit.closing = _caption(event.reason)
    visit.unfinished = None


class _Stage:
    """The utterance that is being spoken."""

    def __init__(self, visit: Visit, cards: Mapping[str, Card]) -> None:
        self._visit = visit
        self._cards = cards
        self._spoken = 0
        self._said = ""
        self._words: DeltaGenerator | None = None
        self.trace = Trace()

    def enter(self, event: SpeakerChosen) -> None:
        """Draw the speaker who got the floor.

        The mark of an unfinished utterance is drawn at once; the style sheet hides it while the script runs. After
        a stop nothing more can be drawn, and it appears.
        """
        card = self._cards.get(event.name)
        self.trace = Trace(reason=event.reason)
        self._visit.unfinished = self.trace
        self._said = ""
        with speech.persona_frame(event.name, card):
            speech.heading(event.name, card, event.reason)
            self._thought = st.empty()
            self._words = st.empty()
            self._words.caption("想一想……")
            self._mark = st.empty()
            self._spoken += 1
            with self._mark.container(key=f"ui_unfinished_{self._spoken}"):
                speech.cut_mark()

    def utter(self, token: Token) -> None:
        """Draw one more piece, or clear what was drawn where it is void."""
        self._said = "" if token.void else self._said + token.text
        if self._words is None:
            return
        if token.void:
            self._words.caption("重新说……")
        else:
            self._words.text(self._said)

    def finish(self, event: Finished) -> None:
        """Draw the whole of it, and keep what led to it."""
        self.trace.reasoning = event.reasoning
        self._visit.traces[event.utterance.id] = self.trace
        self._visit.unfinished = None
        if self._words is not None:
            if event.reasoning:
                with self._thought.container():
                    speech.thinking(event.reasoning)
            self._words.text(event.utterance.text)
            if not event.utterance.cut:
                self._mark.empty()

    def fail(self, event: Failed) -> None:
        """Say what went wrong with this utterance; it is shown again after the rerun that ends a round."""
        self._visit.unfinished = None
        self._visit.warnings.append(f"{event.speaker}没能说完：{event.message}")


def _caption(reason: str) -> str:
    reason = reason.strip()
    return reason if FLOOR in reason else f"{reason.rstrip('。')}。{FLOOR}。" if reason else f"{FLOOR}。"
