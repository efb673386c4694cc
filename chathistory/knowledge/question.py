"""A question as it is put to the index: about the figure by name, others by their formal names, no salutation."""

from __future__ import annotations

import re
from collections.abc import Callable

from chathistory.domain import Figure
from chathistory.knowledge.courtesy_names import courtesy_names
from chathistory.text import normalise

_SECOND_PERSON = re.compile("[您你](?!们)")
_SALUTATION = re.compile("^(?P<called>[^，,、：:！!。？?]{1,8})[，,：:！!]")
_TITLES = re.compile(
    "(公|君|兄|帝|殿下|陛下|大王|大人|先生|将军|丞相|主公|老师|夫子|阁下|女士|同志|元帅|大将|首长|爵士|教授)$"
)
_LONGEST = max(map(len, courtesy_names()))


def rewrite(question: str, figure: Figure | None, known: Callable[[str], int] | None = None) -> str:
    """Return the question in normal form as a third person would put it.

    Parameters
    ----------
    figure
        Who is asked: 您 and 你 become the name, and a salutation at the beginning goes.
    known
        In how many passages the index knows an entity of that name: a courtesy name (孔明) becomes the formal one
        (诸葛亮) where that is mentioned more often, and the former is no part of something longer in the question.
    """
    text = normalise(question)
    if figure is not None:
        called = _SALUTATION.match(text)
        if called and _calls(called["called"], figure):
            text = text[called.end() :].strip()
        text = _SECOND_PERSON.sub(figure.name, text)
    return text if known is None else _formal(text, figure, known)


def _calls(called: str, figure: Figure) -> bool:
    """Whether words before the first comma address the figure: a name, a part of one with a title, or a title alone."""
    bare = _TITLES.sub("", called)
    if not bare:
        return True
    return any(called in name or bare in name or name in called for name in figure.names if len(name) > 1)


def _formal(text: str, figure: Figure | None, known: Callable[[str], int]) -> str:
    """Put formal names for courtesy names, the longest match at each place."""
    table = courtesy_names()
    own = figure.names if figure else ()
    out: list[str] = []
    at = 0
    while at < len(text):
        for length in range(min(_LONGEST, len(text) - at), 1, -1):
            called = text[at : at + length]
            name = table.get(called)
            if name is None or (called in own and name not in own):
                continue
            surname_before = text[at - 1 : at + length] if at else ""
            if (
                known(name) <= known(called)
                or (at and known(surname_before))
                or name in text[max(0, at - 4) : at + length + 4]
            ):
                continue
            out.append(name)
            at += length
            break
        else:
            out.append(text[at])
            at += 1
    return "".join(out)
