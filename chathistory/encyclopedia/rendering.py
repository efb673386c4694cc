"""An infobox as readable sentences in the third person, so that its facts can be recalled and cited like any other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Article
from chathistory.encyclopedia.wordlist import words
from chathistory.text import normalise

_NAMING = words("字 号 别号 表字 自号 小字 小名 乳名")
_BORN = words("出生 出生日期 出生时间 生日 出生年月 生年")
_DIED = words("逝世 逝世日期 去世 去世日期 去世时间 逝世时间 死亡 死亡日期 卒年 驾崩")
_SKIPPED = words("""
    中文名 姓名 中文名称 本名 name 网站 官方网站 网址 website 图片 签名 汉语 标音 更多 词条
""")
_READINGS = re.compile(
    r"拼音|注音|音标|罗马字|罗马拼音|白话字|台罗|粤拼|耶鲁|威妥玛|国语罗马|反切|发音|IPA|闽南|客家|吴语|上古|中古|国语|萨维奇|通用拼音"
)
_DATE = re.compile(r"\d|[?？]|不详|[〇一二三四五六七八九十]+年")


def infobox_sentences(article: Article) -> Iterator[str]:
    """Yield one sentence a pair: ``孔子，字仲尼。``, ``孔子的父亲是叔梁纥。``; readings and links are left out."""
    western = not any("\u3400" <= char <= "\u9fff" for char in article.title)
    name = article.title
    for key, value in article.infobox:
        label, text = normalise(key).rstrip("：:"), _listed(value)
        if (
            not label
            or not text
            or label in _SKIPPED
            or label.lower() in _SKIPPED
            or text == name
            or _READINGS.search(label)
        ):
            continue
        yield _western(name, label, text) if western and label.isascii() else _chinese(name, label, text)


def _listed(value: str) -> str:
    """The value on one line, its own lines as a list."""
    lines = [line.strip(" ，,；;") for line in value.split("\n") if line.strip(" ，,；;")]
    western = all(line.isascii() for line in lines)
    text = ("; " if western else "、").join(lines)
    return text.rstrip("。.；;，, ")


def _chinese(name: str, label: str, text: str) -> str:
    if label in _NAMING:
        return f"{name}，{label}{text}。"
    if label in _BORN and _DATE.search(text):
        return f"{name}生于{text}。"
    if label in _DIED and _DATE.search(text):
        return f"{name}卒于{text}。"
    if label == "出生地" or label == "出生地点":
        return f"{name}出生于{text}。"
    if label in {"逝世地", "逝世地点", "去世地", "死亡地点"}:
        return f"{name}逝世于{text}。"
    if len(text) > 40 or "。" in text or label.startswith(("主要", "代表", "人物")):
        return f"{name}的{label}：{text}。"
    return f"{name}{'' if label.startswith('所') else '的'}{label}是{text}。"


def _western(name: str, label: str, text: str) -> str:
    if label.lower() == "born":
        return f"{name} was born: {text}. "
    if label.lower() == "died":
        return f"{name} died: {text}. "
    return f"{name}, {label[0].lower() + label[1:]}: {text}. "
