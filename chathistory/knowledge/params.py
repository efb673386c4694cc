"""The settings of the graph and of a query, under the names that the seed's config.toml gave them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecallParams:
    """How the graph is built and how a query runs.

    A threshold of None is calibrated from the corpus and its embedder; a number is a cosine of centred vectors.

    Attributes
    ----------
    synonym_search_top_k
        Near entities looked at for each entity, 0 for no synonyms.
    synonym_threshold
        Cosine above which two entities count as one.
    relation_search_top_k
        Facts looked at for a query.
    relation_threshold
        Cosine below which a fact is no seed; None is relative to the best fact.
    paragraph_search_top_k
        Passages that dense search hands to the graph.
    paragraph_node_weight
        Weight of passages in the reset, beside entities of weight up to 1.
    ent_filter_top_k
        Seed entities at most.
    ppr_damping
        Share of rank that follows edges, the rest goes back to the seeds.
    res_top_k
        Passages given at most when the caller names no number.
    """

    synonym_search_top_k: int = 10
    synonym_threshold: float | None = None
    relation_search_top_k: int = 10
    relation_threshold: float | None = None
    paragraph_search_top_k: int = 1000
    paragraph_node_weight: float = 0.05
    ent_filter_top_k: int = 10
    ppr_damping: float = 0.5
    res_top_k: int = 3
