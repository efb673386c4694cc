"""A wish to stop, passed down to whoever waits."""

from __future__ import annotations

import threading
from collections.abc import Callable

from chathistory.errors import Cancelled


class Cancel:
    """Set once, from any thread; what was registered runs at once, so that a wait need not poll."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next = 0

    def set(self) -> None:
        """Stop everything that was given this wish."""
        with self._lock:
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        for callback in callbacks:
            callback()

    @property
    def is_set(self) -> bool:
        """Whether the work is to stop."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep, waking up early when set; returns whether it is set."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise Cancelled when set."""
        if self._event.is_set():
            raise Cancelled("停下了；做完的都存着，再运行一次会接着做。")

    def on_set(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when set (at once when it is already); returns what takes it back."""
        with self._lock:
            if not self._event.is_set():
                number = self._next
                self._next += 1
                self._callbacks[number] = callback
                return lambda: self._forget(number)
        callback()
        return lambda: None

    def _forget(self, number: int) -> None:
        with self._lock:
            self._callbacks.pop(number, None)
