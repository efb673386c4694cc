"""The steps of reading a clause in its own words: its frame, its main verb, and whether an object is whole."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.lexicon import KINDS, MODAL, NEGATIVE, PREFIXES
from chathistory.openie.phrases import read_phrase
from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import frame_end
from chathistory.openie.told_words import (
    CLAUSE_VERBS,
    COMPANY,
    DEPENDENT,
    DROPPED,
    FRAME_END,
    FRAME_TAGS,
    LAST_NOT,
    LONGEST_OBJECT,
    LONGEST_PREDICATE,
    NO_MAIN,
    NOT_A_THING,
    OBJECT_NOT_FIRST,
)
from chathistory.openie.verb_lists import SPEECH
from chathistory.openie.word import Word


def stands_alone(every: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether no word ties the clause to another, asks, or points to what was said before."""
    if any(word.text in DEPENDENT for word in every) or any(
        (
            word.tag == "R"
            and word.text[0] != "每"
            and not (word.text == "那里" and i and words[i - 1].tag in ("PER", "N"))
        )
        or (word.tag == "X" and word.text != "、")
        for i, word in enumerate(words)
    ):
        return False
    if any(word.text in ("所", "之所以", "般", "似的") for word in words):
        return False
    if any(word.text in MODAL and word.text not in PREFIXES and word.text not in NEGATIVE for word in words):
        return False
    return ends_well(words)


def ends_well(words: Sequence[Word]) -> bool:
    last = words[-1]
    return last.text not in LAST_NOT and last.text not in SPEECH and last.tag not in ("P", "C", "D", "U", "X", "M")


def frame(words: Sequence[Word]) -> int:
    """The index after a time or place that opens the predicate; 0 where none does."""
    first = words[0]
    if first.tag in FRAME_TAGS:
        end = 1
        while end < len(words) and (
            words[end].tag in FRAME_TAGS
            or words[end].text in ("起", "以后", "以来", "之后", "后", "前", "前后", "初", "末", "时")
        ):
            end += 1
        return end
    for j in range(1, min(len(words) - 1, 6)):
        if words[j].text in FRAME_END and first.tag in ("V", "VN"):
            return j + 1
        if words[j].tag not in ("V", "VN", "N", "LOC", "PER", "U", "ROLE"):
            break
    if first.text in ("在", "于", "从", "自") and first.tag == "P":
        end = frame_end(words, 1) or 0
        if end and any(word.tag in ("V", "W") for word in words[1 : end - 1]):
            return 0
        while (
            end and end < len(words) and (words[end].tag in ("F", "T") or words[end].text in ("附近", "一带", "境内"))
        ):
            end += 1
        return end
    return 0


def goes_on(words: Sequence[Word], at: int, end: int) -> bool:
    """抬头看见月亮: right after a verb of two characters that takes no clause, a second verb carries the object."""
    verb, second = words[at], words[end]
    return (
        end == at + 1
        and second.tag == "V"
        and len(verb.text) == 2
        and verb.text not in CLAUSE_VERBS
        and second.text not in NO_MAIN
        and second.text not in SPEECH
    )


def disposed(words: Sequence[Word], at: int) -> tuple[str, str] | None:
    """把长城连接起来: (连接起来, 长城); None where the verb has more to it than that."""
    mark = next((i for i, word in enumerate(words[:at]) if word.text in ("把", "将") and word.tag == "P"), None)
    if mark is None or mark > 2:
        return None
    thing, predicate = words[mark + 1 : at], said([*without_links(words[:mark]), *words[at:]])
    if len(predicate) < 2 or len(predicate) > 8 or not 2 <= len(said(thing)) <= LONGEST_OBJECT:
        return None
    return (predicate, said(thing)) if thing[-1].tag in ("N", "PER", "LOC", "ORG", "WORK", "ROLE", "VN") else None


def accompanied(words: Sequence[Word], subject: str) -> list[Triple]:
    """叔梁纥以勇力闻名: (叔梁纥, 以勇力, 闻名), where the verb has no object but a phrase before it."""
    words = without_links(words)
    start = next((i for i, word in enumerate(words[:3]) if word.tag not in ("D", "T")), 0)
    if words[start].text not in COMPANY or words[start].tag != "P":
        return []
    phrase, after = read_phrase(words, start + 1)
    rest = words[after:]
    if (
        phrase is None
        or not rest
        or (rest[0].tag not in ("V", "D", "A", "VN", "I") and rest[0].text not in ("十分", "万分"))
    ):
        return []
    if rest[-1].tag not in ("V", "A", "VN", "I", "N") or any(
        word.tag in ("P", "C") or word.text == "的" for word in rest
    ):
        return []
    if any(word.text in SPEECH or word.text in NO_MAIN or word.text in ("、", "之") for word in rest) or any(
        word.text[0] in "这那此其" for word in phrase.words
    ):
        return []
    predicate, whole = said(words[:after]), said(rest)
    return [(subject, predicate, whole)] if 2 <= len(whole) <= 16 and len(predicate) <= LONGEST_PREDICATE else []


def untrailed(words: Sequence[Word]) -> Sequence[Word]:
    """Without 了 and 过 at the end."""
    while words and words[-1].text in ("了", "过"):
        words = words[:-1]
    return words


def made(words: Sequence[Word]) -> int:
    """奉苏格拉底为榜样, 称刘备为刘豫州: the index after 为 and the like in what follows a verb; 0 for none."""
    for i in range(1, min(len(words) - 1, 6)):
        if words[i].text in ("为", "作", "做") and words[i - 1].tag in ("PER", "N", "LOC", "ORG", "WORK", "ROLE"):
            return 0 if any(word.tag in ("V", "P") for word in words[i + 1 :]) else i + 1
        if words[i].tag in ("V", "D", "P", "X"):
            return 0
    return 0


def without_links(words: Sequence[Word]) -> Sequence[Word]:
    while len(words) > 1 and words[0].text in DROPPED:
        words = words[1:]
    return words


def main_verb(words: Sequence[Word]) -> int | None:
    """The index of the first verb after adverbs, times, and phrases that a preposition governs; None for any other."""
    i = 0
    while i < len(words):
        word = words[i]
        if word.text in (
            "把",
            "将",
            "被",
            "同",
            "与",
            "和",
            "跟",
            "向",
            "对",
            "给",
            "从",
            "用",
            "以",
            "在",
            "替",
            "由",
            "于",
        ) and (word.tag in ("P", "C", "V")):
            phrase, after = read_phrase(words, i + 1)
            if phrase is None or after >= len(words):
                return None
            if word.text == "以" and words[after].text == "为" and after + 1 < len(words):
                return None if any(later.tag == "V" for later in words[after + 1 :]) else after
            i = after + (after < len(words) and (words[after].tag == "F" or words[after].text == "那里"))
            continue
        if (
            word.text in ("没有", "没")
            and i + 1 < len(words)
            and words[i + 1].tag in ("A", "N", "B", "M", "PER", "ROLE")
        ):
            return i
        if word.tag == "W" and word.text == "是":
            return i if words[-1].tag in ("N", "PER", "LOC", "ORG", "WORK", "ROLE", "EVENT") and i < 3 else None
        if word.text in ("称", "叫", "尊", "改") and made(words[i + 1 :]):
            return i
        if word.tag == "V":
            return None if word.text in NO_MAIN or word.text in SPEECH else i
        if word.tag in ("D", "T", "DATE", "F") or word.text in ("地", "十分", "万分"):
            i += 1
            continue
        if word.tag in ("A", "I") and i + 1 < len(words) and words[i + 1].text == "地":
            i += 2
            continue
        if word.tag == "VN" and i + 1 < len(words) and words[i + 1].tag not in ("V", "VN"):
            return i if len(word.text) > 1 and word.text not in NO_MAIN else None
        return None
    return None


def is_object(words: Sequence[Word], verb: Word) -> bool:
    """Whether what follows the verb is a whole: neither a particle at its start nor a verb's bare complement."""
    text = said(words)
    first = words[0]
    if not 2 <= len(text) <= LONGEST_OBJECT or first.text in OBJECT_NOT_FIRST or first.tag in ("U", "C", "X", "P"):
        return False
    if first.tag in ("V", "A", "D") and len(verb.text) == 1:
        return False
    if first.tag == "N" and len(first.text) == 1 and len(words) > 1 and len(verb.text) == 1:
        return False
    if len(verb.text) == 1 and words[-1].tag == "V" and len(words[-1].text) == 1:
        return False
    if first.tag == "F" or (len(words) == 1 and first.tag in ("M", "D", "A", "V", "I")):
        return False
    if any(
        word.text in NEGATIVE
        or word.text in SPEECH
        or word.text in ("就", "才", "便", "却", "则", "于是", "时", "后", "之后", "以后", "以前", "前后")
        for word in words
    ):
        return False
    if (len(verb.text) == 1 and words[-1].text in KINDS and first.tag == "N" and len(words) < 4) or any(
        word.text in ("很", "非常") for word in words[1:]
    ):
        return False
    if words[-1].text in NOT_A_THING or words[-1].text in ("不久", "很久", "多年") or all(w.tag == "T" for w in words):
        return False
    if verb.text in ("有", "没有", "还有") and (
        any(word.tag in ("V", "D") for word in words[last_mark(words) :])
        or (len(words) > 1 and words[1].text in ("次", "天", "年", "回"))
        or words[0].text in ("一次", "一天", "一年", "一回", "个")
    ):
        return False
    marks = text.count("的")
    return not (
        first.tag == "PER" and marks == 0 and len(words) > 1 and words[1].tag in ("V", "D", "P") and len(words) < 3
    )


def last_mark(words: Sequence[Word]) -> int:
    """The index after the last 的."""
    return max((i + 1 for i, word in enumerate(words) if word.text == "的"), default=0)
