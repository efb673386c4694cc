"""A speaker's label at the head of a line, as models write it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOOD = r"(?:\s*[（(][^）)\n]{0,30}[）)])?"
_SAYS = "笑道|叹道|答道|说道|回答|答曰|说|曰|道|答|云"
_LIST = r"(?:\s*(?:[-•]|\d{1,2}[.、)])\s*)?"
_MARKS = " \t\u3000*_#>-•【[「（(<＜“\"‘'0123456789.、)"
_TAIL = re.compile(rf"[*_\s]*(?:{_SAYS}|[笑叹答说回])?(?:[（(][^）)\n]{{0,30}}[）)]?)?[*_\s】\]」）)>＞”\"’'：:]*")
_LONGEST = 60


class Label:
    """Labels of some names: 孔子：, **孔子**:, 【孔子】, <孔子>, “孔子”：, 孔子（笑）：, a heading of the name alone.

    A name amid a sentence, or before 说：and 曰：(a quotation), is none; only at the head of an utterance (``opening``)
    a name may also stand so, in a list or alone on its line.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = sorted({name.lower() for name in names if name}, key=len, reverse=True)
        name = rf"(?:{'|'.join(re.escape(one) for one in self._names) or r'(?!)'})"
        forms = [
            rf"[*_\s]*[【\[「<＜]\s*{name}{_MOOD}\s*[】\]」>＞][*_\s]*[:：]?\s*",
            rf"[*_#>\s]*[“\"‘'（(]\s*{name}{_MOOD}\s*(?:[”\"’'）)]\s*[:：]|[:：]\s*[”\"’'）)])\s*",
            rf"[*_#>\s]*{name}{_MOOD}[*_\s]*[:：][*_]*\s*",
            rf"(?:#+\s*[*_]*|[*_]+){name}{_MOOD}[*_]*[ \t]*\n\s*",
        ]
        opening = [rf"{_LIST}[*_#>\s]*{name}{_MOOD}[*_\s]*(?:(?:{_SAYS})?[*_\s]*[:：][*_]*|[ \t]*\n)\s*"]
        self._line = re.compile("|".join(forms), re.I)
        self._opening = re.compile("|".join([*forms, *opening]), re.I)

    def end(self, text: str, *, opening: bool = False) -> int:
        """Return where the label ends that a line begins with, 0 without one."""
        match = (self._opening if opening else self._line).match(text)
        return match.end() if match else 0

    def may_become(self, head: str) -> bool:
        """Whether a line that begins so, and is still coming, may turn out to begin with a label."""
        rest = head.lstrip(_MARKS).lower()
        if len(head) > _LONGEST:
            return False
        return any(
            name.startswith(rest) or (rest.startswith(name) and _TAIL.fullmatch(rest, len(name)) is not None)
            for name in self._names
        )
