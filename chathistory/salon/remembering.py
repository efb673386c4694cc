"""The talk so far, as much as a prompt may hold: the newest lines whole, and a running summary of what fell out."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from chathistory.domain import Line, Utterance, text_id
from chathistory.errors import ModelError
from chathistory.models.chat import Ask, Chat, Limits
from chathistory.models.tokens import estimate_tokens
from chathistory.persona.prompting import within_budget
from chathistory.prompts import render
from chathistory.store import SummaryRepository, TalkSummary
from chathistory.text import sentences

_log = logging.getLogger(__name__)
_EXTRACTS = 12
_EXTRACT_CHARS = 40
_STEP = 8
_SUMMARY_CHARS = 400
_PROMPT_TOKENS = 3000


class TalkMemory:
    """Splits a talk into what is shown whole and what is summed up.

    Parameters
    ----------
    chat
        Writes the summary; None sums up by the first sentence of each line.
    tokens
        Budget of the lines that are shown whole.
    """

    def __init__(self, repository: SummaryRepository, chat: Chat | None, tokens: int) -> None:
        self._repository = repository
        self._chat = chat
        self._tokens = tokens

    def split(self, talk: Sequence[Utterance], limit: int) -> tuple[tuple[Line, ...], Sequence[Utterance]]:
        """Return the newest lines (``limit`` at most, within the budget, each whole), and the utterances before."""
        lines = [Line(one.speaker, one.text) for one in talk]
        window = within_budget(lines[-limit:], self._tokens)
        return window, talk[: len(talk) - len(window)]

    def summary(self, talk_id: str, older: Sequence[Utterance]) -> str:
        """Return what fell out, in words; quick: no model is asked."""
        if not older:
            return ""
        kept = self._valid(talk_id, older)
        rest = older[kept.covered :]
        extracts = [f"{one.speaker}：{_first(one.text)}" for one in rest[-_EXTRACTS:] if one.text]
        return "\n".join(part for part in (kept.text, *extracts) if part)

    def extend(self, talk_id: str, older: Sequence[Utterance]) -> None:
        """Let the model sum up what fell out since the last summary, once enough did; a failure only waits.

        Of much (an old line was edited, or the model is new to the talk) the oldest is summed up first, and the rest at
        the next calls.
        """
        if self._chat is None:
            return
        kept = self._valid(talk_id, older)
        if len(older) - kept.covered < _STEP:
            return
        covered = kept.covered + _as_many_as_fit(older[kept.covered :])
        lines = "\n".join(f"{one.speaker}：{one.text}" for one in older[kept.covered : covered])
        ask = Ask("summary", limits=Limits(whole=30), tries=1, temperature=0.2, max_tokens=600, think=False)
        try:
            reply = self._chat.complete(render("talk_summary", before=kept.text or "（无）", lines=lines), ask)
        except ModelError as error:
            _log.warning("the talk could not be summed up: %s", type(error).__name__)
            return
        text = reply.text.strip()[:_SUMMARY_CHARS]
        if text:
            self._repository.save(talk_id, TalkSummary(covered, _digest(older[:covered]), text))

    def _valid(self, talk_id: str, older: Sequence[Utterance]) -> TalkSummary:
        """Return the stored summary while the lines it covers are unchanged, else an empty one to begin anew."""
        found = self._repository.find(talk_id)
        if found and found.covered <= len(older) and _digest(older[: found.covered]) == found.digest:
            return found
        return TalkSummary(0, "", "")


def _as_many_as_fit(lines: Sequence[Utterance]) -> int:
    """Return how many of the first lines one prompt takes, one at least."""
    left = _PROMPT_TOKENS
    for number, one in enumerate(lines):
        left -= estimate_tokens(one.speaker + one.text) + 2
        if left < 0:
            return max(number, 1)
    return len(lines)


def _digest(lines: Sequence[Utterance]) -> str:
    return text_id("\x1f".join(f"{one.id}\x1e{one.speaker}\x1e{one.text}" for one in lines))


def _first(text: str) -> str:
    parts = sentences(text.replace("\n", " "))
    first = parts[0] if parts else ""
    return first if len(first) <= _EXTRACT_CHARS else first[:_EXTRACT_CHARS] + "……"
