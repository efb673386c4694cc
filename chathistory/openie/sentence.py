"""A sentence as clauses, each with the subject it is about; hearsay and questions are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chathistory.openie.lexicon import ATTRIBUTES, HEARSAY, KINDS, MODAL, PREFIXES
from chathistory.openie.phrases import Phrase, read_list
from chathistory.openie.verb_lists import NAMED
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

TOLD = "据说"
"""Stands before the predicate of what is only told: tradition, or a book that is named as the witness."""
_TRADITION = frozenset(word_list("据说 据传 相传 传说 据载 据记载 史载 世传 记载 据《 所载"))
_STOPS = frozenset("，,；;：:。！？!?…")
_OPENERS = frozenset(["T", "DATE", "C", "D"])
_FRAMES = frozenset(word_list("在 于 自 从 当 随着 经过 通过 根据 按照 据 对于 关于 除了 除 至 直到 直至 自从 作为 到"))
_FRAME_ENDS = frozenset(
    word_list(
        "时 后 前 中 下 上 里 内 间 之后 之前 以后 以前 期间 之际 起 以来 之时 时期 之下 之中 方面 时候 "
        "之间 初 末 开始 外 之外"
    )
)
_PREDICATE = frozenset(["V", "D", "P", "W", "VN", "A", "C", "M", "T", "F", "I", "DATE"])


@dataclass
class Clause:
    """Words between two marks; ``subjects`` are the names it is about (empty: none that is known)."""

    words: list[Word]
    start: int = 0
    subjects: tuple[str, ...] = ()
    subject_is_person: bool = False
    explicit: bool = False
    closed_by: str = ""
    date: Word | None = None
    hearsay: bool = False
    told_as: str = ""
    phrases: list[Phrase] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The clause as it stands."""
        return "".join(word.text for word in self.words)

    @property
    def only_phrase(self) -> bool:
        """Whether the clause is nothing but a noun phrase."""
        return self.explicit and self.start >= len(self.words)


def clauses_of(words: Sequence[Word]) -> list[Clause]:
    """Cut a sentence at its marks; from a word of hearsay on, clauses are marked as such."""
    found: list[Clause] = []
    current: list[Word] = []
    for word in words:
        if word.tag == "X" and word.text[0] in _STOPS:
            if current:
                found.append(Clause(current, closed_by=word.text[0]))
            elif found:
                found[-1].closed_by = word.text[0]
            current = []
        else:
            current.append(word)
    if current:
        found.append(Clause(current))
    asked = bool(found) and found[-1].closed_by in "？?" and found[-1].closed_by != ""
    hearsay = asked
    told = False
    for clause in found:
        text = clause.text
        marks = [mark for mark in HEARSAY if mark in text]
        cited = _cites(clause.words)
        told = (
            (told or bool(marks) or cited)
            and all(mark in _TRADITION for mark in marks)
            and not asked
            and (told or not hearsay)
        )
        hearsay = hearsay or bool(marks) or cited
        clause.hearsay = hearsay
        clause.told_as = TOLD if hearsay and told else ""
        if clause.closed_by in "；;":
            hearsay, told = asked, False
    return found


def _cites(words: Sequence[Word]) -> bool:
    """Whether a book or an author speaks: 《魏书》曰, 据《史记》."""
    for i, word in enumerate(words):
        if (
            word.tag == "WORK"
            and i + 1 < len(words)
            and words[i + 1].text.startswith(
                ("曰", "说", "云", "载", "称", "则", "记", "言", "评", "引", "作", "注", "认为")
            )
        ):
            return True
        if word.tag == "WORK" and i and words[i - 1].text in ("据", "按", "根据", "依", "依据"):
            return True
    return False


def find_subject(clause: Clause) -> None:
    """Fill in ``start``, ``date`` and, where the clause names its subject, ``phrases`` and ``explicit``."""
    words = clause.words
    i = 0
    while i < len(words):
        word = words[i]
        if word.tag == "DATE" or word.tag in _OPENERS or (word.tag == "F" and i == 0):
            if word.tag == "DATE":
                clause.date = word
            if word.text in ("被", "没有") or (word.tag == "D" and _negates(word.text)):
                break
            i += 1
            continue
        if (
            word.text in ("这", "那", "此", "同", "这时", "那时")
            and i + 1 < len(words)
            and (
                words[i + 1].text in ("一年", "年", "时", "一天", "天", "一次", "次", "年夏", "期间")
                or word.text in ("这时", "那时")
            )
        ):
            i += 1 if word.text in ("这时", "那时") else 2
            continue
        if word.text in _FRAMES and word.tag in ("P", "V", "C"):
            end = frame_end(words, i + 1)
            if end is None:
                break
            for inner in words[i:end]:
                if inner.tag == "DATE" and word.text in ("在", "于", "当"):
                    clause.date = inner
            i = end
            continue
        if word.text in _TRADITION or word.text == "据":
            i += 1
            continue
        if (
            word.tag == "WORK"
            and i + 1 < len(words)
            and words[i + 1].text.startswith(("载", "记载"))
            and not clause.explicit
        ):
            i += 2
            continue
        if word.text in ("因", "因为", "由于", "于是", "所以", "因此"):
            i += 1
            continue
        break
    clause.start = i
    if i < len(words) and (words[i].text in MODAL or words[i].text in PREFIXES):
        return
    if (
        i < len(words)
        and (words[i].text in NAMED or words[i].text in ATTRIBUTES)
        and i + 1 < len(words)
        and words[i].text not in ("名", "姓")
    ):
        return
    phrases, after = read_list(words, i)
    if not phrases:
        return
    if after < len(words) and words[after].tag not in _PREDICATE and words[after].text not in ("则", "所", "而", "等"):
        clause.phrases = []
        clause.explicit = True
        clause.start = len(words) + 1
        return
    first = phrases[0]
    if first.words[0].tag == "PER" and len(first.words) > 1 and first.words[1].text in NAMED.keys() | ATTRIBUTES:
        phrases, after = [Phrase(first.words[:1])], i + 1
        first = phrases[0]
    if (
        len(phrases) == 1
        and after < len(words)
        and len(first.words) > 1
        and first.words[0].tag == "PER"
        and _no_group(first.words)
    ):
        phrases, after = [Phrase(first.words[:1])], i + 1
    clause.phrases = phrases
    clause.explicit = True
    clause.start = after


def _no_group(words: Sequence[Word]) -> bool:
    """Whether a name and the nouns after it are no one thing (李白 病重), as against 刘备 军队 or 孔子 的 祖先."""
    rest = words[1:]
    if any(word.text in ("的", "之") or word.tag in ("PER", "ROLE") or word.text in KINDS for word in rest):
        return False
    return not rest[-1].text.endswith(
        (
            "军",
            "军队",
            "家",
            "家族",
            "氏",
            "部",
            "集团",
            "政权",
            "势力",
            "墓",
            "政府",
            "王朝",
            "帝国",
            "部队",
            "公司",
            "学派",
            "兵",
            "诗",
            "词",
            "文",
            "画",
            "作品",
        )
    )


def _negates(text: str) -> bool:
    from chathistory.openie.lexicon import NEGATIVE

    return text in NEGATIVE


def frame_end(words: Sequence[Word], i: int) -> int | None:
    """Return the index after 在…时 and the like; after the place or date where no such end stands."""
    for j in range(i, min(len(words), i + 12)):
        if words[j].text in _FRAME_ENDS and words[j].tag in ("F", "T", "N", "V", "P"):
            return j + 1
    if i < len(words) and words[i].tag in ("DATE", "T"):
        return i + 1
    phrases, after = read_list(words, i)
    if phrases and after < len(words) and phrases[-1].head.tag in ("LOC", "ORG", "EVENT", "DATE"):
        return after
    if phrases and after >= len(words):
        return after
    return None


def kin_opening(words: Sequence[Word]) -> bool:
    """Whether a phrase opens with a bare kin word or 其: 父亲曹嵩, 其子曹丕."""
    if not words:
        return False
    return words[0].text in KINDS
