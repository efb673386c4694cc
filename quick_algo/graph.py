"""Weighted graphs: named (DiGraph) and as arrays (CSRGraph), GraphML in and out, PageRank over names."""

from __future__ import annotations

from quick_algo.csr import Candidates, CSRGraph
from quick_algo.di_graph import DiEdge, DiGraph, DiNode
from quick_algo.graphml import BadGraphML, load_from_file, save_to_file
from quick_algo.pagerank import run_pagerank

__all__ = [
    "BadGraphML",
    "CSRGraph",
    "Candidates",
    "DiEdge",
    "DiGraph",
    "DiNode",
    "load_from_file",
    "run_pagerank",
    "save_to_file",
]
