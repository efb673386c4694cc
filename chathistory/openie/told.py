"""A clause that names whom it is about, told in its own words: what stands before the object is the predicate."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chathistory.openie.lexicon import KINDS, MODAL, NEGATIVE, PREFIXES
from chathistory.openie.phrases import read_phrase
from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import Clause, frame_end
from chathistory.openie.verb_lists import SPEECH
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_DEPENDENT = frozenset(
    word_list(
        "如果 假如 倘若 若 若是 要是 因为 由于 虽然 尽管 既然 即使 即便 只要 只有 除非 无论 不论 不管 随着 为了 "
        "而 否则 以致 以至 从而 以免 不但 不仅 而且 并且 与其 宁可 好像 似乎 仿佛 "
        "大概 大约 可能 也许 或许 恐怕 未必 是否 究竟 到底 怎样 怎么 什么 为何 为什么 如何 哪里 谁 何 例如 比如 譬如 一旦 直到"
    )
)
"""Words that tie a clause to another, or leave it open whether it is so."""
_DROPPED = frozenset(word_list("就 才 所以 因而 但 但是 然而 不过 也 又 还 再 于是 便 就 遂 则 却 而 并 并且 而且 同时 后来 随后 接着 然后 最后 最终 终于 因此 乃 即"))
_LAST_NOT = frozenset(
    word_list(
        "时 后 前 之后 之前 以后 以前 时候 的话 期间 之际 之时 的 地 得 是 为 在 于 和 与 及 或 给 对 向 把 被 让 使 以 来 去 "
        "等 起来 说 道 曰 问 答 云 写道 认为 以为 如下 有 像 如 之 起 第一 不 没有 其中 所 中 上 里 方面 多 着 一"
    )
)
_OBJECT_NOT_FIRST = frozenset(word_list("的 之 而 和 与 以 来 等 得 地 所 起 着 于 得 起来 下去 为 被 是 并 成 、 过 了 后 时 给"))
_TO_VERB = frozenset(word_list("了 过 着 到 在 于 给 为 成 作 出 进 入 上 下 回 起 向 自 至 往"))
_NO_MAIN = frozenset(
    word_list(
        "是 为 有关 如 像 如同 属于 关于 使 令 让 叫 名 号 字 说 问 答 道 曰 想 等 等到 到 来 去 起 成 要 意味着 意思是 "
        "治下 用来 用于 使得 导致 包括 加上 相当于 经过 容止 说明 表明 证明 显示 看来 算 据说 相传 传说 以为 觉得 连 趁 只见 可见 不如"
    )
)
_CLAUSE_VERBS = frozenset(
    word_list(
        "喜欢 喜爱 爱 打算 决定 要求 准许 同意 允许 想 想要 希望 愿意 愿 肯 准备 企图 试图 赞成 不赞成 反对 主张 建议 提议 发现 看到 看见 "
        "听到 听说 知道 得知 担心 害怕 请求 教 劝 命 命令 派 派遣 率 率领 带 带领 领 请 邀请 逼 迫使 禁止 规定 宣布 下令 答应 善于 擅长 "
        "学会 拒绝 不让 不许 容许 阻止 鼓励 帮助 协助 支持 敢 不敢 能 不能 要 不要 不肯 不愿 不得 得以 开始 继续 停止 看 听 重视 推算"
    )
)
"""Verbs whose object may be a clause."""
_NOT_A_THING = frozenset(word_list("理由 原因 缘故 目的 时候 结果 意思 问题"))
SUPPOSING = re.compile(r"只要|只有|若|无论|不论|不管|一旦|既然|即便|虽然|尽管|与其|宁可|如果|假如|要是")
"""Words in a clause after which the next one tells what would be so."""
_FRAME_TAGS = frozenset(("T", "DATE"))
_LONGEST_PREDICATE = 12
_LONGEST_OBJECT = 24


def told_facts(clause: Clause, subject: str) -> list[Triple]:
    """Return the clause as facts of ``subject``: (S, verb and what stands before it, rest) and (S, when or where, rest).

    Empty where the clause depends on another one, asks, supposes, or stands for more than it says.
    """
    words = _untrailed(clause.words[clause.start :])
    while words and (words[0].tag in ("C", "F") or words[0].text in _DROPPED) and words[0].text not in _TIES:
        words = words[1:]
    if any(word.text in ("要", "想", "让", "使", "愿", "须", "请", "令", "叫") for word in clause.words[: clause.start]):
        return []
    if len(words) < 2 or not _stands_alone(clause.words, words):
        return []
    if words[0].text in ("至", "到", "～", "—", "－"):
        return []
    opening = _frame(words)
    rest = words[opening:]
    if not rest or rest[0].text in ("至", "到", "-", "—"):
        return []
    found: list[Triple] = []
    at = _main_verb(rest)
    if any(word.text == "是" for word in rest[(-1 if at is None else at) + 1 :]):
        return []
    if at is not None:
        end = at + 1
        while end < len(rest) and (rest[end].text in _TO_VERB or _goes_on(rest, at, end)):
            end += 1
        predicate = said([word for word in _without_links(rest[:end]) if word.text not in ("了", "过", "着")])
        obj = rest[end:]
        if not obj and (moved := _disposed(rest, at)) is not None:
            found.append((subject, *moved))
        elif (made := _made(obj)) and len(predicate) + len(said(obj[:made])) <= _LONGEST_PREDICATE + 4:
            if _is_object(obj[made:], rest[at]) or obj[made].tag == "PER":
                found.append((subject, predicate + said(obj[:made]), "".join(word.text for word in obj[made:])))
        elif obj and len(predicate) <= _LONGEST_PREDICATE and _is_object(obj, rest[at]):
            found.append((subject, predicate, said(obj)))
    if opening and (at is not None or rest[-1].tag in ("A", "I")) and not (
        found and any(word.tag == "DATE" for word in words[:opening])
    ):
        whole = said(_without_links(rest))
        frame = said(words[:opening])
        if 3 <= len(whole) <= _LONGEST_OBJECT and 2 <= len(frame) <= _LONGEST_PREDICATE and _ends_well(rest):
            found.append((subject, frame, whole))
    return found or _accompanied(rest, subject)


def framed(clause: Clause, subject: str) -> list[Triple]:
    """孔子晚年回到鲁国: (孔子, 晚年, 回到鲁国), told beside the act itself; [] where no time but a bare date opens it."""
    words = clause.words[clause.start :]
    if len(words) < 3 or not _stands_alone(clause.words, words) or any(word.text == "是" for word in words):
        return []
    opening = _frame(words)
    rest = _without_links(words[opening:])
    frame, whole = said(words[:opening]), said(rest)
    if not opening or not rest or words[0].tag == "R" or any(word.tag == "DATE" for word in words[:opening]) or words[0].text in _NO_FRAME or rest[0].tag in ("F", "U", "X"):
        return []
    good = 3 <= len(whole) <= _LONGEST_OBJECT and 2 <= len(frame) <= _LONGEST_PREDICATE
    return [(subject, frame, whole)] if good else []


_NO_FRAME = frozenset(word_list("后来 当时 这时 那时 此时 同时 现在 将来 以后 之后 随后 不久 平时 一时 从前 以前 原来 起初 最初 先 曾经"))
_TIES = frozenset(word_list("如果 因为 虽然 但 若 由于 既然"))


def _stands_alone(every: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether no word ties the clause to another, asks, or points to what was said before."""
    if any(word.text in _DEPENDENT for word in every) or any(
        (word.tag == "R" and word.text[0] != "每" and not (word.text == "那里" and i and words[i - 1].tag in ("PER", "N")))
        or (word.tag == "X" and word.text != "、")
        for i, word in enumerate(words)
    ):
        return False
    if any(word.text in ("所", "之所以", "般", "似的") for word in words):
        return False
    if any(word.text in MODAL and word.text not in PREFIXES and word.text not in NEGATIVE for word in words):
        return False
    return _ends_well(words)


def _ends_well(words: Sequence[Word]) -> bool:
    last = words[-1]
    return last.text not in _LAST_NOT and last.text not in SPEECH and last.tag not in ("P", "C", "D", "U", "X", "M")


def _frame(words: Sequence[Word]) -> int:
    """The index after a time or place that opens the predicate; 0 where none does."""
    first = words[0]
    if first.tag in _FRAME_TAGS:
        end = 1
        while end < len(words) and (
            words[end].tag in _FRAME_TAGS
            or words[end].text in ("起", "以后", "以来", "之后", "后", "前", "前后", "初", "末", "时")
        ):
            end += 1
        return end
    for j in range(1, min(len(words) - 1, 6)):
        if words[j].text in _FRAME_END and first.tag in ("V", "VN"):
            return j + 1
        if words[j].tag not in ("V", "VN", "N", "LOC", "PER", "U", "ROLE"):
            break
    if first.text in ("在", "于", "从", "自") and first.tag == "P":
        end = frame_end(words, 1) or 0
        if end and any(word.tag in ("V", "W") for word in words[1 : end - 1]):
            return 0
        while end and end < len(words) and (words[end].tag == "F" or words[end].text in ("附近", "一带", "境内")):
            end += 1
        return end
    return 0


def _goes_on(words: Sequence[Word], at: int, end: int) -> bool:
    """抬头看见月亮: right after a verb of two characters that takes no clause, a second verb carries the object."""
    verb, second = words[at], words[end]
    return (
        end == at + 1
        and second.tag == "V"
        and len(verb.text) == 2
        and verb.text not in _CLAUSE_VERBS
        and second.text not in _NO_MAIN
        and second.text not in SPEECH
    )


_FRAME_END = frozenset(("后", "之后", "以后", "时", "期间"))


def _disposed(words: Sequence[Word], at: int) -> tuple[str, str] | None:
    """把长城连接起来: (连接起来, 长城); None where the verb has more to it than that."""
    mark = next((i for i, word in enumerate(words[:at]) if word.text in ("把", "将") and word.tag == "P"), None)
    if mark is None or mark > 2:
        return None
    thing, predicate = words[mark + 1 : at], said([*_without_links(words[:mark]), *words[at:]])
    if len(predicate) < 2 or len(predicate) > 8 or not 2 <= len(said(thing)) <= _LONGEST_OBJECT:
        return None
    return (predicate, said(thing)) if thing[-1].tag in ("N", "PER", "LOC", "ORG", "WORK", "ROLE", "VN") else None


_COMPANY = frozenset(word_list("对 同 与 和 跟 向 为 给 以 用 从 由 替 因"))


def _accompanied(words: Sequence[Word], subject: str) -> list[Triple]:
    """叔梁纥以勇力闻名: (叔梁纥, 以勇力, 闻名), where the verb has no object but a phrase before it."""
    words = _without_links(words)
    start = next((i for i, word in enumerate(words[:3]) if word.tag not in ("D", "T")), 0)
    if words[start].text not in _COMPANY or words[start].tag != "P":
        return []
    phrase, after = read_phrase(words, start + 1)
    rest = words[after:]
    if phrase is None or not rest or rest[0].tag not in ("V", "D", "A", "VN", "I") and rest[0].text not in ("十分", "万分"):
        return []
    if rest[-1].tag not in ("V", "A", "VN", "I", "N") or any(word.tag in ("P", "C") or word.text == "的" for word in rest):
        return []
    if any(word.text in SPEECH or word.text in _NO_MAIN or word.text in ("、", "之") for word in rest) or any(
        word.text[0] in "这那此其" for word in phrase.words
    ):
        return []
    predicate, whole = said(words[:after]), said(rest)
    return [(subject, predicate, whole)] if 2 <= len(whole) <= 16 and len(predicate) <= _LONGEST_PREDICATE else []


def _untrailed(words: Sequence[Word]) -> Sequence[Word]:
    """Without 了 and 过 at the end."""
    while words and words[-1].text in ("了", "过"):
        words = words[:-1]
    return words


def _made(words: Sequence[Word]) -> int:
    """奉苏格拉底为榜样, 称刘备为刘豫州: the index after 为 and the like in what follows a verb; 0 for none."""
    for i in range(1, min(len(words) - 1, 6)):
        if words[i].text in ("为", "作", "做") and words[i - 1].tag in ("PER", "N", "LOC", "ORG", "WORK", "ROLE"):
            return 0 if any(word.tag in ("V", "P") for word in words[i + 1 :]) else i + 1
        if words[i].tag in ("V", "D", "P", "X"):
            return 0
    return 0


def described(clause: Clause) -> list[Triple]:
    """孔子的神态温和而严厉: (孔子, 神态, 温和而严厉), where nothing but adjectives and set phrases follows."""
    if len(clause.phrases) != 1 or len(clause.phrases[0].words) < 2:
        return []
    owner, *kind = clause.phrases[0].words
    if kind and kind[0].text == "的":
        kind = kind[1:]
    rest = clause.words[clause.start :]
    if (
        owner.tag != "PER"
        or not kind
        or any(word.tag not in ("N", "VN", "B", "A") for word in kind)
        or not rest
        or rest[-1].tag not in ("A", "I")
        or any(word.tag not in ("A", "I", "D") and word.text not in ("而", "、", "且", "又") for word in rest)
        or any(word.text in NEGATIVE or word.text in MODAL or word.text in _DEPENDENT - {"而"} for word in rest)
    ):
        return []
    noun, value = said(kind), said(rest)
    return [(owner.name(), noun, value)] if 2 <= len(noun) <= 8 and 2 <= len(value) <= 16 else []


def owned_whole(clause: Clause) -> list[Triple]:
    """孔子的爱好是音乐和钓鱼: (孔子, 爱好, 音乐和钓鱼), whatever the thing is made of."""
    if len(clause.phrases) != 1 or len(clause.phrases[0].words) < 2:
        return []
    owner, *kind = clause.phrases[0].words
    rest = clause.words[clause.start :]
    if owner.tag != "PER" or kind[0].text != "的" or not 1 < len(rest) or rest[0].text not in ("是", "为"):
        return []
    kind, value = kind[1:], rest[1:]
    if not kind or kind[-1].tag not in ("N", "VN") or any(word.text in _DEPENDENT for word in clause.words):
        return []
    if value[0].tag in ("R", "C", "D", "X", "U") or not _ends_well(value) or any(word.tag == "R" for word in value):
        return []
    if any(word.text in NEGATIVE or word.text in MODAL for word in value) or value[0].text in ("为了", "因为", "由于"):
        return []
    noun, text = said(kind), said(value)
    return [(owner.name(), noun, text)] if 2 <= len(noun) <= 10 and 2 <= len(text) <= _LONGEST_OBJECT else []


def _without_links(words: Sequence[Word]) -> Sequence[Word]:
    while len(words) > 1 and words[0].text in _DROPPED:
        words = words[1:]
    return words


def _main_verb(words: Sequence[Word]) -> int | None:
    """The index of the first verb after adverbs, times, and phrases that a preposition governs; None for any other."""
    i = 0
    while i < len(words):
        word = words[i]
        if word.text in ("把", "将", "被", "同", "与", "和", "跟", "向", "对", "给", "从", "用", "以", "在", "替", "由", "于") and (
            word.tag in ("P", "C", "V")
        ):
            phrase, after = read_phrase(words, i + 1)
            if phrase is None or after >= len(words):
                return None
            if word.text == "以" and words[after].text == "为" and after + 1 < len(words):
                return None if any(later.tag == "V" for later in words[after + 1 :]) else after
            i = after + (after < len(words) and (words[after].tag == "F" or words[after].text == "那里"))
            continue
        if word.text in ("没有", "没") and i + 1 < len(words) and words[i + 1].tag in ("A", "N", "B", "M", "PER", "ROLE"):
            return i
        if word.tag == "W" and word.text == "是":
            return i if words[-1].tag in ("N", "PER", "LOC", "ORG", "WORK", "ROLE", "EVENT") and i < 3 else None
        if word.text in ("称", "叫", "尊", "改") and _made(words[i + 1 :]):
            return i
        if word.tag == "V":
            return None if word.text in _NO_MAIN or word.text in SPEECH else i
        if word.tag in ("D", "T", "DATE", "F") or word.text in ("地", "十分", "万分"):
            i += 1
            continue
        if word.tag in ("A", "I") and i + 1 < len(words) and words[i + 1].text == "地":
            i += 2
            continue
        if word.tag == "VN" and i + 1 < len(words) and words[i + 1].tag not in ("V", "VN"):
            return i if len(word.text) > 1 and word.text not in _NO_MAIN else None
        return None
    return None


def _is_object(words: Sequence[Word], verb: Word) -> bool:
    """Whether what follows the verb is a whole: neither a particle at its start nor a verb's bare complement."""
    text = said(words)
    first = words[0]
    if not 2 <= len(text) <= _LONGEST_OBJECT or first.text in _OBJECT_NOT_FIRST or first.tag in ("U", "C", "X", "P"):
        return False
    if first.tag in ("V", "A", "D") and len(verb.text) == 1:
        return False
    if first.tag == "N" and len(first.text) == 1 and len(words) > 1 and len(verb.text) == 1:
        return False
    if first.tag == "F" or (len(words) == 1 and first.tag in ("M", "D", "A", "V", "I")):
        return False
    if any(
        word.text in NEGATIVE or word.text in SPEECH or word.text in ("就", "才", "便", "却", "则", "于是", "时", "后", "之后", "以后", "以前", "前后")
        for word in words
    ):
        return False
    if (len(verb.text) == 1 and words[-1].text in KINDS and first.tag == "N" and len(words) < 4) or any(
        word.text in ("很", "非常") for word in words[1:]
    ):
        return False
    if words[-1].text in _NOT_A_THING or words[-1].text in ("不久", "很久", "多年") or all(w.tag == "T" for w in words):
        return False
    if verb.text in ("有", "没有", "还有") and (
        any(word.tag in ("V", "D") for word in words[_last_mark(words) :])
        or (len(words) > 1 and words[1].text in ("次", "天", "年", "回"))
        or words[0].text in ("一次", "一天", "一年", "一回", "个")
    ):
        return False
    marks = text.count("的")
    return not (first.tag == "PER" and marks == 0 and len(words) > 1 and words[1].tag in ("V", "D", "P") and len(words) < 3)


def _last_mark(words: Sequence[Word]) -> int:
    """The index after the last 的."""
    return max((i + 1 for i, word in enumerate(words) if word.text == "的"), default=0)
