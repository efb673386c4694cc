"""What an embedding model wants to stand before a question and before a stored text, by its model card."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TASK = "Given a question about a historical figure, retrieve passages that answer it"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Put before texts. ``name`` goes into the model's id: other prefixes give other vectors."""

    name: str = ""
    query: str = ""
    passage: str = ""


_RULES: tuple[tuple[str, Prefixes], ...] = (
    (r"e5.*instruct|e5-mistral", Prefixes("instruct", f"Instruct: {_TASK}\nQuery: ")),
    (r"(?:^|[/\-])e5-", Prefixes("e5", "query: ", "passage: ")),
    (r"qwen3-embedding|gte-qwen2", Prefixes("instruct", f"Instruct: {_TASK}\nQuery:")),
    (r"bge-(?:small|base|large)-zh", Prefixes("bge", "为这个句子生成表示以用于检索相关文章：")),
    (r"bge-(?:small|base|large)-en", Prefixes("bge", "Represent this sentence for searching relevant passages: ")),
    (r"nomic-embed", Prefixes("nomic", "search_query: ", "search_document: ")),
    (r"embeddinggemma", Prefixes("gemma", "task: search result | query: ", "title: none | text: ")),
)


def prefixes_of(model: str) -> Prefixes:
    """Return the prefixes of a model by its name; none for models that want none (bge-m3, OpenAI's and most others)."""
    name = model.lower()
    return next((prefixes for pattern, prefixes in _RULES if re.search(pattern, name)), Prefixes())
