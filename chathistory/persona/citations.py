"""Where a model says which memories it used ([1], 【1】［２］, [1, 3], [1-3], [1]、[2]), and the frame it copies."""

from __future__ import annotations

import re

_OPEN, _CLOSE = r"[\[［【〔]{1,2}", r"[\]］】〕]{1,2}"
_RANGE = r"\s*[-–—~～至到]\s*"
_AND = r"(?:\s*[,，、;；和与及]\s*|\s+)"
_BEFORE = r"(?:\^|#|编号|来源|记忆|第|注|ref)?\s*"
_AFTER = r"\s*(?:[条号]|†[^\]］】〕\n]{0,20})?\s*"
_NUMBER = r"\d{1,3}"
_INSIDE = rf"{_BEFORE}{_NUMBER}(?:{_RANGE}{_NUMBER})?(?:{_AND}{_BEFORE}{_NUMBER}(?:{_RANGE}{_NUMBER})?)*{_AFTER}"
_ONE = rf"{_OPEN}\s*{_INSIDE}{_CLOSE}"
_BETWEEN = r"[ \u3000]*[,，、;；和与及]?[ \u3000]*"
_SCORE, _FACTS = r"（[01]?\.\d{1,2}）", r"（相关：[^（）\n]{0,120}）"
_FRAME = re.compile(f"{_SCORE}|{_FACTS}")
CITATIONS = re.compile(
    rf"[ \u3000]*{_ONE}(?:{_BETWEEN}{_ONE})*(?:[ \u3000]+(?=[。，；：、！？,.;:!?]))?|{_FRAME.pattern}", re.I
)
"""A run of citations with the blanks before it; what parts two of them belongs to the run. Or what stands around a
memory as it is shown to the model, its score and facts, which is no talk."""
_SPAN = re.compile(rf"({_NUMBER})(?:{_RANGE}({_NUMBER}))?")
_COMING = re.compile(
    rf"[ \u3000]*(?:{_ONE}{_BETWEEN})*(?:{_OPEN}[^\[［【〔\]］】〕\n]{{0,30}})?$"
    r"|（(?:[01]?(?:\.\d{0,2})?|相|相关|相关：[^（）\n]{0,120})$",
    re.I,
)
_WIDEST = 20
_LOOK_BACK = 130


def numbers_in(run: str) -> list[int]:
    """Return the numbers of a run in order, ranges written out, each once."""
    found: list[int] = []
    for first, last in _SPAN.findall(_FRAME.sub("", run)):
        low, high = int(first), int(last or first)
        found += range(low, high + 1) if 0 <= high - low <= _WIDEST else [low, high]
    return list(dict.fromkeys(found))


def tail_to_hold(line: str) -> int:
    """Return how many characters at the end may yet become a citation, or a run that goes on."""
    match = _COMING.search(line, max(0, len(line) - _LOOK_BACK))
    return len(match.group()) if match else 0
