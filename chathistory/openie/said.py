"""The JSON that a model answers an extraction with, whatever shape it gave it."""

from __future__ import annotations

import re
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
        value = _unwrapped(value)
        if isinstance(value, list):
            triples = [item for item in value if isinstance(item, list | dict)]
            return {"entities": [item for item in value if isinstance(item, str)], "triples": _triples(triples)}
        if not isinstance(value, dict):
            return value
        folded = _folded(value)
        entities = _first(folded, _ENTITY_KEYS)
        triples = _first(folded, _TRIPLE_KEYS)
        return {"entities": _names(entities), "triples": _triples(triples)}


def _folded(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): part for key, part in value.items()}


def _unwrapped(value: Any) -> Any:
    """An answer without what it was wrapped in: {"result": {...}}, [{...}]; of several, their parts together."""
    if isinstance(value, dict):
        known = _folded(value).keys() & {*_ENTITY_KEYS, *_TRIPLE_KEYS}
        inner = [part for part in value.values() if isinstance(part, dict | list)]
        return _unwrapped(inner[0]) if not known and len(value) == len(inner) == 1 else value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        answers = [_folded(item) for item in value]
        if all(answer.keys() & {*_ENTITY_KEYS, "triples", "三元组"} for answer in answers):
            entities = [name for answer in answers for name in _names(_first(answer, _ENTITY_KEYS))]
            triples = [triple for answer in answers for triple in _triples(_first(answer, _TRIPLE_KEYS))]
            return {"entities": entities, "triples": triples}
    return value


_THREE = 3
_COMMAS = re.compile(r"[、,，;；\n]")
_MARKS = re.compile(r"\s*(?:[,，;；|｜\t]|-+>|→|——|--)\s*")
_BRACKETS = "()（）[]【】<>《》{} "
_QUOTES = "\"'“”‘’ "
_ENTITY_KEYS = ("entities", "entity", "named_entities", "实体", "实体列表", "names")
_TRIPLE_KEYS = ("triples", "triple", "facts", "relations", "rdf", "三元组", "三元组列表", "关系", "事实")
_SUBJECT = ("subject", "subj", "s", "source", "head", "主语", "主体", "头实体")
_PREDICATE = ("predicate", "pred", "p", "relation", "verb", "谓语", "关系", "谓词")
_OBJECT = ("object", "obj", "o", "target", "tail", "宾语", "客体", "尾实体")


def _first(value: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((value[key] for key in keys if key in value), [])


def _names(value: Any) -> list[Any]:
    """A list of names; names in one string; lists by kind; dicts that hold a name."""
    if isinstance(value, str):
        return [name for part in _COMMAS.split(value) if (name := part.strip())]
    if isinstance(value, dict):
        return [name for part in value.values() for name in _names(part)]
    if not isinstance(value, list):
        return []
    found: list[Any] = []
    for item in value:
        if isinstance(item, dict):
            found.append(_first(_folded(item), ("name", "entity", "text", "名称", "实体")))
        else:
            found.append(item)
    return found


def _triples(value: Any) -> list[list[Any]]:
    if isinstance(value, dict):
        value = list(value.values()) if all(isinstance(part, list | dict) for part in value.values()) else [value]
    if not isinstance(value, list):
        return []
    if len(value) == _THREE and all(isinstance(part, str) and not _parted(part) for part in value):
        return [value]
    return [_triple(item) for item in value]


def _triple(item: Any) -> list[Any]:
    if isinstance(item, dict):
        lower = _folded(item)
        parts = [_first(lower, keys) or "" for keys in (_SUBJECT, _PREDICATE, _OBJECT)]
        if not any(parts) and len(item) == _THREE:
            return list(item.values())
        return parts
    if isinstance(item, list) and len(item) == 1 and isinstance(item[0], str):
        item = item[0]
    if isinstance(item, str):
        return _parted(item) or [item]
    return item if isinstance(item, list) else [item]


def _parted(text: str) -> list[Any]:
    """A triple that was written as one string, (孔子, 离开, 鲁国); empty where it does not have three parts."""
    parts = [part.strip().strip(_QUOTES) for part in _MARKS.split(text.strip().strip(_BRACKETS))]
    return list(parts) if len(parts) == _THREE and all(parts) else []
