"""What any question looks like to an embedder, so that what is left of one is what it asks."""

from __future__ import annotations

import numpy as np

from chathistory.domain import text_id
from chathistory.knowledge.vectors import VectorCache, as_rows
from chathistory.models.protocols import Embedder, Vectors

QUESTIONS = (
    "What is the capital of the country?",
    "Who wrote the book?",
    "When was the company founded?",
    "How many people live there?",
    "Where was he born?",
    "Why did the war begin?",
    "Which river flows through the town?",
    "Who is the director of the film?",
    "What is the name of the school?",
    "When did she die?",
    "How tall is the tower?",
    "Which team won the cup?",
    "你叫什么名字？",
    "他是什么时候出生的？",
    "这座城市在哪里？",
    "为什么会发生战争？",
    "谁写了这本书？",
    "公司是哪一年成立的？",
    "你喜欢吃什么？",
    "今天天气怎么样？",
    "电脑坏了应该怎么办？",
    "How do I cook rice?",
    "What is the price of a ticket?",
    "Can you help me fix my computer?",
)
"""Questions about nothing in particular, in both languages: their mean is what all questions share."""


QUERY_MARK = "#query"


def unrelated_questions(embedder: Embedder, cache: VectorCache) -> Vectors:
    """Return the vectors of ``QUESTIONS``, shape (q, d); embedded once a model, then kept in the cache."""
    model = questions_of(embedder.model_id)
    ids = [text_id(question) for question in QUESTIONS]
    known = cache.get_many(model, ids)
    vectors = {key: as_rows([value], embedder.dimension)[0] for key, value in known.items()}
    missing = {key: text for key, text in zip(ids, QUESTIONS, strict=True) if key not in vectors}
    if missing:
        new = {key: embedder.query(text) for key, text in missing.items()}
        cache.put_many(model, new)
        vectors |= new
    return np.stack([vectors[key] for key in ids]).astype(np.float32)


def questions_of(model_id: str) -> str:
    """Return the name under which a model's vectors of questions are kept, apart from those of stored texts."""
    return f"{model_id}{QUERY_MARK}"


def centred_question(vector: Vectors, centre: Vectors) -> Vectors:
    """Return a question's vector less what all questions share, L2 norm 1."""
    moved = vector - centre
    norm = float(np.linalg.norm(moved))
    return np.asarray(moved / norm if norm > 1e-6 else moved, dtype=np.float32)
