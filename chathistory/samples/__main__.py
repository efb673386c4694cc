"""``python -m chathistory.samples``: embed what is new in the samples, after a change of text, split or model."""

from __future__ import annotations

from pathlib import Path

from chathistory.domain import text_id
from chathistory.encyclopedia import passages, read_sample, sample_names
from chathistory.knowledge import MemoryVectorCache, texts_to_embed
from chathistory.knowledge.calibration import QUESTIONS, unrelated_questions
from chathistory.models.embedded import default_embedder
from chathistory.samples.vectors import FILE, pack, shipped_vectors
from chathistory.store import write_atomically


def main() -> None:
    """Write ``vectors.npz`` beside this file."""
    embedder = default_embedder()
    texts: dict[str, str] = {}
    for name in sample_names():
        article = read_sample(name)
        assert article is not None
        texts |= texts_to_embed(passages(article), ())
    known = {key: vector for key, vector in shipped_vectors(embedder.model_id).items() if key in texts}
    missing = sorted((text for key, text in texts.items() if key not in known), key=len)
    vectors = known | dict(zip(map(text_id, missing), embedder.passages(missing), strict=True))
    questions = MemoryVectorCache()
    unrelated_questions(embedder, questions)
    asked = f"{embedder.model_id}#query"
    of_questions = questions.get_many(asked, [text_id(question) for question in QUESTIONS])
    path = Path(__file__).with_name(FILE)
    write_atomically(path, pack({embedder.model_id: vectors, asked: of_questions}))
    path.chmod(0o644)


if __name__ == "__main__":
    main()
