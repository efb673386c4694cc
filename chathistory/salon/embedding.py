"""The embedding step of a summons: what today's model has not seen yet, what it will cost, and doing it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from chathistory.domain import Passage, Progress, text_id
from chathistory.errors import ChatHistoryError
from chathistory.knowledge import embed_missing, texts_to_embed
from chathistory.knowledge.calibration import QUESTIONS, questions_of
from chathistory.models.cancel import Cancel
from chathistory.models.estimate import Estimate
from chathistory.models.fan_out import fan_out
from chathistory.models.protocols import PaidEmbedder
from chathistory.salon.archive import Archive
from chathistory.salon.memory_index import unseen
from chathistory.salon.remembering_embedder import paid

_BATCH = 48
_MESSAGE = "正在记住……"


@dataclass(frozen=True, slots=True)
class Unembedded:
    """What of a figure's ``total`` texts today's model has not seen, and the questions that calibrate the model."""

    total: int
    texts: tuple[str, ...]
    questions: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.texts or self.questions)


def unembedded(archive: Archive, found: Sequence[Passage]) -> Unembedded:
    """Return what of these passages today's model has not seen; vectors that are shipped count as seen."""
    texts = texts_to_embed(found)
    model = archive.embedder.model_id
    questions = {text_id(question): question for question in QUESTIONS}
    missing = unseen(archive.vectors, model, texts)
    return Unembedded(len(texts), missing, unseen(archive.vectors, questions_of(model), questions))


def estimate(archive: Archive, todo: Unembedded) -> Estimate:
    """Return what embedding this will take; nothing for an embedder on this machine."""
    remote = paid(archive.embedder)
    return Estimate() if remote is None else remote.estimate(todo.texts, todo.questions)


def embed(archive: Archive, todo: Unembedded, account: str, cancel: Cancel) -> Generator[Progress, None, None]:
    """Embed what is missing; every batch is stored as it comes.

    Raises
    ------
    ModelError, Cancelled
        The model cannot be had, the budget is spent, or the work was stopped; what came in is stored.
    """
    done = todo.total - len(todo.texts)
    yield Progress("embed", done, todo.total, _MESSAGE)
    remote = paid(archive.embedder)
    if remote is None:
        for start in range(0, len(todo.texts), _BATCH):
            batch = todo.texts[start : start + _BATCH]
            embed_missing(batch, archive.embedder, archive.vectors)
            done += len(batch)
            yield Progress("embed", done, todo.total, _MESSAGE)
        return
    if todo.questions:
        vectors = remote.queries(todo.questions, account=account, cancel=cancel)
        ids = [text_id(question) for question in todo.questions]
        archive.vectors.put_many(questions_of(remote.model_id), dict(zip(ids, vectors, strict=True)))
    for count in _over_the_api(archive, remote, todo.texts, account, cancel):
        done += count
        yield Progress("embed", done, todo.total, _MESSAGE)


def _over_the_api(
    archive: Archive, remote: PaidEmbedder, texts: Sequence[str], account: str, cancel: Cancel
) -> Generator[int, None, None]:
    """Yield how many texts came in, 0 every second in which none did; after a failure, what is under way comes in."""
    failed: list[ChatHistoryError] = []

    def work(batch: list[str]) -> int:
        vectors = remote.passages(batch, account=account, cancel=cancel)
        archive.vectors.put_many(remote.model_id, {text_id(t): row for t, row in zip(batch, vectors, strict=True)})
        return len(batch)

    def waiting() -> Generator[list[str], None, None]:
        for batch in remote.batches(texts):
            if failed:
                return
            yield batch

    with closing(fan_out(waiting(), work, workers=remote.concurrency, cancel=cancel)) as results:
        for result in results:
            if result is None:
                yield 0
            elif isinstance(result[1], ChatHistoryError):
                failed.append(result[1])
            else:
                yield result[1]
    if failed:
        raise failed[0]
