"""What a clause says of its subject: verbs, their voice, and their objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chathistory.openie.lexicon import (
    APPOINT,
    CAUSATIVE,
    COMPANION,
    DIE,
    KIN_SHORT,
    KINDS,
    MODAL,
    NAMED,
    NEGATIVE,
    PLACE_VERBS,
    POSTHUMOUS,
    RECIPROCAL,
    SPEECH,
    TAKES_OFFICE,
    TRANSITIVE,
    WEAK_APPOINT,
    WRITE,
)
from chathistory.openie.phrases import NAMES, Phrase, owner_and_kind, read_list, read_phrase
from chathistory.openie.words import Word

Triple = tuple[str, str, str]
_ASPECT = frozenset("了 过 着 到 成 出 下 起 了 入 回 给 上".split())
_OPTIONAL_GIVE = frozenset("投降 投奔 学习 请教 求救 求援 称臣 请降 求和 请求 求学 问学 求助 拜师 告别 道歉 挑战 宣战 学 问礼".split())
_COUNT = frozenset("余 多 数".split())
_SENT = frozenset("派 遣 派遣 任命 命 命令 劝 劝说 力劝 劝谏 建议 说服 请 邀请 召 邀 逼迫 迫使 下令 告诫 嘱咐 嘱托 委托 委派 指派 差遣 要求 留 留下 拜托 鼓励".split())
_SENT_NAMES = {"派": "派遣", "遣": "派遣", "命": "命令", "令": "命令", "请": "邀请", "召": "征召", "劝": "劝说", "力劝": "劝说", "邀": "邀请", "留": "留下"}
_JOIN_NAMES = {"随": "跟随", "率": "率领", "联络": "联络", "携": "携带", "陪": "陪同", "带": "带领", "引": "引领"}
_SHORT_NAMES = {"杀": "杀死", "斩": "斩杀", "诛": "诛杀", "攻": "进攻", "伐": "讨伐", "征": "征讨", "破": "击破", "围": "包围", "擒": "擒获", "灭": "消灭", "据": "占据", "袭": "袭击", "救": "救援",
                "娶": "迎娶", "纳": "纳", "降": "投降", "立": "立", "废": "废黜", "追": "追击", "赐": "赐予", "贬": "贬", "败": "击败", "捕": "逮捕", "平": "平定", "迎": "迎接", "赠": "赠予", "囚": "囚禁"}


@dataclass
class Reading:
    """What was read of one clause: the facts, and who may be the subject of the next clause that names none."""

    facts: list[Triple] = field(default_factory=list)
    carry: bool = True


def read_predicate(words: Sequence[Word], start: int, subjects: Sequence[str], person: bool) -> Reading:
    """Read a clause's words from ``start`` on as said of ``subjects`` (canonical names)."""
    reading = Reading()
    i = start
    place: Phrase | None = None
    date: Word | None = None
    while i < len(words):
        word = words[i]
        if word.text in NEGATIVE or (word.text in MODAL and word.tag != "N") or word.text in SPEECH:
            reading.carry = reading.carry and word.text not in ("使", "让")
            return reading
        if word.text == "被" or (word.text == "为" and _agent_passive(words, i)):
            _passive(words, i, subjects, reading)
            return reading
        if word.text in ("把", "将") and word.tag == "P":
            _disposal(words, i, subjects, reading)
            return reading
        if word.text == "是" or (word.text == "为" and word.tag == "W"):
            _copula(words, i, subjects, reading)
            return reading
        if word.text in ("与", "和", "同", "跟") and word.tag == "P":
            partners, after = read_list(words, i + 1)
            if partners:
                j = _skip_adverbs(words, after)
                if j < len(words) and words[j].text in RECIPROCAL:
                    _emit(reading, subjects, words[j].text, [p for p in partners if p.head.tag in ("PER", "ORG", "LOC") and p.is_name])
                i = after
                continue
        if word.tag == "P" and word.text in ("在", "于", "从", "自", "到"):
            phrases, after = read_list(words, i + 1)
            if phrases and word.text in ("在", "于"):
                if phrases[0].head.tag == "DATE":
                    date = phrases[0].head
                elif len(phrases) == 1:
                    place = phrases[0]
            if phrases:
                i = after + (1 if after < len(words) and words[after].tag == "F" else 0)
                continue
        if word.text == "向" and i + 1 < len(words):
            phrases, after = read_list(words, i + 1)
            if phrases and after < len(words) and words[after].text in _OPTIONAL_GIVE:
                _emit(reading, subjects, words[after].text, [p for p in phrases if p.is_name])
                reading.carry = True
                return reading
            if phrases:
                i = after
                continue
        if word.tag == "P" and word.text in ("以", "用", "对", "给", "由", "因", "为"):
            phrases, after = read_list(words, i + 1)
            i = after if phrases else i + 1
            continue
        if word.tag in ("V", "VN", "N", "P", "T", "D", "C") or word.text in TAKES_OFFICE:
            outcome = _verb(words, i, subjects, person, place, date, reading)
            if outcome is None:
                return reading
            if outcome > i:
                i = outcome
                continue
        if word.text in ("的", "所"):
            return reading
        i += 1
    return reading


def _verb(
    words: Sequence[Word], i: int, subjects: Sequence[str], person: bool, place: Phrase | None, date: Word | None, reading: Reading
) -> int | None:
    """Read the verb at ``i``; return where to go on, ``i`` when it is none that is known, None to stop."""
    word = words[i]
    text = word.text
    after = _after_aspect(words, i)
    if text in ("拜", "师从", "从学于", "受业于", "师事", "学于", "就学于", "师承"):
        mentors, j = read_list(words, after)
        people = [p for p in mentors if p.head.tag == "PER"]
        if people and (text != "拜" or (j + 1 < len(words) and words[j].text == "为" and words[j + 1].text in ("师", "老师", "师父", "师傅", "先生", "导师"))):
            _emit(reading, subjects, "师从", people)
            return None
    if text in APPOINT and (done := _appoint(words, i, after, subjects, reading)) is not None:
        return done
    if text in CAUSATIVE:
        return _causative(words, i, after, subjects, reading)
    if text in NAMED and (done := _named(words, i, after, subjects, reading)) is not None:
        return done
    if text in WRITE and (done := _wrote(words, i, after, subjects, reading)) is not None:
        return done
    if person and text in TAKES_OFFICE and (done := _office(words, i, after, subjects, reading)) is not None:
        return done
    if person and text in DIE and i + 1 >= len(words):
        if date is not None:
            _emit_text(reading, subjects, "逝世于", date.text)
        if place is not None and place.head.tag in ("LOC", "ORG"):
            _emit_text(reading, subjects, "逝世于", place.text)
        return None
    if person and text in DIE and words[i + 1].text == "于":
        phrases, _ = read_list(words, i + 2)
        if phrases and (phrases[0].head.tag in ("LOC", "DATE") or len(words) == i + 2 + len(phrases[0].words)):
            _emit_text(reading, subjects, "死于" if text in ("死", "战死", "遇害", "被杀", "阵亡") else "逝世于", phrases[0].text)
        return None
    if person and text in ("享年", "终年", "卒年", "年") and after < len(words) and words[after].tag in ("M", "N"):
        years = "".join(w.text for w in words[after:])
        if years.endswith("岁") and len(years) <= 6:
            _emit_text(reading, subjects, "享年", years)
        return None
    if text in PLACE_VERBS and (done := _moved(words, i, after, subjects, place, date, reading)) is not None:
        return done
    if text in RECIPROCAL and text not in TRANSITIVE:
        return i + 1
    if text in TRANSITIVE:
        return _transitive(words, i, after, subjects, reading)
    if word.tag == "V" and len(text) >= 2:
        return _generic(words, i, after, subjects, reading)
    return i


def _after_aspect(words: Sequence[Word], i: int) -> int:
    """The index after a verb and its 了, 过, 于."""
    j = i + 1
    while j < len(words) and words[j].text in ("了", "过", "着", "于", "在", "有"):
        j += 1
    return j


def _skip_adverbs(words: Sequence[Word], i: int) -> int:
    while i < len(words) and words[i].tag in ("D", "T"):
        i += 1
    return i


def _ends(words: Sequence[Word], i: int) -> bool:
    return i >= len(words) or words[i].text in ("后", "之后", "以后", "时", "等", "而", "并", "并且", "时期", "期间", "以", "来")


def _emit(reading: Reading, subjects: Sequence[str], predicate: str, objects: Sequence[Phrase]) -> None:
    for phrase in objects[:5]:
        _emit_text(reading, subjects, predicate, phrase.text)


def _emit_text(reading: Reading, subjects: Sequence[str], predicate: str, obj: str) -> None:
    for subject in subjects[:4]:
        if subject and subject != obj:
            reading.facts.append((subject, predicate, obj))


def _agent_passive(words: Sequence[Word], i: int) -> bool:
    """为刘备所杀: 为, a phrase, 所, a verb."""
    phrases, after = read_list(words, i + 1)
    return bool(phrases) and after + 1 < len(words) and words[after].text in ("所", "所杀", "所败", "所害", "所擒", "所围") or (
        bool(phrases) and after < len(words) and words[after].text.startswith("所") and len(words[after].text) == 2
    )


def _passive(words: Sequence[Word], i: int, subjects: Sequence[str], reading: Reading) -> None:
    """被(agent)(所) verb (为 office): the agent is the subject of the fact."""
    agents, j = read_list(words, i + 1)
    if any(p.head.tag not in ("PER", "ORG", "LOC") or not p.is_name for p in agents):
        agents = []
        named = False
    else:
        named = bool(agents)
    k = _skip_adverbs(words, j)
    while k < len(words) and words[k].text in ("所", "率军", "率", "军", "派", "下令", "以", "亲自") and k + 1 < len(words):
        if words[k].text in ("派", "以"):
            return
        k += 1
    if k >= len(words):
        return
    verb = words[k].text.removeprefix("所") if len(words[k].text) > 1 else words[k].text
    if verb in NEGATIVE or words[k].text in MODAL and verb not in APPOINT:
        return
    after = _after_aspect(words, k)
    if verb in APPOINT or verb in ("封为", "立为", "拜为", "选为", "称为", "尊为", "任命为", "追谥为", "追封为", "贬为", "评为", "誉为", "尊称为", "追认为"):
        j = after
        if j < len(words) and words[j].text in ("为", "任", "做", "当", "成"):
            j += 1
        titles, end = read_list(words, j)
        if titles and _ends(words, end):
            if verb.rstrip("为") in ("称", "尊", "誉", "评", "尊称"):
                _emit(reading, subjects, "被" + verb.rstrip("为") + "为", titles)
            elif verb.rstrip("为") in ("贬", "降"):
                _emit(reading, subjects, "被贬为", titles) if all(p.head.tag != "LOC" for p in titles) else _emit(reading, subjects, "被贬到", titles)
            elif verb.startswith(("追", "谥")):
                _emit(reading, subjects, "被" + verb.rstrip("为") + "为", titles)
            elif verb in WEAK_APPOINT:
                _emit(reading, subjects, "被" + verb + "为", titles)
            else:
                _emit(reading, subjects, "任" if titles[0].head.tag == "ROLE" and not titles[0].head.text.endswith(("侯", "王", "公")) else "受封", titles)
            if named:
                for agent in agents:
                    for subject in subjects:
                        reading.facts.append((agent.text, {"表": "表荐", "封": "册封", "立": "立", "拜": "任命"}.get(verb.rstrip("为"), verb.rstrip("为")), subject))
        return
    if named and (verb in TRANSITIVE or (words[k].tag == "V" and len(verb) >= 2 and verb not in CAUSATIVE and verb not in MODAL)):
        if after >= len(words) or words[after].tag in ("F", "V", "C", "X", "D", "P") or words[after].text in ("于", "在"):
            for agent in agents[:3]:
                for subject in subjects[:3]:
                    reading.facts.append((agent.text, _SHORT_NAMES.get(verb, verb), subject))


def _disposal(words: Sequence[Word], i: int, subjects: Sequence[str], reading: Reading) -> None:
    """把 phrase verb: the phrase is the verb's object."""
    phrase, j = read_phrase(words, i + 1)
    if phrase is None:
        return
    j = _skip_adverbs(words, j)
    if j < len(words) and words[j].text in TRANSITIVE and words[j].text not in PLACE_VERBS and _after_aspect(words, j) >= len(words):
        _emit(reading, subjects, _SHORT_NAMES.get(words[j].text, words[j].text), [phrase])
    reading.carry = phrase.head.tag != "PER"


def _copula(words: Sequence[Word], i: int, subjects: Sequence[str], reading: Reading) -> None:
    """是 and 为: kinds, offices and kin."""
    rest = list(words[i + 1 :])
    if not rest or rest[0].tag in ("V", "P", "D", "R", "C", "X") or rest[-1].text in ("的", "了"):
        return
    phrases, end = read_list(words, i + 1)
    if not phrases or end < len(words):
        tail = "".join(word.text for word in rest)
        if words[i].text == "是" and len(tail) <= 24 and rest[-1].tag in ("N", "ROLE", "PER", "LOC", "ORG") and not any(
            word.tag in ("R", "X", "W") or word.text in NEGATIVE for word in rest
        ) and "的" in [word.text for word in rest] and rest[0].tag != "M":
            _emit_text(reading, subjects, "是", tail)
        return
    for phrase in phrases:
        pair = owner_and_kind(phrase.words)
        if pair:
            for subject in subjects[:3]:
                reading.facts.append((pair[0].name(), KIN_SHORT.get(pair[1], pair[1]), subject))
            continue
        if words[i].text == "为":
            if phrase.head.tag == "ROLE" and phrase.head.text not in KINDS:
                _emit(reading, subjects, "任" if not phrase.head.text.endswith(("家", "人")) else "是", [phrase])
            continue
        if phrase.head.tag in ("N", "ROLE", "PER", "LOC", "ORG", "WORK", "EVENT") and len(phrase.text) >= 2:
            _emit_text(reading, subjects, "是", "".join(word.text for word in phrase.words))


def _appoint(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """S 任命 person 为 office."""
    people, j = read_list(words, after)
    if not people or any(p.head.tag != "PER" for p in people) or j >= len(words):
        return None
    if words[j].text not in ("为", "任", "做", "当", "领", "担任", "出任", "代理", "兼任", "继任"):
        return None
    titles, end = read_list(words, j + 1)
    if not titles or not _ends(words, end):
        return None
    verb = words[i].text.removesuffix("为")
    name = {"表": "表荐", "上表": "表荐", "拜": "任命", "任": "任命", "封": "册封", "命": "任命", "推": "推举", "选": "选任", "授": "任命", "加": "加封"}.get(verb, verb)
    _emit(reading, subjects, name, people)
    holders = [p.text for p in people]
    if verb in POSTHUMOUS or verb.startswith("追"):
        _emit(reading, holders, "被" + verb + "为", titles)
    elif verb in WEAK_APPOINT:
        _emit(reading, holders, "被" + verb + "为", titles)
    elif verb in ("尊", "尊奉", "奉", "称"):
        _emit(reading, holders, "被尊为", titles)
    else:
        noble = titles[0].text.endswith(("侯", "王", "公"))
        _emit(reading, holders, "受封" if noble else "任", titles)
    reading.carry = False
    if end < len(words):
        return None
    return end


def _causative(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """派, 劝, 率领 and the like: the object acts next, or comes along."""
    text = words[i].text
    phrases, j = read_list(words, after)
    people = [p for p in phrases if p.head.tag == "PER" or (p.head.tag == "ORG" and p.is_name)]
    if text in COMPANION:
        if people and len(people) == len(phrases):
            _emit(reading, subjects, _JOIN_NAMES.get(text, text), people)
        return j if phrases else after
    if people and len(people) == len(phrases) and text in _SENT and (j >= len(words) or words[j].text not in ("的", "之")):
        if text != "请" or (j < len(words) and words[j].tag == "V"):
            _emit(reading, subjects, _SENT_NAMES.get(text, text), people)
    reading.carry = False
    return None


def _named(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """字玄德, 号青莲居士, 谥号武王."""
    if len(subjects) != 1:
        return None
    if after < len(words) and words[after].text in ("为", "是", "作", "曰"):
        after += 1
    value = "".join(word.text for word in words[after:])
    if words[i].text in ("又称", "史称", "人称", "世称", "尊称", "后人称", "称", "俗称", "别称") and after < len(words) and words[after].text in ("其",):
        return None
    value = value.split("、")[0].strip("“”‘’")
    if not 1 <= len(value) <= 12 or any(word.tag in ("V", "R", "P") and len(word.text) > 1 for word in words[after:]):
        return None
    if words[i].text in ("名", "姓", "号", "字") and (len(value) > 6 or i > 3):
        return None
    _emit_text(reading, subjects, NAMED[words[i].text], value)
    return len(words)


def _wrote(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """著有《》、《》 and the like."""
    j = after
    while j < len(words) and words[j].tag in ("N", "M", "Q", "A", "B", "LOC", "VN", "D") or (j < len(words) and words[j].text in ("的", "“")):
        j += 1
    works = []
    while j < len(words) and (words[j].tag == "WORK" or words[j].text in ("、", "和", "与", "及", "以及")):
        if words[j].tag == "WORK":
            works.append(words[j].text)
        j += 1
    if not works:
        return None
    if j < len(words) and words[j].text in ("的", "中", "里", "一"):
        return None
    verb = words[i].text
    name = {"注": "注释", "注释": "注释", "注解": "注释", "修订": "修订", "删定": "修订", "整理": "整理", "翻译": "翻译", "颁布": "颁布", "制定": "制定", "出版": "出版", "发表": "发表",
            "主编": "主编", "编订": "编订", "修": "编修", "献上": "献上"}.get(verb, "著有")
    for work in works[:6]:
        _emit_text(reading, subjects, name, work)
    return j


def _office(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """任洛阳令, 官至太尉, 封武平侯."""
    if after < len(words) and words[after].text in ("为", "任"):
        after += 1
    titles, end = read_list(words, after)
    if not titles:
        return None
    good = [p for p in titles if p.head.tag == "ROLE" or (p.head.text[-1] in "侯王公牧令尉相丞郎卿守妃嫔" and len(p.text) >= 2 and p.head.tag in ("N", "LOC"))]
    if words[i].text in ("封", "封为", "受封", "进封", "改封", "袭") and end >= len(words):
        good = [p for p in titles if p.head.tag in ("ROLE", "N", "LOC")]
    if not good or len(good) != len(titles):
        return None
    if end < len(words) and (words[end].text in ("的", "之") or words[end].tag == "V" and words[i].text in ("为", "做", "当", "加", "领")):
        return None
    predicate = TAKES_OFFICE[words[i].text]
    if predicate == "为":
        predicate = "任"
    if predicate == "加":
        predicate = "加封"
    _emit(reading, subjects, predicate, good)
    return end


def _moved(
    words: Sequence[Word], i: int, after: int, subjects: Sequence[str], place: Phrase | None, date: Word | None, reading: Reading
) -> int | None:
    """出生于, 到, 驻军 and the like with a place (or a date)."""
    predicate = PLACE_VERBS[words[i].text]
    phrase, j = read_phrase(words, after)
    if predicate in ("出生于", "葬于", "毕业于", "任教于", "居住于", "隐居于") and phrase is None:
        if place is not None and place.head.tag in ("LOC", "ORG", "N"):
            _emit(reading, subjects, predicate, [place])
        if date is not None and predicate == "出生于":
            _emit_text(reading, subjects, predicate, date.text)
        return after if after < len(words) else None
    if phrase is None or phrase.head.tag not in ("LOC", "ORG", "DATE", "N"):
        return None
    if phrase.head.tag == "N" and not (j >= len(words) and predicate.endswith("于") and len(phrase.text) <= 12):
        return None
    if phrase.head.tag == "DATE" and predicate not in ("出生于", "逝世于", "葬于"):
        return None
    if j < len(words) and words[j].text in ("的", "之"):
        return None
    if date is not None and predicate == "出生于":
        _emit_text(reading, subjects, predicate, date.text)
    _emit(reading, subjects, predicate, [phrase])
    return j


def _transitive(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """A listed verb with its object."""
    phrases, j = read_list(words, after)
    if not phrases:
        return i + 1
    following = words[j] if j < len(words) else None
    if following is not None and (following.text in ("的", "之", "所") or following.tag in ("R", "W")):
        return None
    if following is not None and following.text == "为":
        return None
    named = [p for p in phrases if p.is_name]
    if following is not None and following.tag in ("V", "VN") and not (len(named) == len(phrases) and words[i].text in _CLOSED):
        if named and len(named) == len(phrases) and words[i].text in TRANSITIVE:
            _emit(reading, subjects, _SHORT_NAMES.get(words[i].text, words[i].text), named)
            reading.carry = False
        return None
    predicate = _SHORT_NAMES.get(words[i].text, words[i].text)
    good = named if following is not None and following.tag in ("D", "P", "C") else [p for p in phrases if _solid(p)]
    if len(words[i].text) == 1 and len(named) != len(phrases):
        good = named
    if good and len(good) == len(phrases):
        _emit(reading, subjects, predicate, good)
    if named and following is not None and following.tag not in ("F", "U"):
        return j if words[i].text in _CLOSED else None
    return j


_CLOSED = frozenset(
    "攻打 进攻 攻击 袭击 偷袭 击败 打败 大败 战胜 击破 攻破 击溃 击退 消灭 平定 攻克 攻下 攻陷 攻占 占领 占据 夺取 收复 杀死 杀害 诛杀 斩杀 处死 离开 途经 进入 到达 创立 创办 创建 建立 获得 赢得 取得 攻取 讨伐".split()
)


def _generic(words: Sequence[Word], i: int, after: int, subjects: Sequence[str], reading: Reading) -> int | None:
    """Any other verb of two characters: only where the clause ends right after a clean object."""
    phrases, j = read_list(words, after)
    if not phrases or j < len(words):
        return i + 1
    if all(p.is_name or (_solid(p) and len(p.words) <= 4) for p in phrases):
        _emit(reading, subjects, words[i].text, phrases)
    return None


def _solid(phrase: Phrase) -> bool:
    """A common phrase that may stand as an object: no bare number or time, not too long, its head a noun."""
    if phrase.head.tag in NAMES or phrase.head.tag in ("ROLE", "QUO"):
        return len(phrase.text) <= 20
    return phrase.head.tag in ("N", "VN") and 2 <= len(phrase.text) <= 16 and len(phrase.head.text) >= 2 and phrase.words[0].tag not in ("T",)


def appositions(words: Sequence[Word], subject: str) -> Iterator[Triple]:
    """Read a clause that is only a phrase, after a name that opened the sentence: 蜀汉开国皇帝、政治家; 刘备之子."""
    phrases, end = read_list(words, 0)
    if end < len(words):
        return
    for phrase in phrases:
        pair = owner_and_kind(phrase.words)
        if pair:
            yield pair[0].name(), KIN_SHORT.get(pair[1], pair[1]), subject
        elif phrase.words[-1].text == "人" and len(phrase.words) > 1 and all(word.tag == "LOC" for word in phrase.words[:-1]):
            yield subject, "籍贯", "".join(word.text for word in phrase.words[:-1])
        elif phrase.head.tag == "ROLE":
            yield subject, "是", phrase.text
