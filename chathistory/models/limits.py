"""How fast a provider may be asked, and when a request counts as hanging. Lives in the event loop: no locks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from chathistory.models.retry import PATIENCE

T = TypeVar("T")
_MINUTE = 60.0
_IN_A_ROW = 3
"""Rate limits without a success between them, after which everybody waits; one for each slot where there are more."""


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
        self._free = concurrency
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._turn = asyncio.Lock()
        self._started: deque[float] = deque()
        self._opens_at = 0.0
        self._limited = 0
        self._answered_at = float("-inf")

    @asynccontextmanager
    async def slot(self, *, patient: bool = False, again: bool = False) -> AsyncIterator[None]:
        """Hold one of the provider's slots, from when the rate allows it.

        ``patient`` requests (one of many, with nobody waiting for it) let all others go first: a summons in the
        background does not hold up a talk by more than the request that is under way. What is tried ``again`` goes
        before its like, so that the last of many is not left to wait for itself.
        """
        await self._take(self._patient if patient else self._urgent, first=again)
        try:
            async with self._turn:
                await self._pace()
            yield
        finally:
            self._give_back()

    async def _take(self, waiting: deque[asyncio.Future[None]], *, first: bool) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if first:
            waiting.appendleft(turn)
        else:
            waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back()
            raise

    def _give_back(self) -> None:
        """Hand the slot to who waits; those who gave up waiting are passed over."""
        for waiting in (self._urgent, self._patient):
            while waiting:
                turn = waiting.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1

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
        self._answered_at = asyncio.get_running_loop().time()

    def answered_since(self, moment: float) -> bool:
        """Whether the provider answered somebody after a moment of the loop's clock."""
        return self._answered_at > moment

    def limited(self, seconds: float) -> None:
        """Note a rate limit; several in a row, one for each slot, hold everybody back for as long as the last says.

        A wait that no call would sit out holds nobody: each is told at once by the provider itself.
        """
        self._limited += 1
        if self._limited >= max(_IN_A_ROW, self.concurrency) and seconds <= PATIENCE:
            self._opens_at = max(self._opens_at, asyncio.get_running_loop().time() + seconds)


class Pace:
    """How long the last answers of one kind took, and so how long to wait for the next.

    Once eight are known, a try may take twice as long as nine in ten of the last fifty took, and half
    as long again as the slowest; after each time-out twice as long as before, so that a provider that has grown slow
    is not cut off for ever.
    """

    _KNOWN = 8
    _TIMES = 2.0
    _TIMES_SLOWEST = 1.5
    _SHORTEST = 0.5

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=50)

    def took(self, seconds: float) -> None:
        """Note how long an answer took."""
        self._seconds.append(seconds)

    def patience(self, timeouts: int, most: float) -> float:
        """Return the seconds a try may take after so many time-outs of the same call, ``most`` at most."""
        if len(self._seconds) < self._KNOWN:
            return most
        ranked = sorted(self._seconds)
        usual, slowest = ranked[len(ranked) * 9 // 10], ranked[-1]
        line = max(self._SHORTEST, self._TIMES * usual, self._TIMES_SLOWEST * slowest)
        return float(min(most, line * 2**timeouts))


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
