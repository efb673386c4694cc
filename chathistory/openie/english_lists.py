"""Names that an English clause lists."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.english_tokens import Token
from chathistory.openie.english_verbs import read_verb


def listed(tokens: Sequence[Token], i: int) -> tuple[list[str], int]:
    """Return the further names of a list (, B, C and D) that starts at ``i``; [] when it is none."""
    found: list[str] = []
    j = i
    closed = False
    while j + 1 < len(tokens) and (tokens[j].text == "," or tokens[j].low == "and") and not closed:
        step = j + 1
        if tokens[j].text == "," and tokens[step].low == "and" and not tokens[step].name:
            step, closed = step + 1, True
        elif tokens[j].low == "and":
            closed = True
        words: list[str] = []
        if step < len(tokens) and tokens[step].low == "the" and not tokens[step].name:
            step += 1
        while (
            step < len(tokens)
            and len(words) < 7
            and (
                tokens[step].name
                or tokens[step].text[0].isupper()
                or (
                    tokens[step].low == "of" and words and step + 1 < len(tokens) and tokens[step + 1].text[0].isupper()
                )
            )
        ):
            words.append(tokens[step].text)
            step += 1
        if not words:
            return [], i
        found.append(" ".join(words))
        j = step
    return (found, j) if closed and j < len(tokens) and not read_verb(tokens, j)[0] else ([], i)
