"""Follow-up lines (为什么？ 后来呢？) are completed with the talk before them; pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chathistory.domain import USER, Figure, Line
from chathistory.persona.kinds import subjects
from chathistory.persona.phrases import without_stock
from chathistory.persona.questions import content_words, social

_LEANS_BACK = re.compile(
    r"^(?:嗯|哦|噢|啊|咦|是吗|真的|哈+)?[，,。！!\s]*(?:那么?|那时|后来|然后|接着|之后|接下来|再后来|结果|为什么|为何|何故|何以见得|怎么会|怎么说|怎讲"
    r"|还有|还有呢|比如|具体|详细|继续|接着说|再说|多说|谁|哪里|哪儿|何时|什么时候|哪一?年|多少|几岁|怎么|如何|真的吗|当真|此话|这|此事|此人|他|她|它|其"
    r"|why|and then|then what|who|where|when|how so|go on|what about)",
    re.I,
)
_GOES_ON = re.compile(r"后来|然后|接着|之后|接下来|结果|继续|还有|再说|多说|and then|then what|go on", re.I)
_REACH_BACK = 6
_TAIL = 60


def answered(line: Line, history: Sequence[Line], figure: Figure) -> Line:
    """Return the line that the figure really answers.

    What another persona says in stock phrases only (愿闻其详) is nothing to answer: the user's last line is.
    """
    if line.speaker in (USER, figure.name) or without_stock(line.text):
        return line
    return next((past for past in reversed(history) if past.speaker == USER), line)


def leans_back(line: str, figure: Figure) -> bool:
    """Whether a line cannot be understood alone: it begins like a follow-up and brings (almost) no topic of its own."""
    text = line.strip()
    words = content_words(text, figure)
    own_subject = any(kind.name != "ideas" for kind in subjects(text)) and re.search(r"[你您]", text)
    if own_subject:
        return False
    if not words:
        return social(text) is None and len(text) <= 24
    return bool(_LEANS_BACK.match(text)) and len(words) == 1 and len(text) <= 16 and not re.search(r"[你您]", text)


def goes_on(line: str) -> bool:
    """Whether a follow-up asks how the story went on."""
    return bool(_GOES_ON.search(line))


def complete(line: str, history: Sequence[Line], figure: Figure) -> str:
    """Return the line as a query: itself when it stands alone, else led by the last line that had a topic.

    A line that asks how the story went on also takes the end of the figure's own last utterance, for that is where
    the story stands. Nothing is added when the history holds no topic within its last six lines.
    """
    if not leans_back(line, figure):
        return line
    parts: list[str] = []
    for past in reversed(history[-_REACH_BACK:]):
        if past.speaker == figure.name:
            if not parts:
                parts.append(past.text[-_TAIL:] if goes_on(line) else past.text[:_TAIL])
            continue
        if past.text != line and social(past.text) is None and not leans_back(past.text, figure):
            parts.append(past.text)
            break
    return " ".join([*reversed(parts), line])
