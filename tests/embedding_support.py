"""What the tests of summoning with an embedder behind an API share: a small figure, a configuration, a server."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from llm_server import KEY, LlmServer

from chathistory.config import load
from chathistory.domain import Progress
from chathistory.salon import Archive, Terms
from chathistory.salon.summoning import summon

COUNT = 60
PARAGRAPHS = [f"第{n}年春天，李白来到江城{n}。他与友人{n}同游山水{n}，写下诗篇{n}。" for n in range(COUNT)]


def write_config(
    folder: Path,
    server: LlmServer | None,
    model: str = "bge-m3",
    *,
    price: str = "price = { input = 2.0, output = 8.0 }",
    budget: str = "",
    embedded: bool = False,
    by_model: bool = False,
    concurrency: int = 2,
) -> Path:
    """Write a config.toml; without a server, or ``embedded``, the embedder is the one on this machine."""
    lines = []
    if server is not None:
        lines += ["[[llm_providers]]", 'name = "here"', f'base_url = "{server.url}"', f'api_key = "{KEY}"']
        lines += [f"concurrency = {concurrency}", price]
    if by_model:
        for table in ("entity_extract", "rdf_build"):
            lines += [f"[{table}.llm]", 'provider = "here"', 'model = "qwen"']
    if server is not None and not embedded:
        lines += ["[embedding]", 'provider = "here"', f'model = "{model}"']
    path = folder / "config.toml"
    path.write_text("\n".join([*lines, budget]) + "\n", encoding="utf-8")
    (folder / "李白.md").write_text("# 李白\n\n" + "\n\n".join(PARAGRAPHS), encoding="utf-8")
    return path


def opened(config: Path) -> Archive:
    """Open the data folder beside a configuration."""
    return Archive(load(config), config.parent / "data")


def go(archive: Archive, config: Path, terms: Terms | None = None) -> list[Progress]:
    """Summon the figure from its file."""
    return list(summon(archive, "李白", str(config.parent / "李白.md"), terms))


def embedded_texts(server: LlmServer, model: str | None = None) -> Counter[str]:
    """How often each text was embedded, as far as the answers were sent."""
    return Counter(
        text
        for seen in server.seen
        if seen.path.endswith("/embeddings") and seen.answered and model in (None, seen.body["model"])
        for text in seen.body["input"]
    )
