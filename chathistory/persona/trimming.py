"""What a model says, cut to what the figure may say: no labels, no other voices, citations taken out, a length held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chathistory.persona.citations import CITATIONS, numbers_in, tail_to_hold
from chathistory.persona.labels import Label

_ENDS = "。！？!?…；;"
_CLOSERS = "”’」』）)"
_NEVER_FIRST = "：:，,、；; \u3000"
_ROLES = ("用户", "来客", "访客", "主持人", "导演", "旁白", "user", "human", "system", "narrator")
_ITSELF = ("assistant", "AI", "助手")


class Trimmer:
    """Takes a stream of text and gives out what may be heard; ``done`` once nothing more may come.

    Parameters
    ----------
    own
        The figure's names: a label of his own at the head of a line is taken off.
    others
        Names of everybody else in the talk: a label of theirs at the head of a line ends the utterance. The same name
        inside a line is talk and stays.
    max_chars
        The longest utterance: it ends with the last sentence that fits. A sentence that began in the first third of it
        is let through to its end, or to twice the length.
    keep_citations
        Whether ``[n]`` stays in the text; numbers beyond ``known`` are dropped either way.
    known
        How many memories were shown.
    """

    def __init__(
        self, own: Sequence[str], others: Sequence[str], max_chars: int, *, known: int, keep_citations: bool = False
    ) -> None:
        self._own = Label([*own, *_ITSELF])
        self._others = Label([name for name in (*others, *_ROLES) if name not in (*own, *_ITSELF)])
        self._max = max_chars
        self._known = known
        self._keep = keep_citations
        self._held = ""
        self._at_line_start = True
        self._newline = False
        self._length = 0
        self._sentence_over = False
        self._holding = False
        self._sentence = ""
        self._noted: list[int] = []
        self.done = False
        self.cited: list[int] = []
        """Numbers of the memories cited, each once, in order; from 1."""

    def feed(self, text: str) -> str:
        """Return what of the text (and of what was held back before) may be heard now."""
        if self.done:
            return ""
        self._held += text
        return "".join(self._release(final=False)) + self._rest(final=False)

    def end(self) -> str:
        """Return what was still held back."""
        if self.done:
            return ""
        return "".join(self._release(final=True)) + self._rest(final=True)

    def _rest(self, *, final: bool) -> str:
        """The sentence that was held back, where nothing more can come."""
        if not (final or self.done):
            return ""
        rest, self._sentence = self._sentence, ""
        self._cite()
        return rest

    def _release(self, *, final: bool) -> Iterator[str]:
        while self._held and not self.done:
            if self._at_line_start and not self._pass_label(final):
                return
            line, newline, rest = self._held.partition("\n")
            keep = 0 if final or newline else tail_to_hold(line)
            ready, self._held = line[: len(line) - keep], line[len(line) - keep :] + rest
            yield self._said(ready)
            if not newline:
                return
            self._at_line_start = self._newline = True

    def _pass_label(self, final: bool) -> bool:
        """Deal with the head of a line; False while it may still become a label."""
        self._held = self._held.lstrip(" \t\u3000") if self._length else self._held.lstrip()
        if not self._held:
            return False
        if self._others.end(self._held):
            self.done, self._held = True, ""
            return False
        own = self._own.end(self._held, opening=not self._length)
        if own:
            if own == len(self._held) and not final:
                return False
            self._held = self._held[own:]
            return self._pass_label(final)
        head = self._held.split("\n", 1)[0]
        undecided = not final and head == self._held
        if undecided and (self._own.may_become(head) or self._others.may_become(head)):
            return False
        self._at_line_start = False
        return True

    def _said(self, text: str) -> str:
        """Return what of a piece of a line is heard; a citation counts once the sentence it stands in is heard."""
        heard, at = [], 0
        for match in CITATIONS.finditer(text):
            heard.append(self._measured(text[at : match.start()]))
            at = match.end()
            if self.done:
                return "".join(heard)
            real = [n for n in numbers_in(match.group()) if 1 <= n <= self._known]
            self._noted.extend(real)
            if not self._holding:
                self._cite()
            if self._keep:
                heard.append(self._measured("".join(f"[{n}]" for n in real)))
        heard.append(self._measured(text[at:]))
        return "".join(heard)

    def _cite(self) -> None:
        self.cited.extend(n for n in dict.fromkeys(self._noted) if n not in self.cited)
        self._noted.clear()

    def _measured(self, text: str) -> str:
        """Hold the length: end with the last sentence that fits, or hard at twice the limit."""
        if not self._length:
            text = text.lstrip(_NEVER_FIRST)
        if text and self._newline:
            text, self._newline = ("\n" if self._length else "") + text, False
        heard: list[str] = []
        for char in text:
            if char == "\n" or (self._sentence_over and char not in _ENDS + _CLOSERS):
                heard.append(self._sentence)
                self._begin_sentence()
                if self._length >= self._max:
                    return self._finish(heard)
            self._sentence_over = self._sentence_over or char in _ENDS
            if self._holding:
                self._sentence += char
                if self._length + len(self._sentence) > self._max:
                    return self._finish(heard)
                continue
            heard.append(char)
            self._length += 1
            if self._length >= 2 * self._max:
                return self._finish(heard)
        return "".join(heard)

    def _begin_sentence(self) -> None:
        """A sentence begins; one that may be too much is held back until it is whole."""
        self._cite()
        self._length += len(self._sentence)
        self._sentence = ""
        self._sentence_over = False
        self._holding = 3 * self._length >= self._max

    def _finish(self, heard: list[str]) -> str:
        self.done, self._held, self._sentence = True, "", ""
        self._noted.clear()
        return "".join(heard)
