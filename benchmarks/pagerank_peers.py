"""The libraries that benchmarks.pagerank measures against. Each is made ready first; only the query is timed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.pagerank_graphs import Case
from quick_algo.kernels import numba_installed
from quick_algo.pagerank import pagerank

Floats = NDArray[np.float64]
Query = Callable[[], Floats]

DAMPING = 0.5
TOL = 1e-6
"""The L1 error that everybody is asked for."""
LIMITS = {"networkx": 20_000, "quick_algo (PyPI)": 100_000}
"""Nodes above which a peer is left out: building its graph takes minutes or more memory than there is."""
SEED_FOLDER = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "chathistory-bench" / "quick_algo"
"""Where the seed's quick_algo stands apart: it has our package's import name."""
SEED_INSTALL = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", str(SEED_FOLDER), "quick_algo"]


@dataclass(frozen=True)
class Peer:
    """A named way to the PageRank vector; ``module`` tells whether it is installed, None for what always is."""

    name: str
    module: str | None
    prepare: Callable[[Case], Query]

    @property
    def installed(self) -> bool:
        """Whether the peer can run."""
        return self.module is None or find_spec(self.module) is not None


def transition(case: Case) -> Any:
    """Return P, column-stochastic, CSR float64."""
    matrix = case.graph.matrix.astype(np.float64)
    return (sparse.diags(case.graph.inverse_degree) @ matrix).T.tocsr()


def power(matrix: Any, reset: Floats, tol: float) -> Floats:
    """Iterate ``x = d P x + (1 - d) reset`` until the L1 error is below ``tol``."""
    x = reset
    while True:
        following = DAMPING * (matrix @ x)
        following += (1.0 - DAMPING) * reset
        left = float(np.abs(following - x).sum()) * DAMPING / (1.0 - DAMPING)
        x = following
        if left < tol:
            return x


def reference(case: Case) -> Floats:
    """Return the vector that errors are measured from: float64 power iteration, as networkx does it, to 1e-14."""
    x = power(transition(case), case.reset, 1e-14)
    return x / x.sum()


def _ours(kernel: Any) -> Callable[[Case], Query]:
    def prepare(case: Case) -> Query:
        return lambda: pagerank(case.graph, case.reset, DAMPING, TOL, kernel=kernel)

    return prepare


def _scipy(case: Case) -> Query:
    matrix = transition(case)
    return lambda: power(matrix, case.reset, TOL)


def _igraph(case: Case) -> Query:
    igraph = importlib.import_module("igraph")
    upper = sparse.triu(case.graph.matrix).tocoo()
    graph = igraph.Graph(n=case.graph.n, edges=np.column_stack([upper.row, upper.col]), directed=False)
    graph.es["weight"] = upper.data.astype(float).tolist()
    reset = case.reset.tolist()
    return lambda: np.array(
        graph.personalized_pagerank(
            damping=DAMPING, reset=reset, weights="weight", directed=False, implementation="prpack"
        )
    )


def _networkx(case: Case) -> Query:
    nx = importlib.import_module("networkx")
    graph = nx.from_scipy_sparse_array(case.graph.matrix.astype(np.float64), create_using=nx.DiGraph)
    personalization = {int(i): float(case.reset[i]) for i in np.flatnonzero(case.reset)}
    # networkx stops at n times tol
    tol = TOL / case.graph.n
    return lambda: np.fromiter(
        nx.pagerank(graph, alpha=DAMPING, personalization=personalization, tol=tol).values(), float, case.graph.n
    )


def _fast_pagerank(case: Case) -> Query:
    module = importlib.import_module("fast_pagerank")
    matrix = case.graph.matrix.astype(np.float64)
    return lambda: np.asarray(
        module.pagerank_power(matrix, p=DAMPING, personalize=case.reset, tol=TOL * (1 - DAMPING) / DAMPING)
    )


def _scikit_network(case: Case) -> Query:
    ranking = importlib.import_module("sknetwork.ranking")
    matrix = case.graph.matrix.astype(np.float64)
    weights = {int(i): float(case.reset[i]) for i in np.flatnonzero(case.reset)}
    algorithm = ranking.PageRank(
        damping_factor=DAMPING, solver="piteration", n_iter=100, tol=TOL * (1 - DAMPING) / DAMPING
    )
    return lambda: np.asarray(algorithm.fit_predict(matrix, weights=weights))


PEERS = (
    Peer("chathistory (numpy)", None, _ours("numpy")),
    Peer("chathistory (fast)", "numba", _ours("numba")),
    Peer("scipy CSR float64", None, _scipy),
    Peer("igraph PRPACK", "igraph", _igraph),
    Peer("networkx", "networkx", _networkx),
    Peer("fast-pagerank", "fast_pagerank", _fast_pagerank),
    Peer("scikit-network", "sknetwork", _scikit_network),
)
OURS = tuple(peer.name for peer in PEERS if peer.name.startswith("chathistory"))
SEED_NAME = "quick_algo (PyPI)"


def missing() -> Iterator[str]:
    """Yield what is not installed, with the way to get it."""
    for peer in PEERS:
        if not peer.installed:
            extra = "fast" if peer.module == "numba" else "bench"
            yield f"{peer.name}: missing; pip install -e '.[{extra}]'"
    if not (SEED_FOLDER / "quick_algo").is_dir():
        yield f"{SEED_NAME}: missing; run with --fetch-quick-algo (its import name is ours, so it must stand apart)"


SEED_SCRIPT = """
import json, sys, time
import numpy as np
from quick_algo import di_graph, pagerank
data = np.load(sys.argv[1])
graph = di_graph.DiGraph()
for i in range(int(data["n"])):
    graph.add_node(di_graph.DiNode(str(i), {}))
for a, b, w in zip(data["src"].tolist(), data["dst"].tolist(), data["weight"].tolist()):
    graph.add_edge(di_graph.DiEdge(str(a), str(b), {"weight": w}))
reset = data["reset"]
personalization = {str(i): float(reset[i]) for i in np.flatnonzero(reset)}
clock = getattr(time, sys.argv[5])
times = []
for _ in range(int(sys.argv[2]) + 1):
    start = clock()
    scores = pagerank.run_pagerank(graph, personalization=personalization, alpha=0.5, tol=float(sys.argv[3]))
    times.append(1000 * (clock() - start))
np.save(sys.argv[4], np.array([scores[str(i)] for i in range(int(data["n"]))]))
print(json.dumps(times[1:]))
"""


def run_seed(case: Case, rounds: int, clock: Callable[[], float]) -> tuple[list[float], Floats]:
    """Run the seed's quick_algo in a process of its own; returns (milliseconds of each run, scores)."""
    with tempfile.TemporaryDirectory() as folder:
        graph, scores = Path(folder) / "graph.npz", Path(folder) / "scores.npy"
        edges = case.graph.matrix.tocoo()
        np.savez(graph, n=case.graph.n, src=edges.row, dst=edges.col, weight=edges.data.astype(float), reset=case.reset)
        environment = {**os.environ, "PYTHONPATH": str(SEED_FOLDER)}
        done = subprocess.run(
            [
                sys.executable, "-c", SEED_SCRIPT,
                str(graph), str(rounds), str(TOL / case.graph.n), str(scores), clock.__name__,
            ],
            cwd=folder, env=environment, check=True, capture_output=True, text=True, encoding="utf-8",
        )  # fmt: skip
        return [float(ms) for ms in json.loads(done.stdout)], np.load(scores)


def fast_installed() -> bool:
    """Whether the compiled kernels can be measured."""
    return numba_installed()
