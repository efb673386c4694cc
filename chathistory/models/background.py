"""One event loop in a daemon thread carries all requests, so that each of them can be stopped at any moment.

Callers are synchronous: they start a piece of work there and wait for it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

from chathistory.errors import Cancelled
from chathistory.models.cancel import Cancel

T = TypeVar("T")
_STEP = 0.2
"""Seconds of one wait: Ctrl-C must get through on systems where a wait cannot be interrupted."""
_GRACE = 0.5
"""Seconds a stopped work has to close its socket before its caller goes on."""

_heart: ContextVar[Callable[[], object] | None] = ContextVar("heart", default=None)


@contextmanager
def beating(heart: Callable[[], object]) -> Iterator[None]:
    """Within the block, call ``heart`` every fifth of a second in which this thread waits for a model.

    What it raises ends the wait and stops the work: so an interface that is told to stop only when it draws something
    is told in time.
    """
    token = _heart.set(heart)
    try:
        yield
    finally:
        _heart.reset(token)


def beat() -> None:
    """Call what this thread was told to call while it waits."""
    heart = _heart.get()
    if heart is not None:
        heart()


_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the running loop, started at first use."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="chathistory-models", daemon=True).start()
        return _loop


class Running(Generic[T]):
    """Work that goes on in the loop. ``make`` is called there, so nothing is made that is never awaited."""

    def __init__(self, make: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._future: Future[T] = Future()
        self._task: asyncio.Task[T] | None = None
        self._loop = event_loop()
        self._loop.call_soon_threadsafe(self._begin, make)

    def _begin(self, make: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._task = self._loop.create_task(make())
        self._task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self._future.set_exception(Cancelled("停下了；做完的都存着，再运行一次会接着做。"))
            return
        error = task.exception()
        if error is not None:
            self._future.set_exception(error)
        else:
            self._future.set_result(task.result())

    @property
    def done(self) -> bool:
        """Whether the work is over, well or badly."""
        return self._future.done()

    def on_done(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when the work is over (at once when it is already), in whatever thread ends it."""
        self._future.add_done_callback(lambda _future: callback())

    def cancel(self) -> None:
        """Stop the work soon; harmless when it is done."""
        self._loop.call_soon_threadsafe(lambda: self._task.cancel() if self._task else None)

    def stop(self) -> None:
        """Stop the work and give it half a second to let go of its socket."""
        if self._future.done():
            return
        self.cancel()
        try:
            self._future.exception(_GRACE)
        except FutureTimeout:
            return

    def result(self, cancel: Cancel | None = None) -> T:
        """Wait for the end; whatever interrupts the wait stops the work."""
        forget = cancel.on_set(self.cancel) if cancel else None
        try:
            while True:
                try:
                    return self._future.result(_STEP)
                except FutureTimeout:
                    if self._future.done():
                        return self._future.result()
                    beat()
        finally:
            if forget:
                forget()
            self.stop()


def run(make: Callable[[], Coroutine[Any, Any, T]], cancel: Cancel | None = None) -> T:
    """Run a coroutine in the loop and return its result; ``cancel`` stops it there."""
    if cancel:
        cancel.check()
    return Running(make).result(cancel)
