"""A kind of question: how it is asked, and what a sentence that answers it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ME = r"(?:吾|我|朕|寡人)"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    ``asked`` finds it in a line, ``shown`` finds an answer in a source sentence, ``own`` (where the kind is about the
    figure's life) finds an answer about the figure himself in the sentence as he says it.
    """

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    own: re.Pattern[str] | None = None


def kind(name: str, asked: str, shown: str, own: str = "") -> Kind:
    """Return a kind from its patterns; ``ME`` in ``own`` stands for any figure's word for himself."""
    mine = re.compile(own.replace("ME", _ME), re.I) if own else None
    return Kind(name, re.compile(asked, re.I), re.compile(shown, re.I), mine)
