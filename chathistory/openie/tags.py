"""The class of a word: the dictionary's tag, corrected by the closed classes that the patterns need."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from chathistory.openie.lexicon import (
    COMPOUND_SURNAMES,
    KINDS,
    PRONOUNS,
    ROLE_TAILS,
    ROLE_WORDS,
    SURNAMES,
    TRANSLITERATION,
)
from chathistory.openie.verb_lists import VERBS
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_CLASSES = {
    "nr": "PER",
    "nrt": "PER",
    "nrfg": "PER",
    "ns": "LOC",
    "nt": "ORG",
    "v": "V",
    "vi": "V",
    "vq": "V",
    "vg": "V",
    "vd": "D",
    "vn": "VN",
    "a": "A",
    "ad": "D",
    "an": "N",
    "ag": "A",
    "b": "B",
    "c": "C",
    "d": "D",
    "df": "D",
    "dg": "D",
    "p": "P",
    "f": "F",
    "t": "T",
    "tg": "T",
    "m": "M",
    "mq": "M",
    "mg": "M",
    "q": "Q",
    "r": "R",
    "rr": "R",
    "rz": "R",
    "rg": "R",
    "x": "X",
    "y": "U",
    "e": "U",
    "o": "U",
    "k": "K",
    "z": "A",
    "i": "I",
    "l": "I",
}
_PARTICLES = frozenset(word_list("的 地 得 了 着 过 们 等 所 吧 吗 呢 啊 之 者 而 似的 等等"))
_FIXED = {
    "被": "P",
    "把": "P",
    "将": "P",
    "向": "P",
    "对": "P",
    "与": "P",
    "和": "P",
    "同": "P",
    "跟": "P",
    "及": "C",
    "以及": "C",
    "并": "C",
    "且": "C",
    "在": "P",
    "于": "P",
    "从": "P",
    "由": "P",
    "为": "W",
    "是": "W",
    "即": "D",
    "乃": "D",
    "遂": "D",
    "便": "D",
    "就": "D",
    "因": "P",
    "以": "P",
    "封": "V",
    "拜": "V",
    "任": "V",
    "表": "V",
    "迁": "V",
    "立": "V",
    "号": "V",
    "字": "V",
    "命": "V",
    "葬": "V",
    "卒": "V",
    "屯": "V",
    "率": "V",
    "领": "V",
    "大败": "V",
    "南征": "V",
    "东征": "V",
    "北伐": "V",
    "西征": "V",
    "北征": "V",
    "归顺": "V",
    "前来": "D",
    "前往": "V",
    "无法": "D",
    "通过": "P",
    "战败": "V",
    "举兵": "V",
    "驻军": "V",
    "领兵": "V",
    "起兵": "V",
    "据": "P",
    "作为": "P",
    "往": "P",
    "至": "V",
    "投": "V",
    "攻": "V",
    "当时": "T",
    "其后": "T",
    "同年": "T",
    "次年": "T",
    "不久": "T",
    "后来": "T",
    "后": "F",
    "时": "F",
    "前": "F",
    "袭": "V",
    "连结": "V",
    "猜疑": "V",
    "劝降": "V",
    "说降": "V",
    "使": "V",
    "让": "V",
    "令": "V",
    "叫": "V",
    "请": "V",
    "著": "V",
    "娶": "V",
    "嫁": "V",
    "生于": "V",
    "卒于": "V",
    "位": "Q",
    "官至": "V",
    "谥号": "N",
    "庙号": "N",
    "年号": "N",
    "去": "V",
    "要": "D",
    "会": "D",
    "能": "D",
    "可": "D",
    "欲": "D",
    "应": "D",
    "虽": "C",
    "往投": "V",
    "分": "V",
    "写": "V",
    "无": "D",
    "没有": "D",
    "没": "D",
    "有": "V",
    "自称": "V",
    "称为": "V",
    "也": "D",
    "都": "D",
    "还": "D",
    "又": "D",
    "再": "D",
    "最终": "D",
    "终于": "D",
    "师从": "V",
    "辅佐": "V",
    "发现": "V",
    "发明": "V",
    "统一": "V",
    "建立": "V",
    "领导": "V",
    "创作": "V",
    "出版": "V",
    "创立": "V",
    "提出": "V",
    "教": "V",
    "见": "V",
    "投奔": "V",
    "投降": "V",
    "迎接": "V",
    "占领": "V",
    "病逝于": "V",
    "逝世于": "V",
    "出生于": "V",
    "毕业于": "V",
    "秘密": "D",
    "暗中": "D",
    "全部": "D",
    "首次": "D",
    "亲自": "D",
    "一起": "D",
    "共同": "D",
    "先后": "D",
    "曾": "D",
    "曾经": "D",
    "已": "D",
    "已经": "D",
    "开始": "D",
    "继续": "D",
    "正式": "D",
    "随后": "T",
    "此后": "T",
    "之后": "T",
    "晚年": "T",
    "早年": "T",
}


@lru_cache(maxsize=1)
def _tagger() -> tuple[Any, Any]:
    import jieba
    import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba.posseg, jieba.dt


def cut(gap: str) -> list[Word]:
    if not gap:
        return []
    posseg, _ = _tagger()
    words = []
    for pair in posseg.cut(gap, HMM=False):
        text = str(pair.word)
        if not text.strip():
            continue
        words.append(Word(text, class_of(text, str(pair.flag))))
    return words


def class_of(text: str, flag: str) -> str:
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
    if tag == "PER" and not may_be_person(text):
        tag = "N"
    if text in VERBS and tag in ("N", "D", "A", "T", "PER", "F", "I", "P"):
        return "VN" if tag == "N" and len(text) == 2 else "V"
    return tag


def may_be_person(text: str) -> bool:
    if len(text) < 2:
        return False
    if text[-1] in "军兵们处部墓祠庙诗论国家城县之的等" or (text[0] in "小老大阿" and len(text) == 2):
        return False
    if text[0] in "王公侯" and text[1] in SURNAMES and len(text) == 3:
        return False
    if text[:2] in COMPOUND_SURNAMES and len(text) > 2:
        return True
    if text[0] in SURNAMES and 2 <= len(text) <= 3 and text[-1] not in "氏姓":
        return True
    return len(text) >= 3 and all(char in TRANSLITERATION for char in text)
