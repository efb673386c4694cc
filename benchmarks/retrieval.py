"""Recall and speed on multi-hop questions, with the OpenIE given, in HippoRAG's file formats.

    python -m benchmarks.retrieval --openie FILE --questions FILE [--json]

Recall@k is the share of a question's gold passages among the first k, averaged. Times are of one process: a query after
its embedding, the index from given OpenIE and vectors, and the login of a persona of 2,000 passages from a database.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.hipporag_files import Question, read_openie, read_questions
from benchmarks.vector_cache import FileVectorCache
from chathistory.domain import Article, Extraction, Passage, Section
from chathistory.knowledge import KnowledgeIndex, MemoryVectorCache, embed_missing, recall_vector, texts_to_embed
from chathistory.knowledge.calibration import unrelated_questions
from chathistory.knowledge.question import rewrite
from chathistory.models.embedded import default_embedder
from chathistory.models.protocols import Embedder, Vectors
from chathistory.store import Database, PersonaRepository, VectorRepository

DEPTHS = (2, 5, 10)
LOGIN_PASSAGES = 2000
REPEATS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("--openie", type=Path, required=True, help="openie.json: docs with their triples")
    parser.add_argument("--questions", type=Path, required=True, help="questions.json")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--verbose", action="store_true", help="the ranks of each question's gold, on stderr")
    options = parser.parse_args(arguments)
    passages, extractions = read_openie(options.openie)
    questions = read_questions(options.questions)
    embedder = default_embedder()
    cache = in_memory(passages, embedder)

    gc.collect()
    started = time.perf_counter()
    index = KnowledgeIndex.build(passages, extractions, embedder, cache)
    index_s = time.perf_counter() - started
    texts = [rewrite(question.text, None) for question in questions]
    vectors = [embedder.query(text) for text in texts]
    summary: dict[str, Any] = measure_recall(index, questions, texts, vectors, options.verbose)
    summary |= measure_time(index, texts, vectors)
    summary["index_s"] = round(index_s, 3)
    summary["login_s"], summary["login_cpu_s"] = measure_login(passages, extractions, embedder, cache)
    summary["rss_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    if options.json:
        print(json.dumps(summary))
    else:
        print(f"{len(index)} passages, {len(index.facts)} facts, {len(index.entities)} entities; {embedder.model_id}")
        print("\n".join(f"{key:>10} {value}" for key, value in summary.items()))
    return 0


def in_memory(passages: Sequence[Passage], embedder: Embedder) -> MemoryVectorCache:
    """Return the vectors of all that is embedded, from the cache between runs where it has them."""
    kept, loaded = FileVectorCache(), MemoryVectorCache()
    texts = texts_to_embed(passages)
    shown = [0.0]

    def tell(done: int, total: int) -> None:
        if time.monotonic() - shown[0] > 5 and done < total:
            shown[0] = time.monotonic()
            print(f"embedding {done} of {total} texts", file=sys.stderr)

    vectors = embed_missing(list(texts.values()), embedder, kept, tell)
    loaded.put_many(embedder.model_id, dict(zip(texts, vectors, strict=True)))
    unrelated_questions(embedder, loaded)
    return loaded


def measure_recall(
    index: KnowledgeIndex, questions: Sequence[Question], texts: Sequence[str], vectors: Sequence[Vectors], tell: bool
) -> dict[str, float]:
    """Return Recall at each depth."""
    shares = np.zeros(len(DEPTHS))
    for question, text, vector in zip(questions, texts, vectors, strict=True):
        found = [one.passage.id for one in recall_vector(index, text, vector, max(DEPTHS)).recollections]
        shares += [np.mean([gold in found[:depth] for gold in question.gold]) for depth in DEPTHS]
        if tell:
            ranks = [found.index(gold) + 1 if gold in found else 99 for gold in question.gold]
            print(ranks, question.text, file=sys.stderr)
    return {f"recall@{depth}": round(float(s / len(questions)), 4) for depth, s in zip(DEPTHS, shares, strict=True)}


def measure_time(index: KnowledgeIndex, texts: Sequence[str], vectors: Sequence[Vectors]) -> dict[str, float]:
    """Return milliseconds a query after its embedding: each question timed apart, the best of a few rounds."""
    times = np.full(len(texts), np.inf)
    worked = np.full(len(texts), np.inf)
    for _ in range(REPEATS):
        for n, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
            started, busy = time.perf_counter(), time.process_time()
            recall_vector(index, text, vector, max(DEPTHS))
            worked[n] = min(worked[n], 1000 * (time.process_time() - busy))
            times[n] = min(times[n], 1000 * (time.perf_counter() - started))
    figures = {"ms_mean": times.mean(), "ms_p95": np.percentile(times, 95), "cpu_ms_mean": worked.mean()}
    return {key: round(float(value), 3) for key, value in figures.items()}


def measure_login(
    passages: Sequence[Passage], extractions: Sequence[Extraction], embedder: Embedder, vectors: MemoryVectorCache
) -> tuple[float, float]:
    """Return the seconds from an opened database to an index ready for questions, on the wall and of the processor."""
    part, read = passages[:LOGIN_PASSAGES], extractions[:LOGIN_PASSAGES]
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder))
        personas, store = PersonaRepository(database), VectorRepository(database)
        article = Article("benchmark", "benchmark", (Section("", 1, ()),))
        row = personas.begin(article, "benchmark")
        personas.finish(row.id, part, read)
        texts = texts_to_embed(part)
        known = vectors.get_many(embedder.model_id, list(texts))
        store.put_many(embedder.model_id, known)
        unrelated_questions(embedder, store)
        gc.collect()
        started, worked = time.perf_counter(), time.process_time()
        KnowledgeIndex.build(personas.passages(row.id), personas.extractions(row.id), embedder, store)
        seconds, busy = time.perf_counter() - started, time.process_time() - worked
        database.close()
    return round(seconds, 3), round(busy, 3)


if __name__ == "__main__":
    raise SystemExit(main())
