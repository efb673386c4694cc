"""Chinese punctuation in the frame of JSON as JSON's own; what stands inside strings stays."""

from __future__ import annotations

_FRAME = str.maketrans("：，、；｛｝［］【】（）", ":,,,{}[][]()")
_CLOSERS = {'"': '"', "'": "'", "“": "”", "”": "”", "「": "」", "『": "』", "＂": "＂"}
_STRUCTURE = "{}[],:"


def plain_marks(text: str) -> str:
    """Return the text with “ ” 「 」 as quotation marks and ：，、｛｝【】 as JSON's marks outside strings."""
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char not in _CLOSERS or (char == "'" and not _after_structure(out)):
            out.append(char.translate(_FRAME))
            at += 1
            continue
        end = _end_of_string(text, at)
        inside = text[at + 1 : end]
        out.append(f'"{inside}"' if char == '"' else f'"{_escaped(inside)}"')
        at = end + 1
    return "".join(out)


def _after_structure(out: list[str]) -> bool:
    last = next((char for char in reversed(out) if not char.isspace()), "")
    return last in _STRUCTURE


def _end_of_string(text: str, start: int) -> int:
    """Where a string closes, the end of the text where it never does; quotation marks within it are counted."""
    opener, closer = text[start], _CLOSERS[text[start]]
    if closer not in text[start:]:
        closer = opener
    depth, at = 1, start + 1
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == closer and (opener != "'" or _ends_here(text, at)):
            depth -= 1
            if depth == 0:
                return at
        elif char == opener and opener not in (closer, "'"):
            depth += 1
        at += 1
    return len(text)


def _ends_here(text: str, at: int) -> bool:
    """Whether an apostrophe closes a string: a mark of the frame follows, or nothing."""
    rest = text[at + 1 :].lstrip()
    return not rest or rest[0].translate(_FRAME) in _STRUCTURE


def _escaped(inside: str) -> str:
    return inside.replace('\\"', '"').replace('"', '\\"')
