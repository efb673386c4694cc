"""A memory of many passages and ten times as many facts, made up from a seed: login, recall, ten more passages, memory.

    python -m benchmarks.scale [--passages N] [--json]

The texts are characters drawn by the law of Zipf, the vectors lie in clusters as those of real texts do. What is timed
runs through the product's own database.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chathistory.domain import Article, Extraction, Fact, Passage, Section
from chathistory.knowledge import KnowledgeIndex, recall_vector, texts_to_embed
from chathistory.models.protocols import Vectors
from chathistory.store import Database, PersonaRepository, VectorRepository

FACTS = 10
TOPICS = 500
QUERIES = 40
DIMENSION = 384


class MadeUpEmbedder:
    """Vectors around a centre that the first two characters choose: some texts are near each other, as real ones."""

    model_id = "made-up/clusters-384"
    dimension = DIMENSION
    note = ""

    def __init__(self) -> None:
        self._centres = np.random.default_rng(1).standard_normal((TOPICS, DIMENSION)).astype(np.float32)

    def query(self, text: str) -> Vectors:
        """Return a unit vector, shape (384,)."""
        return np.asarray(self.passages([text])[0], dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), 384)."""
        out = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            seed = int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
            topic = int.from_bytes(hashlib.blake2b(text[:2].encode("utf-8"), digest_size=4).digest(), "big") % TOPICS
            out[row] = self._centres[topic] + np.random.default_rng(seed).standard_normal(DIMENSION, dtype=np.float32)
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), dtype=np.float32)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args(arguments)
    summary = measure(options.passages)
    print(json.dumps(summary) if options.json else "\n".join(f"{key:>12} {value}" for key, value in summary.items()))
    return 0


def measure(size: int) -> dict[str, float]:
    """Return the figures of the contract."""
    with tempfile.TemporaryDirectory() as folder:
        tell(f"making {size} passages and storing them")
        if (child := os.fork()) == 0:
            store(Path(folder), size)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise SystemExit("the made-up memory could not be stored")
        return measure_stored(Path(folder), size)


def measure_stored(folder: Path, size: int) -> dict[str, float]:
    """Log in, ask, add; in a process that holds nothing else."""
    embedder = MadeUpEmbedder()
    database = Database.open(folder)
    personas, vectors = PersonaRepository(database), VectorRepository(database)
    row = personas.find("benchmark")
    assert row is not None
    tell("login")
    started, worked = time.perf_counter(), time.process_time()
    index = KnowledgeIndex.build(personas.passages(row.id), personas.extractions(row.id), embedder, vectors)
    ask(index, embedder, index.passages[0].text[:12])
    login_s, login_cpu_s = time.perf_counter() - started, time.process_time() - worked
    gc.collect()
    gc.freeze()
    tell("recall")
    ann_recall = index.passage_vectors.found_share
    rng = np.random.default_rng(3)
    questions = [index.passages[n].text[3:20] for n in rng.integers(0, size, QUERIES)]
    worked = time.process_time()
    times = [ask(index, embedder, question) for question in questions]
    cpu = time.process_time() - worked
    added, read = make(np.random.default_rng(9), 10, "新")
    texts = texts_to_embed(added)
    vectors.put_many(embedder.model_id, dict(zip(texts, embedder.passages(list(texts.values())), strict=True)))
    started = time.perf_counter()
    grown = index.with_added(added, read, embedder, vectors)
    ask(grown, embedder, added[0].text)
    add10_s = time.perf_counter() - started
    assert len(grown) == size + 10
    facts = len(index.graph.facts)
    database.close()
    return {
        "passages": size,
        "facts": facts,
        "recall_ms": round(float(np.mean(times)) * 1000, 2),
        "recall_cpu_ms": round(cpu / len(times) * 1000, 2),
        "recall_ms_p95": round(float(np.percentile(times, 95)) * 1000, 2),
        "login_s": round(login_s, 2),
        "login_cpu_s": round(login_cpu_s, 2),
        "add10_s": round(add10_s, 3),
        "ann_recall": round(ann_recall, 4),
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "raw_vectors_mb": round((size + facts) * DIMENSION * 4 / 2**20, 1),
    }


def ask(index: KnowledgeIndex, embedder: MadeUpEmbedder, question: str) -> float:
    """Return the seconds of one recall after the embedding of its question."""
    vector = embedder.query(question)
    started = time.perf_counter()
    recall_vector(index, question, vector, 10)
    return time.perf_counter() - started


def make(rng: np.random.Generator, size: int, mark: str) -> tuple[list[Passage], list[Extraction]]:
    """Return passages of two sentences and ten facts each, among twice as many entities as passages."""
    letters = np.array([chr(0x4E00 + n) for n in range(3000)])
    chance = 1 / np.arange(1, len(letters) + 1)
    drawn = rng.choice(letters, size=(size, 48), p=chance / chance.sum())
    names = rng.zipf(1.3, size=(size, FACTS, 2)) % (2 * size)
    passages, extractions = [], []
    for n in range(size):
        line = "".join(drawn[n])
        passage = Passage(f"{mark}{n}{line[:24]}。{line[24:]}。", position=n)
        facts = tuple(Fact(name(s), line[k : k + 2], name(o)) for k, (s, o) in enumerate(names[n].tolist()))
        passages.append(passage)
        extractions.append(Extraction(passage.id, (), facts))
    return passages, extractions


def name(number: int) -> str:
    """Return the made-up name of an entity: three characters."""
    return "".join(chr(0x4E00 + number // 600**k % 600 + 600 * k) for k in range(3))


def store(folder: Path, size: int) -> None:
    """Put a made-up persona into a database."""
    passages, extractions = make(np.random.default_rng(0), size, "")
    embedder = MadeUpEmbedder()
    database = Database.open(folder)
    personas, vectors = PersonaRepository(database), VectorRepository(database)
    row = personas.begin(Article("benchmark", "benchmark", (Section("", 1, ()),)), "benchmark")
    personas.finish(row.id, passages, extractions)
    texts = list(texts_to_embed(passages).items())
    for start in range(0, len(texts), 20_000):
        part = dict(texts[start : start + 20_000])
        vectors.put_many(embedder.model_id, dict(zip(part, embedder.passages(list(part.values())), strict=True)))
    database.close()


def tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
