"""The figures that are shipped with the program, for a first run without a network."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib import resources

from chathistory.domain import Article
from chathistory.encyclopedia.markdown import read_markdown
from chathistory.text import normalise


@lru_cache(maxsize=1)
def _samples() -> tuple[Article, ...]:
    folder = resources.files("chathistory.samples")
    articles: list[Article] = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".md"):
            article = read_markdown(entry.read_text(encoding="utf-8"), "")
            articles.append(replace(article, source="sample", source_url=f"sample:{entry.name}", variant="zh-cn"))
    return tuple(articles)


def sample_names() -> tuple[str, ...]:
    """Return the names of the shipped figures."""
    return tuple(article.title for article in _samples())


def read_sample(name: str) -> Article | None:
    """Return the shipped article of a name or an alias (Traditional forms, letter case and blanks do not matter).

    None when nobody shipped is called so.
    """
    wanted = _key(name)
    for article in _samples():
        if _key(article.title) == wanted:
            return replace(article, requested=name)
    for article in _samples():
        if any(_key(alias) == wanted for alias in article.aliases):
            return replace(article, requested=name)
    return None


def _key(name: str) -> str:
    return normalise(name).replace(" ", "").casefold()
