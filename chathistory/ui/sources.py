"""Where an utterance comes from: chips that open the passage, its score and the facts that led there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from chathistory.domain import USER, Fact, Passage, Recollection, Utterance
from chathistory.salon import Archive
from chathistory.ui.plain import clipped, plain
from chathistory.ui.visit import Trace, Visit

_LEAD = "开篇"
_CHIP = 12
_MOST_FACTS = 5


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as it is shown; ``score`` is None where none was kept.

    ``led`` tells that ``facts`` led to it; else (after a reload) they are all that were read out of the passage.
    """

    passage: Passage
    score: float | None
    facts: tuple[Fact, ...]
    led: bool = True


def from_recall(found: Iterable[Recollection]) -> list[Source]:
    """Return recollections as they are shown."""
    return [Source(one.passage, one.score, one.facts) for one in found]


def stored_sources(archive: Archive, utterances: Sequence[Utterance]) -> dict[str, list[Source]]:
    """Return the sources of utterances by their ids, from the database; empty for a persona removed since."""
    speakers = {one.speaker for one in utterances if one.passages}
    shelves: dict[str, dict[str, Source]] = {}
    for row in archive.rows() if speakers else []:
        if row.name in speakers:
            facts = {one.passage_id: one.facts for one in archive.personas.extractions(row.id)}
            shelves[row.name] = {
                one.id: Source(one, None, facts.get(one.id, ()), led=False) for one in archive.personas.passages(row.id)
            }
    return {
        one.id: [shelf[key] for key in one.passages if key in shelf]
        for one in utterances
        for shelf in [shelves.get(one.speaker, {})]
    }


def sources_of(visit: Visit, utterances: Sequence[Utterance]) -> dict[str, list[Source]]:
    """Return the sources of utterances by their ids: as this visit saw them recalled, else as they are stored."""
    _recollect(visit, utterances)
    unseen = [one for one in utterances if one.passages and one.id not in visit.sources]
    stored: dict[str, list[Source]] | None = None
    for one in unseen:
        seen = _seen(visit.traces.get(one.id), one)
        if seen is None:
            stored = stored_sources(visit.salon.archive, unseen) if stored is None else stored
            scores = visit.traces[one.id].scores if one.id in visit.traces else {}
            seen = [replace(source, score=scores.get(source.passage.id)) for source in stored[one.id]]
        visit.sources[one.id] = seen
    return {one.id: visit.sources.get(one.id, []) for one in utterances}


def _recollect(visit: Visit, utterances: Sequence[Utterance]) -> None:
    """Take up the stored traces of utterances that this visit did not see."""
    unseen = [one.id for one in utterances if one.speaker != USER and one.id not in visit.traces]
    kept = visit.salon.archive.traces.get_many(unseen) if unseen else {}
    for key in unseen:
        row = kept.get(key)
        visit.traces[key] = Trace(row.reason, None, row.reasoning, row.scores) if row else Trace()


def _seen(trace: Trace | None, utterance: Utterance) -> list[Source] | None:
    if trace is None or trace.recall is None:
        return None
    known = {one.passage.id: one for one in trace.recall.recollections}
    if not all(key in known for key in utterance.passages):
        return None
    return from_recall(known[key] for key in utterance.passages)


def chips(sources: Sequence[Source], key: str) -> None:
    """Draw one chip a passage; a click opens it without a rerun, so that it never ends a running stream."""
    if not sources:
        return
    with st.container(horizontal=True, gap="small", key=f"ui_chips_{key}"):
        titles = [clipped(source.passage.section or _LEAD, _CHIP) for source in sources]
        for number, (source, title) in enumerate(zip(sources, titles, strict=True)):
            again = titles[:number].count(title)
            with st.popover(
                plain(f"{title}（{again + 1}）" if again else title), icon=":material/menu_book:", type="tertiary"
            ):
                passage(source)


def passage(source: Source) -> None:
    """Draw a passage in full, with its score and facts."""
    st.text(source.passage.text)
    section = f"《{source.passage.section}》" if source.passage.section else _LEAD
    score = "" if source.score is None else f" · 相关度 {source.score:.2f}"
    st.caption(plain(f"{section}{score} · {source.passage.id[:8]}"))
    if source.facts:
        heading = "由这些事实想起：" if source.led else "这一段里的事实："
        facts = [plain("· " + " — ".join(fact.parts())) for fact in source.facts[:_MOST_FACTS]]
        st.caption("  \n".join([heading, *facts]))
