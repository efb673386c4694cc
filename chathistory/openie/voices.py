"""Passives, 把 and the copula; what people hold to be so."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.lexicon import KIN_SHORT, KINDS, MODAL, NEGATIVE, PRONOUNS
from chathistory.openie.phrases import owner_and_kind, read_list, read_phrase
from chathistory.openie.reading import Reading, after_aspect, ends, said, skip_adverbs
from chathistory.openie.verb_lists import APPOINT, CAUSATIVE, TRANSITIVE, VERBS, WEAK_APPOINT
from chathistory.openie.verbs import ACT_NAMES, APPOINT_NAMES, CALLED, office_predicate
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_BELIEFS = frozenset(
    word_list(
        "认为 主张 相信 坚信 指出 提出 强调 承认 深信 断定 断言 提倡 宣称 坚持 反对 证明 说明 感叹 声明 "
        "表示 说 觉得 教导 批评 坦言 担心 害怕 希望 预言 回忆 回答 解释 抱怨 警告 感觉 以为 明白 懂得 "
        "断定 倾向于 比喻 自称"
    )
)
_KNOWN = frozenset(
    word_list(
        "发现 得知 知道 听说 听闻 看到 看见 决定 宣布 规定 下令 建议 要求 请求 允许 同意 学会 记得 意识到 "
        "了解到 劝 劝说 力劝 派 派遣 命 命令 让 叫 使 令 遣 邀请 邀 逼 迫使 逼迫 委托 指派 委派 嘱咐 嘱托 "
        "召 请"
    )
)
"""Verbs whose clause is a fact of what was learnt, ordered or asked: what follows in the sentence is told again."""
_COMPLEMENT_NAMES = {
    "劝": "劝说",
    "力劝": "劝说",
    "派": "派遣",
    "命": "命令",
    "遣": "派遣",
    "令": "命令",
    "召": "召见",
    "请": "邀请",
    "邀": "邀请",
    "逼": "逼迫",
}
_INCOMPLETE = (
    "便",
    "遂",
    "于是",
    "如果",
    "既然",
    "因为",
    "只要",
    "虽然",
    "除非",
    "由于",
    "只有",
    "即使",
    "当",
    "若",
    "尽管",
    "无论",
    "不论",
    "不管",
    "与其",
    "一个真正",
)


def agent_passive(words: Sequence[Word], i: int) -> bool:
    """为刘备所杀: 为, a phrase, 所 and a verb."""
    phrases, after = read_list(words, i + 1)
    return bool(phrases) and after < len(words) and words[after].text.startswith("所")


def passive(words: Sequence[Word], i: int, reading: Reading) -> None:
    """被(agent)(所) verb (为 office): the agent is the subject of the fact."""
    agents, j = read_list(words, i + 1)
    if i + 1 < len(words) and words[i + 1].text in VERBS:
        agents, j = [], i + 1
    named = bool(agents) and all(
        (p.is_name and p.head.tag in ("PER", "ORG", "LOC"))
        or (p.head.tag == "N" and len(p.head.text) > 1 and p.words[0].tag != "M")
        for p in agents
    )
    k = skip_adverbs(words, j)
    while k + 1 < len(words) and words[k].text in ("所", "率军", "亲自", "下令", "下", "诏", "下诏"):
        k += 1
    if k >= len(words) or words[k].tag == "P":
        return
    verb = words[k].text.removeprefix("所") or words[k].text
    stem = verb.removesuffix("为") or verb
    if verb in NEGATIVE:
        return
    after = after_aspect(words, k)
    if verb in APPOINT or stem in APPOINT or stem in CALLED:
        if after < len(words) and words[after].text in ("为", "任", "做", "当", "作", "成"):
            after += 1
        titles, end = read_list(words, after)
        if titles and ends(words, end):
            predicate = (
                f"被{stem}为"
                if stem in CALLED or stem in WEAK_APPOINT or stem.startswith(("追", "谥", "贬", "降", "废", "罚", "免"))
                else office_predicate(titles)
            )
            if titles[0].head.tag == "LOC":
                predicate = f"被{stem}到"
            reading.add(predicate, titles)
            if named and stem not in CALLED:
                for agent in agents:
                    for subject in reading.subjects:
                        reading.add_fact(agent.text, APPOINT_NAMES.get(stem, stem), subject)
            return
    if verb in MODAL or verb in CAUSATIVE:
        return
    closed = (
        after >= len(words) or words[after].tag in ("F", "V", "C", "D", "P") or words[after].text in ("于", "在", "而")
    )
    if named and closed and (verb in TRANSITIVE or (words[k].tag == "V" and len(verb) >= 2)):
        for agent in agents[:3]:
            for subject in reading.subjects[:3]:
                reading.add_fact(agent.text, ACT_NAMES.get(verb, verb), subject)
        return
    if not agents and words[k].tag == "V":
        objects, end = read_list(words, after)
        if objects and ends(words, end) and all(p.head.tag in ("N", "LOC", "ROLE", "QUO", "ORG") for p in objects):
            reading.add("被" + verb, objects)


def disposal(words: Sequence[Word], i: int, reading: Reading) -> None:
    """把 phrase verb (给 phrase): the phrase is the verb's object."""
    phrase, j = read_phrase(words, i + 1)
    if phrase is None:
        return
    reading.carry = phrase.head.tag != "PER"
    j = skip_adverbs(words, j)
    if j >= len(words) or words[j].tag not in ("V", "VN") or any(word.tag in ("R", "V") for word in phrase.words):
        return
    verb = words[j].text
    after = after_aspect(words, j)
    if after >= len(words):
        if verb in TRANSITIVE or len(verb) >= 2:
            reading.add(ACT_NAMES.get(verb, verb), [phrase])
        return
    if words[after].text == "给":
        verb, after = verb + "给", after + 1
    target, end = read_phrase(words, after)
    if target is None or not ends(words, end):
        return
    if verb.endswith(("给", "与", "到", "往", "入", "至")) and target.is_name:
        reading.add(verb + target.text, [phrase])
    elif verb.endswith(("为", "作", "做")) and target.text not in PRONOUNS:
        reading.add_text(f"将{phrase.text}{verb}", target.text)


def copula(words: Sequence[Word], i: int, reading: Reading) -> None:
    """是 and 为: kinds, offices and kin."""
    if i + 2 < len(words) and words[i + 1].text in ("个", "名", "位"):
        i += 1
    rest = list(words[i + 1 :])
    if not rest or (
        rest[-1].text != "之一"
        and (rest[0].tag in ("V", "P", "D", "R", "C", "X", "W") or rest[-1].text in ("的", "了"))
    ):
        return
    phrases, end = read_list(words, i + 1)
    if not phrases or end < len(words):
        if words[i].text != "为" and _whole_description(rest):
            reading.add_text("是", said(rest))
        return
    for phrase in phrases:
        pair = owner_and_kind(phrase.words)
        if pair:
            for subject in reading.subjects[:3]:
                reading.add_fact(pair[0].name(), KIN_SHORT.get(pair[1], pair[1]), subject)
        elif (
            words[i].text == "为"
            and reading.named
            and i <= 2
            and phrase.head.tag == "N"
            and len(phrase.head.text) > 1
            and i
            and words[i - 1].tag == "PER"
        ):
            reading.add_text("是", said(phrase.words))
        elif words[i].text == "为":
            if phrase.head.tag == "ROLE" and phrase.head.text not in KINDS and reading.person:
                reading.add(office_predicate([phrase]), [phrase])
        elif phrase.head.tag != "DATE" and len(phrase.text) >= 2:
            reading.add_text("是", said(phrase.words))


def _whole_description(rest: Sequence[Word]) -> bool:
    """Whether words after 是 describe in one piece: a noun at the end, 的 inside, no pronoun, denial or clause."""
    if (
        len(rest) <= 5
        and rest[-1].tag in ("N", "ROLE")
        and all(word.tag in ("LOC", "N", "ROLE", "F", "T", "A", "B", "M", "Q") for word in rest)
    ):
        return True
    return (
        len(said(rest)) <= 26
        and rest[-1].tag in ("N", "ROLE", "PER", "LOC", "ORG", "EVENT")
        and any(word.text == "的" for word in rest)
        and not any(word.tag in ("R", "X", "W") or word.text in NEGATIVE for word in rest)
    )


def belief(words: Sequence[Word], i: int, reading: Reading) -> bool:
    """S 认为 …: the clause after the verb is what S holds; told only when it is whole and names things itself."""
    text = words[i].text
    if (
        (text not in _BELIEFS and text not in _KNOWN)
        or not reading.subjects
        or not reading.person
        or (text == "说" and not reading.named)
        or (text == "以为" and said(words[i:]).find("为名") > 0)
    ):
        return False
    if words[i].text in TRANSITIVE:
        objects, end = read_list(words, after_aspect(words, i))
        if objects and ends(words, end):
            return False
    sent = text in CAUSATIVE or text in ("劝", "派", "命", "力劝")
    if sent:
        if text in ("请求", "要求", "下令", "建议", "命令") and i + 1 < len(words) and words[i + 1].tag in ("V", "VN"):
            reading.carry = False
            add_clause(words, i, text, reading)
            return True
        return _complement(words, i, reading)
    reading.beliefs = text in _BELIEFS
    reading.carry = False
    add_clause(words, i, text, reading)
    return True


def holds(text: str) -> bool:
    """Whether a verb says what someone holds to be so."""
    return text in _BELIEFS


def _complement(words: Sequence[Word], i: int, reading: Reading) -> bool:
    """S 劝 P 做…: P and what P is to do, told whole; the reading goes on with the causative."""
    phrase, j = read_phrase(words, i + 1)
    if phrase is not None and phrase.head.tag == "PER" and j < len(words) and words[j].tag in ("V", "D", "P", "VN"):
        add_clause(words, i, _COMPLEMENT_NAMES.get(words[i].text, words[i].text), reading)
    return False


def add_clause(words: Sequence[Word], i: int, predicate: str, reading: Reading) -> None:
    """Tell the rest of the clause as the verb's object, when it is whole, short, and names everything itself."""
    rest = words[i + 1 :]
    while rest and rest[0].text in ("了", "过", "：", "说", "到"):
        rest = rest[1:]
    if (
        len(rest) > 2
        and rest[0].text in ("自己", "他", "她")
        and len(reading.subjects) == 1
        and rest[1].text not in ("的", "与", "和", "、")
    ):
        rest = rest[1:]
    text = said(rest)
    first = rest[0] if rest else None
    if (
        first is None
        or not 4 <= len(text) <= 34
        or "不是" in text
        or text.startswith(_INCOMPLETE)
        or first.tag in ("R", "X", "U")
    ):
        return
    if (
        first.tag in ("C", "F", "T", "QUO")
        or first.text in ("还", "也", "却", "就", "又", "才")
        or any(word.text in _INCOMPLETE for word in rest)
    ):
        return
    if any(word.tag == "R" or word.text in PRONOUNS for word in rest) or text.endswith(
        ("时", "后", "的", "前", "说", "中", "来", "去", "给")
    ):
        return
    if any(word.text == "的" for word in rest) or any(word.tag in ("V", "W", "A") for word in rest):
        reading.add_text(predicate, text)
