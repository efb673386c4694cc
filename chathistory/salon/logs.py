"""The log in data/log/, a file a day; no key ever stands in it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
_SHORTEST_SECRET = 6


class DailyLog(logging.Handler):
    """Appends records to ``YYYY-MM-DD.log``; secrets are blotted out; a full disk never stops the talk."""

    def __init__(self, folder: Path, secrets: Iterable[str] = (), today: Callable[[], date] = date.today) -> None:
        super().__init__(logging.INFO)
        self.folder = folder
        self._secrets = [secret for secret in secrets if len(secret) >= _SHORTEST_SECRET]
        self._today = today
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        line = self.format(record)
        for secret in self._secrets:
            line = line.replace(secret, "***")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / f"{self._today():%Y-%m-%d}.log").open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError:
            self.handleError(record)


def log_to(folder: Path, secrets: Iterable[str] = ()) -> DailyLog:
    """Send this program's records to a folder; calling it again moves them there."""
    logger = logging.getLogger("chathistory")
    for handler in [handler for handler in logger.handlers if isinstance(handler, DailyLog)]:
        logger.removeHandler(handler)
    handler = DailyLog(folder, secrets)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return handler
