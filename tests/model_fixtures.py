"""What the tests of models share."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from llm_server import KEY, LlmServer

from chathistory.domain import Message
from chathistory.models.api import Api
from chathistory.models.chat import Piece, Reply
from chathistory.models.openai_compatible import OpenAIChat

QUESTION = (Message("system", "你是史官。"), Message("user", "绝密的问题：李白在哪里？"))


@contextmanager
def connected(server: LlmServer, key: str = KEY, **options: Any) -> Iterator[Api]:
    """A provider at the server, without waits worth noticing between tries."""
    options = {"local": False, **options}
    api = Api("test", server.url, key, rng=random.Random(1), first_wait=0.01, **options)
    try:
        yield api
    finally:
        api.close()


def drain(stream: Generator[Piece, None, Reply]) -> tuple[list[Piece], Reply]:
    """Return all pieces of a stream, and its end."""
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as stop:
            return pieces, stop.value


def shown(pieces: list[Piece]) -> str:
    """Return the text an interface would show after these pieces."""
    text = ""
    for piece in pieces:
        text = ("" if piece.retract else text) + piece.text
    return text


def chat_at(api: Api, model: str = "qwen") -> OpenAIChat:
    """A chat model of a provider."""
    return OpenAIChat(api, model)
