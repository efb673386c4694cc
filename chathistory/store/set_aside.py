"""Passages that a model could not read, each with the raw answer, until another run reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select

from chathistory.store.database import Database
from chathistory.store.schema import set_aside


@dataclass(frozen=True, slots=True)
class SetAside:
    """One failure. ``error`` is the class name, ``raw`` what the model said, '' where it said nothing."""

    passage_id: str
    figure: str
    maker: str
    version: str
    error: str
    message: str
    raw: str = ""
    at: str = ""


class SetAsideRepository:
    """Keeps failures by passage, figure, maker and version; a new one takes the place of the old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, item: SetAside) -> None:
        """Keep a failure."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = {name: getattr(item, name) for name in ("passage_id", "figure", "maker", "version")}
        row |= {"error": item.error, "message": item.message, "raw": item.raw, "at": item.at or now}
        with self._database.write() as connection:
            connection.execute(delete(set_aside).where(*_key(item.figure, item.maker, item.version, [item.passage_id])))
            connection.execute(insert(set_aside), [row])

    def remove(self, passage_id: str, figure: str, maker: str, version: str) -> None:
        """Forget a failure: the passage was read."""
        with self._database.write() as connection:
            connection.execute(delete(set_aside).where(*_key(figure, maker, version, [passage_id])))

    def ids(self, figure: str, maker: str, version: str) -> set[str]:
        """Return the passages of a figure that this maker could not read."""
        query = select(set_aside.c.passage_id).where(*_key(figure, maker, version))
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def all(self, figure: str | None = None) -> list[SetAside]:
        """Return every failure, of one figure or of all, oldest first."""
        query = select(set_aside).order_by(set_aside.c.at, set_aside.c.passage_id)
        if figure is not None:
            query = query.where(set_aside.c.figure == figure)
        with self._database.read() as connection:
            return [SetAside(**row) for row in connection.execute(query).mappings()]


def _key(figure: str, maker: str, version: str, ids: Iterable[str] | None = None) -> list[ColumnElement[Any]]:
    key: list[ColumnElement[Any]] = [
        set_aside.c.figure == figure, set_aside.c.maker == maker, set_aside.c.version == version
    ]  # fmt: skip
    return key if ids is None else [*key, set_aside.c.passage_id.in_(list(ids))]
