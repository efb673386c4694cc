"""The prompts: one .md a prompt, and ``render``.

A prompt's file holds its messages, each under a line ``## system``, ``## user`` or ``## assistant``; what stands
before the first is a note for its reader. ``{{name}}`` marks where a value goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal, cast

from chathistory.domain import Message, text_id

__all__ = ["prompt_version", "render"]

_ROLE = re.compile(r"^## (system|user|assistant)[ \t]*$", re.M)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


def render(name: str, **values: str) -> tuple[Message, ...]:
    """Return the messages of the prompt ``name`` with its slots filled.

    Values are put in as they are, once: braces in a value stay braces.

    Raises
    ------
    KeyError
        There is no such prompt, a slot has no value, or a value no slot.
    """
    messages = _messages(name)
    slots = {slot for _, text in messages for slot in _SLOT.findall(text)}
    if slots != set(values):
        raise KeyError(f"prompt {name!r} takes {sorted(slots)}, not {sorted(values)}")
    return tuple(Message(role, _fill(text, values)) for role, text in messages)


def prompt_version(*names: str) -> str:
    """Return 12 characters that change whenever the text of one of these prompts changes."""
    return text_id("\x1f".join(_read(name) for name in names))[:12]


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda match: values[match.group(1)], text)


@lru_cache(maxsize=64)
def _read(name: str) -> str:
    file = resources.files("chathistory.prompts") / f"{name}.md"
    if not name.isidentifier() or not file.is_file():
        raise KeyError(f"no prompt {name!r} in chathistory/prompts")
    return file.read_text(encoding="utf-8").replace("\r\n", "\n")


@lru_cache(maxsize=64)
def _messages(name: str) -> tuple[tuple[Literal["system", "user", "assistant"], str], ...]:
    parts = _ROLE.split(_read(name))[1:]
    roles = cast("list[Literal['system', 'user', 'assistant']]", parts[::2])
    return tuple((role, text.strip()) for role, text in zip(roles, parts[1::2], strict=True))
