"""Many passages read by a model at one time: what is about one passage is told from what is about them all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing

from chathistory.domain import Figure, Passage
from chathistory.errors import (
    BadModelReply,
    BudgetSpent,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
)
from chathistory.models.cancel import Cancel
from chathistory.models.fan_out import fan_out
from chathistory.openie.cleaning import Reading
from chathistory.openie.llm import ModelExtractor

_DEAD = 5
"""Passages in a row for which no answer could be had, after which the provider counts as gone."""
_FEW = 0.05
_FEWEST = 2

Keep = Callable[[Passage, Reading], None]


def read_many(
    extractor: ModelExtractor,
    passages: Sequence[Passage],
    figure: Figure,
    keep: Keep,
    *,
    account: str = "",
    cancel: Cancel | None = None,
) -> Generator[tuple[Passage, Reading | ModelError] | None, None, None]:
    """Yield (passage, reading or error) as they come, None every second in which none came.

    The first few that could not be read (a twentieth of all, two at least) get a second chance: a provider's slip
    rarely happens to one passage twice, while a model that is not up to its task would only cost more.

    Parameters
    ----------
    keep
        Stores a reading; called in the thread that read it, at once.

    Raises
    ------
    BudgetSpent
        Nothing further may be asked; what was under way has come in.
    ModelRefused
        The provider takes no request at all.
    ModelTimeout, ModelUnreachable
        Five passages in a row had no answer after all tries.
    Cancelled
        The work was stopped.
    """
    cancel = cancel or Cancel()

    def read(passage: Passage) -> Reading:
        reading = extractor.read(passage, figure, account=account, cancel=cancel)
        keep(passage, reading)
        return reading

    waiting = _Queue(passages)
    chances = max(_FEWEST, int(_FEW * len(passages)))
    again: set[str] = set()
    spent: BudgetSpent | None = None
    in_a_row = 0
    with closing(fan_out(waiting, read, workers=extractor.workers, cancel=cancel)) as results:
        for result in results:
            if result is None:
                yield None
                continue
            passage, outcome = result
            if isinstance(outcome, Reading):
                in_a_row = 0
                yield passage, outcome
            elif isinstance(outcome, BudgetSpent):
                spent = outcome
            elif isinstance(outcome, BadModelReply | ModelTimeout | ModelUnreachable):
                in_a_row = 0 if isinstance(outcome, BadModelReply) else in_a_row + 1
                if in_a_row >= _DEAD:
                    raise outcome
                if passage.id in again or len(again) >= chances:
                    yield passage, outcome
                else:
                    again.add(passage.id)
                    waiting.put_back(passage)
            else:
                raise outcome
    if spent is not None:
        raise spent


class _Queue(Iterator[Passage]):
    """Passages to read; one that slipped comes back before the others, even when the queue had run empty."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._waiting = deque(passages)

    def put_back(self, passage: Passage) -> None:
        """Put a passage first."""
        self._waiting.appendleft(passage)

    def __next__(self) -> Passage:
        """Return the next one."""
        if not self._waiting:
            raise StopIteration
        return self._waiting.popleft()
