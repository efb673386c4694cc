"""Where the web salon finds its settings and its data: options after ``--``, the environment, or the usual places."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CONFIG_VARIABLE = "CHATHISTORY_CONFIG"
DATA_VARIABLE = "CHATHISTORY_DATA"


@dataclass(frozen=True, slots=True)
class Places:
    """The settings file and the data folder; None: the defaults and what the settings say."""

    config: Path | None
    data: Path | None


def places(argv: Sequence[str], environ: Mapping[str, str], home: Path) -> Places:
    """Return what ``streamlit run sl_UI.py -- --config FILE --data DIR`` or the environment names.

    Without a name, ``config.toml`` is looked for here and then in ``home``, the folder of sl_UI.py.
    Options that are not ours (of a test runner, say) are passed over.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--config")
    parser.add_argument("--data")
    given, _ = parser.parse_known_args(list(argv))
    config = given.config or environ.get(CONFIG_VARIABLE)
    data = given.data or environ.get(DATA_VARIABLE)
    usual = next((path for path in (Path("config.toml"), home / "config.toml") if path.is_file()), None)
    return Places(Path(config) if config else usual, Path(data) if data else None)
