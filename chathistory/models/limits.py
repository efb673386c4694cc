"""How fast a provider may be asked, and when a request counts as hanging. Lives in the event loop: no locks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")
_MINUTE = 60.0
_IN_A_ROW = 3
"""Rate limits without a success between them, after which everybody waits."""


class Gate:
    """One provider's concurrency limit and rate limiter.

    Parameters
    ----------
    concurrency
        Requests at one time, 1 or more.
    per_minute
        Requests in any 60 seconds; 0 sets no limit.
    """

    def __init__(self, concurrency: int, per_minute: int = 0) -> None:
        self.concurrency = concurrency
        self.per_minute = per_minute
        self._slots = asyncio.Semaphore(concurrency)
        self._turn = asyncio.Lock()
        self._started: deque[float] = deque()
        self._opens_at = 0.0
        self._limited = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold one of the provider's slots, from when the rate allows it."""
        async with self._slots:
            async with self._turn:
                await self._pace()
            yield

    async def _pace(self) -> None:
        clock = asyncio.get_running_loop().time
        if self._opens_at > clock():
            await asyncio.sleep(self._opens_at - clock())
        if self.per_minute <= 0:
            return
        while self._started and self._started[0] <= clock() - _MINUTE:
            self._started.popleft()
        if len(self._started) >= self.per_minute:
            await asyncio.sleep(self._started[0] + _MINUTE - clock())
            self._started.popleft()
        self._started.append(clock())

    def succeeded(self) -> None:
        """Note that the provider answered."""
        self._limited = 0

    def limited(self, seconds: float) -> None:
        """Note a rate limit; the third in a row holds everybody back for as long as it says."""
        self._limited += 1
        if self._limited >= _IN_A_ROW:
            self._opens_at = max(self._opens_at, asyncio.get_running_loop().time() + seconds)


class Pace:
    """How long the last answers of one kind took, and so how long to wait for the next.

    Once eight are known, a try may take three times as long as nine in ten of the last fifty took, and half as long
    again as the slowest; each further try twice as long as the one before, so that a provider that has grown slow is
    not cut off for ever.
    """

    _KNOWN = 8
    _TIMES = 3.0
    _TIMES_SLOWEST = 1.5
    _SHORTEST = 0.75

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=50)

    def took(self, seconds: float) -> None:
        """Note how long an answer took."""
        self._seconds.append(seconds)

    def patience(self, tries: int, most: float) -> float:
        """Return the seconds the ``tries``-th try may take, ``most`` at most."""
        if len(self._seconds) < self._KNOWN:
            return most
        ranked = sorted(self._seconds)
        usual, slowest = ranked[len(ranked) * 9 // 10], ranked[-1]
        line = max(self._SHORTEST, self._TIMES * usual, self._TIMES_SLOWEST * slowest)
        return float(min(most, line * 2 ** (tries - 1)))


async def watched(work: asyncio.Task[T], seconds: Callable[[], float]) -> T:
    """Return the result of a task that may take ``seconds()``, asked anew every quarter second.

    Raises
    ------
    TimeoutError
        It took longer; the task is cancelled and over.
    """
    clock = asyncio.get_running_loop().time
    start = clock()
    try:
        while not work.done():
            left = start + seconds() - clock()
            if left <= 0:
                raise TimeoutError
            await asyncio.wait({work}, timeout=min(left, 0.25))
        return work.result()
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work}, timeout=1.0)
