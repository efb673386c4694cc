"""A clause that names whom it is about, told in its own words: what stands before the object is the predicate."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.lexicon import MODAL, NEGATIVE, PREFIXES
from chathistory.openie.phrases import read_phrase
from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import Clause, frame_end
from chathistory.openie.verb_lists import SPEECH
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_DEPENDENT = frozenset(
    word_list(
        "如果 假如 倘若 若 若是 要是 因为 由于 虽然 尽管 既然 即使 即便 只要 只有 除非 无论 不论 不管 随着 为了 就 才 便 却 则 "
        "遂 而 于是 所以 因此 因而 但 但是 然而 不过 否则 以致 以至 从而 以免 不但 不仅 而且 并且 与其 宁可 好像 似乎 仿佛 "
        "大概 大约 可能 也许 或许 恐怕 未必 是否 究竟 到底 怎样 怎么 什么 为何 为什么 如何 哪里 谁 何 例如 比如 譬如 一旦 直到"
    )
)
"""Words that tie a clause to another, or leave it open whether it is so."""
_DROPPED = frozenset(word_list("也 又 还 再 于是 便 就 遂 则 却 而 并 并且 而且 同时 后来 随后 接着 然后 最后 最终 终于 因此 乃 即"))
_LAST_NOT = frozenset(
    word_list(
        "时 后 前 之后 之前 以后 以前 时候 的话 期间 之际 之时 的 地 得 是 为 在 于 和 与 及 或 给 对 向 把 被 让 使 以 来 去 "
        "等 起来 说 道 曰 问 答 云 写道 认为 以为 如下 有 像 如 之 起 第一 不 没有 其中 所 中 上 里 方面 多 着 一"
    )
)
_OBJECT_NOT_FIRST = frozenset(word_list("的 之 而 和 与 以 来 等 得 地 所 起 着 于 得 起来 下去 为 被 是 并 成 、 过 了 后 时 给"))
_TO_VERB = frozenset(word_list("了 过 着 到 在 于 给 为 成 作 出 进 入 上 下 回 起 向 自"))
_NO_MAIN = frozenset(
    word_list(
        "是 为 有关 如 像 如同 属于 关于 使 令 让 叫 称 名 号 字 说 问 答 道 曰 想 等 等到 到 来 去 起 成 要 意味着 意思是 "
        "治下 用来 用于 使得 导致 包括 加上 相当于 说明 表明 证明 显示 看来 算 据说 相传 传说 以为 觉得 连 趁 只见 可见 不如"
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
_FRAME_TAGS = frozenset(("T", "DATE"))
_LONGEST_PREDICATE = 12
_LONGEST_OBJECT = 24


def told_facts(clause: Clause, subject: str) -> list[Triple]:
    """Return the clause as facts of ``subject``: (S, verb and what stands before it, rest) and (S, when or where, rest).

    Empty where the clause depends on another one, asks, supposes, or stands for more than it says.
    """
    words = clause.words[clause.start :]
    while words and (words[0].tag in ("C", "F") or words[0].text in _DROPPED) and words[0].text not in _TIES:
        words = words[1:]
    if len(words) < 2 or clause.closed_by in "：:" and clause.closed_by or not _stands_alone(clause.words, words):
        return []
    if words[0].text in ("至", "到", "～", "—", "－"):
        return []
    opening = _frame(words)
    rest = words[opening:]
    if not rest:
        return []
    found: list[Triple] = []
    at = _main_verb(rest)
    if at is not None:
        end = at + 1
        while end < len(rest) and (rest[end].text in _TO_VERB or _goes_on(rest, at, end)):
            end += 1
        predicate = said([word for word in _without_links(rest[:end]) if word.text not in ("了", "过", "着")])
        obj = rest[end:]
        if obj and len(predicate) <= _LONGEST_PREDICATE and _is_object(obj, rest[at]):
            found.append((subject, predicate, said(obj)))
    if opening and (at is not None or rest[-1].tag in ("A", "I")) and not (
        found and any(word.tag == "DATE" for word in words[:opening])
    ):
        whole = said(_without_links(rest))
        frame = said(words[:opening])
        if 3 <= len(whole) <= _LONGEST_OBJECT and 2 <= len(frame) <= _LONGEST_PREDICATE and _ends_well(rest):
            found.append((subject, frame, whole))
    return found


_TIES = frozenset(word_list("如果 因为 虽然 但 若 由于 既然"))


def _stands_alone(every: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether no word ties the clause to another, asks, or points to what was said before."""
    if any(word.text in _DEPENDENT for word in every) or any(word.tag in ("R", "X") for word in words):
        return False
    if any(word.tag == "W" or word.text in ("所", "之所以", "般", "似的") for word in words):
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
            i = after + (after < len(words) and words[after].tag == "F")
            continue
        if word.tag == "V":
            return None if word.text in _NO_MAIN or word.text in SPEECH else i
        if word.tag in ("D", "T", "DATE", "F") or word.text == "地":
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
        word.text in NEGATIVE or word.text in SPEECH or word.text in ("时", "后", "之后", "以后", "以前", "前后")
        for word in words
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
