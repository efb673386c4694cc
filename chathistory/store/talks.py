"""Talks and their utterances. A talk belongs to a circle: a user, or those who share a salon."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import delete, desc, insert, select, update

from chathistory.domain import Utterance
from chathistory.store.database import Database
from chathistory.store.ids import UlidMaker
from chathistory.store.schema import talk, utterance


@dataclass(frozen=True, slots=True)
class TalkRow:
    """One talk: who is online in it, by canonical name."""

    id: str
    circle: str
    members: tuple[str, ...]


class TalkRepository:
    """Reads and writes talks; an utterance is idempotent by its id."""

    def __init__(self, database: Database, new_id: Callable[[], str] | None = None) -> None:
        self._database = database
        self.new_id = new_id or UlidMaker()

    def create(self, circle: str) -> TalkRow:
        """Open a new talk for a circle."""
        row = TalkRow(self.new_id(), circle, ())
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._database.write() as connection:
            connection.execute(insert(talk), [{"id": row.id, "circle": circle, "members": "[]", "created_at": now}])
        return row

    def find(self, talk_id: str) -> TalkRow | None:
        """Return a talk, or None."""
        with self._database.read() as connection:
            row = connection.execute(
                select(talk.c.id, talk.c.circle, talk.c.members).where(talk.c.id == talk_id)
            ).first()
        return None if row is None else TalkRow(row[0], row[1], tuple(json.loads(row[2])))

    def set_members(self, talk_id: str, members: Sequence[str]) -> None:
        """Store who is online."""
        text = json.dumps(list(members), ensure_ascii=False)
        with self._database.write() as connection:
            connection.execute(update(talk).where(talk.c.id == talk_id).values(members=text))

    def save(self, talk_id: str, line: Utterance) -> None:
        """Store an utterance, or what has become of it since."""
        values = {
            "talk_id": talk_id,
            "speaker": line.speaker,
            "text": line.text,
            "passages": json.dumps(line.passages),
            "cut": line.cut,
            "at": line.at,
        }
        with self._database.write() as connection:
            changed = connection.execute(update(utterance).where(utterance.c.id == line.id).values(**values))
            if changed.rowcount == 0:
                connection.execute(insert(utterance), [{"id": line.id} | values])

    def drop(self, utterance_id: str) -> None:
        """Forget an utterance."""
        with self._database.write() as connection:
            connection.execute(delete(utterance).where(utterance.c.id == utterance_id))

    def history(self, talk_id: str, limit: int | None = None) -> list[Utterance]:
        """Return the last ``limit`` utterances (all when None), oldest first."""
        query = select(utterance).where(utterance.c.talk_id == talk_id).order_by(desc(utterance.c.id))
        if limit is not None:
            query = query.limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [
            Utterance(row["id"], row["speaker"], row["text"], tuple(json.loads(row["passages"])), row["cut"], row["at"])
            for row in reversed(rows)
        ]
