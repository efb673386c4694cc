"""The extraction step of a summons: what is stored is not read again, what a model cannot read is set aside."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from chathistory.domain import Extraction, Figure, Passage, Progress
from chathistory.errors import (
    BadModelReply,
    Cancelled,
    ExtractionError,
    ModelError,
)
from chathistory.models.cancel import Cancel
from chathistory.openie import RuleExtractor
from chathistory.openie.cleaning import Dropped, Reading, total
from chathistory.openie.llm import Estimate, ModelExtractor
from chathistory.openie.many import read_many
from chathistory.salon.archive import Archive
from chathistory.store import SetAside

_log = logging.getLogger(__name__)
_BATCH = 16
_MESSAGE = "正在读出人、地、事……"
_WAITING = "等模型回答……"

Confirm = Callable[[Estimate], bool]


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a model may be called for a summons.

    ``confirm`` is shown the estimate and says whether to go on, None goes on; ``retry_failed`` reads again what was set
    aside before; ``cancel`` stops what is under way.
    """

    confirm: Confirm | None = None
    retry_failed: bool = False
    cancel: Cancel = field(default_factory=Cancel)


@dataclass(frozen=True, slots=True)
class Extracted:
    """An extraction for every passage, in order; ``note`` tells in Chinese what could not be read."""

    extractions: tuple[Extraction, ...]
    note: str = ""


def extract(
    archive: Archive, found: Sequence[Passage], who: Figure, given_by: tuple[str, str], terms: Terms
) -> Generator[Progress, None, Extracted]:
    """Read what is not stored yet; every result is stored as it comes.

    Parameters
    ----------
    given_by
        Maker and version whose stored extractions are taken first (the seed's, or today's maker's).

    Raises
    ------
    Cancelled
        The estimate was not confirmed, or the work was stopped.
    ModelError
        The provider refuses, is gone, or the budget is spent; what was read is stored.
    """
    extractor = archive.makers.extractor
    maker, version = extractor.maker, extractor.version
    ids = [passage.id for passage in found]
    stored = archive.extractions.get_many(ids, who.name, *given_by)
    if given_by != (maker, version) and len(stored) < len(found):
        stored = archive.extractions.get_many(ids, who.name, maker, version) | stored
    aside = set() if terms.retry_failed else archive.set_aside.ids(who.name, maker, version)
    missing = [passage for passage in found if passage.id not in stored and passage.id not in aside]
    progress = _Counter(len(found), len(found) - len(missing))
    yield progress.step(_MESSAGE)
    if isinstance(extractor, ModelExtractor):
        readings = yield from _by_model(archive, extractor, missing, who, terms, progress)
        stored |= {reading.extraction.passage_id: reading.extraction for reading in readings}
        dropped = total(reading.dropped for reading in readings)
    else:
        yield from _by_rules(archive, missing, who, stored, progress)
        dropped = Dropped()
    unread = [passage for passage in found if passage.id not in stored]
    for passage in unread:
        stored[passage.id] = _stand_in(passage, who)
    return Extracted(tuple(stored[key] for key in ids), _note(who, len(unread), dropped))


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
    progress: _Counter,
) -> Generator[Progress, None, list[Reading]]:
    if not missing:
        return []
    estimate = extractor.estimate(missing, who)
    yield progress.step(told(estimate))
    if terms.confirm is not None and not terms.confirm(estimate):
        raise Cancelled("没有开始：没有得到同意。什么也没有花；段落已经存好，想好了再运行一次。")
    account = f"summon:{who.name}:{archive.new_id()}"

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


def told(estimate: Estimate) -> str:
    """Return an estimate as a sentence."""
    tokens = estimate.tokens_in + estimate.tokens_out
    money = "没有写价钱（[[llm_providers]] 的 price）"
    if estimate.cost is not None:
        money = f"约 {estimate.cost:.4f} {estimate.currency}"
    return f"要用大模型读 {estimate.passages} 段：约 {estimate.calls} 次调用、{tokens} 个词元，{money}。"
