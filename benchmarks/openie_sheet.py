"""Draw a sheet of facts for a human verdict, and count facts per passage.

python -m benchmarks.openie_sheet --pages DIR [--seed N] [--count 100] [--json] [--with-text]

Reads the shipped samples and every article page in DIR (saved .html pages; challenge pages and other files that are no
article are named and skipped). The draw is without replacement over all facts, by ``random.Random(seed)``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from chathistory.domain import Article, Fact, Passage
from chathistory.encyclopedia import figure, passages, read_file, read_sample, sample_names
from chathistory.errors import ChatHistoryError, ExtractionError
from chathistory.openie import RuleExtractor


@dataclass(frozen=True, slots=True)
class Row:
    """A fact and where it stands."""

    article: str
    passage: Passage
    fact: Fact


@dataclass
class Count:
    """Facts and passages of one article; ``seconds`` is the time of extraction."""

    article: str
    passages: int = 0
    facts: int = 0
    empty: int = 0
    failed: int = 0
    seconds: float = 0.0

    @property
    def mean(self) -> float:
        """Facts a passage."""
        return self.facts / self.passages if self.passages else 0.0


def articles(folder: Path | None) -> list[Article]:
    """Return the shipped samples, then the articles in ``folder`` by file name."""
    found = [article for name in sample_names() if (article := read_sample(name)) is not None]
    for path in sorted(folder.glob("*.html")) if folder else []:
        try:
            found.append(read_file(path))
        except ChatHistoryError as error:
            print(f"skipped {path.name}: {type(error).__name__}", file=sys.stderr)
    return found


def read(article: Article, extractor: RuleExtractor) -> tuple[Count, list[Row]]:
    """Extract every passage of an article."""
    who = figure(article)
    count = Count(who.name)
    rows: list[Row] = []
    for passage in passages(article):
        count.passages += 1
        started = time.perf_counter()
        try:
            facts = extractor.extract(passage, who).facts
        except ExtractionError:
            count.failed += 1
            facts = ()
        count.seconds += time.perf_counter() - started
        count.facts += len(facts)
        count.empty += not facts
        rows.extend(Row(who.name, passage, fact) for fact in facts)
    return count, rows


def draw(rows: list[Row], seed: int, count: int) -> list[Row]:
    """Return ``count`` rows drawn without replacement."""
    return random.Random(seed).sample(rows, min(count, len(rows)))


def main(arguments: list[str] | None = None) -> int:
    """Print the counts and the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--with-text", action="store_true", help="print each fact's passage below it")
    options = parser.parse_args(arguments)
    extractor = RuleExtractor()
    counts: list[Count] = []
    rows: list[Row] = []
    for article in articles(options.pages):
        count, found = read(article, extractor)
        counts.append(count)
        rows.extend(found)
    sheet = draw(rows, options.seed, options.count)
    total = Count(
        "total",
        sum(c.passages for c in counts),
        sum(c.facts for c in counts),
        sum(c.empty for c in counts),
        sum(c.failed for c in counts),
        sum(c.seconds for c in counts),
    )
    if options.json:
        print(
            json.dumps(
                {
                    "maker": extractor.maker,
                    "version": extractor.version,
                    "seed": options.seed,
                    "articles": [
                        {
                            "article": c.article,
                            "passages": c.passages,
                            "facts": c.facts,
                            "mean": round(c.mean, 2),
                            "without_facts": c.empty,
                            "failed": c.failed,
                        }
                        for c in [*counts, total]
                    ],
                    "sheet": [
                        {
                            "article": r.article,
                            "passage": r.passage.id,
                            "position": r.passage.position,
                            "fact": list(r.fact.parts()),
                        }
                        for r in sheet
                    ],
                },
                ensure_ascii=False,
                indent=1,
            )
        )
        return 0
    for count in [*counts, total]:
        rate = count.passages / count.seconds if count.seconds else 0.0
        print(
            f"{count.article}: {count.passages} passages, {count.facts} facts, {count.mean:.2f} a passage, "
            f"{count.empty} without facts, {count.failed} failed, {rate:.0f} passages/s"
        )
    for number, row in enumerate(sheet, 1):
        print(
            f"{number:3d} {row.article} #{row.passage.position} {row.passage.id[:8]} | {' | '.join(row.fact.parts())}"
        )
        if options.with_text:
            print(f"      [{row.passage.section}] {row.passage.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
