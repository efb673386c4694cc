"""The fact filter over a model: numbered facts go in, numbers come back, in time or not at all."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from chathistory.domain import Fact
from chathistory.errors import BadModelReply, ModelError
from chathistory.models.chat import Ask, Chat, JsonForm, Limits
from chathistory.models.json_reply import read_as
from chathistory.prompts import render

_log = logging.getLogger(__name__)
_FORM = JsonForm(
    "kept",
    {
        "type": "object",
        "properties": {"keep": {"type": "array", "items": {"type": "integer"}}},
        "required": ["keep"],
        "additionalProperties": False,
    },
)
_NUMBERS = re.compile(r"(?<![\d.\w])\d{1,3}(?![\d.\w])")
_NONE = re.compile(r"\W*(?:无|没有|都没有|none|no|nothing|n/?a)\W*", re.I)


class _Kept(BaseModel):
    model_config = ConfigDict(extra="ignore")
    keep: list[int]

    @model_validator(mode="before")
    @classmethod
    def _other_shapes(cls, value: Any) -> Any:
        if isinstance(value, dict):
            lists = [part for part in value.values() if isinstance(part, list)]
            named = value.get("keep", lists[0] if len(lists) == 1 else None)
            value = [named] if isinstance(named, int | str) else named
        if not isinstance(value, list):
            raise ValueError("需要一个编号的列表")
        return {"keep": [_number(item) for item in value]}


def _number(item: Any) -> int:
    """3, "3", "3." and {"id": 3} are all 3; what is no number is 0, which no fact has."""
    if isinstance(item, dict):
        item = next((part for part in item.values() if isinstance(part, int)), 0)
    if isinstance(item, bool):
        return 0
    if isinstance(item, int):
        return item
    match = re.match(r"\D*(\d{1,3})", str(item))
    return int(match.group(1)) if match else 0


class LlmFactFilter:
    """Asks a model which facts bear on a question. Safe to share between threads.

    Parameters
    ----------
    seconds
        After so long without an answer there is no judgement, and recall goes on unfiltered.
    most
        Facts that are kept at most.
    """

    def __init__(self, chat: Chat, *, seconds: float = 3.0, most: int = 5) -> None:
        self._chat = chat
        self._most = most
        self._ask = Ask(
            "filter",
            limits=Limits(connect=min(5.0, seconds), whole=seconds),
            tries=2,
            deadline=seconds,
            temperature=0.0,
            max_tokens=100,
            think=False,
            form=_FORM,
        )

    def keep(self, question: str, facts: Sequence[tuple[Fact, float]]) -> Sequence[int] | None:
        """Return indexes into ``facts``, best first; [] for none of them, None when no judgement could be had."""
        if not facts:
            return []
        numbered = "\n".join(f"{n}. {' | '.join(fact.parts())}" for n, (fact, _) in enumerate(facts, start=1))
        try:
            reply = self._chat.complete(
                render("fact_filter", question=question, facts=numbered, most=str(self._most)), self._ask
            )
        except ModelError as error:
            _log.warning("the fact filter gave no judgement: %s", type(error).__name__)
            return None
        numbers = _read(reply.text)
        if numbers is None:
            _log.warning("the fact filter's answer could not be read")
            return None
        known = [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= len(facts)]
        if numbers and not known:
            return None
        return known[: self._most]


def _read(text: str) -> list[int] | None:
    """The numbers of an answer: JSON, else the numbers of its last line; None where there is no telling."""
    try:
        return read_as(_Kept, text).keep
    except BadModelReply:
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    if _NONE.fullmatch(lines[-1]):
        return []
    numbers = [int(number) for number in _NUMBERS.findall(lines[-1])]
    return numbers or None
