"""``python -m chathistory.samples``: embed the samples' sentences anew, after a change of text, split or model."""

from __future__ import annotations

from pathlib import Path

from chathistory.domain import text_id
from chathistory.encyclopedia import passages, read_sample, sample_names
from chathistory.knowledge import texts_to_embed
from chathistory.models.embedded import default_embedder
from chathistory.samples.vectors import FILE, pack
from chathistory.store import write_atomically


def main() -> None:
    """Write ``vectors.npz`` beside this file."""
    embedder = default_embedder()
    texts: dict[str, str] = {}
    for name in sample_names():
        article = read_sample(name)
        assert article is not None
        texts |= texts_to_embed(passages(article), ())
    ordered = sorted(texts.values(), key=len)
    vectors = dict(zip(map(text_id, ordered), embedder.passages(ordered), strict=True))
    write_atomically(Path(__file__).with_name(FILE), pack(embedder.model_id, vectors))


if __name__ == "__main__":
    main()
