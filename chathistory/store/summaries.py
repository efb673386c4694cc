"""Running summaries of talks: what was said before the lines that still fit a prompt."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from chathistory.store.database import Database
from chathistory.store.schema import talk_summary


@dataclass(frozen=True, slots=True)
class TalkSummary:
    """A summary of a talk's first ``covered`` lines; ``digest`` tells whether they are still what they were."""

    covered: int
    digest: str
    text: str


class SummaryRepository:
    """One summary a talk, replaced as the talk grows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, talk_id: str) -> TalkSummary | None:
        """Return a talk's summary, or None."""
        columns = (talk_summary.c.covered, talk_summary.c.digest, talk_summary.c.text)
        with self._database.read() as connection:
            row = connection.execute(select(*columns).where(talk_summary.c.talk_id == talk_id)).first()
        return None if row is None else TalkSummary(row[0], row[1], row[2])

    def save(self, talk_id: str, summary: TalkSummary) -> None:
        """Store a talk's summary in place of the one before."""
        values = {"talk_id": talk_id, "covered": summary.covered, "digest": summary.digest, "text": summary.text}
        with self._database.write() as connection:
            connection.execute(delete(talk_summary).where(talk_summary.c.talk_id == talk_id))
            connection.execute(insert(talk_summary), [values])
