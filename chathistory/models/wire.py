"""What goes over the wire: the body of a chat request, and what its answers hold."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from chathistory.domain import Message
from chathistory.models.chat import Ask
from chathistory.models.dialect import Dialect, Feature, form_body, think_switch
from chathistory.models.retry import Fault, kind_of
from chathistory.models.sse import EventReader, is_events

_MOST_STOPS = 4
_ROOM_TO_REASON = 4096
"""Tokens a model that reasons may use before its answer, which ``Ask.max_tokens`` is about."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Body:
    """The client's arguments, and the features they use that a provider may refuse."""

    arguments: dict[str, Any]
    features: tuple[Feature, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer as it came: content and reasoning not yet told apart where tags mark it."""

    content: str
    reasoning: str
    finish: str
    tokens: tuple[int, int] | None


def body_of(
    model: str,
    messages: Sequence[Message],
    ask: Ask,
    *,
    base_url: str,
    dialect: Dialect,
    without: Collection[str],
    stream: bool,
) -> Body:
    """Return the request for a question, leaving out what the model is known not to take and what is in ``without``."""

    def usable(feature: Feature) -> bool:
        return feature not in without and dialect.takes(feature)

    features: list[Feature] = []
    arguments: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.text} for message in messages],
    }
    extra: dict[str, Any] = {}
    if ask.form is not None:
        if usable("json_schema"):
            features.append("json_schema")
            arguments["response_format"] = form_body(ask.form, schema=True)
        elif usable("json_object"):
            features.append("json_object")
            arguments["response_format"] = form_body(ask.form, schema=False)
    if not ask.think and usable("think_switch"):
        extra = think_switch(base_url, model)
        if extra:
            features.append("think_switch")
    if ask.temperature is not None and usable("temperature"):
        features.append("temperature")
        arguments["temperature"] = ask.temperature
    if ask.max_tokens is not None:
        most = ask.max_tokens + (_ROOM_TO_REASON if dialect.reasons else 0)
        if usable("max_tokens"):
            features.append("max_tokens")
            arguments["max_tokens"] = most
        elif usable("token_limit"):
            features.append("token_limit")
            arguments["max_completion_tokens"] = most
    if ask.stop and usable("stop"):
        features.append("stop")
        arguments["stop"] = list(ask.stop[:_MOST_STOPS])
    if stream:
        arguments["stream"] = True
        if usable("stream_options"):
            features.append("stream_options")
            arguments["stream_options"] = {"include_usage": True}
    if extra:
        arguments["extra_body"] = extra
    return Body(arguments, tuple(features))


@dataclass(frozen=True, slots=True)
class Bit:
    """What one event of a stream brings, or the body of a whole answer."""

    content: str = ""
    reasoning: str = ""
    finish: str = ""
    tokens: tuple[int, int] | None = None


def answer_of(text: str) -> Answer:
    """Return what the body of a whole answer holds, though it came as a stream of events.

    Raises
    ------
    Fault
        'refused' where it is no API's answer at all, 'cut' where it is no whole one, and what an error in the clothes
        of a success says.
    """
    text = text.removeprefix("\ufeff")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        if is_events(text.encode("utf-8", "replace")):
            return _gathered(text)
        if text.lstrip().startswith("{"):
            raise Fault("cut", 200, "回答的 JSON 不完整") from None
        if not text.strip():
            raise Fault("cut", 200, "回答是空的") from None
        raise Fault("refused", 404, "回答不是 JSON") from None
    if not isinstance(data, dict):
        raise Fault("server_error", 200, "回答里没有 choices")
    bit = bit_of(data)
    if _choice_of(data) is None:
        raise Fault("server_error", 200, "回答里没有 choices")
    return Answer(whole_characters(bit.content), whole_characters(bit.reasoning), bit.finish, bit.tokens)


def _gathered(text: str) -> Answer:
    """The whole of a stream that nobody asked for."""
    reader = EventReader()
    bits = [bit_of(event) for event in [*reader.feed(text.encode("utf-8", "replace")), *reader.end()]]
    finish = next((bit.finish for bit in reversed(bits) if bit.finish), "")
    if not reader.done and not finish:
        raise Fault("cut")
    tokens = next((bit.tokens for bit in reversed(bits) if bit.tokens), None)
    content, reasoning = "".join(bit.content for bit in bits), "".join(bit.reasoning for bit in bits)
    return Answer(whole_characters(content), whole_characters(reasoning), finish, tokens)


def bit_of(event: dict[str, Any]) -> Bit:
    """Return what an event brings: its first choice, whatever else stands beside it.

    Raises
    ------
    Fault
        It tells of an error.
    """
    if event.get("error") or event.get("object") == "error":
        raise _error_of(event.get("error") or event)
    tokens = usage_of(event.get("usage"))
    choice = _choice_of(event)
    if choice is None:
        return Bit(tokens=tokens)
    message = next((part for key in ("delta", "message") if isinstance(part := choice.get(key), dict) and part), {})
    content, reasoning = content_of(message.get("content"))
    told = message.get("reasoning_content") or message.get("reasoning")
    return Bit(content, "".join(content_of(told)) or reasoning, str(choice.get("finish_reason") or ""), tokens)


def _choice_of(event: dict[str, Any]) -> dict[str, Any] | None:
    choices = event.get("choices")
    found = [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
    return next((one for one in found if one.get("index") in (None, 0)), None)


_ERROR_WORDS = (
    ("rate_limit", 429),
    ("too_many_requests", 429),
    ("insufficient", 402),
    ("authentication", 401),
    ("api_key", 401),
    ("not_found", 404),
    ("invalid_request", 400),
    ("badrequest", 400),
    ("bad_request", 400),
)
"""What stands in the code or type of an error that came with no status of its own."""


def _error_of(error: Any) -> Fault:
    """An error in the clothes of a success, as the status would tell it."""
    table = error if isinstance(error, dict) else {"message": str(error)}
    code, message = str(table.get("code") or ""), str(table.get("message") or "")
    words = f"{code} {table.get('type') or ''}".lower()
    told = int(code) if code.isascii() and code.isdigit() and 400 <= int(code) < 600 else 0
    status = told or next((status for word, status in _ERROR_WORDS if word in words), 0)
    kind = kind_of(status, f"{words} {message}") if status else "server_error"
    return Fault(kind, status or 200, "回答中途报错", raw=message[:2000])


def content_of(content: Any) -> tuple[str, str]:
    """Return (text, reasoning) of a content field: a string, None, a typed part, or a list of such parts."""
    if content is None:
        return "", ""
    if isinstance(content, dict):
        return _part(content)
    if not isinstance(content, list):
        return str(content), ""
    parts = [_part(part) if isinstance(part, dict) else (part if isinstance(part, str) else "", "") for part in content]
    return "".join(text for text, _ in parts), "".join(reasoning for _, reasoning in parts)


def _part(part: dict[str, Any]) -> tuple[str, str]:
    kind = str(part.get("type") or "")
    said = part.get("text") or part.get("content")
    if kind.startswith(("thinking", "reasoning")):
        return "", "".join(content_of(part.get("thinking") or part.get("reasoning") or part.get("summary") or said))
    return content_of(said) if isinstance(said, str | dict | list) else ("", "")


def whole_characters(text: str) -> str:
    """Return a text in which halves of a character (lone surrogates, as broken JSON escapes give them) are marked."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Halves:
    """Holds back the first half of a character until the other half comes with the next piece."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what is whole after one more piece."""
        text, self._held = self._held + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._held = text[:-1], text[-1]
        return whole_characters(text)


def usage_of(usage: Any) -> tuple[int, int] | None:
    """Return (tokens in, tokens out) as the provider counted them, None where it did not."""
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(tokens_in, int) or isinstance(tokens_in, bool) or tokens_in < 0:
        return None
    return tokens_in, tokens_out if isinstance(tokens_out, int) and tokens_out > 0 else 0
