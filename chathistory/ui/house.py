"""What all visitors of one server share: the archive and the board of summonses. No talk lives here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from chathistory.config import load
from chathistory.salon import Archive
from chathistory.salon.logs import log_to
from chathistory.ui.jobs import JobBoard
from chathistory.ui.places import Places


@dataclass(frozen=True, eq=False, slots=True)
class House:
    """One data folder, opened, and who is on the way."""

    archive: Archive
    board: JobBoard


def open_archive(config_path: Path | None, data: Path | None) -> Archive:
    """Open the data folder and send the log there.

    Raises
    ------
    ConfigError, StoreError
        The settings or the data folder cannot be used as they stand.
    """
    archive = Archive(load(config_path), data)
    log_to(archive.data_dir / "log", archive.config.secrets())
    return archive


def house(where: Places) -> House:
    """Return the house of a data folder, opened once a server."""
    return _house(str(where.config or ""), str(where.data or ""))


@st.cache_resource(show_spinner="正在开门……")
def _house(config: str, data: str) -> House:
    archive = open_archive(Path(config) if config else None, Path(data) if data else None)
    return House(archive, JobBoard(archive.new_id))
