"""Stop strings, kept to even where a provider does not."""

from __future__ import annotations

from collections.abc import Sequence


class StopCutter:
    """Lets an answer through up to the first stop string, which may come in pieces."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._hold = max((len(stop) for stop in self._stops), default=1) - 1
        self._tail = ""
        self.stopped = False

    def feed(self, piece: str) -> str:
        """Return what may be shown after one more piece."""
        if self.stopped:
            return ""
        text = self._tail + piece
        found = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        if found:
            self.stopped = True
            self._tail = ""
            return text[: min(found)]
        keep = next((n for n in range(min(self._hold, len(text)), 0, -1) if self._may_begin(text[-n:])), 0)
        self._tail = text[len(text) - keep :]
        return text[: len(text) - keep]

    def end(self) -> str:
        """Return what was held back; the answer is over."""
        tail, self._tail = self._tail, ""
        return tail

    def _may_begin(self, tail: str) -> bool:
        return any(stop.startswith(tail) for stop in self._stops)
