"""How many tokens a text is likely to cost, where no provider has counted them yet."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from chathistory.domain import Message

_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3040-\u30ff\uac00-\ud7af]")
_PER_WIDE = 0.75
_PER_NARROW = 0.28
_PER_MESSAGE = 4


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has.

    A Chinese character counts 0.75, any other 0.28: measured on passages of figures with tokenizers of today's Chinese
    models (0.6 to 0.75) and rounded up, so that an estimate rather frightens than surprises.
    """
    wide = len(_WIDE.findall(text))
    return math.ceil(wide * _PER_WIDE + (len(text) - wide) * _PER_NARROW)


def prompt_tokens(messages: Sequence[Message]) -> int:
    """Return about how many tokens a prompt has, the frame of each message counted as four."""
    return sum(estimate_tokens(message.text) + _PER_MESSAGE for message in messages)
