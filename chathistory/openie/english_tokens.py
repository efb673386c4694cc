"""The words, titles and marks of an English sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chathistory.openie import english_words as en

_TOKEN = re.compile(
    r"⟦[^⟧]*⟧|⟪⟫|\d[\d,.]*-[a-z]\w*(?:-\w+)*|\d[\d,.]*\d(?:s|cc|th|st|nd|rd)?\b|[A-Z]\w+in['’](?=\s)|(?:[A-Z]\.)+(?=[A-Z\s,])|\w[\w'’.&-]*[\w]|\w|[^\w\s]"
)


DATE = re.compile(rf"(?:{en.MONTHS})\b|\d{{4}}s?$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a title (``name``), or a mark."""

    text: str
    name: bool = False

    @property
    def low(self) -> str:
        """The word in small letters."""
        return self.text.lower()


def tokens_of(sentence: str, alias: re.Pattern[str] | None, canonical: str) -> list[Token]:
    """Cut a sentence; titles and the figure's names are one token each."""
    marked = (
        alias.sub(
            lambda match: match.group() if _inside_name(sentence, match.start()) else f"⟦{match.group()}⟧", sentence
        )
        if alias
        else sentence
    )
    marked = re.sub(r"⟦([^⟦⟧]*)⟦([^⟧]*)⟧([^⟦⟧]*)⟧", r"⟦\1\2\3⟧", marked)
    found = []
    for match in _TOKEN.finditer(marked):
        text = match.group()
        found.append(Token(text[1:-1], True) if text.startswith("⟦") else Token(text))
    return found


def _inside_name(sentence: str, at: int) -> bool:
    """Whether a capitalised word stands right before, so that the name is part of a longer one."""
    before = re.search(r"(\S+) $", sentence[:at])
    return (
        before is not None
        and before[1][0].isupper()
        and before[1].lower() not in en.STOPS | en.PREPOSITIONS | en.ADVERBS
        and before.start(1) > 0
    )
