"""The JSON that a model answers an extraction with, whatever shape it gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Said(BaseModel):
    """The JSON of an answer, under whatever names a model gave its parts."""

    model_config = ConfigDict(extra="ignore")
    entities: list[Any] = Field(default_factory=list)
    triples: list[list[Any]] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _other_shapes(cls, value: Any) -> Any:
        if isinstance(value, list):
            triples = [item for item in value if isinstance(item, list | dict)]
            return {"entities": [item for item in value if isinstance(item, str)], "triples": _triples(triples)}
        if not isinstance(value, dict):
            return value
        folded = {str(key).strip().lower(): part for key, part in value.items()}
        entities = _first(folded, _ENTITY_KEYS)
        triples = _first(folded, _TRIPLE_KEYS)
        return {"entities": _names(entities), "triples": _triples(triples)}


_ENTITY_KEYS = ("entities", "entity", "named_entities", "实体", "实体列表", "names")
_TRIPLE_KEYS = ("triples", "triple", "facts", "relations", "rdf", "三元组", "三元组列表", "关系", "事实")
_SUBJECT = ("subject", "s", "head", "主语", "主体", "头实体")
_PREDICATE = ("predicate", "p", "relation", "verb", "谓语", "关系", "谓词")
_OBJECT = ("object", "o", "tail", "宾语", "客体", "尾实体")


def _first(value: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((value[key] for key in keys if key in value), [])


def _names(value: Any) -> list[Any]:
    """A list of names; one name; lists by kind; dicts that hold a name."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [name for part in value.values() for name in _names(part)]
    if not isinstance(value, list):
        return []
    found: list[Any] = []
    for item in value:
        if isinstance(item, dict):
            lower = {str(key).lower(): part for key, part in item.items()}
            found.append(_first(lower, ("name", "entity", "text", "名称", "实体")))
        else:
            found.append(item)
    return found


def _triples(value: Any) -> list[list[Any]]:
    if isinstance(value, list) and len(value) == 3 and all(isinstance(part, str) for part in value):
        return [value]
    if not isinstance(value, list):
        return []
    found = []
    for item in value:
        if isinstance(item, dict):
            lower = {str(key).strip().lower(): part for key, part in item.items()}
            found.append([_first(lower, keys) or "" for keys in (_SUBJECT, _PREDICATE, _OBJECT)])
        else:
            found.append(item if isinstance(item, list) else [item])
    return found
