"""What goes over the wire: the body of a chat request, and what its answers hold."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from chathistory.domain import Message
from chathistory.models.chat import Ask
from chathistory.models.dialect import Dialect, Feature, form_body, think_switch
from chathistory.models.retry import Fault

_MOST_STOPS = 4


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
        if usable("max_tokens"):
            features.append("max_tokens")
            arguments["max_tokens"] = ask.max_tokens
        elif usable("token_limit"):
            features.append("token_limit")
            arguments["max_completion_tokens"] = ask.max_tokens
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


def answer_of(text: str) -> Answer:
    """Return what the body of a whole answer holds.

    Raises
    ------
    Fault
        'refused' where it is no API's answer at all, 'server_error' for an error in the clothes of a success.
    """
    try:
        data = json.loads(text)
    except ValueError:
        if text.lstrip().startswith("{"):
            raise Fault("cut", 200, "回答的 JSON 不完整") from None
        raise Fault("refused", 404, "回答不是 JSON") from None
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Fault("server_error", 200, "回答里没有 choices")
    message = choices[0].get("message") or {}
    content, reasoning = content_of(message.get("content"))
    reasoning = str(message.get("reasoning_content") or message.get("reasoning") or "") or reasoning
    return Answer(content, reasoning, str(choices[0].get("finish_reason") or ""), usage_of(data.get("usage")))


def content_of(content: Any) -> tuple[str, str]:
    """Return (text, reasoning) of a content field: a string, None, or a list of typed parts."""
    if content is None:
        return "", ""
    if not isinstance(content, list):
        return str(content), ""
    text, reasoning = "", ""
    for part in content:
        kind, value = (part.get("type"), part) if isinstance(part, dict) else ("text", {"text": str(part)})
        if kind == "thinking":
            reasoning += content_of(value.get("thinking"))[0]
        else:
            text += str(value.get("text") or "")
    return text, reasoning


def usage_of(usage: Any) -> tuple[int, int] | None:
    """Return (tokens in, tokens out) as the provider counted them, None where it did not."""
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(tokens_in, int) or isinstance(tokens_in, bool) or tokens_in < 0:
        return None
    return tokens_in, tokens_out if isinstance(tokens_out, int) and tokens_out > 0 else 0
