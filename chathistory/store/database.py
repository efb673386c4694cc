"""Opening the database. What only SQLite can do sits in this file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Insert, Select, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, OperationalError

from chathistory.errors import Corrupt, DiskFull, Locked, StoreError
from chathistory.store.schema import migrate, unknown_migrations

FILE_NAME = "chathistory.db"
_BUSY_MS = 10_000
_FETCHED = 2000


class Database:
    """One SQLAlchemy engine and two ways in: ``read`` and ``write``, both bracketed and rolled back on failure."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where
        self._writer = engine.execution_options(immediate=True)

    @classmethod
    def open(cls, data_dir: Path) -> Database:
        """Open (or make) ``chathistory.db`` in a data folder and bring its tables up to date.

        Raises
        ------
        StoreError
            The folder cannot be made or written.
        Corrupt
            The file is no database of ours, is damaged, or was written by a newer version.
        Locked
            Another process holds it for longer than 10 s.
        """
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"数据目录 {data_dir} 建不了：{error.strerror}。请用 --data 换一个可写的目录。") from error
        path = data_dir / FILE_NAME
        engine = create_engine(f"sqlite+pysqlite:///{path}", connect_args={"timeout": _BUSY_MS / 1000})
        event.listen(engine, "connect", _pragmas)
        event.listen(engine, "begin", _begin)
        database = cls(engine, str(path))
        with database.write() as connection:
            migrate(connection, datetime.now(UTC).isoformat(timespec="seconds"))
            newer = unknown_migrations(connection)
        if newer:
            raise Corrupt(
                f"{path} 由更新的版本写成（{'、'.join(sorted(newer))}）。请升级 ChatHistory，或用 --data 另选目录。"
            )
        return database

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading."""
        with self._named_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: committed whole at the end of the block, or not at all."""
        with self._named_errors(), self._writer.begin() as connection:
            yield connection

    def check(self) -> list[str]:
        """Return what SQLite's own integrity and foreign-key checks complain of; empty when sound."""
        with self.read() as connection:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(20)") if row[0] != "ok"]
            found += [f"foreign key: {tuple(row)}" for row in connection.exec_driver_sql("PRAGMA foreign_key_check")]
        return found

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, DatabaseError) as error:
            raise self._named(error) from error

    def _named(self, error: DatabaseError) -> StoreError:
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Locked(f"另一个进程正占着 {self.where}。等它做完再试，或用 --data 另选目录。")
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return DiskFull(f"写不进 {self.where}：磁盘满了或出错。腾出空间后再试，已存下的都还在。")
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return Corrupt(f"{self.where} 不是完好的数据库。请把它改名留底，再重新召唤；或从备份恢复。")
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return StoreError(f"打不开或写不了 {self.where}。请检查目录的权限，或用 --data 另选目录。")
        return StoreError(f"数据库 {self.where} 出错：{error.orig}。运行 main.py doctor 看看哪里不对。")


def _pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={_BUSY_MS}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Writers take the lock at once: a read that turns into a write would fail without waiting for its turn."""
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def plain_rows(
    connection: Connection, statement: Select[Any], parameters: Mapping[str, Any] | None = None
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a statement in lists, as the driver gives them.

    Half the time of a large read went into wrapping rows that are taken apart at once. Only for columns that need no
    conversion: text, whole numbers, bytes.
    """
    result = connection.execute(statement, parameters)
    cursor = result.cursor
    try:
        while part := cursor.fetchmany(_FETCHED):
            yield list(part)
    finally:
        result.close()


def insert_new(table: Table, connection: Connection) -> Insert:
    """Return an INSERT that skips rows whose key is already there, in the connection's dialect."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
