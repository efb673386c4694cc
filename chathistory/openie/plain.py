"""A clause that no pattern knows, told whole: subject, verb with what stands before it, and what follows the verb."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.lexicon import MODAL, NEGATIVE, PREFIXES
from chathistory.openie.phrases import read_list
from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import Clause
from chathistory.openie.verb_lists import CAUSATIVE, SPEECH
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_SUBORDINATE = (
    "时",
    "后",
    "前",
    "之后",
    "之前",
    "以后",
    "以前",
    "时候",
    "的话",
    "期间",
    "之际",
    "中",
    "的",
    "地",
    "得",
    "了",
)
_OPENINGS = frozenset(word_list("如果 因为 虽然 既然 由于 即使 只要 只有 除非 尽管 当 若 无论 不论 不管 随着 为了"))
_LAST = frozenset(word_list("N PER LOC ORG WORK ROLE EVENT M A I VN DATE QUO"))
_TO_PREDICATE = frozenset(word_list("了 过 着 到 在 于 给 向 为 成 作 出 进 入 上 下 起 回 来 去 往"))
_LIGHT = frozenset(
    word_list("至 来 去 趁 像 加 出 成 算 等 有 是 为 嫁给 使 取名 起名 依 据 按 跟 如 似 算是 作为 想 要 起")
)
_LONGEST_PREDICATE = 10
_LONGEST_OBJECT = 16


def plain_facts(clause: Clause, subject: str) -> list[Triple]:
    """Return the clause as one fact, or nothing where it depends on another clause or stands for more than it says.

    What is denied or wished stays so: every word between subject and object is in the predicate.
    """
    words = clause.words
    if clause.explicit and (len(clause.phrases) != 1 or clause.phrases[0].head.tag != "PER"):
        return []
    if clause.words[-1].text in _SUBORDINATE or any(word.text in _OPENINGS for word in words):
        return []
    rest = words[clause.start :]
    if any(word.tag in ("R", "X", "W", "QUO") or word.text in ("被", "所", "把", "将", "得", "地") for word in rest):
        return []
    if any(word.text in MODAL and word.text not in PREFIXES and word.text not in NEGATIVE for word in rest):
        return []
    at = next((i for i, word in enumerate(rest) if word.tag == "V"), None)
    if (
        at is None
        or rest[at].text in CAUSATIVE
        or rest[at].text in _LIGHT
        or rest[at].text in SPEECH
        or not _leads(rest[:at])
    ):
        return []
    end = at + 1
    while end < len(rest) and rest[end].text in _TO_PREDICATE:
        end += 1
    predicate = said([word for word in rest[:end] if word.text not in ("了", "过", "着")])
    obj = rest[end:]
    if not obj or len(predicate) > _LONGEST_PREDICATE or not 2 <= len(said(obj)) <= _LONGEST_OBJECT:
        return []
    if rest[at].text in ("愿意", "愿", "肯") or any(word.text in ("时", "后", "之后", "以后") for word in obj):
        return []
    phrases, last = read_list(obj, 0)
    if not _is_one_thing(obj) or not phrases or (last < len(obj) and not any(word.text == "的" for word in obj)):
        return []
    if not clause.explicit and (at > 2 or not all(phrase.is_name for phrase in phrases)):
        return []
    if len(rest[at].text) == 1 and end == at + 1 and not all(phrase.is_name for phrase in phrases):
        return []
    return [(subject, predicate, said(obj))]


def _leads(words: Sequence[Word]) -> bool:
    """Whether what stands before the verb is time, place and manner only."""
    governed = False
    for i, word in enumerate(words):
        if word.tag == "P":
            governed = word.text not in ("到", "从", "自")
        elif word.tag in ("PER", "N", "LOC"):
            if not governed or (i == 0 and len(word.text) == 1):
                return False
        elif word.tag not in ("D", "T", "DATE", "F", "C", "M") or word.text == "的":
            return False
    return True


def _is_one_thing(words: Sequence[Word]) -> bool:
    """Whether what follows the verb is one complement: a noun at its end, and no verb but inside a phrase with 的."""
    if words[0].tag == "P" or (words[0].tag == "N" and len(words[0].text) == 1 and len(words) > 1):
        return False
    if words[-1].tag not in _LAST or words[0].text in ("的", "之", "而", "和", "与", "以", "来", "等"):
        return False
    marks = [i for i, word in enumerate(words) if word.text == "的"]
    last = marks[-1] if marks else -1
    return not any(
        word.tag in ("V", "C", "P", "U", "D") and word.text != "的" for i, word in enumerate(words) if i > last
    ) and (not marks or last < len(words) - 1)
