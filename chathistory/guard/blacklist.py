"""Names that are not summoned: one a line in a file the operator keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chathistory.errors import Blacklisted, ConfigError
from chathistory.text.name_forms import name_key


@dataclass(frozen=True, slots=True)
class Blacklist:
    """Names as the file gives them, by the key under which spellings are compared."""

    names: dict[str, str]

    @classmethod
    def load(cls, path: Path | str) -> Blacklist:
        """Return the list in a file: one name a line, ``#`` begins a comment. A missing file is an empty list.

        Raises
        ------
        ConfigError
            The path is no readable UTF-8 text file.
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return cls({})
        except UnicodeDecodeError as error:
            raise ConfigError(f"黑名单 {path} 不是 UTF-8 文本，请另存为 UTF-8 后再试") from error
        except OSError as error:
            raise ConfigError(
                f"黑名单 {path} 无法读取（{error.strerror}），请检查它是不是文件、有没有读取权限"
            ) from error
        return cls.of(text.splitlines())

    @classmethod
    def of(cls, lines: Iterable[str]) -> Blacklist:
        """Return the list that holds these lines; comments and blank lines are passed over."""
        names: dict[str, str] = {}
        for line in lines:
            name = line.split("#", 1)[0].split("＃", 1)[0].strip()
            if name_key(name):
                names.setdefault(name_key(name), name)
        return cls(names)

    def hit(self, name: str, aliases: Iterable[str] = ()) -> str | None:
        """Return the listed name that equals the name or one of the aliases in any script, case or width, or None."""
        for candidate in (name, *aliases):
            held = self.names.get(name_key(candidate))
            if held is not None:
                return held
        return None

    def check(self, name: str, aliases: Iterable[str] = ()) -> None:
        """Pass silently, or raise Blacklisted with a warning to be shown to the user."""
        held = self.hit(name, aliases)
        if held is None:
            return
        known = "" if name_key(held) == name_key(name) else f"（即“{held}”）"
        raise Blacklisted(f"警告：“{name.strip()}”{known}在黑名单上，不能召来；如属误列，请管理员修改黑名单文件")
