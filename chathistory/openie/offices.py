"""Appointments, offices, names, works, and where someone went."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.lexicon import KINDS
from chathistory.openie.phrases import Phrase, read_list, read_phrase
from chathistory.openie.place_verbs import PLACE_VERBS
from chathistory.openie.reading import Reading, ends, said
from chathistory.openie.verb_lists import (
    CAUSATIVE,
    COMPANION,
    NAMED,
    POSTHUMOUS,
    TAKES_OFFICE,
    WEAK_APPOINT,
)
from chathistory.openie.verbs import APPOINT_NAMES, office_predicate
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_SENT_NAMES = {
    "派": "派遣",
    "遣": "派遣",
    "差": "派遣",
    "命": "命令",
    "令": "命令",
    "请": "邀请",
    "召": "召见",
    "劝": "劝说",
    "力劝": "劝说",
    "邀": "邀请",
    "留": "留下",
}
_SENT = frozenset(
    word_list(
        "派 遣 派遣 任命 命 命令 劝 劝说 力劝 劝谏 说服 请 邀请 召 邀 逼迫 迫使 告诫 嘱咐 嘱托 委托 委派 "
        "指派 差遣 留 留下 鼓励"
    )
)
_JOIN_NAMES = {
    "随": "跟随",
    "率": "率领",
    "联络": "联络",
    "携": "携带",
    "陪": "陪同",
    "带": "带领",
    "引": "引领",
    "统率": "率领",
}
_AT_ENDS = frozenset(word_list("出生于 葬于 毕业于 任教于 居住于 隐居于 就读于 逝世于"))
_WRITE_NAMES = {
    "注": "注释",
    "注释": "注释",
    "注解": "注释",
    "修订": "修订",
    "删定": "修订",
    "整理": "整理",
    "翻译": "翻译",
    "颁布": "颁布",
    "制定": "制定",
    "出版": "出版",
    "发表": "发表",
    "主编": "主编",
    "编订": "编订",
    "修": "编修",
    "献上": "献上",
}
_NO_PLACES = frozenset(word_list("太阳 月亮 地面 天上 家 门口 路上 外面 里面 一起"))


def appoint(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """S 任命 person 为 office; None where the pattern does not stand."""
    people, j = read_list(words, after)
    if not people or any(p.head.tag != "PER" for p in people) or j >= len(words):
        return None
    if words[j].text not in ("为", "任", "做", "当", "领", "担任", "出任", "代理", "兼任", "继任"):
        return None
    titles, end = read_list(words, j + 1)
    if not titles or not ends(words, end):
        return None
    verb = words[i].text.removesuffix("为") or words[i].text
    reading.add(APPOINT_NAMES.get(verb, verb), people)
    if (
        verb in POSTHUMOUS
        or verb.startswith("追")
        or verb in WEAK_APPOINT
        or verb in ("尊", "尊奉", "奉", "称", "贬", "降")
    ):
        predicate = f"被{verb}为"
    else:
        predicate = office_predicate(titles)
    for person in people:
        for title in titles:
            reading.add_fact(person.text, predicate, title.text)
    reading.carry = False
    return end


def causative(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """派, 劝, 率领 and the like: the object acts next (None: stop), or comes along (the index after it)."""
    text = words[i].text
    phrases, j = read_list(words, after)
    people = [p for p in phrases if p.is_name and p.head.tag in ("PER", "ORG")]
    whole = (
        bool(people) and len(people) == len(phrases) and (j >= len(words) or words[j].text not in ("的", "之", "所"))
    )
    if text in COMPANION:
        if whole:
            reading.add(_JOIN_NAMES.get(text, text), people)
            return j
        return j if phrases and phrases[0].head.tag == "N" else None
    if whole and text in _SENT and (text != "请" or (j < len(words) and words[j].tag == "V")):
        reading.add(_SENT_NAMES.get(text, text), people)
    reading.carry = False
    return None


def named(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """字玄德, 号青莲居士, 谥号武王."""
    text = words[i].text
    if len(reading.subjects) != 1 or i > 4:
        return None
    if after < len(words) and words[after].text in ("为", "是", "作", "曰", "叫"):
        after += 1
    rest = words[after:]
    value = said([Word(word.text, word.tag) for word in rest]).split("、")[0].strip("“”‘’")
    if not 1 <= len(value) <= 12 or any(
        word.tag in ("R", "P", "U") or (word.tag == "V" and len(word.text) > 1) for word in rest
    ):
        return None
    if text in ("名", "姓", "号", "字") and (len(value) > 6 or i > 2):
        return None
    reading.add_text(NAMED[text], value)
    return len(words)


def wrote(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """著有《》、《》 and the like."""
    j = after
    if j < len(words) and words[j].text == "的":
        return None
    while j < len(words) and (
        words[j].tag in ("M", "Q", "A", "B", "VN", "D")
        or words[j].text in ("的", "有", "出", "下", "成")
        or words[j].tag == "N"
    ):
        j += 1
    works = []
    while j < len(words) and (words[j].tag == "WORK" or words[j].text in ("、", "和", "与", "及", "以及")):
        if words[j].tag == "WORK":
            works.append(words[j].text)
        j += 1
    if not works or (j < len(words) and words[j].text in ("的", "中", "里", "一", "上")):
        return None
    for work in works[:8]:
        reading.add_text(_WRITE_NAMES.get(words[i].text, "著有"), work)
    return j


def office(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """任洛阳令, 官至太尉, 封武平侯."""
    if after < len(words) and words[after].text in ("为", "任"):
        after += 1
    titles, end = read_list(words, after)
    verb = words[i].text
    titles = [
        p if p.words[0].tag not in ("M", "Q") or len(p.words) == 1 else Phrase(_without_count(p.words)) for p in titles
    ]
    if not titles:
        rest = words[after:]
        if (
            len(rest) > 2
            and rest[-1].tag == "ROLE"
            and rest[-2].text == "的"
            and not any(word.tag in ("R", "PER") for word in rest)
        ):
            reading.add_text(TAKES_OFFICE[verb] if TAKES_OFFICE[verb] != "为" else "是", rest[-1].text)
        return None
    good = [
        p
        for p in titles
        if p.head.tag == "ROLE"
        or (p.head.text[-1] in "侯王公牧令尉相丞郎卿守妃嫔" and len(p.text) >= 2 and p.head.tag in ("N", "LOC"))
    ]
    if verb in ("封", "封为", "受封", "进封", "改封", "袭") and end >= len(words):
        good = [p for p in titles if p.head.tag in ("ROLE", "N", "LOC")]
    if (
        not good
        and len(titles) == 1
        and end >= len(words)
        and titles[0].head.text in KINDS
        and titles[0].words[0].tag == "PER"
        and verb in ("做", "当", "任", "为", "成为", "做过", "当过")
    ):
        reading.add_text("是", titles[0].text)
        return end
    if not good or len(good) != len(titles):
        return None
    if end < len(words) and (
        words[end].text in ("的", "之", "、")
        or words[end].tag == "PER"
        or (words[end].tag == "V" and verb in ("为", "做", "当", "加", "领"))
    ):
        return None
    predicate = {"为": office_predicate(titles), "加": "加封"}.get(TAKES_OFFICE[verb], TAKES_OFFICE[verb])
    reading.add(predicate, good)
    return end


def _without_count(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """三十二年卢卡斯数学教授 is the office of 卢卡斯数学教授."""
    i = 0
    while i < len(words) - 1 and (
        words[i].tag in ("Q", "T") or words[i].text.endswith(("年", "次", "任", "届", "个", "位", "名", "度"))
    ):
        i += 1
    return words[i:]


def moved(words: Sequence[Word], i: int, after: int, reading: Reading) -> int | None:
    """出生于, 到, 驻军 and the like with a place (or a date)."""
    predicate = PLACE_VERBS[words[i].text]
    phrase, j = read_phrase(words, after)
    bare = words[after:]
    if (
        1 < len(bare) <= 3
        and after > i + 1
        and predicate in ("葬于", "出生于", "逝世于", "死于")
        and (phrase is None or j < len(words))
    ):
        name = said(bare)
        if 2 <= len(name) <= 4 and all(
            len(word.text) == 1 and word.tag in ("N", "V", "A", "LOC", "Q") for word in bare
        ):
            reading.add_text(predicate, name)
            return len(words)
    if phrase is None:
        if predicate not in _AT_ENDS:
            return None
        if reading.place is not None and reading.place.head.tag in ("LOC", "ORG", "N"):
            reading.add(predicate, [reading.place])
        if reading.date is not None and predicate in ("出生于", "逝世于"):
            reading.add_text(predicate, reading.date.text)
        return after
    if any(word.text == "的" for word in words[j:]):
        return None
    if not _is_place(phrase, predicate, ends(words, j)) or (j < len(words) and words[j].text in ("的", "之")):
        return None
    if reading.date is not None and predicate == "出生于" and phrase.head.tag != "DATE":
        reading.add_text(predicate, reading.date.text)
    reading.add(predicate, [phrase])
    return j


def _is_place(phrase: Phrase, predicate: str, whole: bool) -> bool:
    head = phrase.head
    if head.text in _NO_PLACES or any(word.tag in ("R", "M") for word in phrase.words):
        return False
    if len(phrase.words) > 1 and (
        any(word.tag == "DATE" for word in phrase.words)
        or (phrase.words[0].tag == "N" and len(phrase.words[0].text) == 1)
    ):
        return False
    if head.tag == "DATE":
        return predicate in ("出生于", "逝世于", "葬于", "死于")
    if head.tag in ("LOC", "ORG"):
        return True
    return head.tag == "N" and whole and len(head.text) > 1 and len(phrase.text) <= 12


def is_causative(word: Word) -> bool:
    """Whether the word sends, asks or leads another."""
    return word.text in CAUSATIVE
