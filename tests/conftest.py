"""What all tests share: no network but loopback, and a place for data that goes away."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from chathistory.config import Config, Tables
from chathistory.salon import Archive, Salon

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
_LOOPBACK = ("127.", "::1", "localhost")


class NetworkForbidden(RuntimeError):
    """A test tried to leave this machine."""


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches beyond loopback, so none can reach a paid model or an encyclopedia."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_LOOPBACK):
            raise NetworkForbidden(f"a test tried to connect to {address}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def summoned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three samples, summoned once a session by a new user's makers. Do not change it."""
    folder = tmp_path_factory.mktemp("summoned")
    archive = Archive(Config(Tables(), folder), folder)
    for name in ("孔子", "苏格拉底", "李白"):
        for _ in Salon(archive).summon(name):
            pass
    archive.close()
    return folder


@pytest.fixture(scope="session")
def shared_pages() -> Path:
    """The saved pages that lie beside the project, or a skip with the reason."""
    if not (SHARED / "pages").is_dir():
        pytest.skip("the saved pages (../shared/pages) are not here")
    return SHARED / "pages"


@pytest.fixture(scope="session")
def shared_bench() -> Path:
    """The benchmark data that lies beside the project, or a skip with the reason."""
    if not (SHARED / "bench").is_dir():
        pytest.skip("the benchmark data (../shared/bench) is not here")
    return SHARED / "bench"
