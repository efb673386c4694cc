"""The extraction step of a summons: what is stored is not read again, what a model cannot read is set aside."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from chathistory.domain import Extraction, Figure, Passage, Progress
from chathistory.errors import BadModelReply, ExtractionError, ModelError
from chathistory.models.estimate import Estimate
from chathistory.openie import RuleExtractor
from chathistory.openie.cleaning import Dropped, Reading, total
from chathistory.openie.llm import ModelExtractor
from chathistory.openie.many import read_many
from chathistory.salon.archive import Archive
from chathistory.salon.terms import Terms
from chathistory.store import SetAside

_log = logging.getLogger(__name__)
_BATCH = 16
_MESSAGE = "正在读出人、地、事……"
_WAITING = "等模型回答……"


@dataclass(frozen=True, slots=True)
class Extracted:
    """An extraction for every passage, in order; ``note`` tells in Chinese what could not be read."""

    extractions: tuple[Extraction, ...]
    note: str = ""


def estimate(
    archive: Archive, found: Sequence[Passage], who: Figure, given_by: tuple[str, str], terms: Terms
) -> Estimate:
    """Return what reading the passages will take that are not stored yet; nothing for the rules."""
    extractor = archive.makers.extractor
    if not isinstance(extractor, ModelExtractor):
        return Estimate()
    stored = _stored(archive, found, who, given_by)
    missing = _missing(archive, found, who, stored, terms)
    return extractor.estimate(missing, who) if missing else Estimate()


def extract(
    archive: Archive, found: Sequence[Passage], who: Figure, given_by: tuple[str, str], terms: Terms, account: str
) -> Generator[Progress, None, Extracted]:
    """Read what is not stored yet; every result is stored as it comes.

    Parameters
    ----------
    given_by
        Maker and version whose stored extractions are taken first (the seed's, or today's maker's).
    account
        What the calls are charged to.

    Raises
    ------
    Cancelled
        The work was stopped.
    ModelError
        The provider refuses, is gone, or the budget is spent; what was read is stored.
    """
    extractor = archive.makers.extractor
    ids = [passage.id for passage in found]
    stored = _stored(archive, found, who, given_by)
    missing = _missing(archive, found, who, stored, terms)
    progress = _Counter(len(found), len(found) - len(missing))
    yield progress.step(_MESSAGE)
    if isinstance(extractor, ModelExtractor):
        readings = yield from _by_model(archive, extractor, missing, who, terms, account, progress)
        stored |= {reading.extraction.passage_id: reading.extraction for reading in readings}
        dropped = total(reading.dropped for reading in readings)
    else:
        yield from _by_rules(archive, missing, who, stored, progress)
        dropped = Dropped()
    unread = [passage for passage in found if passage.id not in stored]
    for passage in unread:
        stored[passage.id] = _stand_in(passage, who)
    return Extracted(tuple(stored[key] for key in ids), _note(who, len(unread), dropped))


def _stored(
    archive: Archive, found: Sequence[Passage], who: Figure, given_by: tuple[str, str]
) -> dict[str, Extraction]:
    """Return the extractions that are there, by passage id: the given maker's, else today's."""
    ids = [passage.id for passage in found]
    todays = (archive.makers.extractor.maker, archive.makers.extractor.version)
    stored = archive.extractions.get_many(ids, who.name, *given_by)
    if given_by != todays and len(stored) < len(found):
        stored = archive.extractions.get_many(ids, who.name, *todays) | stored
    return stored


def _missing(
    archive: Archive, found: Sequence[Passage], who: Figure, stored: dict[str, Extraction], terms: Terms
) -> list[Passage]:
    """Return the passages to read: not stored, and not set aside unless these shall be read again."""
    extractor = archive.makers.extractor
    aside = set() if terms.retry_failed else archive.set_aside.ids(who.name, extractor.maker, extractor.version)
    return [passage for passage in found if passage.id not in stored and passage.id not in aside]


@dataclass(slots=True)
class _Counter:
    total: int
    done: int

    def step(self, message: str) -> Progress:
        return Progress("extract", self.done, self.total, message)


def _by_rules(
    archive: Archive, missing: Sequence[Passage], who: Figure, stored: dict[str, Extraction], progress: _Counter
) -> Generator[Progress, None, None]:
    extractor = archive.makers.extractor
    for start in range(0, len(missing), _BATCH):
        batch = []
        for passage in missing[start : start + _BATCH]:
            try:
                batch.append(extractor.extract(passage, who))
            except ExtractionError:
                _log.warning("no facts in passage %s of %s", passage.id[:12], who.name)
                batch.append(Extraction(passage.id, (), ()))
        archive.extractions.put_many(batch, who.name, extractor.maker, extractor.version)
        stored |= {extraction.passage_id: extraction for extraction in batch}
        progress.done += len(batch)
        yield progress.step(_MESSAGE)


def _by_model(
    archive: Archive,
    extractor: ModelExtractor,
    missing: Sequence[Passage],
    who: Figure,
    terms: Terms,
    account: str,
    progress: _Counter,
) -> Generator[Progress, None, list[Reading]]:

    def keep(passage: Passage, reading: Reading) -> None:
        archive.extractions.put_many([reading.extraction], who.name, extractor.maker, extractor.version)
        if terms.retry_failed:
            archive.set_aside.remove(passage.id, who.name, extractor.maker, extractor.version)

    readings: list[Reading] = []
    results = read_many(extractor, missing, who, keep, account=account, cancel=terms.cancel)
    with closing(results):
        for result in results:
            if result is None:
                yield progress.step(_WAITING)
                continue
            passage, outcome = result
            if isinstance(outcome, Reading):
                readings.append(outcome)
            else:
                _set_aside(archive, extractor, passage, who, outcome)
            progress.done += 1
            yield progress.step(_MESSAGE)
    return readings


def _set_aside(archive: Archive, extractor: ModelExtractor, passage: Passage, who: Figure, error: ModelError) -> None:
    raw = error.raw if isinstance(error, BadModelReply) else ""
    _log.warning("passage %s of %s is set aside: %s", passage.id[:12], who.name, type(error).__name__)
    archive.set_aside.put(
        SetAside(passage.id, who.name, extractor.maker, extractor.version, type(error).__name__, str(error), raw)
    )


def _stand_in(passage: Passage, who: Figure) -> Extraction:
    """What the rules read in a passage that the model could not, until it is read by the model; never stored as its."""
    try:
        return RuleExtractor().extract(passage, who)
    except ExtractionError:
        return Extraction(passage.id, (), ())


_REASONS = {
    "wrong_length": "不足或超过三项",
    "empty": "有空缺",
    "same": "首尾相同",
    "pronoun": "代词",
    "foreign": "段落里没有",
    "language": "换了语言",
    "too_long": "过长",
}


def _note(who: Figure, unread: int, dropped: Dropped) -> str:
    parts = []
    if dropped:
        _log.info("dropped from the answers about %s: %s", who.name, dict(dropped))
        reasons = "、".join(f"{_REASONS.get(key, key)} {count}" for key, count in dropped.most_common())
        parts.append(f"模型的回答里丢弃了 {sum(dropped.values())} 条（{reasons}）。")
    if unread:
        parts.append(f"有 {unread} 段模型没读出来，先由内置规则代读；summon {who.name} --retry-failed 可以重试。")
    return "".join(parts)
