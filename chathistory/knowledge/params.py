"""The settings of the graph and of a query, under the names that the seed's config.toml gave them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecallParams:
    """How the graph is built and how a query runs.

    A threshold of None is chosen from the scores themselves, so that it fits any embedder. The measured effect of each
    setting stands in docs/recall.md.

    Attributes
    ----------
    synonym_search_top_k
        Names within a name that are linked to it, at most; 0 for none.
    synonym_threshold
        Share of the longer name that the shorter must make to be linked; None is 0.3.
    relation_search_top_k
        Facts that become seeds at most; a fact filter is shown 20, and may keep more.
    relation_threshold
        Share of the best fact's score below which a fact is no seed; None lets its weight fall off steeply instead.
    paragraph_search_top_k
        Passages that vectors and words each hand on where there are too many to score them all.
    paragraph_node_weight
        A tenth of the share of the reset that goes to passages: at 0.05 one half, the entities have the other.
    ent_filter_top_k
        Seed entities at most.
    ppr_damping
        Share of rank that follows edges; the rest goes back to the seeds.
    res_top_k
        Passages given at most when the caller names no number.
    lexical_weight
        Weight of BM25 (0..1) beside the mean of the two cosines.
    graph_weight
        Weight of the logarithm of the rank in the graph beside the direct score.
    temperature
        Of the softmax by which seed passages share their part of the reset, in units of the direct score.
    """

    synonym_search_top_k: int = 10
    synonym_threshold: float | None = None
    relation_search_top_k: int = 5
    relation_threshold: float | None = None
    paragraph_search_top_k: int = 1000
    paragraph_node_weight: float = 0.05
    ent_filter_top_k: int = 15
    ppr_damping: float = 0.5
    res_top_k: int = 3
    lexical_weight: float = 1.0
    graph_weight: float = 0.25
    temperature: float = 0.05

    @property
    def name_share(self) -> float:
        """The threshold of name links; above 1 where there shall be none."""
        if self.synonym_search_top_k == 0:
            return 2.0
        return 0.3 if self.synonym_threshold is None else self.synonym_threshold
