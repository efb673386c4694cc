"""Recall on questions to real figures about their own pages, the whole way of the product: page to passages.

python -m benchmarks.zh_history --pages DIR --questions FILE [--json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.vector_cache import FileVectorCache
from chathistory.domain import Article, Extraction, Figure, Passage
from chathistory.encyclopedia import figure, passages, read_file
from chathistory.errors import ExtractionError, SourceError
from chathistory.knowledge import KnowledgeIndex, recall
from chathistory.models.embedded import default_embedder
from chathistory.models.protocols import Embedder, Extractor
from chathistory.openie import RuleExtractor

DEPTHS = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Memory:
    """A figure and what was summoned from his page."""

    who: Figure
    index: KnowledgeIndex


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.zh_history", description=__doc__)
    parser.add_argument("--pages", type=Path, required=True, help="folder of saved pages (.html)")
    parser.add_argument("--questions", type=Path, required=True, help="questions.json")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--verbose", action="store_true", help="the ranks of each question's gold, on stderr")
    options = parser.parse_args(arguments)
    questions = json.loads(options.questions.read_text(encoding="utf-8"))
    embedder, cache = default_embedder(), FileVectorCache()
    memories = summon_all(options.pages, sorted({q["figure"] for q in questions}), embedder, cache)
    missing = sorted({q["figure"] for q in questions} - memories.keys())
    if missing:
        print(f"no page of {'、'.join(missing)} in {options.pages}: their questions are left out", file=sys.stderr)
    results = [ask(memories[q["figure"]], q, embedder) for q in questions if q["figure"] in memories]
    if options.verbose:
        for result in results:
            print(result, file=sys.stderr)
    summary = summarise(results)
    print(json.dumps(summary, ensure_ascii=False) if options.json else table(summary))
    return 0


def summon_all(folder: Path, names: Sequence[str], embedder: Embedder, cache: FileVectorCache) -> dict[str, Memory]:
    """Read every page of a folder, and summon the figures that are asked for."""
    found: dict[str, Memory] = {}
    extractor = RuleExtractor()
    for path in sorted(folder.glob("*.htm*")):
        try:
            article = read_file(path)
        except SourceError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        name = _asked_for(article, names)
        if name is not None and name not in found:
            started = time.perf_counter()
            found[name] = _summon(article, embedder, cache, extractor)
            index = found[name].index
            seconds = time.perf_counter() - started
            print(
                f"{name}: {len(index)} passages, {len(index.facts)} facts, {seconds:.1f} s ({path.name})",
                file=sys.stderr,
            )
    return found


def _asked_for(article: Article, names: Sequence[str]) -> str | None:
    who = figure(article)
    return next((name for name in names if name == who.name or name in who.aliases), None)


def _summon(article: Article, embedder: Embedder, cache: FileVectorCache, extractor: Extractor) -> Memory:
    who, pieces = figure(article), passages(article)
    return Memory(who, KnowledgeIndex.build(pieces, [_read(extractor, p, who) for p in pieces], embedder, cache))


def _read(extractor: Extractor, passage: Passage, who: Figure) -> Extraction:
    try:
        return extractor.extract(passage, who)
    except ExtractionError:
        return Extraction(passage.id, (), ())


def ask(memory: Memory, question: dict[str, Any], embedder: Embedder) -> dict[str, Any]:
    """Return what one question brought back: its kind, Recall at each depth, and whether the persona was confident."""
    found = recall(memory.index, question["question"], 10, embedder=embedder, figure=memory.who)
    texts = [bare(one.passage.text) for one in found.recollections]
    golds = [[gold] for gold in question["gold"]]
    if len(golds) == 1:
        golds[0] += question.get("also", [])
    ranks = [next((n for n, text in enumerate(texts, 1) if any(bare(g) in text for g in gold)), 99) for gold in golds]
    return {
        "id": question["id"],
        "kind": question["kind"],
        "recall": [float(np.mean([rank <= depth for rank in ranks])) if ranks else 0.0 for depth in DEPTHS],
        "ranks": ranks,
        "confident": found.confident,
        "confidence": round(found.confidence, 3),
    }


def bare(text: str) -> str:
    """Return a text without white space and reference marks."""
    return re.sub(r"\s|\[[^\[\]]{1,6}\]", "", text)


def summarise(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of the contract; abstentions are [how many, of how many]."""
    answerable = [r for r in results if r["kind"] != "none"]
    unanswerable = [r for r in results if r["kind"] == "none"]
    kinds: dict[str, list[list[float]]] = defaultdict(list)
    for result in answerable:
        kinds[result["kind"]].append(result["recall"])

    def means(rows: Sequence[Sequence[float]]) -> dict[str, float]:
        values = np.mean(rows, axis=0) if len(rows) else np.zeros(len(DEPTHS))
        return {f"recall@{depth}": round(float(value), 4) for depth, value in zip(DEPTHS, values, strict=True)}

    return {
        **means([r["recall"] for r in answerable]),
        "by_kind": {kind: {**means(rows), "questions": len(rows)} for kind, rows in sorted(kinds.items())},
        "abstained": [sum(not r["confident"] for r in unanswerable), len(unanswerable)],
        "falsely_abstained": [sum(not r["confident"] for r in answerable), len(answerable)],
    }


def table(summary: dict[str, Any]) -> str:
    """Return the summary as lines for a human."""
    lines = [f"{'':12}" + "".join(f"{'recall@' + str(depth):>10}" for depth in DEPTHS)]
    rows = {"all": summary, **summary["by_kind"]}
    lines += [
        f"{name:12}" + "".join(f"{row[f'recall@{depth}']:10.3f}" for depth in DEPTHS) for name, row in rows.items()
    ]
    lines.append(
        "abstained {} of {} without an answer, {} of {} with one".format(
            *summary["abstained"], *summary["falsely_abstained"]
        )
    )
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
