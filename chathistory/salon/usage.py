"""What models have cost so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from chathistory.domain import Spending
from chathistory.salon.archive import Archive
from chathistory.store import UsageRow


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over the ledger. ``by_currency`` holds the money; calls without a price stand under ''."""

    day: str
    today: Spending
    total: Spending
    by_task: tuple[UsageRow, ...]
    by_model: tuple[UsageRow, ...]
    by_outcome: tuple[UsageRow, ...]
    by_currency: tuple[UsageRow, ...]
    by_day: tuple[UsageRow, ...]


def usage_of(archive: Archive, now: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> Usage:
    """Return what the ledger of a data folder tells."""
    day = now().date().isoformat()
    calls = archive.calls
    return Usage(
        day,
        calls.spent(day=day),
        calls.spent(),
        tuple(calls.usage("task")),
        tuple(calls.usage("model")),
        tuple(calls.usage("outcome")),
        tuple(calls.usage("currency")),
        tuple(calls.usage("day")),
    )
