"""Name -> Article -> passages: Wikipedia, Baidu Baike, files and the shipped samples, read right.

The doors: ``fetch``, ``read_file``, ``read_sample``, ``sample_names``, ``article_json``, ``figure``, ``passages``,
``WebClient``, ``portrait_png``, ``seal_png``. Heavy modules (lxml, requests, Pillow) load when a door is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chathistory.encyclopedia.client import WebClient
    from chathistory.encyclopedia.export import article_from_json, article_json, figure
    from chathistory.encyclopedia.fetching import Sites, fetch
    from chathistory.encyclopedia.file import read_file
    from chathistory.encyclopedia.html import read_html
    from chathistory.encyclopedia.portrait import portrait_png
    from chathistory.encyclopedia.sample import read_sample, sample_names
    from chathistory.encyclopedia.seal import seal_png
    from chathistory.encyclopedia.splitting import passages

_DOORS = {
    "WebClient": "client",
    "article_from_json": "export",
    "article_json": "export",
    "figure": "export",
    "Sites": "fetching",
    "fetch": "fetching",
    "read_file": "file",
    "read_html": "html",
    "passages": "splitting",
    "portrait_png": "portrait",
    "read_sample": "sample",
    "sample_names": "sample",
    "seal_png": "seal",
}

__all__ = [
    "Sites",
    "WebClient",
    "article_from_json",
    "article_json",
    "fetch",
    "figure",
    "passages",
    "portrait_png",
    "read_file",
    "read_html",
    "read_sample",
    "sample_names",
    "seal_png",
]


def __getattr__(name: str) -> Any:
    module = _DOORS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
