"""The words of a sentence with the classes that the clause patterns need; names are kept whole."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chathistory.openie import gazetteer
from chathistory.openie.lexicon import (
    COMMON_WORD_SURNAMES,
    COMPOUND_SURNAMES,
    ERAS,
    KINDS,
    MODAL,
    NOT_GIVEN,
    PLACE_ROLE,
    PRONOUNS,
    ROLE_TAILS,
    ROLE_WORDS,
    SURNAMES,
    TRANSLITERATION,
    VERBS,
)

_NUM = "[元一二三四五六七八九十廿卅百〇]"
_ERA = "|".join(sorted(set(ERAS), key=lambda era: (-len(era), era)))
_RULER = r"(?:[周鲁秦汉晋唐宋齐楚魏赵燕韩明清隋]?[\u4e00-\u9fff][公王帝宗祖]|秦王政|鲁哀公|秦始皇)"
_DAY = rf"(?:闰?(?:\d{{1,2}}|[正腊冬一二三四五六七八九十]{{1,3}})月(?:初?(?:\d{{1,2}}|[一二三四五六七八九十廿]{{1,3}})[日号])?)"
_DATE = re.compile(
    rf"(?:公元前|公元|前|西元前|西元)?\d{{1,4}}年(?:代(?:[初中末]期?|后期|前期)?|{_DAY}|[春夏秋冬末初底])?"
    rf"|(?:{_ERA}){_NUM}{{1,4}}年{_DAY}?|{_RULER}{_NUM}{{1,4}}年{_DAY}?"
    rf"|(?:公元前|公元|前)?\d{{1,2}}世纪(?:\d0年代|[初中末]期?|前期|后期)?"
)
_WORK = re.compile(r"《[^《》]{1,40}》(?:·[\u4e00-\u9fff]{1,8})?")
_QUOTE = re.compile(r"“[^“”]*”|「[^「」]*」|‘[^‘’]*’|『[^『』]*』|\"[^\"]*\"")
_PAREN = re.compile(r"（[^（）]*）|\([^()]*\)|【[^】]*】|\[[^\]]*\]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9.'’&-]| (?=[A-Za-z\u00c0-\u024f]))*")
_NUMBER = re.compile(r"\d[\d,.]*(?:万|亿|千|百)?")
_POSTHUMOUS = "文武成康昭穆共懿孝夷厉宣幽平桓庄釐惠襄顷匡定简灵景悼敬元贞哀思威烈安显慎靓赧献怀闵明章和殇顺冲质少高太中睿肃代德宪敬僖神仁英哲徽钦光宁理度恭圣世"
_RULER_NAME = re.compile(
    rf"(?!汉中|魏中|吴中|楚中)(?:[西东前后北南]?[汉魏晋宋齐梁陈隋唐周秦楚鲁卫赵燕韩吴越蜀明清元蔡郑曹])(?:[{_POSTHUMOUS}]{{1,2}})"
    rf"(?:[帝宗祖](?![王室])|[公王](?![室府朝子国侯]))"
)
_CLASSES = {"nr": "PER", "nrt": "PER", "nrfg": "PER", "ns": "LOC", "nt": "ORG", "v": "V", "vi": "V", "vq": "V", "vg": "V", "vd": "D", "vn": "VN",
            "a": "A", "ad": "D", "an": "N", "ag": "A", "b": "B", "c": "C", "d": "D", "df": "D", "dg": "D", "p": "P", "f": "F", "t": "T", "tg": "T",
            "m": "M", "mq": "M", "mg": "M", "q": "Q", "r": "R", "rr": "R", "rz": "R", "rg": "R", "x": "X", "y": "U", "e": "U", "o": "U", "k": "K",
            "z": "A", "i": "I", "l": "I"}
_PARTICLES = frozenset("的 地 得 了 着 过 们 等 所 吧 吗 呢 啊 之 者 而 似的 等等".split())
_FIXED = {
    "被": "P", "把": "P", "将": "P", "向": "P", "对": "P", "与": "P", "和": "P", "同": "P", "跟": "P", "及": "C", "以及": "C", "并": "C", "且": "C", "在": "P", "于": "P", "从": "P", "由": "P",
    "为": "W", "是": "W", "即": "D", "乃": "D", "遂": "D", "便": "D", "就": "D", "因": "P", "以": "P", "封": "V", "拜": "V", "任": "V", "表": "V", "迁": "V", "立": "V", "号": "V", "字": "V", "命": "V",
    "葬": "V", "卒": "V", "屯": "V", "率": "V", "领": "V", "大败": "V", "南征": "V", "东征": "V", "北伐": "V", "西征": "V", "北征": "V", "归顺": "V", "前来": "D", "前往": "V", "无法": "D", "通过": "P",
    "战败": "V", "举兵": "V", "驻军": "V", "领兵": "V", "起兵": "V", "据": "P", "作为": "P", "往": "P", "至": "V", "投": "V", "攻": "V", "当时": "T", "其后": "T", "同年": "T", "次年": "T", "不久": "T", "后来": "T",
    "后": "F", "时": "F", "前": "F", "袭": "V", "连结": "V", "猜疑": "V", "劝降": "V", "说降": "V", "使": "V", "让": "V", "令": "V", "叫": "V", "请": "V", "著": "V", "娶": "V", "嫁": "V", "生于": "V", "卒于": "V",
    "位": "Q", "官至": "V", "谥号": "N", "庙号": "N", "年号": "N", "去": "V", "要": "D", "会": "D", "能": "D", "可": "D", "欲": "D", "应": "D", "虽": "C", "往投": "V", "分": "V", "写": "V",
    "无": "D", "没有": "D", "没": "D", "有": "V", "自称": "V", "称为": "V", "也": "D", "都": "D", "还": "D", "又": "D", "再": "D", "最终": "D", "终于": "D", "师从": "V", "辅佐": "V", "发现": "V", "发明": "V", "统一": "V",
    "建立": "V", "领导": "V", "创作": "V", "出版": "V", "创立": "V", "提出": "V", "教": "V", "见": "V", "投奔": "V", "投降": "V", "迎接": "V", "占领": "V", "病逝于": "V", "逝世于": "V", "出生于": "V", "毕业于": "V",
    "秘密": "D", "暗中": "D", "全部": "D", "首次": "D", "亲自": "D", "一起": "D", "共同": "D", "先后": "D", "曾": "D", "曾经": "D", "已": "D", "已经": "D", "开始": "D", "继续": "D", "正式": "D", "随后": "T", "此后": "T", "之后": "T", "晚年": "T", "早年": "T",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word; ``tag`` is its class, ``value`` what a fact says for it, ``note`` the bracket that follows it."""

    text: str
    tag: str
    value: str = ""
    note: str = ""

    def name(self) -> str:
        """What stands for this word in a fact."""
        return self.value or self.text


@lru_cache(maxsize=1)
def _tagger() -> tuple[Any, Any]:
    import jieba
    import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba.posseg, jieba.dt


@lru_cache(maxsize=1)
def _gazetteer() -> dict[str, tuple[tuple[str, str], ...]]:
    """Names by their first character, longest first."""
    found: dict[str, set[tuple[str, str]]] = {}
    for names, tag in ((gazetteer.PERSONS, "PER"), (gazetteer.PLACES, "LOC")):
        for name in names:
            if len(name) > 1:
                found.setdefault(name[0], set()).add((name, tag))
    return {first: tuple(sorted(items, key=lambda item: (-len(item[0]), item))) for first, items in found.items()}


class Analyst:
    """Cuts sentences about one figure into words.

    ``aliases`` maps each of the figure's names to the canonical one; ``known`` maps further names to their class.
    """

    def __init__(self, aliases: dict[str, str], known: dict[str, str] | None = None) -> None:
        self._aliases = aliases
        self._known = known or {}
        every = {name for name in [*aliases, *self._known] if len(name) > 1}
        self._names = sorted(every, key=lambda name: (-len(name), name))
        self._firsts = frozenset(name[0] for name in self._names)

    def words(self, sentence: str) -> list[Word]:
        """Return the words of a sentence; brackets are attached to the word before them as ``note``."""
        raw: list[Word] = []
        pending = start = 0
        while start < len(sentence):
            span = self._protected(sentence, start)
            if span is None:
                start += 1
                continue
            raw.extend(_cut(sentence[pending:start]))
            word, width = span
            if word.tag == "PAREN":
                if raw:
                    raw[-1] = Word(raw[-1].text, raw[-1].tag, raw[-1].value, raw[-1].note or word.text[1:-1])
            else:
                raw.append(word)
            start += width
            pending = start
        raw.extend(_cut(sentence[pending:]))
        return _retag(_merge_roles(_merge_places(_merge_people(raw))))

    def _protected(self, text: str, at: int) -> tuple[Word, int] | None:
        char = text[at]
        for opener, pattern, tag in (("《", _WORK, "WORK"), ("“「‘『\"", _QUOTE, "QUO"), ("（(【[", _PAREN, "PAREN")):
            if char in opener and (match := pattern.match(text, at)):
                return Word(match.group(), tag), len(match.group())
        if char in self._firsts:
            for name in self._names:
                if text.startswith(name, at):
                    longer = _known(text, at)
                    if longer and len(longer[0]) > len(name):
                        return Word(longer[0], longer[1]), len(longer[0])
                    if name in self._aliases:
                        return Word(name, "PER", self._aliases[name]), len(name)
                    return Word(name, self._known[name]), len(name)
        if (match := _DATE.match(text, at)) and (char.isdigit() is False or at == 0 or not text[at - 1].isdigit()):
            return Word(match.group(), "DATE"), len(match.group())
        if match := _RULER_NAME.match(text, at):
            return Word(match.group(), "PER"), len(match.group())
        if (known := _known(text, at)) and not (char == "子" and at and text[at - 1] in "儿孙女弟太皇王公君世养义妻父母天才妃电原长次幼"):
            return Word(known[0], known[1]), len(known[0])
        if char.isascii() or "\u00c0" <= char <= "\u024f":
            if match := _LATIN.match(text, at):
                return Word(match.group().strip(), "N"), len(match.group())
            if match := _NUMBER.match(text, at):
                return Word(match.group(), "M"), len(match.group())
        return None


def _retag(words: list[Word]) -> list[Word]:
    """Correct a class by its neighbour: a noun before 过 or 了 is a verb, an adverb before 的 an adjective."""
    for i in range(len(words) - 1):
        word, after = words[i], words[i + 1].text
        if word.tag in ("N", "I", "VN") and after in ("过", "了") and 1 <= len(word.text) <= 3:
            words[i] = Word(word.text, "V", word.value, word.note)
        elif word.text == "将" and i and words[i + 1].tag == "PER" and words[i - 1].tag in ("N", "LOC") and len(words[i - 1].text) == 1:
            words[i] = Word("将", "ROLE")
        elif word.tag == "D" and after == "的":
            words[i] = Word(word.text, "A", word.value, word.note)
    return words


def _known(text: str, at: int) -> tuple[str, str] | None:
    for name, tag in _gazetteer().get(text[at], ()):
        if text.startswith(name, at):
            return name, tag
    return None


def _cut(gap: str) -> list[Word]:
    if not gap:
        return []
    posseg, _ = _tagger()
    words = []
    for pair in posseg.cut(gap, HMM=False):
        text = str(pair.word)
        if not text.strip():
            continue
        words.append(Word(text, _class(text, str(pair.flag))))
    return words


def _class(text: str, flag: str) -> str:
    if text in _PARTICLES:
        return "U"
    if text in _FIXED:
        return _FIXED[text]
    if text in PRONOUNS:
        return "R"
    if text in ROLE_WORDS or (len(text) > 2 and text.endswith(ROLE_TAILS)):
        return "ROLE"
    if text in KINDS:
        return "N"
    if not any(char.isalnum() for char in text):
        return "X"
    tag = "N" if flag == "x" else _CLASSES.get(flag, "U" if flag.startswith("u") else "N")
    if tag == "PER" and not _may_be_person(text):
        tag = "N"
    if text in VERBS and tag in ("N", "D", "A", "T", "PER", "F", "I", "P"):
        return "VN" if tag == "N" and len(text) == 2 else "V"
    return tag


def _may_be_person(text: str) -> bool:
    if len(text) < 2:
        return False
    if text[-1] in "军兵们处部墓祠庙诗论国家城县之的等" or text[0] in "小老大阿" and len(text) == 2:
        return False
    if text[0] in "王公侯" and text[1] in SURNAMES and len(text) == 3:
        return False
    if text[:2] in COMPOUND_SURNAMES and len(text) > 2:
        return True
    if text[0] in SURNAMES and 2 <= len(text) <= 3 and text[-1] not in "氏姓":
        return True
    return len(text) >= 3 and all(char in TRANSLITERATION for char in text)


def _merge_people(words: list[Word]) -> list[Word]:
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
            merged.append(Word("".join(word.text for word in words[i : i + width]), "PER", note=words[i + width - 1].note))
            i += width
            continue
        if words[i].text == "号" and merged and merged[-1].text in ("年", "庙", "谥", "国", "封", "别", "自", "道", "法") and not merged[-1].note:
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
        elif all(char in TRANSLITERATION for char in text) and words[j].tag not in ("P", "C", "U", "R", "X", "W"):
            run += len(text)
        elif dots and words[j - 1].text in "·•・" and words[j].tag in ("PER", "N", "LOC"):
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
    if word.text in PLACE_ROLE and before is not None and (before.tag == "LOC" or before.text in tuple(_POSTHUMOUS)):
        return 0
    given = words[i + 1]
    if given.text in ("夫人", "氏", "姬", "皇后", "太后", "贵妃", "贵人", "昭仪", "美人", "妃", "小姐", "女士", "太太", "先生") and not given.note:
        return 2 if word.text not in COMMON_WORD_SURNAMES or given.text in ("夫人", "氏", "姬") else 0
    if given.tag in ("X", "WORK", "DATE", "QUO", "M", "LOC") and len(given.text) != 1 or given.tag == "X":
        return 0
    if len(given.text) > 2 or given.text[0] in NOT_GIVEN or given.text[-1] in NOT_GIVEN:
        return 0
    settled = before is not None and (
        before.tag == "ROLE" or before.text in KINDS or before.text == "、" or (before.tag == "PER" and before.note == "")
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
    if len(third.text) != 1 or third.text in NOT_GIVEN or third.text in MODAL or third.text in VERBS or third.text in "军城县郡州国山河江":
        return 2
    if third.tag in ("N", "A", "LOC", "PER", "I", "Q"):
        return 3
    fourth = words[i + 3] if i + 3 < len(words) else None
    if third.tag in ("V", "VN", "C", "D") and fourth is not None and third.text not in "及与和并即乃遂" and (fourth.tag in ("V", "D", "W", "P") or fourth.text in ("的", "、", "说", "之")):
        return 3
    return 2


_PLACE_TAILS = frozenset("县 郡 州 城 国 省 市 镇 村 乡 山 河 江 湖 海 关 口 岛 宫 殿 陵 寺 坡 津 渡 谷 原 桥 门 里 邑 亭 营 街 路 区 半岛 大学 学院 书院 中学 小学 教堂 修道院 图书馆 博物馆".split())


def _merge_places(words: list[Word]) -> list[Word]:
    """Join a place's name with its kind (邺 城, 濡须 口), and an event's with its (官渡 之战)."""
    merged: list[Word] = []
    for word in words:
        last = merged[-1] if merged else None
        if last is not None and not last.note:
            if word.text in _PLACE_TAILS and (last.tag == "LOC" or (len(last.text) == 1 and last.tag == "N" and _unusual(last.text))):
                merged[-1] = Word(last.text + word.text, "ORG" if len(word.text) > 1 else "LOC", note=word.note)
                continue
            if word.text in ("之战", "之乱", "之变", "之盟", "之会", "战役", "起义", "事变", "会战", "变法", "运动") and last.tag in ("LOC", "PER", "N"):
                merged[-1] = Word(last.text + word.text, "EVENT", note=word.note)
                continue
            if (
                word.text in ("战", "乱", "变", "盟", "会", "围", "役")
                and last.text == "之"
                and len(merged) > 1
                and merged[-2].tag in ("LOC", "PER", "N", "ORG")
            ):
                merged[-2:] = [Word(merged[-2].text + "之" + word.text, "EVENT", note=word.note)]
                continue
        merged.append(word)
    return merged


def _join_split_roles(words: list[Word]) -> list[Word]:
    """Two neighbours that together are an office are one word: 才 人, 别 驾."""
    merged: list[Word] = []
    for word in words:
        last = merged[-1] if merged else None
        if last is not None and not last.note and len(last.text) == 1 and len(word.text) <= 2 and last.text + word.text in ROLE_WORDS and last.tag not in ("V", "LOC"):
            merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
        else:
            merged.append(word)
    return merged


def _unusual(char: str) -> bool:
    return char not in "大小新旧古老高一此该本各全我他敌其"


def _merge_roles(words: list[Word]) -> list[Word]:
    """Join an office with its place and qualifiers: 豫州 牧, 左 将军, 建宁 督邮."""
    merged: list[Word] = []
    words = _join_split_roles(words)
    for i, word in enumerate(words):
        last = merged[-1] if merged else None
        if last is not None and not last.note and last.tag in ("LOC", "B", "F", "ROLE") and word.tag != "PER":
            after = words[i + 1] if i + 1 < len(words) else None
            office = word.tag == "ROLE" or (
                word.text in PLACE_ROLE and last.tag in ("LOC", "ROLE") and (after is None or after.tag in ("PER", "X", "C", "U", "F"))
            )
            if office and (last.tag != "ROLE" or word.text not in ("弟子", "学生")):
                merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
                continue
        if last is not None and word.tag == "ROLE" and last.text in ("左", "右", "前", "后", "大", "小", "副", "总", "车骑", "骠骑", "镇东", "镇西", "镇南", "镇北", "征西", "征南", "征东", "征北", "中"):
            merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
            continue
        merged.append(word)
    return merged
