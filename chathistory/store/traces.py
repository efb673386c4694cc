"""What led to an utterance: the director's reason, the scores of what came to mind, the model's reasoning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import delete, insert, select

from chathistory.store.database import Database
from chathistory.store.schema import utterance_trace

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class UtteranceTrace:
    """``scores`` are those of the recalled passages by their ids, 0..1, best first."""

    reason: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    reasoning: str = ""


class TraceRepository:
    """One trace an utterance; it goes with the utterance."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, utterance_id: str, trace: UtteranceTrace) -> None:
        """Store the trace of an utterance that is stored, in place of the one before."""
        values = {
            "utterance_id": utterance_id,
            "reason": trace.reason,
            "scores": json.dumps({key: round(score, 4) for key, score in trace.scores.items()}),
            "reasoning": trace.reasoning,
        }
        with self._database.write() as connection:
            connection.execute(delete(utterance_trace).where(utterance_trace.c.utterance_id == utterance_id))
            connection.execute(insert(utterance_trace), [values])

    def get_many(self, utterance_ids: Sequence[str]) -> dict[str, UtteranceTrace]:
        """Return the traces of utterances by their ids, as far as there are any."""
        found: dict[str, UtteranceTrace] = {}
        with self._database.read() as connection:
            for start in range(0, len(utterance_ids), _AT_ONCE):
                ids = utterance_ids[start : start + _AT_ONCE]
                for row in connection.execute(
                    select(utterance_trace).where(utterance_trace.c.utterance_id.in_(ids))
                ).mappings():
                    found[row["utterance_id"]] = UtteranceTrace(
                        row["reason"], json.loads(row["scores"]), row["reasoning"]
                    )
        return found
