"""JSON out of what a model said: found in prose, repaired, validated, asked for once more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from chathistory.domain import Message
from chathistory.errors import BadModelReply
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Chat

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R")
_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_OPENERS = re.compile(r"[{\[]")
_RAW_CHARS = 20_000
"""Longest raw answer that is kept."""


def read_json(text: str) -> dict[str, Any] | list[Any]:
    """Return the JSON object or array of an answer: fenced or bare, amid prose, with faults that can be repaired.

    Single quotes, trailing commas, missing closers and cut-off ends are repaired; where several values stand in the
    text the longest counts.

    Raises
    ------
    BadModelReply
        No object and no array stands in the text; ``raw`` keeps it.
    """
    text = text.strip().lstrip("\ufeff")
    for candidate in _candidates(text):
        value = _strict(candidate)
        if value is not None:
            return value
    for candidate in _candidates(text):
        value = _repaired(candidate)
        if value is not None:
            return value
    raise BadModelReply("模型的回答里没有 JSON。", text[:_RAW_CHARS])


def _candidates(text: str) -> Iterator[str]:
    """The whole, then fenced blocks from the longest, then from each opener that begins no link or mark of a note."""
    if text[:1] in ("{", "["):
        yield text
    blocks = [block.strip() for block in _FENCE.findall(text)]
    yield from sorted((block for block in blocks if block[:1] in ("{", "[")), key=len, reverse=True)
    spans = []
    taken = -1
    for match in _OPENERS.finditer(text):
        if match.start() >= taken:
            taken = _closing(text, match.start())
            spans.append(text[match.start() : taken])
    yield from sorted(spans, key=len, reverse=True)


def _closing(text: str, start: int) -> int:
    """Where the value that begins at ``start`` closes, strings respected; the end of the text where it never does."""
    depth, quoted, escaped = 0, False, False
    for i in range(start, len(text)):
        char = text[i]
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = quoted
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "{[":
            depth += 1
        elif not quoted and char in "}]":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


def _strict(text: str) -> dict[str, Any] | list[Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _repaired(text: str) -> dict[str, Any] | list[Any] | None:
    try:
        value = json_repair.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) and value else None


def read_as(model: type[M], text: str) -> M:
    """Return the JSON of an answer as a model of ours; a bare array goes to the model as it is.

    Raises
    ------
    BadModelReply
        There is no JSON, or it does not fit; the message says where, ``raw`` keeps the answer.
    """
    value = read_json(text)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = "；".join(
            f"{'.'.join(str(part) for part in item['loc']) or '整体'}：{item['msg']}" for item in error.errors()[:3]
        )
        raise BadModelReply(f"模型的 JSON 不合要求：{faults}", text[:_RAW_CHARS]) from error


def ask_json(
    chat: Chat,
    messages: Sequence[Message],
    model: type[M],
    ask: Ask,
    cancel: Cancel | None = None,
    *,
    use: Callable[[M], R],
    reasks: int = 1,
) -> R:
    """Ask for JSON and return what ``use`` makes of it; asked once more with the fault when it is of no use.

    Parameters
    ----------
    use
        Takes the validated answer; raises BadModelReply, with a message for the model, where it is of no use.

    Raises
    ------
    BadModelReply
        The second answer was of no use either; ``raw`` keeps it.
    ModelError, Cancelled
        As ``Chat.complete``.
    """
    asked = list(messages)
    while True:
        reply = chat.complete(asked, ask, cancel)
        try:
            return use(read_as(model, reply.text))
        except BadModelReply as error:
            if reasks == 0:
                raise BadModelReply(str(error), (reply.text or reply.reasoning)[:_RAW_CHARS]) from error
            reasks -= 1
            said = reply.text[:2000] or "（空）"
            again = f"你的回答用不了：{error} 请按要求重新回答，只输出 JSON，不要解释。"
            asked = [*messages, Message("assistant", said), Message("user", again)]
            ask = replace(ask, temperature=_warmer(ask.temperature))


def _warmer(temperature: float | None) -> float | None:
    """A model at zero would say the same again."""
    return None if temperature is None else max(temperature, 0.3)
