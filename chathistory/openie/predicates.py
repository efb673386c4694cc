"""What a clause says of its subject: walks the words after it, verb by verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chathistory.openie.acts import GAINED, acted, gave, solid
from chathistory.openie.lexicon import ATTRIBUTES, KIN_SHORT, KINDS, MODAL, NEGATIVE, PREFIXES
from chathistory.openie.offices import appoint, causative, moved, named, office, wrote
from chathistory.openie.phrases import NAMES, owner_and_kind, read_list, read_phrase
from chathistory.openie.place_verbs import PLACE_VERBS
from chathistory.openie.prepositions import step_over
from chathistory.openie.reading import Reading, Triple, after_aspect, ends, said, whole_object
from chathistory.openie.verb_lists import (
    APPOINT,
    CAUSATIVE,
    DIE,
    NAMED,
    RECIPROCAL,
    SPEECH,
    TAKES_OFFICE,
    TRANSITIVE,
    WRITE,
)
from chathistory.openie.verbs import ACT_NAMES
from chathistory.openie.voices import agent_passive, belief, copula, disposal, passive
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_MENTOR = frozenset(word_list("师从 从学于 受业于 师事 学于 就学于 师承 受教于"))


_OPEN_OBJECTS = frozenset(
    word_list(
        "开始 继续 进行 受到 得到 遭到 遭受 予以 加以 给予 得以 用来 不断 有 如 像 好像 叫 说 想 看 听 问 "
        "答 走 坐 站 着想 转身 发奋 在 是 为 成 变成 用 使用 作为 带 放 拿 听说 听闻 得知 知道 看见 看到 "
        "觉得 以为 感到 懂得 明白 记得 忘记 等到 等 直到 属于 位于 关于 对于 由于 至于 来自 出自 源于 "
        "来源于 基于 等于 介于 处于 不如 超过 胜过 没有 有关 无关 争宠 排行"
    )
)


def read_predicate(
    words: Sequence[Word], start: int, subjects: Sequence[str], person: bool, named: bool = True, weak: bool = False
) -> Reading:
    """Read a clause's words from ``start`` on as said of ``subjects``; ``named`` when the clause names them."""
    reading = Reading(subjects, person, named=named, weak=weak)
    i = start
    while i < len(words):
        word = words[i]
        text = word.text
        if text in PREFIXES and _prefixed(words, i, reading):
            return reading
        if (
            belief(words, i, reading)
            or text in NEGATIVE
            or (word.tag == "V" and text[0] in "不没无未")
            or text in SPEECH
            or (text in MODAL and word.tag != "N")
        ):
            return reading
        if text == "被" or (text == "为" and agent_passive(words, i)):
            passive(words, i, reading)
            return reading
        if text in ("把", "将") and word.tag == "P":
            disposal(words, i, reading)
            return reading
        if word.tag == "W":
            copula(words, i, reading)
            return reading
        if text in ("的", "所", "得") or word.tag == "R":
            reading.carry = reading.carry and text != "的"
            return reading
        if word.tag == "P" or text in ("到",):
            after = step_over(words, i, reading)
            if after is None:
                return reading
            if after > i:
                i = after
                continue
        if (
            word.tag in ("V", "VN")
            or text in TAKES_OFFICE
            or text in NAMED
            or text in PLACE_VERBS
            or text in DIE
            or text in ("享年", "终年")
        ):
            following = _verb(words, i, reading)
            if following is None:
                return reading
            i = max(following, i + 1)
            continue
        if text in ATTRIBUTES and i <= start + 1 and reading.person:
            value = said(words[i + 1 :]).removeprefix("是").removeprefix("为").removeprefix("约")
            if 1 < len(value) <= 10 and not any(w.tag in ("R", "X") or w.text in NEGATIVE for w in words[i + 1 :]):
                reading.add_text(text, value)
            return reading
        if (
            word.tag == "N"
            and i == start
            and len(text) == 2
            and reading.person
            and reading.named
            and _described(words, i)
        ):
            reading.add_text(text, said(words[i + 1 :]))
            return reading
        if word.tag in NAMES or word.tag in ("N", "ROLE", "QUO"):
            return reading
        if word.tag == "DATE":
            reading.date = reading.date or word
        i += 1
    return reading


def _described(words: Sequence[Word], i: int) -> bool:
    """李白性情豪放: after the noun nothing but adverbs and an adjective or set phrase."""
    rest = words[i + 1 :]
    return (
        bool(rest)
        and len(said(rest)) <= 8
        and len(rest[-1].text) > 1
        and rest[-1].tag in ("A", "I")
        and all(word.tag in ("D", "A", "I") and word.text not in NEGATIVE for word in rest)
    )


def _prefixed(words: Sequence[Word], i: int, reading: Reading) -> bool:
    """没有接受刘晔的建议: the denial or the wish becomes part of the predicate; False where that cannot be told."""
    j = i + 1
    prefix = words[i].text
    while j < len(words) and (words[j].text in PREFIXES or words[j].text in ("再", "去", "来", "亲自", "立即")):
        prefix += words[j].text
        j += 1
    if j >= len(words):
        return False
    if words[i].text in ("开始", "继续", "得以") and words[j].tag not in ("V", "VN"):
        return False
    verb = words[j]
    if verb.text in ("是", "为") or verb.text in _OPEN_OBJECTS or verb.tag not in ("V", "VN") or verb.text in SPEECH:
        return False
    after = after_aspect(words, j)
    phrases, end = read_list(words, after)
    stem = ACT_NAMES.get(verb.text, verb.text)
    if any(word.text in ("于", "在") for word in words[j + 1 : after]):
        return False
    if phrases and ends(words, end):
        if all(p.is_name or solid(p) for p in phrases):
            reading.add(prefix + stem, phrases)
            return True
    elif len(verb.text) > 1 and (obj := whole_object(words, after)):
        reading.add_text(prefix + stem, obj)
        return True
    return False


def _verb(words: Sequence[Word], i: int, reading: Reading) -> int | None:
    """Read the verb at ``i``; return where to go on, None to stop."""
    text = words[i].text
    after = after_aspect(words, i)
    if text in _MENTOR or text == "拜":
        mentors, j = read_list(words, after)
        teacher = (
            j + 1 < len(words)
            and words[j].text == "为"
            and words[j + 1].text in ("师", "老师", "师父", "师傅", "先生", "导师")
        )
        if mentors and all(p.head.tag == "PER" for p in mentors) and (text != "拜" or teacher):
            reading.add("师从", mentors)
            return None
    for pattern, table in ((appoint, APPOINT), (named, NAMED), (wrote, WRITE)):
        if text in table and (done := pattern(words, i, after, reading)) is not None:
            return done
    if reading.person and text in TAKES_OFFICE and (done := office(words, i, after, reading)) is not None:
        return done
    if text in CAUSATIVE:
        return causative(words, i, after, reading)
    if reading.person and text in DIE:
        return _died(words, i, reading)
    if reading.person and text in ("享年", "终年"):
        years = said(words[after:])
        if years.endswith("岁") and len(years) <= 7:
            reading.add_text("享年", years)
        return None
    if text in ("取名", "起名", "命名", "改名", "取字"):
        reading.carry = False
        return None
    if text in ("有", "还有", "生有", "育有", "生", "生下", "只有"):
        reading.carry = False
        held, j = read_list(words, after)
        for phrase in held:
            if ends(words, j) and phrase.head.tag == "PER" and len(phrase.words) > 1 and phrase.words[-2].text in KINDS:
                reading.add_text(KIN_SHORT.get(phrase.words[-2].text, phrase.words[-2].text), phrase.text)
        if (
            held
            and ends(words, j)
            and all(solid(p) for p in held)
            and (text not in ("有", "还有", "只有") or reading.named)
        ):
            reading.add("有" if text in ("有", "还有", "只有") else "生育", held)
        return None
    if text in ("嫁", "嫁给", "改嫁", "嫁与", "改嫁给"):
        target, j = read_phrase(words, after + (after < len(words) and words[after].text == "给"))
        if reading.named and target is not None and target.head.tag == "PER" and ends(words, j):
            reading.add("嫁给", [target])
        return None
    if text in PLACE_VERBS:
        done = moved(words, i, after, reading)
        if done is not None:
            return done
        destination, j = read_phrase(words, after)
        if destination is None or destination.head.tag != "N":
            return None
        return j + (1 if j < len(words) and words[j].tag == "F" else 0)
    if text in ("写信给", "寄信给", "致信", "写信") and reading.person:
        target, j = read_phrase(words, after + (after < len(words) and words[after].text == "给"))
        if target is not None and target.head.tag == "PER" and ends(words, j):
            reading.add("写信给", [target])
        return None
    if text in RECIPROCAL and text not in TRANSITIVE:
        return i + 1
    if text in _OPEN_OBJECTS and text not in TRANSITIVE:
        return None
    if after < len(words) and (text.endswith(("兵", "军", "众")) or ("得" in text and text not in GAINED)):
        return i + 1
    if text.endswith(("给", "予", "与")) and len(text) > 1 and (given := gave(words, after, text, reading)) is not None:
        return given
    return acted(words, i, after, reading)


def _died(words: Sequence[Word], i: int, reading: Reading) -> int | None:
    text = words[i].text
    predicate = (
        "死于"
        if text in ("死", "战死", "遇害", "被杀", "阵亡", "自杀", "自尽", "自刎", "溺死", "遇刺", "殉职")
        else "逝世于"
    )
    if i + 1 >= len(words):
        if reading.date is not None:
            reading.add_text(predicate, reading.date.text)
        if reading.place is not None and reading.place.head.tag in ("LOC", "ORG"):
            reading.add(predicate, [reading.place])
    elif words[i + 1].text in ("于", "在"):
        phrase, j = read_phrase(words, i + 2)
        if phrase is not None and ends(words, j) and not any(word.tag == "R" for word in phrase.words):
            reading.add(predicate, [phrase])
    return None


def appositions(words: Sequence[Word], subject: str) -> Iterator[Triple]:
    """Read a clause that is only a phrase, after a name that opened the sentence: 蜀汉开国皇帝、政治家; 刘备之子."""
    phrases, end = read_list(words, 0)
    if end < len(words):
        return
    for phrase in phrases:
        pair = owner_and_kind(phrase.words)
        if pair:
            yield pair[0].name(), KIN_SHORT.get(pair[1], pair[1]), subject
        elif (
            phrase.words[-1].text == "人"
            and len(phrase.words) > 1
            and all(word.tag == "LOC" for word in phrase.words[:-1])
        ):
            yield subject, "籍贯", "".join(word.text for word in phrase.words[:-1])
        elif phrase.head.tag == "ROLE":
            yield subject, "是", phrase.text
