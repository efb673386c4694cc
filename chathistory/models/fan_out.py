"""Many like pieces of work at one time: bounded, stoppable, each result as it comes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from chathistory.errors import ChatHistoryError
from chathistory.models.cancel import Cancel

T = TypeVar("T")
R = TypeVar("R")
_BEAT = 1.0


def fan_out(
    items: Iterable[T], work: Callable[[T], R], *, workers: int, cancel: Cancel
) -> Generator[tuple[T, R | ChatHistoryError] | None, None, None]:
    """Yield (item, result) in the order in which the work is done; a named error is a result too.

    Nothing is begun before it is its turn: at most ``workers`` are under way. None is yielded every second in which
    nothing ended, so that the caller can show a sign of life. Whatever ends the iteration (an error, closing it,
    ``cancel``) sets ``cancel``, which the work must heed, and waits for what is under way.
    """
    waiting = iter(items)
    running: dict[Future[R], T] = {}
    pool = ThreadPoolExecutor(workers, thread_name_prefix="chathistory-fan")
    try:
        while True:
            while len(running) < workers and not cancel.is_set:
                try:
                    item = next(waiting)
                except StopIteration:
                    break
                running[pool.submit(work, item)] = item
            if not running:
                cancel.check()
                return
            done, _ = wait(running, timeout=_BEAT, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            for future in done:
                item = running.pop(future)
                error = future.exception()
                if error is not None and not isinstance(error, ChatHistoryError):
                    raise error
                yield item, future.result() if error is None else error
    finally:
        if running:
            cancel.set()
        pool.shutdown(wait=True, cancel_futures=True)
