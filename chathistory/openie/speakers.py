"""Whose word a line is: the names before its colon."""

from __future__ import annotations

import re

from chathistory.openie.lexicon import COMPOUND_SURNAMES, GENERIC_NOUNS, KINDS, SURNAMES
from chathistory.openie.word import Word


def labelled_speaker(label: str, rest: str) -> list[str]:
    """A short label before a quote that starts with a surname is its speaker, though no list knows the name."""
    if len(label) == 2 and label[1] == "说" and label[0] in SURNAMES and rest.lstrip().startswith("“"):
        return [label]
    if label.endswith(("说", "曰", "道", "问", "答", "云", "言")):
        return []
    quoted = rest.lstrip().startswith(("“", "①", "「"))
    named = re.fullmatch(r"[\u4e00-\u9fff]{2,4}", label) and (label[0] in SURNAMES or label[:2] in COMPOUND_SURNAMES)
    return [label] if quoted and named and label not in KINDS and label not in GENERIC_NOUNS else []


def named_speakers(words: list[Word]) -> list[str]:
    """The people before a colon when nothing but people (and their titles) stands there."""
    if (
        len(words) == 1
        and words[0].tag in ("N", "V", "VN", "A")
        and 2 <= len(words[0].text) <= 3
        and words[0].text[0] in SURNAMES
        and words[0].text not in KINDS
    ):
        return [words[0].text]
    if not words or not all(word.tag in ("PER", "ROLE") or word.text in ("、", "和", "与") for word in words):
        return []
    return [word.name() for word in words if word.tag == "PER"]
