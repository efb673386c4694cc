"""Exact PageRank and certified ranking against other libraries, one thread, all in one run.

    python -m benchmarks.pagerank [--json] [--sizes 10000 100000 1000000] [--dense]

Kernels take turns and the median of the rounds counts. What is measured is processor time, which for one thread is the
time on the wall of an idle machine; ``--wall`` measures the wall. ``l1_error`` is
measured from a float64 power iteration to 1e-14. The ranking mode (``ranking`` in the JSON) is the median over
seeded random resets of 50 passages and 5 entities: ``proven`` is the share of them whose order was proven,
``l1_error`` the largest summed error of the 20 scores, which it knows only as well as their order asks for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import pagerank_peers as peers
from benchmarks.pagerank_graphs import MUSIQUE, Case, barabasi_case, musique_case, sparse_reset
from quick_algo.pagerank import pagerank, top_k

SEED = 7
SIZES = (10_000, 100_000, 1_000_000)
TOP = 20
RANKING_RESETS = 40
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
UNWANTED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""Settings for old OpenBLAS builds that slow a current numpy."""

Row = dict[str, Any]
Clock = Callable[[], float]


def rounds_for(n: int) -> int:
    """Return how many times each kernel runs on a graph of n nodes."""
    return 31 if n < 50_000 else 9 if n < 500_000 else 5


def exact_rows(case: Case, clock: Clock) -> Iterator[Row]:
    """Yield a row for each kernel that is installed and can cope with the size."""
    n = case.graph.n
    chosen = [peer for peer in peers.PEERS if peer.installed and n <= peers.LIMITS.get(peer.name, n)]
    queries = {peer.name: peer.prepare(case) for peer in chosen}
    truth = peers.reference(case)
    scores = {name: query() for name, query in queries.items()}
    times: dict[str, list[float]] = {name: [] for name in queries}
    rounds = rounds_for(n)
    for _ in range(rounds):
        for name, query in queries.items():
            start = clock()
            query()
            times[name].append(1000.0 * (clock() - start))
    if (peers.SEED_FOLDER / "quick_algo").is_dir() and n <= peers.LIMITS[peers.SEED_NAME]:
        times[peers.SEED_NAME], scores[peers.SEED_NAME] = peers.run_seed(case, min(rounds, 9), clock)
    best = top_nodes(truth)
    for name, taken in times.items():
        yield {
            "graph": case.name,
            "kernel": name,
            "ms_median": float(np.median(taken)),
            "l1_error": float(np.abs(scores[name] - truth).sum()),
            "top20_same": bool(np.array_equal(top_nodes(scores[name]), best)),
        }


def top_nodes(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the 20 best nodes, best first."""
    return np.argsort(-scores, kind="stable")[:TOP]


def ranking_rows(case: Case, clock: Clock) -> Iterator[Row]:
    """Yield the ranking mode's rows: the top 20 passages for sparse resets."""
    rng = np.random.default_rng(SEED)
    resets = [sparse_reset(case.passages, rng) for _ in range(RANKING_RESETS)]
    candidates = case.graph.candidates(case.passages)
    for kernel in ("numpy", "numba") if peers.fast_installed() else ("numpy",):
        found = [top_k(case.graph, *resets[0], TOP, candidates, peers.DAMPING, kernel=kernel)]
        times = []
        found.clear()
        for ids, weights in resets:
            start = clock()
            found.append(top_k(case.graph, ids, weights, TOP, candidates, peers.DAMPING, kernel=kernel))
            times.append(1000.0 * (clock() - start))
        same, errors = [], []
        for (ids, weights), ranked in list(zip(resets, found, strict=True))[: 5 if case.graph.n > 50_000 else None]:
            reset = np.zeros(case.graph.n)
            reset[ids] = weights
            truth = pagerank(case.graph, reset, peers.DAMPING, 1e-10)
            pool = np.flatnonzero(case.passages)
            order = pool[np.argsort(-truth[pool], kind="stable")[:TOP]]
            same.append(np.array_equal(order, ranked.ids))
            errors.append(float(np.abs(truth[ranked.ids] - ranked.scores).sum()))
        yield {
            "graph": case.name,
            "kernel": f"chathistory top-20 ({'fast' if kernel == 'numba' else 'numpy'})",
            "ms_median": float(np.median(times)),
            "l1_error": max(errors),
            "top20_same": all(same),
            "proven": sum(ranked.proven for ranked in found) / len(found),
        }


def cases(sizes: Sequence[int], openie: Path, dense: bool) -> Iterator[Case]:
    """Yield the graphs, one at a time."""
    if openie.is_file():
        yield musique_case(openie, SEED, dense)
    for n in sizes:
        yield barabasi_case(n, SEED, dense)


def print_table(rows: Sequence[Row]) -> None:
    """Print one graph's rows with each time as a multiple of our fastest."""
    ours = min(row["ms_median"] for row in rows if row["kernel"] in peers.OURS)
    for row in rows:
        proven = f"  proven {row['proven']:.0%}" if "proven" in row else ""
        ratio = f"{row['ms_median'] / ours:8.1f}x" if "proven" not in row else " " * 9
        print(
            f"{row['graph']:<9}{row['kernel']:<30}{row['ms_median']:>11.3f} ms{ratio}"
            f"  L1 {row['l1_error']:.1e}  top 20 {'same' if row['top20_same'] else 'differs'}{proven}"
        )
    print(flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.pagerank", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="nodes of the Barabasi-Albert graphs")
    parser.add_argument("--openie", type=Path, default=MUSIQUE, help="OpenIE file in HippoRAG's format")
    parser.add_argument(
        "--dense", action="store_true", help="a reset on all nodes instead of 50 passages and 5 entities"
    )
    parser.add_argument("--fetch-quick-algo", action="store_true", help="install the seed's quick_algo apart, by pip")
    parser.add_argument("--wall", action="store_true", help="time on the wall instead of processor time")
    options = parser.parse_args(arguments)
    clock = time.perf_counter if options.wall else time.process_time
    if options.fetch_quick_algo:
        subprocess.run(peers.SEED_INSTALL, check=True, stdout=sys.stderr)
    notes = list(peers.missing())
    if not options.openie.is_file():
        notes.append(f"musique: no such file: {options.openie}")
    for note in notes:
        print(note, file=sys.stderr)
    rows: list[Row] = []
    ranking: list[Row] = []
    for case in cases(options.sizes, options.openie, options.dense):
        exact, ranked = list(exact_rows(case, clock)), list(ranking_rows(case, clock))
        rows += exact
        ranking += ranked
        if not options.json:
            print_table([*exact, *ranked])
    if options.json:
        print(json.dumps({"rows": rows, "ranking": ranking, "missing": notes}, ensure_ascii=False))
    return 0


def _one_thread() -> None:
    """Start this process anew with one thread and without settings for other libraries' versions."""
    wanted = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    wanted.update(dict.fromkeys(ONE_THREAD, "1"))
    if wanted != dict(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks.pagerank", *sys.argv[1:]], wanted)


if __name__ == "__main__":
    _one_thread()
    sys.exit(main())
