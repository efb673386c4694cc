"""Every call is counted, and a budget holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chathistory.domain import ModelCall
from chathistory.errors import BudgetSpent, StoreError
from chathistory.models.ledger import Allowance, CallLog, MemoryLog, Meter, Price
from chathistory.models.tokens import estimate_tokens
from chathistory.store import CallRepository, Database, SetAside, SetAsideRepository, TraitRepository
from chathistory.testing import FrozenClock


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path)
    yield database
    database.close()


def call(**values: Any) -> ModelCall:
    base: dict[str, Any] = {"task": "extract", "provider": "p", "model": "m", "outcome": "ok", "seconds": 0.5}
    base |= {"at": "2026-05-01T12:00:00+00:00", "tokens_in": 100, "tokens_out": 10, "cost": 0.5, "currency": "CNY"}
    return ModelCall(**(base | values))


@pytest.fixture(params=["memory", "database"])
def log(request: pytest.FixtureRequest, database: Database) -> CallLog:
    return MemoryLog() if request.param == "memory" else CallRepository(database)


def test_calls_are_summed_by_day_and_account(log: CallLog) -> None:
    log.record([call(account="a"), call(account="b", outcome="timeout", tokens_in=0, tokens_out=0, cost=None)])
    log.record([call(account="a", at="2026-05-02T00:00:01+00:00")])
    day = log.spent(day="2026-05-01")
    assert (day.calls, day.failed, day.tokens, day.cost) == (2, 1, 110, 0.5)
    assert log.spent(account="a").tokens_in == 200
    assert log.spent().calls == 3
    assert log.spent(account="nobody").tokens == 0


def test_usage_is_grouped(database: Database) -> None:
    calls = CallRepository(database)
    calls.record([call(), call(task="reply"), call(model="n", outcome="refused")])
    assert [(row.key, row.spent.calls) for row in calls.usage("task")] == [("extract", 2), ("reply", 1)]
    assert [row.key for row in calls.usage("model")] == ["p / m", "p / n"]
    assert {row.key: row.spent.failed for row in calls.usage("outcome")} == {"ok": 0, "refused": 1}
    assert [row.spent.cost for row in calls.usage("currency")] == [1.5]
    assert calls.usage("task", day="1999-01-01") == []


def test_old_calls_can_be_forgotten(database: Database) -> None:
    calls = CallRepository(database)
    calls.record([call(), call(at="2026-05-03T00:00:00+00:00")])
    assert calls.forget_before("2026-05-02") == 1
    assert calls.spent().calls == 1


def test_the_ledger_keeps_no_text(database: Database) -> None:
    with database.read() as connection:
        columns = {row[1] for row in connection.exec_driver_sql("PRAGMA table_info(model_call)")}
    assert not columns & {"prompt", "text", "answer", "messages", "key"}


def test_a_price_is_per_million_tokens() -> None:
    assert Price(2.0, 8.0).cost(500_000, 250_000) == 3.0


def test_a_day_begins_anew(log: CallLog) -> None:
    clock = FrozenClock()
    meter = Meter(log, per_day=Allowance(tokens=120), now=clock)
    with meter.allowed("", 100, 0.0) as calls:
        calls.append(call(at=meter.time()))
    with pytest.raises(BudgetSpent, match="day_tokens"), meter.allowed("", 100, 0.0):
        pass
    clock.go(days=1)
    with meter.allowed("", 100, 0.0):
        pass


def test_calls_in_flight_count_on_the_budget() -> None:
    meter = Meter(per_account=Allowance(tokens=150))
    with meter.allowed("a", 100, 0.0):
        with pytest.raises(BudgetSpent), meter.allowed("a", 100, 0.0):
            pass
        with meter.allowed("b", 100, 0.0):
            pass
    with meter.allowed("a", 100, 0.0):
        pass


def test_what_a_call_did_is_kept_though_it_failed(log: CallLog) -> None:
    meter = Meter(log)
    with pytest.raises(KeyError), meter.allowed("", 1, 0.0) as calls:
        calls.append(call(outcome="cut"))
        raise KeyError
    assert log.spent().failed == 1


def test_a_ledger_that_cannot_be_written_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    class Full(MemoryLog):
        def record(self, calls: Any) -> None:
            raise StoreError("full")

    with Meter(Full()).allowed("", 1, 0.0) as calls:
        calls.append(call())
    assert "ledger" in caplog.text


def test_traits_are_kept_and_replaced(database: Database) -> None:
    traits = TraitRepository(database)
    assert traits.get("u", "m", "t") is None
    traits.put("u", "m", "t", "1")
    traits.put("u", "m", "t", "2")
    assert TraitRepository(database).get("u", "m", "t") == "2"
    assert traits.get("u", "other", "t") is None


def test_what_was_set_aside_is_kept_until_it_is_read(database: Database) -> None:
    aside = SetAsideRepository(database)
    item = SetAside("p1", "李白", "llm:p/m", "1", "BadModelReply", "没有 JSON", raw="我不会")
    aside.put(item)
    aside.put(item)
    aside.put(SetAside("p2", "杜甫", "llm:p/m", "1", "ModelTimeout", "慢"))
    assert aside.ids("李白", "llm:p/m", "1") == {"p1"}
    assert aside.ids("李白", "llm:p/m", "2") == set()
    assert [found.raw for found in aside.all("李白")] == ["我不会"]
    assert len(aside.all()) == 2
    aside.remove("p1", "李白", "llm:p/m", "1")
    assert aside.ids("李白", "llm:p/m", "1") == set()


def test_an_older_database_gets_the_new_tables(tmp_path: Path) -> None:
    from sqlalchemy import create_engine

    from chathistory.store.schema import m001_first_tables, metadata

    engine = create_engine(f"sqlite:///{tmp_path / 'chathistory.db'}")
    with engine.begin() as connection:
        metadata.create_all(connection, tables=[metadata.tables["migration"]])
        m001_first_tables(connection)
        connection.exec_driver_sql("INSERT INTO migration VALUES ('m001_first_tables', '2026')")
    engine.dispose()
    database = Database.open(tmp_path)
    CallRepository(database).record([call()])
    assert CallRepository(database).spent().calls == 1
    database.close()


def test_estimates_err_on_the_high_side_and_grow_with_the_text() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("李白" * 50) == 75
    assert 20 <= estimate_tokens("The quick brown fox jumps over the lazy dog, twice over." * 2) <= 40
