"""Leases: one process at a time summons a given figure, and a dead holder holds nobody up."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import delete, insert, select, update

from chathistory.errors import Locked
from chathistory.store.database import Database
from chathistory.store.schema import lease

_SECONDS = 120.0


class LeaseRepository:
    """Named leases in the database, so that they hold across processes and servers."""

    def __init__(self, database: Database, new_id: Callable[[], str], now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._new_id = new_id
        self._now = now

    @contextmanager
    def hold(self, name: str) -> Iterator[Callable[[], None]]:
        """Hold the lease ``name`` for the block; yields ``renew``, to be called as the work goes on.

        Raises
        ------
        Locked
            Somebody else holds it, is alive, and has renewed it within two minutes.
        """
        holder = f"{platform.node()}:{os.getpid()}:{self._new_id()}"
        self._take(name, holder)
        try:
            yield lambda: self._renew(name, holder)
        finally:
            with self._database.write() as connection:
                connection.execute(delete(lease).where(lease.c.name == name, lease.c.holder == holder))

    def _take(self, name: str, holder: str) -> None:
        now = self._now()
        with self._database.write() as connection:
            row = connection.execute(select(lease.c.holder, lease.c.expires_at).where(lease.c.name == name)).first()
            if row is not None and row[1] > now and _alive(row[0]):
                raise Locked(
                    f"“{name.split(':', 1)[-1]}”正由另一个窗口或进程召唤。等它做完，或先停掉它；已做完的都存着。"
                )
            connection.execute(delete(lease).where(lease.c.name == name))
            connection.execute(insert(lease), [{"name": name, "holder": holder, "expires_at": now + _SECONDS}])

    def _renew(self, name: str, holder: str) -> None:
        with self._database.write() as connection:
            connection.execute(
                update(lease)
                .where(lease.c.name == name, lease.c.holder == holder)
                .values(expires_at=self._now() + _SECONDS)
            )


def _alive(holder: str) -> bool:
    """Whether the holder may still run; one on another machine is given the benefit of the doubt."""
    node, pid, _ = holder.rsplit(":", 2)
    if node != platform.node():
        return True
    if os.name == "nt":
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
