"""Traces of utterances: kept beside them, gone with them, and made where an older file has none."""

from pathlib import Path

from chathistory.domain import Utterance
from chathistory.store import Database, TalkRepository, TraceRepository, UtteranceTrace
from chathistory.store.schema import m001_first_tables, m002_models, m003_talk_summary, metadata


def test_a_trace_is_kept_replaced_and_goes_with_its_utterance(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    talks, traces = TalkRepository(database), TraceRepository(database)
    talk = talks.create("local").id
    ids = [f"{number:026d}" for number in range(3)]
    for key in ids:
        talks.save(talk, Utterance(key, "孔子", "有朋自远方来"))
    traces.save(ids[0], UtteranceTrace("叫了他", {"a": 0.123456, "b": 1.0}, "想"))
    traces.save(ids[0], UtteranceTrace("叫了他的字", {"a": 0.123456, "b": 1.0}, "想"))
    traces.save(ids[1], UtteranceTrace())
    assert traces.get_many(ids) == {
        ids[0]: UtteranceTrace("叫了他的字", {"a": 0.1235, "b": 1.0}, "想"),
        ids[1]: UtteranceTrace(),
    }
    talks.save(talk, Utterance(ids[0], "孔子", "改过的话"))
    assert ids[0] in traces.get_many(ids)
    talks.drop(ids[0])
    assert list(traces.get_many(ids)) == [ids[1]]
    assert traces.get_many([]) == {}
    database.close()


def test_traces_of_a_long_talk_are_all_found(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    talks, traces = TalkRepository(database), TraceRepository(database)
    talk = talks.create("local").id
    ids = [f"{number:026d}" for number in range(1203)]
    for key in (ids[0], ids[600], ids[-1]):
        talks.save(talk, Utterance(key, "孔子", "好"))
        traces.save(key, UtteranceTrace(key))
    assert set(traces.get_many(ids)) == {ids[0], ids[600], ids[-1]}
    database.close()


def test_an_older_file_gets_the_table_and_keeps_its_talks(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    key = "0" * 26
    with database.write() as connection:
        metadata.drop_all(connection)
        metadata.create_all(connection, tables=[metadata.tables["migration"]])
        for step in (m001_first_tables, m002_models, m003_talk_summary):
            step(connection)
            connection.exec_driver_sql(f"INSERT INTO migration VALUES ('{step.__name__}', '2026')")
        connection.exec_driver_sql("INSERT INTO talk VALUES ('t', 'local', '[]', '2026')")
        connection.exec_driver_sql(f"INSERT INTO utterance VALUES ('{key}', 't', '孔子', '好', '[]', 0, '')")
    database.close()
    again = Database.open(tmp_path)
    TraceRepository(again).save(key, UtteranceTrace("为什么"))
    assert TraceRepository(again).get_many([key])[key].reason == "为什么"
    assert [line.text for line in TalkRepository(again).history("t")] == ["好"]
    again.close()
