"""The speaker over a chat model: streamed, trimmed, cited, and asked once more where the first try will not do."""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from chathistory.domain import USER, SpeechRequest, Spoken, Void
from chathistory.errors import BadModelReply
from chathistory.guard import beyond
from chathistory.models.chat import Ask, Chat, Limits, Reply
from chathistory.models.protocols import Speaker
from chathistory.persona.prompting import Manner, messages_for
from chathistory.persona.trimming import Trimmer
from chathistory.text import sentences

_log = logging.getLogger(__name__)
_FIRST, _SECOND = 0.7, 1.0
_OWN_LINES = 5
_ECHOED = 6
_NOTHING = "上一次你什么也没有说。请直接说出你的话。"
_ECHO = "你只是把别人的话照说了一遍。不要复述，直接说出你自己的话。"
_REPEATED = "你刚才几乎重复了自己说过的话。换一层意思说。"
_SAID_BACK = 0.8
"""The share of an utterance that comes from the prompt's last lines, where a small model said those back."""
_ALIKE = 0.8
_SHORT = 8
_PART = 0.9
_NO_LETTERS = re.compile(r"[\W_]+")
_STOPS = 4


class ModelSpeaker:
    """Speaks through a chat model. Holds no talk: safe to share between threads and personas.

    Parameters
    ----------
    seconds
        The most one try may take.
    understudy
        Speaks where the model has nothing of its own to say in two tries.
    """

    def __init__(
        self, chat: Chat, manner: Manner | None = None, *, seconds: float = 90.0, understudy: Speaker | None = None
    ) -> None:
        self._chat = chat
        self._understudy = understudy
        self._manner = manner or Manner()
        self._limits = Limits(whole=seconds)

    def speak(self, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
        """Yield the utterance as it comes; the return value is the whole of it.

        A try that says nothing, nearly repeats one of the last lines, or tells of what lies behind the figure's horizon
        is voided and asked once more, warmer; sentences behind the horizon are left out of the second. Where that is
        nothing again, or nothing new, the understudy speaks.

        Raises
        ------
        ModelError
            The model could not be had.
        BadModelReply
            Nothing could be heard in two tries.
        """
        spoken, fault = yield from self._attempt(request, "", _FIRST)
        if not fault:
            return spoken
        if spoken.cut and spoken.text:
            kept = yield from _kept(spoken, request)
            if kept.text:
                return kept
        _log.info("asked once more: %s", fault)
        yield Void()
        spoken, again = yield from self._attempt(request, fault, _SECOND)
        if not again:
            return spoken
        kept = yield from _kept(spoken, request)
        if kept.text and again not in (_ECHO, _REPEATED):
            return kept
        if self._understudy is not None:
            yield Void()
            said = yield from self._understudy.speak(request)
            return replace(said, note="模型两次都没有说出新的话，这一句由内置的做法摘自原文")
        if kept.text:
            return kept
        raise BadModelReply(f"模型没有替{request.figure.name}说出可用的话。请再问一次，或换一个模型。", spoken.text)

    def _attempt(
        self, request: SpeechRequest, caution: str, temperature: float
    ) -> Generator[str | Void, None, tuple[Spoken, str]]:
        """Return what was said, and what is wrong with it ('' where nothing is), told to the model at the next try."""
        names = [name for name in request.figure.names if name != USER]
        others = [*request.others, *(line.speaker for line in request.history), USER]
        others = [name for name in dict.fromkeys(others) if name not in names]
        ask = Ask(
            "reply",
            limits=self._limits,
            temperature=temperature,
            max_tokens=4 * request.max_chars + 200,
            stop=tuple(f"\n{name}：" for name in others[:_STOPS]),
        )
        messages = messages_for(request, self._manner, caution and f"（{caution}）")
        stream = self._chat.stream(messages, ask)
        others += [name for name in request.others_aliases if len(name) > 1 and name not in names]
        trimmer = self._trimmer(request, names, others)
        said: list[str] = []
        reply: Reply | None = None
        reasoning: list[str] = []
        try:
            while reply is None and not trimmer.done:
                try:
                    piece = next(stream)
                except StopIteration as stop:
                    reply = stop.value
                    break
                if piece.reasoning:
                    reasoning.append(piece.reasoning)
                if piece.retract:
                    trimmer = self._trimmer(request, names, others)
                    if said:
                        said.clear()
                        yield Void()
                heard = trimmer.feed(piece.text)
                if heard:
                    said.append(heard)
                    yield heard
        finally:
            stream.close()
        rest = trimmer.end()
        if rest:
            said.append(rest)
            yield rest
        text = "".join(said).strip()
        thought = reply.reasoning if reply else "".join(reasoning)
        found = request.recall.recollections
        passages = tuple(found[number - 1].passage.id for number in trimmer.cited)
        cut = reply is not None and reply.finish in ("cut", "length")
        return Spoken(text, passages, cut, thought), _fault(text, request, messages[-1].text)

    def _trimmer(self, request: SpeechRequest, names: Sequence[str], others: Sequence[str]) -> Trimmer:
        known = len(request.recall.recollections)
        return Trimmer(names, others, request.max_chars, known=known, keep_citations=self._manner.show_citations)


def _kept(spoken: Spoken, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
    """Say again only what lies within the horizon, where something else was said."""
    within = _within_horizon(spoken.text, request)
    if within == spoken.text:
        return spoken
    yield Void()
    if within:
        yield within
    return replace(spoken, text=within)


def _fault(text: str, request: SpeechRequest, prompt: str) -> str:
    if not text:
        return _NOTHING
    others = [line.text for line in (*request.history, request.line) if line.speaker != request.figure.name]
    asked = prompt.rsplit("\n\n", 1)[-1]
    if any(alike(text, line) >= _ALIKE for line in others[-_ECHOED:]) or alike(text, asked, _SAID_BACK) >= _ALIKE:
        return _ECHO
    own = [line.text for line in request.history if line.speaker == request.figure.name][-_OWN_LINES:]
    if any(alike(text, line) >= _ALIKE for line in own):
        return _REPEATED
    if _within_horizon(text, request) != text:
        return "你说到了自己身后的事。那些你不知道，不要说。"
    return ""


def _within_horizon(text: str, request: SpeechRequest) -> str:
    figure = request.figure
    return "".join(part for part in sentences(text) if not beyond(part, figure.death, figure.names)).strip()


def alike(new: str, old: str, part: float = _PART) -> float:
    """Return how much a line says an older one again, 0..1: shared pairs of letters over all of both.

    Marks and blanks do not count. A line that only says a part of the older one (``part`` of its pairs stand there) is
    wholly alike; short lines must be equal.
    """
    new, old = _NO_LETTERS.sub("", new), _NO_LETTERS.sub("", old)
    if min(len(new), len(old)) < _SHORT:
        return float(new == old)
    first, second = ({text[i : i + 2] for i in range(len(text) - 1)} for text in (new, old))
    shared = len(first & second)
    return 1.0 if shared >= part * len(first) else shared / len(first | second)
