"""Reasoning told apart from the answer, whole or as it comes.

Only what stands at the head is reasoning: a block, a block that never closes (then there is no answer), or everything
before a closing tag that nothing opened, as templates leave it which write the opening tag themselves. Tags in the
middle of an answer are the answer's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = "think|thinking|thought|reasoning|reason|analysis"
_OPEN = re.compile(rf"<({_NAMES})>", re.I)
_CLOSE = re.compile(rf"</(?:{_NAMES})>", re.I)
_LONGEST_TAG = max(len(name) for name in _NAMES.split("|")) + 3


@dataclass(frozen=True, slots=True)
class Part:
    """Text of the answer, or reasoning; ``retract`` says that all text before was reasoning."""

    text: str = ""
    reasoning: str = ""
    retract: bool = False


def split_reasoning(text: str) -> tuple[str, str]:
    """Return (answer, reasoning) of a whole answer, both stripped at the seam."""
    splitter = ReasoningSplitter()
    parts = splitter.feed(text) + splitter.end()
    answer, reasoning = "", ""
    for part in parts:
        if part.retract:
            reasoning, answer = reasoning + answer, ""
        answer += part.text
        reasoning += part.reasoning
    return answer.strip(), reasoning.strip()


class ReasoningSplitter:
    """Takes an answer in pieces of any size and says of each part what it is.

    Parameters
    ----------
    unmarked
        True where this model is known to begin with reasoning that nothing opens: then all is reasoning until it
        closes, and where it never closes all was the answer.
    """

    def __init__(self, *, unmarked: bool = False) -> None:
        self.closed_alone = False
        """Whether a closing tag came that nothing opened."""
        self._held = ""
        self._state = "unmarked" if unmarked else "head"
        self._kept: list[str] = []
        self._opens = False
        self._reasoned = False

    def feed(self, piece: str) -> list[Part]:
        """Return what is certain after one more piece."""
        self._held += piece
        parts: list[Part] = []
        while self._step(parts):
            pass
        return parts

    def end(self) -> list[Part]:
        """Return what was held back; the answer is over."""
        held, self._held = self._held, ""
        if self._state == "reasoning":
            return [Part(reasoning=held)] if held else []
        if self._state == "unmarked":
            text = "".join(self._kept) + held
            return [Part(text=text)] if text else []
        return [Part(text=held)] if held else []

    def _step(self, parts: list[Part]) -> bool:
        """Go on by one tag; False when more text is needed."""
        if self._state == "head":
            return self._head()
        if self._state == "reasoning":
            return self._until_close(parts)
        if self._state == "unmarked":
            return self._until_close_alone(parts)
        if self._state == "plain":
            parts.extend([Part(text=self._held)] if self._held else [])
            self._held = ""
            return False
        return self._answer(parts)

    def _closed(self, end: int) -> None:
        """Go on after a closing tag: another block may follow, else the answer stands as it is."""
        self._held = self._held[end:]
        self._state = "head"
        self._reasoned = True

    def _head(self) -> bool:
        text = self._held.lstrip()
        if not text:
            return False
        match = _OPEN.match(text)
        if match:
            self._held = text[match.end() :]
            self._state = "reasoning"
            return True
        if text[0] == "<" and len(text) < _LONGEST_TAG and ">" not in text:
            return False
        self._held = text
        self._state = "plain" if self._reasoned else "answer"
        return True

    def _until_close(self, parts: list[Part]) -> bool:
        match = _CLOSE.search(self._held)
        if match:
            if match.start():
                parts.append(Part(reasoning=self._held[: match.start()]))
            self._closed(match.end())
            return True
        safe = _safe(self._held)
        if safe:
            parts.append(Part(reasoning=self._held[:safe]))
            self._held = self._held[safe:]
        return False

    def _until_close_alone(self, parts: list[Part]) -> bool:
        match = _CLOSE.search(self._held)
        if not match:
            safe = _safe(self._held)
            self._kept.append(self._held[:safe])
            self._held = self._held[safe:]
            return False
        reasoning = _OPEN.sub("", "".join(self._kept) + self._held[: match.start()], count=1)
        parts.append(Part(reasoning=reasoning))
        self._kept.clear()
        self._closed(match.end())
        return True

    def _answer(self, parts: list[Part]) -> bool:
        opening, closing = _OPEN.search(self._held), _CLOSE.search(self._held)
        if opening and (not closing or opening.start() < closing.start()):
            self._opens = True
        if closing and not self._opens:
            parts.append(Part(text=self._held[: closing.start()]))
            parts.append(Part(retract=True))
            self._closed(closing.end())
            self.closed_alone = True
            return True
        safe = len(self._held) if self._opens else _safe(self._held)
        if safe:
            parts.append(Part(text=self._held[:safe]))
            self._held = self._held[safe:]
        return False


def _safe(text: str) -> int:
    """How many characters cannot be the beginning of a tag that is still coming."""
    start = text.rfind("<", max(0, len(text) - _LONGEST_TAG))
    return len(text) if start < 0 or ">" in text[start:] else start
