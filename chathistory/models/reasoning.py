"""Reasoning told apart from the answer, whole or as it comes: the one reader of it.

Reasoning is what stands in a block, at the head or later; a block that never closes, to the end; and everything before
a closing tag that nothing opened, as templates leave it which write the opening tag themselves. Blocks may stand in
one another. A closing tag too many, after a block, is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORDS = ("thinking", "thoughts", "thought", "think", "reasoning", "reason", "analysis", "reflection", "seed:think")
_NAMES = "|".join(_WORDS)
_LESS, _MORE = "[<＜◁]", "[>＞▷]"
_OPEN = re.compile(rf"{_LESS}\s?(?:{_NAMES})(?:\s[^<>＜＞\n]{{0,60}})?{_MORE}", re.I)
_CLOSE = re.compile(rf"{_LESS}\s?[/／]\s?(?:{_NAMES})\s?{_MORE}", re.I)
_TAG = re.compile(rf"(?P<open>{_OPEN.pattern})|(?P<close>{_CLOSE.pattern})", re.I)
_BEGUN = re.compile(rf"{_LESS}\s?(?P<slash>[/／])?\s?(?P<word>[a-z:]*)(?P<rest>\s[^<>＜＞\n]{{0,60}})?", re.I)


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
        self._unmarked = unmarked
        self._depth = 0
        self._deepest = 0
        self._reasoned = False
        self._bare = True
        self._kept: list[str] = []

    def feed(self, piece: str) -> list[Part]:
        """Return what is certain after one more piece."""
        self._held += piece
        parts: list[Part] = []
        while match := _TAG.search(self._held):
            before, self._held = self._held[: match.start()], self._held[match.end() :]
            self._pass(before, parts)
            if match["open"]:
                self._opened(parts)
            else:
                self._closed(match.group(), parts)
        safe = _safe(self._held)
        before, self._held = self._held[:safe], self._held[safe:]
        self._pass(before, parts)
        return parts

    def end(self) -> list[Part]:
        """Return what was held back; the answer is over."""
        parts: list[Part] = []
        held, self._held = self._held, ""
        self._pass(held, parts)
        kept = "".join(self._kept)
        self._kept.clear()
        return [*parts, Part(text=kept)] if kept else parts

    def _pass(self, text: str, parts: list[Part]) -> None:
        """Take text in which no tag stands."""
        if not text:
            return
        if self._depth and self._depth == self._deepest:
            parts.append(Part(reasoning=text))
        elif self._depth or self._unmarked:
            self._kept.append(text)
        else:
            if self._bare:
                text = text.lstrip()
            self._bare = self._bare and not text
            if text:
                parts.append(Part(text=text))

    def _opened(self, parts: list[Part]) -> None:
        """A block begins; what was kept within another one is reasoning for certain."""
        self._unmarked = False
        self._flush(parts)
        self._depth += 1
        self._deepest = self._depth

    def _closed(self, tag: str, parts: list[Part]) -> None:
        """A block ends. What follows an inner one is kept until it is known whether the outer one ends too."""
        if self._depth:
            self._flush(parts)
            self._depth -= 1
            self._reasoned = True
        elif self._unmarked:
            self._unmarked = False
            self._flush(parts)
            self._reasoned = True
        elif self._reasoned:
            self._pass(tag, parts)
        else:
            parts.append(Part(retract=True))
            self.closed_alone = self._reasoned = self._bare = True

    def _flush(self, parts: list[Part]) -> None:
        """What was kept turned out to be reasoning."""
        if self._kept:
            parts.append(Part(reasoning="".join(self._kept)))
            self._kept.clear()


def _safe(text: str) -> int:
    """How many characters cannot be the beginning of a tag that is still coming."""
    start = max(text.rfind(char) for char in "<＜◁")
    begun = _BEGUN.fullmatch(text, start) if start >= 0 else None
    if begun is None:
        return len(text)
    word = begun["word"].lower()
    may_be = word in _WORDS if begun["rest"] else any(one.startswith(word) for one in _WORDS)
    return start if may_be else len(text)
