"""Server-sent events as providers really write them: the JSON of each, whatever the line ends, blanks and comments."""

from __future__ import annotations

import json
import re
from typing import Any

from chathistory.models.retry import Fault

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
_BOM = b"\xef\xbb\xbf"
_DONE = b"[DONE]"
_FIELDS = (b"data:", b":", b"event:", b"id:", b"retry:")


def is_events(head: bytes) -> bool | None:
    """Whether a body that begins so is a stream of events; None while that cannot be told yet."""
    if _BOM.startswith(head):
        return None
    head = head.removeprefix(_BOM).lstrip()
    if head.startswith(_FIELDS):
        return True
    return None if any(field.startswith(head) for field in _FIELDS) else False


class EventReader:
    """Takes a body in pieces of any size and gives out the JSON object of each event; ``done`` once [DONE] came.

    An event's data may stand on several lines, and an event need not be followed by an empty line: a line that makes
    the data whole ends it. What comes after [DONE] is not read.
    """

    def __init__(self) -> None:
        self.done = False
        self._held = b""
        self._first = True
        self._data: list[bytes] = []
        self._error = False

    def feed(self, chunk: bytes) -> list[dict[str, Any]]:
        """Return the events that one more piece completes.

        Raises
        ------
        Fault
            ('cut') An event is no JSON object.
        """
        self._held += chunk
        if self._first and len(self._held) < len(_BOM) and _BOM.startswith(self._held):
            return []
        if self._first:
            self._held, self._first = self._held.removeprefix(_BOM), False
        lines = _LINE_END.split(self._held)
        self._held = lines.pop()
        return self._read(lines)

    def end(self) -> list[dict[str, Any]]:
        """Return what a last line without an end holds; raises as ``feed``."""
        rest, self._held = self._held, b""
        return self._read([rest, b""])

    def _read(self, lines: list[bytes]) -> list[dict[str, Any]]:
        events = []
        for line in lines:
            if self.done:
                break
            event = self._line(line.strip())
            if event is not None:
                events.append(event)
        return events

    def _line(self, line: bytes) -> dict[str, Any] | None:
        """Return the event that a line completes."""
        if not line:
            if self._data:
                raise _unreadable()
            self._error = False
            return None
        if line.startswith(b"event:"):
            self._error = line[6:].strip() == b"error"
            return None
        if not line.startswith(b"data:"):
            return None
        data = line[5:].strip()
        if data == _DONE:
            self.done = True
            return None
        if data:
            self._data.append(data)
        return self._whole()

    def _whole(self) -> dict[str, Any] | None:
        if not self._data:
            return None
        try:
            event = json.loads(b"\n".join(self._data).decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
        self._data.clear()
        if not isinstance(event, dict):
            raise _unreadable()
        return {"error": event} if self._error and "error" not in event else event


def _unreadable() -> Fault:
    return Fault("cut", 200, "回答里有读不懂的数据")
