"""The encyclopedic memory: an index built once, and recall from it."""

from chathistory.knowledge.index import KnowledgeIndex, texts_to_embed
from chathistory.knowledge.params import RecallParams
from chathistory.knowledge.recall import recall, recall_vector
from chathistory.knowledge.vectors import MemoryVectorCache, VectorCache, embed_missing

__all__ = [
    "KnowledgeIndex",
    "MemoryVectorCache",
    "RecallParams",
    "VectorCache",
    "embed_missing",
    "recall",
    "recall_vector",
    "texts_to_embed",
]
