"""The data folder as the seed's readers expect it: one percent-encoded folder a persona, and list.json."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chathistory.domain import text_id
from chathistory.errors import DiskFull, StoreError, UnreadableFile

_LONGEST_FOLDER = 180
_RESERVED = frozenset(["con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))])


def folder_of(name: str) -> str:
    """Return the folder's name: the percent-encoded name, as data/list.json shows; never a path, never '.' or '..'.

    A name too long for a file system keeps its beginning and gets the hash of the whole as its end.
    """
    folder = quote(name, safe="")
    if folder.startswith("."):
        folder = "%2E" + folder[1:]
    if folder.split(".")[0].lower() in _RESERVED:
        folder = f"%{ord(folder[0]):02X}{folder[1:]}"
    if len(folder) > _LONGEST_FOLDER:
        head = folder[: _LONGEST_FOLDER - 20]
        cut = head.rfind("%", len(head) - 2)
        folder = (head[:cut] if cut >= 0 else head) + "~" + text_id(name)[:16]
    return folder


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that readers see the old or the new one whole, never a part.

    Raises
    ------
    DiskFull
        No room left; the old file is untouched.
    StoreError
        The folder cannot be written.
    """
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(f"写不下 {path}：磁盘满了。腾出空间后再试，已存下的都还在。") from error
        raise StoreError(f"写不了 {path}：{error.strerror}。请检查目录的权限。") from error


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically, UTF-8, readable."""
    write_atomically(path, json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8"))


def read_json(path: Path) -> Any:
    """Return the JSON of a file.

    Raises
    ------
    UnreadableFile
        The file is missing, no UTF-8, or no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path} 读不出来：{error}。它应是 UTF-8 的 JSON 文件。") from error


class DataFolder:
    """What lies beside the database for people and for the seed's programs."""

    def __init__(self, root: Path, raw_name: str = "import.json", openie_name: str = "openie.json") -> None:
        self.root = root
        self.raw_name = raw_name.strip("/")
        self.openie_name = openie_name.strip("/")

    def raw(self, folder: str) -> Path:
        """Where a persona's paragraphs lie: a JSON list of strings."""
        return self.root / folder / self.raw_name

    def openie(self, folder: str) -> Path:
        """Where a persona's OpenIE lies, in the seed's format."""
        return self.root / folder / self.openie_name

    def avatar(self, folder: str) -> Path | None:
        """Return the persona's picture, whatever its kind, or None."""
        found = sorted((self.root / folder).glob("avatar.*"))
        return next((path for path in found if path.suffix.lower() in {".png", ".jpg", ".jpeg", ".webp"}), None)

    def write_avatar(self, folder: str, png: bytes) -> None:
        """Store a PNG as the persona's picture."""
        write_atomically(self.root / folder / "avatar.png", png)

    def names(self) -> dict[str, str]:
        """Return list.json: {folder: name}; empty where it is missing or no JSON object (it can be derived anew)."""
        try:
            data = json.loads((self.root / "list.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}

    def list_names(self, names: dict[str, str]) -> None:
        """Write list.json anew."""
        write_json(self.root / "list.json", names)

    def remove(self, folder: str) -> None:
        """Delete a persona's files of ours; what else lies in the folder stays."""
        home = self.root / folder
        for path in [self.raw(folder), self.openie(folder), *home.glob("avatar.*")]:
            path.unlink(missing_ok=True)
        if home.is_dir() and not any(home.iterdir()):
            home.rmdir()
