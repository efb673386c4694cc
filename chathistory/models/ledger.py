"""What calls cost, and whether another may be made."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chathistory.domain import ModelCall, Spending
from chathistory.errors import BudgetSpent, StoreError

_log = logging.getLogger(__name__)
_MILLION = 1_000_000


class CallLog(Protocol):
    """Where calls are kept."""

    def record(self, calls: Sequence[ModelCall]) -> None:
        """Keep calls, durably."""
        ...

    def spent(self, *, day: str | None = None, account: str | None = None) -> Spending:
        """Return the sums of a day ('2026-05-01') or of an account."""
        ...


class MemoryLog:
    """A log that lives as long as the process."""

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self._lock = threading.Lock()

    def record(self, calls: Sequence[ModelCall]) -> None:
        """Keep calls."""
        with self._lock:
            self.calls.extend(calls)

    def spent(self, *, day: str | None = None, account: str | None = None) -> Spending:
        """Return the sums of a day or of an account."""
        with self._lock:
            calls = [
                call
                for call in self.calls
                if (day is None or call.at[:10] == day) and (account is None or call.account == account)
            ]
        return Spending(
            len(calls),
            sum(call.outcome != "ok" for call in calls),
            sum(call.tokens_in for call in calls),
            sum(call.tokens_out for call in calls),
            sum(call.cost or 0.0 for call in calls),
        )


@dataclass(frozen=True, slots=True)
class Price:
    """Money a million tokens."""

    input: float = 0.0
    output: float = 0.0
    currency: str = "CNY"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the money for these tokens."""
        return (tokens_in * self.input + tokens_out * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that may be spent; 0 sets no limit."""

    tokens: int = 0
    cost: float = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.tokens > 0 or self.cost > 0


class Meter:
    """Counts calls and refuses those that would go over a budget, the ones in flight counted in. Thread-safe."""

    def __init__(
        self,
        log: CallLog | None = None,
        *,
        per_account: Allowance | None = None,
        per_day: Allowance | None = None,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self.log: CallLog = log or MemoryLog()
        self._per_account = per_account or Allowance()
        self._per_day = per_day or Allowance()
        self._now = now
        self._lock = threading.Lock()
        self._flying: dict[int, tuple[str, int, float]] = {}
        self._next = 0

    def time(self) -> str:
        """Return the present as an ISO time."""
        return self._now().isoformat(timespec="seconds")

    @contextmanager
    def allowed(self, account: str, tokens: int, cost: float) -> Iterator[list[ModelCall]]:
        """Hold room for a call of about ``tokens``; the calls that the block puts into the list are recorded.

        Raises
        ------
        BudgetSpent
            It would go over the budget of its account or of the day.
        """
        with self._lock:
            self._check(account, tokens, cost)
            number = self._next
            self._next += 1
            self._flying[number] = (account, tokens, cost)
        calls: list[ModelCall] = []
        try:
            yield calls
        finally:
            try:
                if calls:
                    self.log.record(calls)
            except StoreError as error:
                _log.warning("%d calls could not be written to the ledger: %s", len(calls), type(error).__name__)
            finally:
                with self._lock:
                    del self._flying[number]

    def _check(self, account: str, tokens: int, cost: float) -> None:
        if self._per_day.limited:
            day = self._now().date().isoformat()
            self._hold(self._per_day, self.log.spent(day=day), list(self._flying.values()), tokens, cost, "今天", "day")
        if self._per_account.limited and account:
            mine = [one for one in self._flying.values() if one[0] == account]
            spent = self.log.spent(account=account)
            self._hold(self._per_account, spent, mine, tokens, cost, "这次召唤", "summon")

    @staticmethod
    def _hold(
        most: Allowance,
        spent: Spending,
        flying: Sequence[tuple[str, int, float]],
        tokens: int,
        cost: float,
        what: str,
        key: str,
    ) -> None:
        waited_for = sum(one[1] for one in flying)
        sum_tokens = spent.tokens + waited_for + tokens
        sum_cost = spent.cost + sum(one[2] for one in flying) + cost
        if most.tokens and sum_tokens > most.tokens:
            told = f"{spent.tokens} / {most.tokens} 个词元"
            told += f"，正在问的约 {waited_for} 个" if waited_for else ""
            key = f"{key}_tokens"
        elif most.cost and sum_cost > most.cost:
            told = f"{spent.cost:.4f} / {most.cost:g}"
            key = f"{key}_cost"
        else:
            return
        raise BudgetSpent(
            f"{what}的预算用完了（已用 {told}）。做完的都存着；"
            f"调大 config.toml 里 [budget] 的 {key} 后再运行，会接着做。"
        )
