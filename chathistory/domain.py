"""What flows between the rooms: frozen values, no behaviour beyond what is derived from their own fields."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

USER = "用户"
"""The speaker's name of the human in every history."""
END = "END"
"""The director's choice that hands the floor back."""


def text_id(text: str) -> str:
    """Return the sha256 hex digest (64 characters) of a text that is already normalised."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# --- summoning -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Year:
    """A year as an article tells it.

    ``year`` is negative before Christ (前551年 is -551), None when only an era or a question mark is given;
    ``text`` is the source's own words; ``precision`` says how far the number may be trusted.
    """

    year: int | None
    text: str
    precision: Literal["day", "month", "year", "about", "decade", "century", "unknown"] = "year"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands directly under it; the tree is told by ``level`` (1 is the lead, its title '')."""

    title: str
    level: int
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """One encyclopedia page, read. Texts keep the page's own script; passages are the normalised form."""

    title: str
    requested: str
    sections: tuple[Section, ...]
    sense: str = ""
    aliases: tuple[str, ...] = ()
    birth: Year | None = None
    death: Year | None = None
    infobox: tuple[tuple[str, str], ...] = ()
    portrait_url: str = ""
    portrait_licence: str = ""
    source: str = ""
    source_url: str = ""
    revision: str = ""
    fetched_at: str = ""
    variant: str = ""
    partial: bool = False

    def paragraphs(self) -> Iterator[tuple[str, str]]:
        """Yield (section title, paragraph) in reading order."""
        for section in self.sections:
            for paragraph in section.paragraphs:
                yield section.title, paragraph


@dataclass(frozen=True, slots=True)
class Figure:
    """Who a persona is, as every room needs to know it: names and horizon."""

    name: str
    aliases: tuple[str, ...] = ()
    birth: Year | None = None
    death: Year | None = None
    infobox: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The canonical name first, then the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an article, about 100-300 characters, normalised. ``id`` is ``text_id(text)``."""

    text: str
    section: str = ""
    position: int = 0
    id: str = field(default="")

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", text_id(self.text))


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple. ``id`` is the sha256 of its three parts, kept apart by U+001F."""

    subject: str
    predicate: str
    object: str

    @property
    def id(self) -> str:
        """The fact's stable id, 64 hex characters."""
        return text_id("\x1f".join((self.subject, self.predicate, self.object)))

    @property
    def text(self) -> str:
        """The fact as one line, the form that is embedded and shown."""
        return f"{self.subject} {self.predicate} {self.object}"

    def parts(self) -> tuple[str, str, str]:
        """Return (subject, predicate, object)."""
        return (self.subject, self.predicate, self.object)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What OpenIE read out of one passage."""

    passage_id: str
    entities: tuple[str, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work: ``done`` of ``total`` in ``stage``; ``message`` is for a human, in Chinese.

    ``name`` is the figure's canonical name, '' until the article is read.
    """

    stage: Literal["article", "passages", "extract", "embed", "graph", "done"]
    done: int
    total: int
    message: str = ""
    name: str = ""


# --- calls of models -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


Outcome = Literal[
    "ok", "rate_limited", "server_error", "timeout", "cut", "unreachable", "refused", "bad_request", "cancelled"
]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a paid model, as the ledger keeps it; it holds no text.

    ``account`` is what the call counts on (a summons, a talk), ``cost`` is None where the provider has no price,
    ``estimated`` tells that the tokens were not told by the provider. ``seconds`` is wall time, ``at`` an ISO time
    whose first ten characters are the day.
    """

    task: str
    provider: str
    model: str
    outcome: Outcome
    seconds: float
    at: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    currency: str = ""
    account: str = ""
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Spending:
    """Sums over the ledger."""

    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens both ways."""
        return self.tokens_in + self.tokens_out


# --- recall ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recollection:
    """A passage that came back, its score in 0..1, and the facts that led there, best first."""

    passage: Passage
    score: float
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Recall:
    """What a query brought back, best first.

    ``confident`` is False when nothing lies above the embedder's confidence line: the persona then says it does not
    know. ``confidence`` is the calibrated strength of the best match, 0..1. ``note`` tells of a degraded recall.
    """

    recollections: tuple[Recollection, ...]
    confident: bool
    confidence: float = 0.0
    note: str = ""


# --- the talk --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Utterance:
    """One line of the talk, by the user or by a persona. ``id`` is a ULID, ``passages`` the ids it rests on."""

    id: str
    speaker: str
    text: str
    passages: tuple[str, ...] = ()
    cut: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A persona on the director's roster. ``talkativeness`` is 0..1."""

    name: str
    aliases: tuple[str, ...] = ()
    online: bool = True
    muted: bool = False
    talkativeness: float = 0.5


@dataclass(frozen=True, slots=True)
class Line:
    """A speaker and what was said."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What the director sees.

    ``last_speaker`` is the persona who spoke most recently, None at the start. ``relevance`` tells how well a member's
    memory answers a text, 0..1; None where no memory is at hand. ``spoken`` counts utterances since the user's line.
    """

    roster: tuple[Member, ...]
    history: tuple[Line, ...]
    last_speaker: str | None = None
    relevance: Callable[[str, str], float] | None = None
    spoken: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """A member's canonical name or ``END``, and the reason in Chinese for the trace."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """All that a speaker needs for one utterance.

    ``line`` is what is answered; ``history`` is the talk before it, oldest first; ``others`` who else is in the room,
    ``others_aliases`` what else they are called; ``summary`` what was said before ``history``, '' where nothing fell
    out.
    """

    figure: Figure
    line: Line
    history: tuple[Line, ...]
    recall: Recall
    others: tuple[str, ...] = ()
    max_chars: int = 150
    summary: str = ""
    others_aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A whole utterance as the speaker ends it: text, ids of the passages it rests on, hidden reasoning if any.

    ``note`` tells, in Chinese, when the utterance was not come by in the usual way.
    """

    text: str
    passages: tuple[str, ...] = ()
    cut: bool = False
    reasoning: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Void:
    """A speaker's word that all pieces of its utterance so far are void: it begins anew."""


# --- events of Salon.say ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpeakerChosen:
    """The director gave the floor to ``name``."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the speaker remembered before speaking."""

    name: str
    recall: Recall


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an utterance as it is spoken. ``void`` says: all pieces of it so far are void, forget them."""

    speaker: str
    text: str
    void: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """An utterance is whole (or was cut, see ``utterance.cut``) and stored."""

    utterance: Utterance
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The floor is the user's again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """One utterance failed; the talk goes on. ``error`` is the class name."""

    speaker: str
    error: str
    message: str


Event = SpeakerChosen | Recalled | Token | Finished | Ended | Failed


def find_member(roster: Sequence[Member], name: str) -> Member | None:
    """Return the member of that canonical name, or None."""
    return next((member for member in roster if member.name == name), None)
