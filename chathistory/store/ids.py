"""ULIDs: ids that sort by time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class UlidMaker:
    """Makes 26-character ULIDs that never go backwards within a process, even within one millisecond.

    Source: the ULID specification (48 bits of milliseconds, 80 bits of randomness, Crockford base 32).
    """

    def __init__(self, now: Callable[[], float] = time.time, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._now = now
        self._entropy = entropy
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        """Return the next id."""
        with self._lock:
            number = (int(self._now() * 1000) << 80) | int.from_bytes(self._entropy(10), "big")
            if number <= self._last:
                number = self._last + 1
            self._last = number
        return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
