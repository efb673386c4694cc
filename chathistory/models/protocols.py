"""The doors behind which models stand. Every task has a rule-based maker and one over a model; both fit these."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from chathistory.domain import Choice, Extraction, Fact, Figure, Passage, Scene, SpeechRequest, Spoken, Void
from chathistory.models.cancel import Cancel
from chathistory.models.estimate import Estimate

Vectors = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors. ``model_id`` is stored beside every vector; another id means re-embedding."""

    model_id: str

    @property
    def note(self) -> str:
        """What the interface should say about this embedder; '' when there is nothing to say."""
        ...

    @property
    def dimension(self) -> int:
        """The length of the vectors; one behind an API may have to be asked for it."""
        ...

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimension,), L2 norm 1."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of stored texts, shape (len(texts), dimension), L2 norm 1 each."""
        ...


@runtime_checkable
class PaidEmbedder(Protocol):
    """What an embedder behind an API is besides; ``concurrency`` is how many requests it takes at one time.

    No ``Embedder`` in itself: to ask an object for all of these members must not ask its model for the dimension.
    """

    model_id: str
    concurrency: int

    def passages(self, texts: Sequence[str], *, account: str = "", cancel: Cancel | None = None) -> Vectors:
        """Return the vectors of stored texts; ``account`` is charged and ``cancel`` stops them."""
        ...

    def queries(self, texts: Sequence[str], *, account: str = "", cancel: Cancel | None = None) -> Vectors:
        """Return the vectors of many questions at once."""
        ...

    def batches(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the texts in lists of which each makes one request."""
        ...

    def estimate(self, texts: Sequence[str], questions: Sequence[str] = ()) -> Estimate:
        """Return what embedding these will take."""
        ...


class Extractor(Protocol):
    """OpenIE. ``maker`` and ``version`` are stored beside every extraction; another pair means extracting anew."""

    maker: str
    version: str

    def extract(self, passage: Passage, figure: Figure) -> Extraction:
        """Return entities and facts of a passage; raises ExtractionError where real text gives none."""
        ...


class FactFilter(Protocol):
    """Chooses, among candidate facts, those that bear on the question."""

    def keep(self, question: str, facts: Sequence[tuple[Fact, float]]) -> Sequence[int] | None:
        """Return indexes into ``facts``, best first; None when no judgement could be had in time."""
        ...


class Speaker(Protocol):
    """Turns recollections into an utterance."""

    def speak(self, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
        """Yield the utterance piece by piece; the generator's return value is the whole of it.

        ``Void`` takes back what was yielded so far. Closing the generator stops the model behind it.
        """
        ...


class Judge(Protocol):
    """Chooses the next speaker."""

    def choose(self, scene: Scene) -> Choice:
        """Return an online, unmuted member of the roster or END, with the reason."""
        ...
