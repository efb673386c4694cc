"""JSON out of what a model said: found in prose, repaired, validated, asked for once more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import json_repair
from pydantic import BaseModel, ValidationError

from chathistory.domain import Message
from chathistory.errors import BadModelReply
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Chat
from chathistory.models.json_marks import plain_marks
from chathistory.models.wire import whole_characters

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R")
J = TypeVar("J")
_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_OPENERS = re.compile(r"[{\[]")
_CHINESE = re.compile(r"[\"'”」]\s*[：，、]|[：，、\[{【｛]\s*[“「]|[｛｝【】［］]")
"""Chinese punctuation where JSON wants its own."""
_DEEPEST = 40
_RAW_CHARS = 20_000
"""Longest raw answer that is kept."""


def read_json(text: str) -> dict[str, Any] | list[Any]:
    """Return the JSON object or array of an answer: fenced or bare, amid prose, with faults that can be repaired.

    Single quotes, trailing commas, missing closers, cut-off ends and Chinese punctuation are repaired; where several
    values stand in the text the longest counts, or all of them together where they are objects without a key in common.

    Raises
    ------
    BadModelReply
        No object and no array stands in the text; ``raw`` keeps it.
    """
    text = text.strip().lstrip("\ufeff").strip()
    plain = plain_marks(text)
    versions = tuple(dict.fromkeys((plain, text) if _CHINESE.search(text) else (text, plain)))
    for version in versions:
        values = [value for value in map(_strict, _candidates(version)) if value is not None]
        if values:
            return _mended(_together(values))
    for version in versions:
        for candidate in _candidates(version):
            value = _repaired(candidate)
            if value is not None:
                return _mended(value)
    raise BadModelReply("模型的回答里没有 JSON。", text[:_RAW_CHARS])


def _together(values: Sequence[dict[str, Any] | list[Any]]) -> dict[str, Any] | list[Any]:
    """The first value, with the others where all are objects and no two have a key in common."""
    objects = [value for value in values if isinstance(value, dict)]
    keys = [key for value in objects for key in value]
    if len(objects) < len(values) or len(set(keys)) < len(keys):
        return values[0]
    return {key: part for value in objects for key, part in value.items()}


def _mended(value: J) -> J:
    """A value without halves of characters, which no database takes."""
    mended: Any = value
    if isinstance(value, str):
        mended = whole_characters(value)
    elif isinstance(value, list):
        mended = [_mended(part) for part in value]
    elif isinstance(value, dict):
        mended = {_mended(key): _mended(part) for key, part in value.items()}
    return cast("J", mended)


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
    if _depth(text) > _DEEPEST:
        return None
    for version in dict.fromkeys((_before_broken_string(text), text)):
        try:
            value = json_repair.loads(version)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and value:
            return value
    return None


def _depth(text: str) -> int:
    """How deep a text nests, strings not respected: models that fall into repeating themselves open without end."""
    depth = deepest = 0
    for char in text:
        depth += (char in "{[") - (char in "}]")
        deepest = max(deepest, depth)
    return deepest


def _before_broken_string(text: str) -> str:
    """A text that was cut in the middle of a string without it: half a name may be another name."""
    quote, escaped = -1, False
    for i, char in enumerate(text):
        if char == '"' and not escaped:
            quote = i if quote < 0 else -1
        escaped = char == "\\" and not escaped
    return text[:quote] if quote > 0 and text.rstrip()[-1:] not in ("}", "]") else text


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
            ask = replace(ask, temperature=_warmer(ask.temperature), again=True)


def _warmer(temperature: float | None) -> float | None:
    """A model at zero would say the same again."""
    return None if temperature is None else max(temperature, 0.3)
