"""Text of pages, models and users made safe for labels and captions, which Streamlit reads as markdown."""

from __future__ import annotations

import re

_DAY = re.compile(r"年\s*\d{1,2}月(?:\s*\d{1,2}日)?")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_BLANKS = re.compile(r"\s+")
_GAP = "\u200b"
"""ZERO WIDTH SPACE. Shortcodes, arrows and bare addresses are looked for after escapes are resolved, so that a
backslash does not hold them back; an invisible gap does."""
_JOINED = re.compile(
    r"""(?:(?<=:)(?=\S)        # :smile: :material/star: http://
      | (?<=[-<>=~])(?=[-<>=~])  # -> <- -- >= ~=
      | (?<=[wW]{3})(?=\.)       # www.
      | (?=@))                   # a@b.c""",
    re.VERBOSE,
)


def plain(text: str) -> str:
    """Return markdown that shows ``text`` literally, on one line.

    Nothing in it is read as emphasis, heading, list, code, formula, colour, icon, emoji, link, image or HTML.
    Whole utterances and passages are better shown with ``st.text``, which reads no markdown at all and keeps lines.
    """
    spaced = _JOINED.sub(_GAP, _BLANKS.sub(" ", text).strip())
    return _PUNCTUATION.sub(r"\\\1", spaced)


def clipped(text: str, limit: int) -> str:
    """Return the beginning of a text, at most ``limit`` characters, with an ellipsis where something was left off."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def only_years(text: str) -> str:
    """Return dates without month and day: 前551年9月28日 becomes 前551年."""
    return _DAY.sub("年", text)


def first_clauses(sentence: str, limit: int) -> str:
    """Return as many whole clauses of a sentence as ``limit`` characters hold, at least one."""
    kept = ""
    for clause in re.split(r"(?<=[，；,;])", sentence):
        if kept and len(kept) + len(clause) > limit:
            return kept.rstrip("，；,;") + "。"
        kept += clause
    return kept
