"""The door to a chat model: messages in, text out, whole or as it comes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from chathistory.domain import Message
from chathistory.models.cancel import Cancel
from chathistory.models.ledger import Price


@dataclass(frozen=True, slots=True)
class Limits:
    """How long one try may take, in seconds.

    ``first_token`` and ``between_tokens`` hold for streams only; an answer that comes whole has ``whole``, and so has
    the first token of a server on this machine, which may read a long prompt slowly.
    """

    connect: float = 5.0
    first_token: float = 30.0
    between_tokens: float = 20.0
    whole: float = 120.0


@dataclass(frozen=True, slots=True)
class JsonForm:
    """The JSON that is asked for: a name of ASCII letters, and its JSON Schema."""

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """How a question is put.

    Attributes
    ----------
    task
        The ledger's word for it: extract, entities, facts, filter, reply, direct...
    tries
        Requests at most, 1..4: rate limits, server errors, time-outs and cut streams are tried again.
    deadline
        Seconds that all tries together may take; None sets no such limit.
    think
        False asks a reasoning model to answer at once, where the provider has a switch for it.
    hurry
        True for one of many like calls: a try that takes far longer than its fellows did (``limits.Pace``) counts
        as hanging, and calls that somebody waits for go first.
    again
        True where an answer was of no use and is asked for anew: it goes before its like.
    max_tokens
        The longest answer; models that were seen to reason first get room for that besides.
    stop
        Where the answer ends; cut here too, since not every provider heeds it.
    account
        On whose budget the call counts.
    """

    task: str
    limits: Limits = field(default=Limits())
    tries: int = 4
    deadline: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    think: bool = True
    form: JsonForm | None = None
    hurry: bool = False
    again: bool = False
    account: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. ``text`` never holds reasoning; ``finish`` is 'cut' where the stream broke or was stopped by us."""

    text: str
    reasoning: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    finish: Literal["stop", "length", "cut"] = "stop"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a streamed answer. ``retract`` says: all text so far was reasoning or is void, forget it."""

    text: str = ""
    reasoning: str = ""
    retract: bool = False


@runtime_checkable
class Chat(Protocol):
    """A chat model. Safe to share between threads. ``provider`` and ``model`` are names for the ledger and keys.

    ``price`` is None where none is set; ``concurrency`` how many questions it takes at one time.
    """

    provider: str
    model: str
    price: Price | None
    concurrency: int

    def complete(self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None) -> Reply:
        """Return the whole answer.

        Raises
        ------
        ModelTimeout, ModelUnreachable, ModelRefused, BadModelReply, BudgetSpent, Cancelled
            After the bounded tries; BadModelReply where the provider would not take this very text.
        """
        ...

    def stream(
        self, messages: Sequence[Message], ask: Ask, cancel: Cancel | None = None
    ) -> Generator[Piece, None, Reply]:
        """Yield the answer as it comes; the generator's return value is the whole of it.

        Closing the generator, or ``cancel``, closes the connection. A stream that breaks after text was yielded ends
        with ``finish == 'cut'`` and keeps its text; before that it is tried again, then raises as ``complete`` does.
        """
        ...
