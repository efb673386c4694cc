"""What a provider's model does not take, found out once and remembered."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from typing import Any, Literal, Protocol

from chathistory.models.chat import JsonForm

Feature = Literal[
    "json_schema", "json_object", "think_switch", "stream_options", "stop", "temperature", "max_tokens", "token_limit"
]
_WORDS: dict[Feature, tuple[str, ...]] = {
    "json_schema": ("json_schema", "response_format", "response format"),
    "json_object": ("json_object", "response_format", "response format"),
    "think_switch": ("enable_thinking", "thinking", "chat_template_kwargs", "reasoning"),
    "stream_options": ("stream_options", "include_usage"),
    "stop": ("'stop'", '"stop"', "parameter: stop", "stop words", "stop sequences"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "token_limit": ("max_tokens", "max_completion_tokens"),
}
"""How providers name what they do not take, likeliest first. ``token_limit`` is the newer name of ``max_tokens``."""
_ABOUT_TEXT = (
    "content policy",
    "content_policy",
    "content filter",
    "content_filter",
    "content management",
    "inappropriate",
    "inspection",
    "moderation",
    "sensitive",
    "safety",
    "unsafe",
    "敏感",
    "违规",
    "不安全",
    "审核",
    "context length",
    "context_length",
    "context window",
    "maximum context",
    "too long",
    "too many tokens",
    "input length",
    "过长",
    "超长",
)
"""How providers say that they would not take this very text, or not so much of it."""


class TraitStore(Protocol):
    """Remembers small facts about (base URL, model) between runs."""

    def get(self, where: str, model: str, trait: str) -> str | None:
        """Return the value, None where nothing is known."""
        ...

    def put(self, where: str, model: str, trait: str, value: str) -> None:
        """Keep a value."""
        ...


class MemoryTraits:
    """Traits that live as long as the process."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str, str], str] = {}

    def get(self, where: str, model: str, trait: str) -> str | None:
        """Return the value, None where nothing is known."""
        return self._values.get((where, model, trait))

    def put(self, where: str, model: str, trait: str, value: str) -> None:
        """Keep a value."""
        self._values[where, model, trait] = value


class Dialect:
    """What one model was seen to take and to refuse. Thread-safe."""

    def __init__(self, traits: TraitStore, where: str, model: str) -> None:
        self._traits = traits
        self._where = where
        self._model = model
        self._lock = threading.Lock()
        self._refused: set[str] = set(json.loads(traits.get(where, model, "refuses") or "[]"))
        self._taken: set[str] = set(json.loads(traits.get(where, model, "takes") or "[]"))

    def takes(self, feature: Feature) -> bool:
        """Whether a feature may be used, as far as is known."""
        return feature not in self._refused

    def certain(self, features: Iterable[Feature]) -> bool:
        """Whether all of these were seen to work."""
        return self._taken.issuperset(features)

    def learn(self, taken: Iterable[str], refused: Iterable[Feature] = ()) -> None:
        """Keep what one answered request showed; ``refused`` is what had to be left out for it."""
        with self._lock:
            new_taken, new_refused = self._taken | set(taken), self._refused | set(refused)
            if new_taken == self._taken and new_refused == self._refused:
                return
            self._taken, self._refused = new_taken, new_refused
            self._traits.put(self._where, self._model, "takes", json.dumps(sorted(new_taken)))
            self._traits.put(self._where, self._model, "refuses", json.dumps(sorted(new_refused)))

    @property
    def reasons(self) -> bool:
        """Whether answers were seen to hold reasoning, which counts among their tokens."""
        return "reasoning" in self._taken

    def note_reasons(self) -> None:
        """Remember that answers hold reasoning."""
        self.learn(("reasoning",))

    @property
    def begins_reasoning(self) -> bool:
        """Whether answers begin with reasoning that nothing opens."""
        return self._traits.get(self._where, self._model, "unmarked") == "yes"

    def note_reasoning(self) -> None:
        """Remember that answers begin with reasoning that nothing opens."""
        self._traits.put(self._where, self._model, "unmarked", "yes")


def names(feature: Feature, message: str) -> bool:
    """Whether a refusal names a feature."""
    text = message.lower()
    return any(word in text for word in _WORDS[feature])


def suspect(used: Iterable[Feature], message: str) -> Feature | None:
    """Return which feature in use a refusal is about: the one it names, else the likeliest.

    None without any, and where it is the text itself that the provider would not take.
    """
    used = list(used)
    for feature in used:
        if names(feature, message):
            return feature
    if any(word in message.lower() for word in _ABOUT_TEXT):
        return None
    return next((feature for feature in _WORDS if feature in used), None)


def form_body(form: JsonForm, *, schema: bool) -> dict[str, Any]:
    """Return ``response_format`` for a form, by schema or as any object."""
    if not schema:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": form.name, "schema": form.schema, "strict": True}}


def think_switch(base_url: str, model: str) -> dict[str, Any]:
    """Return the extra fields that ask a model not to reason first; empty where it has no such switch.

    By the providers' own documentation of 2025; what a server refuses all the same is left out and remembered.
    """
    host, name = base_url.lower(), model.lower()
    if "api.openai.com" in host:
        if name.startswith(("o1", "o3", "o4")):
            return {"reasoning_effort": "low"}
        return {"reasoning_effort": "minimal"} if name.startswith("gpt-5") else {}
    if any(part in host for part in ("deepseek.com", "bigmodel.cn", "z.ai", "moonshot", "volces.com")):
        hybrid = ("deepseek-v", "deepseek-chat", "glm-4.5", "glm-4.6", "glm-4.7", "glm-5", "kimi-k2.5", "doubao-seed")
        return {"thinking": {"type": "disabled"}} if name.startswith(hybrid) else {}
    if any(part in host for part in ("dashscope", "siliconflow", "modelscope")):
        hybrid = (
            "qwen3",
            "qwen-plus",
            "qwen-turbo",
            "qwen-flash",
            "glm-4.5",
            "glm-4.6",
            "deepseek-v3.",
            "hunyuan-a13b",
        )
        return {"enable_thinking": False} if any(part in name for part in hybrid) else {}
    if "openrouter" in host:
        return {"reasoning": {"enabled": False}}
    if ":11434" in host:
        return {"reasoning_effort": "none"}
    if any(part in name for part in ("qwen3", "qwq", "glm-4.5", "deepseek-v3", "hunyuan")):
        return {"chat_template_kwargs": {"enable_thinking": False}}
    return {}
