"""How fast and how lean a saved page is read, beside trafilatura and a bare BeautifulSoup get_text, in one run.

    python -m benchmarks.article FILE [--json] [--repeat N]

Each reader runs in a process of its own, so that its peak memory is its own; times are the best of N reads of the
same bytes, imports not counted.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAMES = ("chathistory", "beautifulsoup", "trafilatura")


def _chathistory(body: bytes) -> int:
    from chathistory.encyclopedia.decode import decode
    from chathistory.encyclopedia.html import read_html

    article = read_html(decode(body))
    return sum(len(text) for _, text in article.paragraphs())


def _beautifulsoup(body: bytes) -> int:
    from bs4 import BeautifulSoup

    return len(BeautifulSoup(body, "lxml").get_text())


def _trafilatura(body: bytes) -> int:
    import trafilatura

    return len(trafilatura.extract(body) or "")


_READERS: dict[str, Callable[[bytes], int]] = {
    "chathistory": _chathistory,
    "beautifulsoup": _beautifulsoup,
    "trafilatura": _trafilatura,
}
_WARM = b"<html><body><div class='mw-parser-output'><p><b>A</b> (1900-1950) x.</p></div></body></html>"


def _measure(name: str, path: str, repeat: int, queue: Any) -> None:
    reader = _READERS[name]
    body = Path(path).read_bytes()
    reader(_WARM)  # imports and tables are loaded before the clock starts
    times = []
    characters = 0
    for _ in range(repeat):
        start = time.perf_counter()
        characters = reader(body)
        times.append(time.perf_counter() - start)
    queue.put({"seconds": min(times), "peak_mb": _peak_megabytes(), "characters": characters})


def _peak_megabytes() -> float:
    """The most memory that this process ever held; nan where the system does not tell."""
    if importlib.util.find_spec("resource") is None:
        return float("nan")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / (1024 if sys.platform == "darwin" else 1)


def run(path: Path, repeat: int = 5) -> dict[str, Any]:
    """Return the measures of every reader: best seconds, peak megabytes of its process, characters of text."""
    context = multiprocessing.get_context("spawn")
    readers: dict[str, Any] = {}
    for name in NAMES:
        if name == "trafilatura" and importlib.util.find_spec("trafilatura") is None:
            readers[name] = None
            continue
        queue = context.Queue()
        process = context.Process(target=_measure, args=(name, str(path), repeat, queue))
        process.start()
        readers[name] = queue.get(timeout=300)
        process.join()
    ratio = readers["chathistory"]["seconds"] / readers["beautifulsoup"]["seconds"]
    return {"file": path.name, "bytes": path.stat().st_size, "readers": readers, "ratio_to_beautifulsoup": ratio}


def main(arguments: list[str] | None = None) -> int:
    """Print the measures as a table or as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.article", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    if not options.file.is_file():
        print(f"找不到文件“{options.file}”。", file=sys.stderr)
        return 1
    found = run(options.file, max(1, options.repeat))
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    print(f"{found['file']}  {found['bytes'] / 1e6:.2f} MB")
    for name, measure in found["readers"].items():
        if measure is None:
            print(f"  {name:14} missing (pip install trafilatura)")
        else:
            line = f"{measure['seconds']:7.3f} s  {measure['peak_mb']:6.0f} MB  {measure['characters']:8d} characters"
            print(f"  {name:14} {line}")
    print(f"  ratio chathistory / beautifulsoup: {found['ratio_to_beautifulsoup']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
