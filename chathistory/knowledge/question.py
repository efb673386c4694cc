"""A question as it is put to the index: about the figure by name, without the salutation."""

from __future__ import annotations

import re

from chathistory.domain import Figure
from chathistory.text import normalise

_SECOND_PERSON = re.compile("[您你](?!们)")
_SALUTATION = re.compile("^(?P<called>[^，,、：:！!。？?]{1,8})[，,：:！!]")
_TITLES = re.compile("(公|君|兄|帝|殿下|陛下|大王|大人|先生|将军|丞相|主公|老师|夫子|阁下|女士|同志|元帅|大将|首长)$")


def rewrite(question: str, figure: Figure | None) -> str:
    """Return the question in normal form, with 您 and 你 as the figure's name and the salutation gone."""
    text = normalise(question)
    if figure is None:
        return text
    called = _SALUTATION.match(text)
    if called and _calls(called["called"], figure):
        text = text[called.end() :].strip()
    return _SECOND_PERSON.sub(figure.name, text)


def _calls(called: str, figure: Figure) -> bool:
    """Whether words before the first comma address the figure: a name or part of one, or a title alone."""
    bare = _TITLES.sub("", called)
    if not bare:
        return True
    return any(called in name or bare in name or name in called for name in figure.names if len(name) > 1)
