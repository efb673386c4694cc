"""Names of people: surname and given name joined, and the parts of a foreign name round its dots."""

from __future__ import annotations

from chathistory.openie.lexicon import (
    COMMON_WORD_SURNAMES,
    COMPOUND_SURNAMES,
    KINDS,
    MODAL,
    NOT_GIVEN,
    PLACE_ROLE,
    ROLE_WORDS,
    SURNAMES,
    TRANSLITERATION,
)
from chathistory.openie.verb_lists import VERBS
from chathistory.openie.word import Word

POSTHUMOUS = (
    "文武成康昭穆共懿孝夷厉宣幽平桓庄釐惠襄顷匡定简灵景悼敬元贞哀思威烈安显慎靓赧献怀闵明章和殇顺冲质少高"
    "太中睿肃代德宪敬僖神仁英哲徽钦光宁理度恭圣世"
)
"""Characters of posthumous and temple names."""


def merge_people(words: list[Word]) -> list[Word]:
    """Join surname and given name, and the parts of a foreign name round its dots."""
    merged: list[Word] = []
    i = 0
    while i < len(words):
        foreign = _foreign(words, i)
        if foreign > i + 1:
            merged.append(Word("".join(word.text for word in words[i:foreign]), "PER"))
            i = foreign
            continue
        width = _full_name(words, i, merged[-1] if merged else None)
        if width:
            merged.append(
                Word("".join(word.text for word in words[i : i + width]), "PER", note=words[i + width - 1].note)
            )
            i += width
            continue
        if (
            words[i].text == "号"
            and merged
            and merged[-1].text in ("年", "庙", "谥", "国", "封", "别", "自", "道", "法")
            and not merged[-1].note
        ):
            merged[-1] = Word(merged[-1].text + "号", "N" if merged[-1].text != "自" else "V")
        else:
            merged.append(words[i])
        i += 1
    return merged


def _foreign(words: list[Word], i: int) -> int:
    """Return the end of a foreign name that starts at ``i``: parts in transliteration characters, joined by dots."""
    j, dots, run = i, 0, 0
    while j < len(words):
        text = words[j].text
        if text in "·•・" and run and j + 1 < len(words):
            dots += 1
        elif (all(char in TRANSLITERATION for char in text) and words[j].tag not in ("P", "C", "U", "R", "X", "W")) or (
            dots and words[j - 1].text in "·•・" and words[j].tag in ("PER", "N", "LOC")
        ):
            run += len(text)
        else:
            break
        j += 1
    if dots and run >= 3 and words[j - 1].text not in "·•・":
        return j
    if not dots and run >= 3 and all(len(word.text) == 1 for word in words[i:j]):
        return j
    return i


def _full_name(words: list[Word], i: int, before: Word | None) -> int:
    """Return how many words from ``i`` make surname and given name; 0 for none."""
    word = words[i]
    if i + 1 >= len(words) or word.note:
        return 0
    compound = word.text in COMPOUND_SURNAMES and word.text not in ("司徒", "司空", "太史", "百里", "东方", "司马")
    if not compound and (len(word.text) != 1 or word.text not in SURNAMES):
        return 0
    if word.text in PLACE_ROLE and before is not None and (before.tag == "LOC" or before.text in tuple(POSTHUMOUS)):
        return 0
    given = words[i + 1]
    if (
        given.text
        in ("夫人", "氏", "姬", "皇后", "太后", "贵妃", "贵人", "昭仪", "美人", "妃", "小姐", "女士", "太太", "先生")
        and not given.note
    ):
        return 2 if word.text not in COMMON_WORD_SURNAMES or given.text in ("夫人", "氏", "姬") else 0
    if (given.tag in ("X", "WORK", "DATE", "QUO", "M", "LOC") and len(given.text) != 1) or given.tag == "X":
        return 0
    if len(given.text) > 2 or given.text[0] in NOT_GIVEN or given.text[-1] in NOT_GIVEN:
        return 0
    settled = before is not None and (
        before.tag == "ROLE"
        or before.text in KINDS
        or before.text == "、"
        or (before.tag == "PER" and before.note == "")
    )
    if not compound and word.text in COMMON_WORD_SURNAMES and not (settled and len(given.text) == 1):
        return 0
    if len(given.text) == 2:
        return 2 if (compound or (settled and given.tag in ("PER", "N", "A") and given.text not in ROLE_WORDS)) else 0
    if word.tag == "P" or word.tag == "W":
        return 0
    if given.note or i + 2 >= len(words):
        return 2
    third = words[i + 2]
    if (
        len(third.text) != 1
        or third.text in NOT_GIVEN
        or third.text in MODAL
        or third.text in VERBS
        or third.text in "军城县郡州国山河江"
    ):
        return 2
    if third.tag in ("N", "A", "LOC", "PER", "I", "Q"):
        return 3
    fourth = words[i + 3] if i + 3 < len(words) else None
    if third.note.startswith("字"):
        return 3
    if (
        third.tag in ("V", "VN", "C", "D")
        and fourth is not None
        and third.text not in "及与和并即乃遂"
        and (fourth.tag in ("V", "D", "W", "P") or fourth.text in ("的", "、", "说", "之"))
    ):
        return 3
    return 2
