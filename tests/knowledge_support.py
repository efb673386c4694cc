"""Small memories for the tests of recall."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.domain import Extraction, Fact, Passage
from chathistory.knowledge import KnowledgeIndex, MemoryVectorCache, RecallParams
from chathistory.models.embedded import HashingEmbedder

EMBEDDER = HashingEmbedder(256)

TOLD: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("刘备，字玄德，涿郡涿县人。", [("刘备", "字", "玄德"), ("刘备", "籍贯", "涿郡涿县")]),
    ("刘备少年时拜同乡卢植为师，与公孙瓒同学。", [("刘备", "师从", "卢植"), ("刘备", "同学", "公孙瓒")]),
    ("刘备三次前往隆中，请诸葛亮出山相助。", [("刘备", "三顾茅庐请", "诸葛亮")]),
    ("卢植官至北中郎将，平定黄巾有功。", [("卢植", "任", "北中郎将"), ("卢植", "平定", "黄巾")]),
    ("关羽镇守荆州，后来败走麦城。", [("关羽", "镇守", "荆州"), ("关羽", "败走", "麦城")]),
    ("诸葛亮病逝于五丈原，葬在定军山。", [("诸葛亮", "病逝于", "五丈原"), ("诸葛亮", "葬于", "定军山")]),
    ("曹操在官渡击败袁绍，统一北方。", [("曹操", "击败", "袁绍")]),
    ("The Bubye River rises in Zimbabwe.", [("Bubye River", "rises in", "Zimbabwe")]),
    ("Victoria Falls is a waterfall on the Zambezi in Zimbabwe.", [("Victoria Falls", "lies in", "Zimbabwe")]),
]


def told(rows: Sequence[tuple[str, list[tuple[str, str, str]]]]) -> tuple[list[Passage], list[Extraction]]:
    passages = [Passage(text, position=n) for n, (text, _) in enumerate(rows)]
    extractions = [
        Extraction(one.id, tuple({name for s, _, o in facts for name in (s, o)}), tuple(Fact(*f) for f in facts))
        for one, (_, facts) in zip(passages, rows, strict=True)
    ]
    return passages, extractions


def memory(
    rows: Sequence[tuple[str, list[tuple[str, str, str]]]] = TOLD, params: RecallParams | None = None
) -> KnowledgeIndex:
    passages, extractions = told(rows)
    return KnowledgeIndex.build(passages, extractions, EMBEDDER, MemoryVectorCache(), params)
