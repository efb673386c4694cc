"""The ledger of model calls, and what is remembered of models between runs. No text of a prompt or answer is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Select, delete, func, insert, select

from chathistory.domain import ModelCall, Spending
from chathistory.store.database import Database
from chathistory.store.schema import model_call, model_trait


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Sums of the calls that have ``key`` in common (a day, a task, a provider with its model, a currency)."""

    key: str
    spent: Spending
    seconds: float


_Grouping = Literal["day", "task", "model", "currency", "outcome", "account"]


class CallRepository:
    """Keeps every call. Implements ``models.ledger.CallLog``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, calls: Sequence[ModelCall]) -> None:
        """Keep calls, all or none."""
        rows = [
            {
                "at": call.at,
                "day": call.at[:10],
                "task": call.task,
                "provider": call.provider,
                "model": call.model,
                "account": call.account,
                "outcome": call.outcome,
                "seconds": call.seconds,
                "tokens_in": call.tokens_in,
                "tokens_out": call.tokens_out,
                "estimated": call.estimated,
                "cost": call.cost,
                "currency": call.currency,
            }
            for call in calls
        ]
        if rows:
            with self._database.write() as connection:
                connection.execute(insert(model_call), rows)

    def spent(self, *, day: str | None = None, account: str | None = None) -> Spending:
        """Return the sums of a day ('2026-05-01'), of an account, or of all."""
        query: Select[Any] = select(*_sums())
        if day is not None:
            query = query.where(model_call.c.day == day)
        if account is not None:
            query = query.where(model_call.c.account == account)
        with self._database.read() as connection:
            return _spending(connection.execute(query).one())

    def usage(self, by: _Grouping, *, day: str | None = None) -> list[UsageRow]:
        """Return the sums by day, task, model ('provider / model'), currency, outcome or account, in order of key."""
        key: Any = model_call.c.provider + " / " + model_call.c.model if by == "model" else model_call.c[by]
        query = select(key.label("key"), func.sum(model_call.c.seconds), *_sums()).group_by(key).order_by(key)
        if day is not None:
            query = query.where(model_call.c.day == day)
        with self._database.read() as connection:
            return [UsageRow(row[0], _spending(row[2:]), round(row[1], 3)) for row in connection.execute(query)]

    def forget_before(self, day: str) -> int:
        """Delete what is older than a day; return how many calls that were."""
        with self._database.write() as connection:
            return connection.execute(delete(model_call).where(model_call.c.day < day)).rowcount


def _sums() -> list[Any]:
    zero = func.coalesce
    return [
        func.count(model_call.c.id),
        zero(func.sum((model_call.c.outcome != "ok").cast(model_call.c.tokens_in.type)), 0),
        zero(func.sum(model_call.c.tokens_in), 0),
        zero(func.sum(model_call.c.tokens_out), 0),
        zero(func.sum(model_call.c.cost), 0.0),
    ]


def _spending(row: Any) -> Spending:
    calls, failed, tokens_in, tokens_out, cost = row
    return Spending(int(calls), int(failed), int(tokens_in), int(tokens_out), float(cost))


class TraitRepository:
    """Small facts about (base URL, model). Implements ``models.dialect.TraitStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, where: str, model: str, trait: str) -> str | None:
        """Return the value, None where nothing is known."""
        query = select(model_trait.c.value).where(
            model_trait.c.base_url == where, model_trait.c.model == model, model_trait.c.trait == trait
        )
        with self._database.read() as connection:
            value = connection.execute(query).scalar()
        return None if value is None else str(value)

    def put(self, where: str, model: str, trait: str, value: str) -> None:
        """Keep a value in the place of the one before."""
        key = {"base_url": where, "model": model, "trait": trait}
        with self._database.write() as connection:
            connection.execute(delete(model_trait).where(*(model_trait.c[name] == part for name, part in key.items())))
            connection.execute(insert(model_trait), [key | {"value": value}])
