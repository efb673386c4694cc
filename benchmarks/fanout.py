"""Two hundred passages read by a model behind a server that misbehaves: is all of it read, how long, paid how often?

Run ``python -m benchmarks.fanout [--retry-after S] [--json]``. The server is ours, on loopback: of the requests it
refuses 10% (429 with Retry-After), fails 5% (500), answers 5% with broken JSON and hangs on 2%; an answer takes 300 ms.
``ideal_s`` is a server that never misbehaves: passages x 300 ms / concurrency; a Retry-After of a second on one of the
last passages is 0.13 of that already. ``answers_s`` counts the broken answers too, which take as long and must be asked
for anew: less than that no client can need.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from chathistory.domain import Figure, Passage
from chathistory.models.api import Api
from chathistory.models.ledger import Meter
from chathistory.models.openai_compatible import OpenAIChat
from chathistory.openie.cleaning import Reading
from chathistory.openie.llm import ModelExtractor
from chathistory.openie.many import read_many
from chathistory.store import CallRepository, Database, ExtractionRepository

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from llm_server import KEY, Act, LlmServer, Seen

LATENCY = 0.3
SHARES = {"429": 0.10, "500": 0.05, "broken": 0.05, "hang": 0.02}
FIGURE = Figure("李白", ("李太白",))


def passages(count: int) -> list[Passage]:
    """Return made-up passages, each told from the others by its number."""
    return [Passage(f"第{n}卷记载，李白在第{n}个春天来到江城{n}，与友人甲{n}同游。") for n in range(count)]


def number_of(seen: Seen) -> int:
    """Return which passage a request is about."""
    last = next(m["content"] for m in reversed(seen.body["messages"]) if "段落：" in str(m["content"]))
    return int(str(last).rsplit("段落：", 1)[1].split("第", 1)[1].split("卷", 1)[0])


def misbehaving(seed: int, good: Counter[int], bad: Counter[str], told: str) -> LlmServer:
    """Return a server that answers well most of the time; ``good`` counts the whole answers a passage got.

    ``told`` is the Retry-After of its refusals, '' for none.
    """
    rng = random.Random(seed)
    server = LlmServer()

    def decide(seen: Seen) -> Act:
        roll = rng.random()
        for kind, share in SHARES.items():
            if roll < share:
                bad[kind] += 1
                return {
                    "429": Act(status=429, headers={"Retry-After": told} if told else {}),
                    "500": Act(status=500),
                    "broken": Act(text="好的，下面是结果：", late=LATENCY),
                    "hang": Act(hang=True),
                }[kind]
            roll -= share
        n = number_of(seen)
        good[n] += 1
        answer = {"entities": ["李白", f"江城{n}"], "triples": [["李白", "来到", f"江城{n}"]]}
        return Act(text=json.dumps(answer, ensure_ascii=False), late=LATENCY)

    server.decide = decide
    return server


def once(count: int, concurrency: int, seed: int, told: str = "1") -> dict[str, float | int | bool]:
    """Read all passages once and return what was measured."""
    good: Counter[int] = Counter()
    bad: Counter[str] = Counter()
    with TemporaryDirectory() as folder, misbehaving(seed, good, bad, told) as server:
        database = Database.open(Path(folder))
        store, log = ExtractionRepository(database), CallRepository(database)
        api = Api("bench", server.url, KEY, concurrency=concurrency, meter=Meter(log), rng=random.Random(seed))
        chat = OpenAIChat(api, "model")
        extractor = ModelExtractor(chat, chat, store)
        work = passages(count)

        def keep(_passage: Passage, reading: Reading) -> None:
            store.put_many([reading.extraction], FIGURE.name, extractor.maker, extractor.version)

        started = time.perf_counter()
        results = [result for result in read_many(extractor, work, FIGURE, keep) if result is not None]
        wall = time.perf_counter() - started
        stored = store.get_many([p.id for p in work], FIGURE.name, extractor.maker, extractor.version)
        failed = sum(isinstance(result, Exception) for _, result in results)
        busiest, requests = server.busiest, len(server.chats)
        api.close()
        database.close()
    ideal = count * LATENCY / concurrency
    answers = (sum(good.values()) + bad["broken"]) * LATENCY / concurrency
    return {
        "passages": count,
        "stored": len(stored),
        "failed": failed,
        "wall_s": round(wall, 2),
        "ideal_s": round(ideal, 2),
        "ratio": round(wall / ideal, 3),
        "answers_s": round(answers, 2),
        "of_answers": round(wall / answers, 3),
        "requests": requests,
        "busiest": busiest,
        "paid_twice": sum(times > 1 for times in good.values()),
        **{f"served_{kind}": bad[kind] for kind in SHARES},
    }


def main() -> None:
    """Run and print a table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--retry-after", default="1", help="what refusals say, in seconds; '' for nothing")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [once(options.passages, options.concurrency, seed, options.retry_after) for seed in range(options.runs)]
    ratio, of_answers = (statistics.median(float(row[key]) for row in rows) for key in ("ratio", "of_answers"))
    if options.json:
        print(json.dumps({"ratio_median": ratio, "of_answers_median": of_answers, "rows": rows}))
        return
    keys = list(rows[0])
    print("  ".join(f"{key:>10}" for key in keys))
    for row in rows:
        print("  ".join(f"{row[key]!s:>10}" for key in keys))
    print(f"median of wall / ideal: {ratio:.3f}; of wall / all answers given: {of_answers:.3f}")


if __name__ == "__main__":
    main()
