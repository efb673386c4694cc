"""What a model says, cut to what the figure may say: no labels, no other voices, citations taken out, a length held."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_OPEN, _CLOSE = r"\[［【〔", r"\]］】〕"
_CITATION = re.compile(rf"[{_OPEN}]\s*(\d{{1,3}}(?:\s*[,，、;-]\s*\d{{1,3}})*)\s*[{_CLOSE}]")
_PART_OF_CITATION = re.compile(rf"[{_OPEN}][\d\s,，、;-]*$")
_ENDS = "。！？!?…；;"
_CLOSERS = "”’」』）)"
_LONGEST_LABEL = 40
_ROLES = ("用户", "user", "assistant", "system", "旁白", "narrator")


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
        The utterance ends with the sentence in which this many characters are reached.
    keep_citations
        Whether ``[n]`` stays in the text; numbers beyond ``known`` are dropped either way.
    known
        How many memories were shown.
    """

    def __init__(
        self, own: Sequence[str], others: Sequence[str], max_chars: int, *, known: int, keep_citations: bool = False
    ) -> None:
        self._own = _label([*own, "assistant"])
        self._others = _label([name for name in (*others, *_ROLES) if name not in own and name != "assistant"])
        self._max = max_chars
        self._known = known
        self._keep = keep_citations
        self._held = ""
        self._at_line_start = True
        self._newline = False
        self._full = False
        self._length = 0
        self.done = False
        self.cited: list[int] = []
        """Numbers of the memories cited, each once, in order; from 1."""

    def feed(self, text: str) -> str:
        """Return what of the text (and of what was held back before) may be heard now."""
        if self.done:
            return ""
        self._held += text
        return "".join(self._release(final=False))

    def end(self) -> str:
        """Return what was still held back."""
        if self.done:
            return ""
        return "".join(self._release(final=True))

    def _release(self, *, final: bool) -> Iterator[str]:
        while self._held and not self.done:
            if self._at_line_start and not self._pass_label(final):
                return
            line, newline, rest = self._held.partition("\n")
            keep = 0 if final or newline else _tail_to_hold(line)
            ready, self._held = line[: len(line) - keep], line[len(line) - keep :] + rest
            yield self._measured(self._without_citations(ready))
            if not newline:
                return
            self._at_line_start = self._newline = True

    def _pass_label(self, final: bool) -> bool:
        """Deal with the head of a line; False while it may still become a label."""
        self._held = self._held.lstrip(" \t\u3000") if self._length else self._held.lstrip()
        if not self._held:
            return False
        if self._others.match(self._held):
            self.done, self._held = True, ""
            return False
        own = self._own.match(self._held)
        if own:
            if own.end() == len(self._held) and not final:
                return False
            self._held = self._held[own.end() :]
            return self._pass_label(final)
        head = self._held.split("\n", 1)[0]
        if not final and "\n" not in self._held and len(head) < _LONGEST_LABEL and _LABEL_SHAPE.fullmatch(head):
            return False
        self._at_line_start = False
        return True

    def _without_citations(self, text: str) -> str:
        def note(match: re.Match[str]) -> str:
            numbers = [int(n) for n in re.findall(r"\d+", match.group(1))]
            real = [n for n in numbers if 1 <= n <= self._known]
            self.cited.extend(n for n in real if n not in self.cited)
            return "".join(f"[{n}]" for n in real) if self._keep else ""

        return _CITATION.sub(note, text)

    def _measured(self, text: str) -> str:
        """Hold the length: end with the sentence in which the limit is reached, or hard at twice the limit."""
        if text and self._newline:
            text, self._newline = ("\n" if self._length else "") + text, False
        for i, char in enumerate(text):
            if self._full and char not in _ENDS + _CLOSERS:
                return self._finish(text[:i])
            self._length += 1
            self._full = self._full or (self._length >= self._max and char in _ENDS)
            if self._length >= 2 * self._max:
                return self._finish(text[: i + 1])
        return text

    def _finish(self, text: str) -> str:
        self.done, self._held = True, ""
        return text


_LABEL_SHAPE = re.compile(r"[*_#>\s【\[（(「]*[^：:，。！？,.!?\n]{0,24}[】\]）)」*_\s]*")


def _label(names: Sequence[str]) -> re.Pattern[str]:
    """Match a speaker's label at the head of a line: 孔子：, **孔子**:, 【孔子】, [孔子]：, 孔子（笑）：."""
    any_name = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True) if name) or r"(?!)"
    mood = r"(?:\s*[（(][^）)\n]{0,12}[）)])?"
    bracketed = rf"[*_\s]*[【\[「]\s*(?:{any_name}){mood}\s*[】\]」][*_\s]*[:：]?\s*"
    plain = rf"[*_#>\s]*(?:{any_name}){mood}[*_\s]*[:：][*_]*\s*"
    return re.compile(rf"(?:{bracketed}|{plain})", re.IGNORECASE)


def _tail_to_hold(line: str) -> int:
    """How many characters at the end may yet become a citation."""
    match = _PART_OF_CITATION.search(line[-_LONGEST_LABEL:])
    return len(match.group()) if match else 0
