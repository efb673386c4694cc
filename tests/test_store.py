"""The database: what is stored comes back, nothing is half-written, two processes do not tread on each other."""

import json
import os
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select, update

from chathistory.domain import Article, Extraction, Fact, Passage, Section, Utterance, Year
from chathistory.errors import BadName, Corrupt, DiskFull, Locked, StoreError, UnreadableFile
from chathistory.store import (
    Database,
    DataFolder,
    ExtractionRepository,
    LeaseRepository,
    PersonaRepository,
    TalkRepository,
    UlidMaker,
    VectorRepository,
    folder_of,
    read_json,
    write_atomically,
)
from chathistory.store.schema import MIGRATIONS, migration, passage, persona, vector
from chathistory.text import check_name

ARTICLE = Article(
    title="孔子",
    requested="仲尼",
    sections=(Section("", 1, ("孔子是鲁国人。",)), Section("生平", 2, ("他周游列国。",))),
    aliases=("仲尼", "孔丘"),
    birth=Year(-551, "前551年"),
    infobox=(("字", "仲尼"), ("国籍", "鲁国")),
    source="sample",
)
PASSAGES = [Passage("孔子是鲁国人。", "", 0), Passage("孔子周游列国。", "生平", 1)]
EXTRACTIONS = [
    Extraction(PASSAGES[0].id, ("孔子", "鲁国"), (Fact("孔子", "是", "鲁国人"), Fact("孔子", "字", "it's 'quoted'"))),
    Extraction(PASSAGES[1].id, ("孔子",), ()),
]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.open(tmp_path)


def test_a_persona_comes_back_as_it_was_stored(database: Database) -> None:
    repository = PersonaRepository(database)
    row = repository.begin(ARTICLE, "x")
    assert row.state == "summoning"
    assert row.article == ARTICLE
    repository.finish(row.id, PASSAGES, EXTRACTIONS)
    after = repository.all()[0]
    assert (after.state, after.passages, after.facts) == ("ready", 2, 2)
    assert repository.passages(row.id) == PASSAGES
    assert repository.extractions(row.id) == EXTRACTIONS


def test_summoning_anew_keeps_the_old_passages_until_the_new_are_whole(database: Database) -> None:
    repository = PersonaRepository(database)
    row = repository.begin(ARTICLE, "x")
    repository.finish(row.id, PASSAGES, EXTRACTIONS)
    again = repository.begin(ARTICLE, "x")
    assert again.id == row.id
    assert again.state == "ready"
    assert repository.passages(row.id) == PASSAGES
    repository.finish(row.id, PASSAGES[:1], EXTRACTIONS[:1])
    assert repository.passages(row.id) == PASSAGES[:1]


def test_removing_a_persona_takes_its_rows_and_leaves_what_was_paid_for(database: Database) -> None:
    repository, cache = PersonaRepository(database), ExtractionRepository(database)
    row = repository.begin(ARTICLE, "x")
    cache.put_many(EXTRACTIONS, "孔子", "rules", "1")
    repository.finish(row.id, PASSAGES, EXTRACTIONS)
    repository.remove(row.id)
    assert repository.all() == []
    with database.read() as connection:
        assert connection.execute(select(passage)).all() == []
    assert len(cache.get_many([p.id for p in PASSAGES], "孔子", "rules", "1")) == 2


def test_extractions_are_kept_by_passage_figure_maker_and_version(database: Database) -> None:
    cache = ExtractionRepository(database)
    cache.put_many(EXTRACTIONS, "孔子", "rules", "1")
    cache.put_many(EXTRACTIONS, "孔子", "rules", "1")
    ids = [p.id for p in PASSAGES]
    assert cache.get_many(ids, "孔子", "rules", "1") == {e.passage_id: e for e in EXTRACTIONS}
    assert cache.get_many(ids, "孔子", "rules", "2") == {}
    assert cache.get_many(ids, "老子", "rules", "1") == {}
    assert cache.get_many(ids[:1], "孔子", "rules", "1") == {ids[0]: EXTRACTIONS[0]}


def test_vectors_come_back_to_the_bit_and_models_never_mix(database: Database) -> None:
    cache = VectorRepository(database)
    rng = np.random.default_rng(0)
    many = {Passage(str(n)).id: rng.normal(size=8).astype(np.float32) for n in range(1200)}
    cache.put_many("a", many)
    back = VectorRepository(database).get_many("a", list(many))
    assert set(back) == set(many)
    assert all(np.array_equal(back[key], many[key]) for key in many)
    assert cache.get_many("b", list(many)) == {}
    cache.put_many("b", {key: np.zeros(3, np.float32) for key in list(many)[:2]})
    assert cache.models() == {"a": (8, 1200), "b": (3, 2)}


def test_a_vector_of_another_length_is_refused(database: Database) -> None:
    cache = VectorRepository(database)
    cache.put_many("a", {Passage("x").id: np.zeros(4, np.float32)})
    with pytest.raises(ValueError, match="dimension"):
        cache.put_many("a", {Passage("y").id: np.zeros(5, np.float32)})


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    row = {"id": "1", "name": "a", "folder": "a", "state": "ready", "source": "", "article": "{}"}
    row |= {"created_at": "", "updated_at": ""}
    with pytest.raises(StoreError), database.write() as connection:
        connection.execute(insert(persona), [row])
        connection.execute(insert(persona), [row])
    with database.read() as connection:
        assert connection.execute(select(persona)).all() == []


def test_migrations_are_applied_once_and_by_name(tmp_path: Path) -> None:
    Database.open(tmp_path).close()
    database = Database.open(tmp_path)
    with database.read() as connection:
        assert set(connection.scalars(select(migration.c.name))) == {step.__name__ for step in MIGRATIONS}
    assert database.check() == []


def test_a_file_of_a_newer_version_is_refused_and_untouched(tmp_path: Path) -> None:
    database = Database.open(tmp_path)
    with database.write() as connection:
        connection.execute(insert(migration), [{"name": "m999_future", "applied_at": ""}])
    database.close()
    with pytest.raises(Corrupt, match="m999_future"):
        Database.open(tmp_path)


def test_a_file_that_is_no_database_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "chathistory.db").write_bytes(b"not a database at all" * 200)
    with pytest.raises(Corrupt, match="chathistory.db"):
        Database.open(tmp_path)
    assert (tmp_path / "chathistory.db").read_bytes().startswith(b"not a database")


def test_a_data_folder_that_cannot_be_made_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="--data"):
        Database.open(tmp_path / "file" / "data")


@pytest.mark.parametrize(
    ("code", "kind"),
    [(sqlite3.SQLITE_BUSY, Locked), (sqlite3.SQLITE_FULL, DiskFull), (sqlite3.SQLITE_CORRUPT, Corrupt)],
)
def test_what_sqlite_says_becomes_one_of_our_errors(database: Database, code: int, kind: type[StoreError]) -> None:
    fault = sqlite3.OperationalError("x")
    fault.sqlite_errorcode = code
    with pytest.raises(kind), database.write() as connection:
        from sqlalchemy.exc import OperationalError

        assert connection
        raise OperationalError("select", {}, fault)


def test_foreign_keys_and_wal_are_on(database: Database) -> None:
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_a_lease_holds_across_makers_and_ends_with_the_block(database: Database) -> None:
    leases = LeaseRepository(database, UlidMaker())
    with leases.hold("summon:孔子") as renew:
        renew()
        with pytest.raises(Locked, match="孔子"), LeaseRepository(database, UlidMaker()).hold("summon:孔子"):
            pass
        with leases.hold("summon:老子"):
            pass
    with leases.hold("summon:孔子"):
        pass


def test_a_lease_of_a_dead_process_or_a_past_time_holds_nobody_up(database: Database) -> None:
    clock = [1000.0]
    leases = LeaseRepository(database, UlidMaker(), lambda: clock[0])
    with leases.hold("x"):
        clock[0] += 1000
        with leases.hold("x"):
            pass
    pid = os.fork() if hasattr(os, "fork") else 0
    if pid == 0 and hasattr(os, "fork"):
        os._exit(0)
    os.waitpid(pid, 0)
    import platform

    from chathistory.store.schema import lease

    with database.write() as connection:
        connection.execute(
            insert(lease), [{"name": "y", "holder": f"{platform.node()}:{pid}:z", "expires_at": clock[0] + 99}]
        )
    with leases.hold("y"):
        pass


def test_a_talk_keeps_its_lines_in_order_and_its_members(database: Database) -> None:
    talks = TalkRepository(database)
    talk = talks.create("me")
    lines = [Utterance(talks.new_id(), "用户", f"第{n}句", (), False, "t") for n in range(5)]
    for line in lines:
        talks.save(talk.id, line)
    talks.set_members(talk.id, ["孔子", "老子"])
    found = talks.find(talk.id)
    assert found is not None
    assert found.members == ("孔子", "老子")
    assert talks.history(talk.id) == lines
    assert talks.history(talk.id, 2) == lines[-2:]
    assert talks.find("nope") is None


def test_an_utterance_is_idempotent_by_its_id(database: Database) -> None:
    talks = TalkRepository(database)
    talk = talks.create("me")
    line = Utterance(talks.new_id(), "孔子", "学而", ("p",), True, "t")
    talks.save(talk.id, line)
    whole = Utterance(line.id, "孔子", "学而时习之", ("p",), False, "t")
    talks.save(talk.id, whole)
    assert talks.history(talk.id) == [whole]
    talks.drop(line.id)
    assert talks.history(talk.id) == []


def test_ulids_sort_by_time_even_within_a_millisecond() -> None:
    new_id = UlidMaker(lambda: 1.0)
    ids = [new_id() for _ in range(100)]
    assert ids == sorted(set(ids))
    assert all(len(one) == 26 for one in ids)


@given(st.text(max_size=150))
def test_a_name_is_a_single_safe_folder_or_refused(name: str) -> None:
    try:
        checked = check_name(name)
    except BadName:
        return
    folder = folder_of(checked)
    assert folder not in ("", ".", "..")
    assert "/" not in folder
    assert "\\" not in folder
    assert folder.isascii()
    assert len(folder) <= 200
    assert not folder.startswith(".")


@pytest.mark.parametrize("name", ["", "  ", "…？！", "/../..", "孔" * 101, "孔\x00子"])
def test_names_that_are_none_are_refused_with_a_remedy(name: str) -> None:
    with pytest.raises(BadName, match="[名字]"):
        check_name(name)


def test_folders_are_percent_encoded_names_as_the_seed_wrote_them() -> None:
    assert folder_of("孔子") == "%E5%AD%94%E5%AD%90"
    assert folder_of("a/b") == "a%2Fb"
    assert folder_of("..a") == "%2E.a"
    assert folder_of("CON") == "%43ON"
    long = [folder_of("孔" * 60 + str(n)) for n in range(2)]
    assert long[0] != long[1]


def test_the_seeds_folder_is_written_and_removed(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path, "/import.json", "/openie.json")
    folder.write_avatar("x", b"png")
    (tmp_path / "x" / "note.txt").write_text("mine", encoding="utf-8")
    folder.list_names({"x": "某"})
    assert json.loads((tmp_path / "list.json").read_text(encoding="utf-8")) == {"x": "某"}
    assert folder.names() == {"x": "某"}
    assert folder.avatar("x") == tmp_path / "x" / "avatar.png"
    folder.remove("x")
    assert folder.avatar("x") is None
    assert (tmp_path / "x" / "note.txt").exists()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match=r"a\.json"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_that_is_none_is_a_named_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"a\.json"):
        read_json(path)
    with pytest.raises(UnreadableFile):
        read_json(tmp_path / "none.json")


@pytest.mark.parametrize("batch", [3, 500])
def test_a_few_among_many_vectors_are_looked_up_and_most_are_read_in_one_go(
    database: Database, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["chathistory.store.vectors"], "_BATCH", batch)
    vectors = VectorRepository(database)
    rows = {f"{n:064x}": np.full(3, n, dtype=np.float32) for n in range(40)}
    vectors.put_many("model", rows)
    keys = list(rows)
    for asked in (keys[:2], keys[::-1], [*keys[5:9], "f" * 64], []):
        found = vectors.get_many("model", asked)
        assert set(found) == set(asked) & set(rows)
        assert all(np.array_equal(found[key], rows[key]) for key in found)
    assert vectors.get_many("another", keys) == {}


@pytest.mark.parametrize("batch", [3, 500])
def test_a_damaged_vector_is_a_named_error_however_it_is_read(
    database: Database, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["chathistory.store.vectors"], "_BATCH", batch)
    vectors = VectorRepository(database)
    rows = {f"{n:064x}": np.full(3, n, dtype=np.float32) for n in range(40)}
    vectors.put_many("model", rows)
    with database.write() as connection:
        connection.execute(update(vector).where(vector.c.text_id == bytes(32)).values(data=b"1234"))
    for asked in (list(rows), list(rows)[:1]):
        with pytest.raises(Corrupt, match="应为 3"):
            vectors.get_many("model", asked)
