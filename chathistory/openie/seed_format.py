"""openie.json as the seed's readers expect it: written whole, read with patience."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from chathistory.domain import Extraction, Fact, Passage, text_id
from chathistory.errors import UnreadableFile

_log = logging.getLogger(__name__)


def to_seed(extractions: Sequence[Extraction], passages: Sequence[Passage]) -> dict[str, Any]:
    """Return the content of an openie.json.

    Parameters
    ----------
    extractions, passages
        Matched by ``passage_id``; passages without an extraction are left out, in the order of ``passages``.

    Returns
    -------
    dict
        ``docs`` with ``idx`` (sha256 of the passage), ``passage``, ``extracted_entities``, ``extracted_triples``;
        ``avg_ent_chars`` and ``avg_ent_words`` are means over all entities, 0.0 when there is none.
    """
    by_id = {extraction.passage_id: extraction for extraction in extractions}
    docs = []
    entities: list[str] = []
    for passage in passages:
        extraction = by_id.get(passage.id)
        if extraction is None:
            continue
        entities.extend(extraction.entities)
        docs.append(
            {
                "idx": passage.id,
                "passage": passage.text,
                "extracted_entities": list(extraction.entities),
                "extracted_triples": [list(fact.parts()) for fact in extraction.facts],
            }
        )
    return {
        "docs": docs,
        "avg_ent_chars": round(sum(map(len, entities)) / len(entities), 4) if entities else 0.0,
        "avg_ent_words": round(sum(len(entity.split()) for entity in entities) / len(entities), 4) if entities else 0.0,
    }


def from_seed(data: object) -> list[tuple[Passage, Extraction]]:
    """Return passages with their extractions from the content of an openie.json.

    Triples that are not three non-empty strings, entities that are no strings, and docs whose passage is empty are
    dropped; how many is logged. ``idx`` is not trusted: a passage's id is the sha256 of its text.

    Raises
    ------
    UnreadableFile
        Where ``docs``, or a field of a doc (``passage``, ``extracted_entities``, ``extracted_triples``), is missing
        or of another type.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("docs"), list):
        raise UnreadableFile(
            "openie.json 里缺少 docs 列表；请换成 ChatHistory 导出的 openie.json，或删除它以便重新提取。"
        )
    found: list[tuple[Passage, Extraction]] = []
    seen: set[str] = set()
    dropped = 0
    for number, doc in enumerate(data["docs"]):
        text = _field(doc, "passage", str, number).strip()
        entities = _field(doc, "extracted_entities", list, number)
        triples = _field(doc, "extracted_triples", list, number)
        if not text or text_id(text) in seen:
            dropped += 1
            continue
        kept = list(dict.fromkeys(entity.strip() for entity in entities if isinstance(entity, str) and entity.strip()))
        facts = [fact for triple in triples if (fact := _fact(triple)) is not None]
        dropped += (
            sum(not (isinstance(entity, str) and entity.strip()) for entity in entities) + len(triples) - len(facts)
        )
        passage = Passage(text, position=len(found))
        seen.add(passage.id)
        found.append((passage, Extraction(passage.id, tuple(kept), tuple(dict.fromkeys(facts)))))
    if dropped:
        _log.warning("openie.json: 丢弃了 %d 条不完整的段落、实体或三元组", dropped)
    return found


def _field(doc: object, key: str, kind: type[Any], number: int) -> Any:
    value = doc.get(key) if isinstance(doc, Mapping) else None
    if not isinstance(value, kind):
        raise UnreadableFile(f"openie.json 第 {number + 1} 条缺少 {key}，或它的类型不对；请删除该文件以便重新提取。")
    return value


def _fact(triple: object) -> Fact | None:
    if not isinstance(triple, list | tuple) or len(triple) != 3:
        return None
    if not all(isinstance(part, str) and part.strip() for part in triple):
        return None
    subject, predicate, obj = (part.strip() for part in triple)
    return Fact(subject, predicate, obj)
