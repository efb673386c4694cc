"""HippoRAG's files: the OpenIE of a corpus, and multi-hop questions with their gold passages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chathistory.domain import Extraction, Fact, Passage
from chathistory.text import normalise


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the passages that answer it together."""

    text: str
    gold: tuple[str, ...]


def read_openie(path: Path) -> tuple[list[Passage], list[Extraction]]:
    """Return passages and extractions of ``docs``; triples that are not three texts are left out, as HippoRAG does."""
    passages: dict[str, Passage] = {}
    extractions: dict[str, Extraction] = {}
    for doc in json.loads(path.read_text(encoding="utf-8"))["docs"]:
        passage = Passage(normalise(doc["passage"]), position=len(passages))
        if passage.id in passages:
            continue
        passages[passage.id] = passage
        entities = [normalise(name) for name in doc["extracted_entities"] if isinstance(name, str)]
        facts = [fact for triple in doc["extracted_triples"] if (fact := _fact(triple)) is not None]
        extractions[passage.id] = Extraction(passage.id, tuple(filter(None, entities)), tuple(facts))
    return list(passages.values()), list(extractions.values())


def _fact(triple: Sequence[Any]) -> Fact | None:
    if len(triple) != 3 or not all(isinstance(part, str) for part in triple):
        return None
    parts = [normalise(part) for part in triple]
    return Fact(*parts) if all(parts) else None


def read_questions(path: Path) -> list[Question]:
    """Return the questions; gold are the paragraphs that are supporting, each as title, line break, text."""
    return [
        Question(
            item["question"],
            tuple(
                Passage(normalise(f"{p['title']}\n{p.get('paragraph_text', p.get('text', ''))}")).id
                for p in item["paragraphs"]
                if p["is_supporting"]
            ),
        )
        for item in json.loads(path.read_text(encoding="utf-8"))
    ]
