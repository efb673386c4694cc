"""Python's cycle collector, kept out of the way while very many objects are made that all stay."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextmanager
def paused_collection() -> Iterator[None]:
    """Switch the collector off for a block, from whichever thread; on again once the last block that asked is left.

    A fifth of a login went into looking, again and again, for cycles among facts that have none.
    """
    global _pauses, _was_on
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
