"""Facts of an infobox: each pair is one of the figure, and so is each sentence that tells a pair."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chathistory.domain import Fact, Figure, Passage
from chathistory.openie.checks import LONGEST_OBJECT, make_fact
from chathistory.openie.lexicon import KIN_SHORT
from chathistory.text import normalise

SECTION = "基本资料"
"""The section under which an article's infobox is told in sentences."""

_PREDICATES = {
    "出生日期": "出生于",
    "出生时间": "出生于",
    "出生": "出生于",
    "出生地": "出生于",
    "出生地点": "出生于",
    "生日": "出生于",
    "诞生": "出生于",
    "生于": "出生于",
    "卒于": "逝世于",
    "出生于": "出生于",
    "逝世于": "逝世于",
    "born": "出生于",
    "逝世日期": "逝世于",
    "逝世": "逝世于",
    "去世": "逝世于",
    "去世时间": "逝世于",
    "逝世时间": "逝世于",
    "逝世地": "逝世于",
    "逝世地点": "逝世于",
    "去世地": "逝世于",
    "died": "逝世于",
    "安葬": "葬于",
    "墓葬": "葬于",
    "陵墓": "葬于",
    "陵寝": "葬于",
    "下葬": "葬于",
    "安葬地": "葬于",
    "葬地": "葬于",
    "表字": "字",
    "字号": "字号",
    "所处时代": "所处时代",
    "时代": "所处时代",
    "民族": "民族",
    "主要作品": "主要作品",
    "代表作品": "代表作品",
    "主要成就": "主要成就",
}
_NAMES_OF_SELF = frozenset(["本名", "姓名", "中文名", "名称", "全名", "外文名", "name"])
_BRACKETED = re.compile(r"[（(\[【][^）)\]】]*[）)\]】]")
_SPLIT = re.compile(r"[、；;，,\n/→]|(?<=[）)])")
_TELLINGS = (
    re.compile(
        r"^，(?P<key>字|号|别号|表字|自号|小字|小名|乳名|谥号|庙号|别名|又名|本名|原名|年号)(?:为|是)?(?P<value>.+)$"
    ),
    re.compile(r"^(?P<key>生于|卒于|出生于|逝世于)(?P<value>.+)$"),
    re.compile(r"^的(?P<key>[^，。：]{1,16}?)(?:是|：)(?P<value>.+)$"),
    re.compile(r"^ was (?P<key>born): (?P<value>.+)$"),
    re.compile(r"^ (?P<key>died): (?P<value>.+)$"),
    re.compile(r"^, (?P<key>[^:]{2,40}): (?P<value>.+)$"),
)
_PERSON_KEYS = re.compile(
    r"父|母|妻|夫|子|女|配偶|兄|弟|姐|妹|师|学生|门生|友|对手|君主|前任|继任|继承|后妃|皇后|控告|同学|部将|恩人|伴侣|亲属"
)
_PLACE_KEYS = re.compile(r"地$|地点|故里|籍贯|国籍|出生地|都城|封地")


def infobox_facts(figure: Figure) -> tuple[Fact, ...]:
    """Return the facts of a figure's infobox, each once, in the infobox's order."""
    facts = (
        fact
        for key, value in figure.infobox
        for triple in pair_triples(figure, normalise(key), normalise(value))
        if (fact := make_fact(*triple)) is not None
    )
    return tuple(dict.fromkeys(facts))


def pair_triples(figure: Figure, key: str, value: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a pair says; a long value is told by its items, brackets left out."""
    key = re.sub(r"[\s　：:]", "", key) if not key.isascii() else key.strip(" :").lower()
    value = value.strip(" 。.　")
    if not key or not value:
        return
    predicate = _PREDICATES.get(key, KIN_SHORT.get(key, key))
    bare = _BRACKETED.sub("", value).strip() or value
    if key in _NAMES_OF_SELF and bare == figure.name:
        return
    items = [item.strip(" “”。　") for item in _SPLIT.split(bare)]
    items = [
        re.sub(r"等(?:共?[\d一二三四五六七八九十]+[人位名个]|人|)$", "", item) or item
        for item in items
        if item and not _COUNT.fullmatch(item)
    ]
    if (
        1 < len(items) <= 12
        and all(len(item) <= LONGEST_OBJECT for item in items)
        and not re.search(r"\d, ?\d{4}", bare)
    ):
        for item in items:
            yield figure.name, predicate, item
        return
    yield figure.name, predicate, bare


def told_pairs(passage: Passage, figure: Figure) -> Iterator[tuple[str, str, str]]:
    """Yield the facts of a passage that tells an infobox in sentences (孔子，字仲尼。孔子的父亲是叔梁纥。)."""
    for sentence in re.split(r"(?<=。)|\n|(?<=\.) ?(?=" + re.escape(figure.name) + r"(?:,| was| died))", passage.text):
        sentence = sentence.strip(" .。")
        if not sentence.startswith(figure.name):
            continue
        rest = sentence[len(figure.name) :]
        for telling in _TELLINGS:
            if match := telling.match(rest):
                yield from pair_triples(figure, match["key"], match["value"])
                break


def infobox_names(figure: Figure) -> dict[str, str]:
    """Return the people and places that an infobox names, by class, so that prose keeps them whole."""
    found: dict[str, str] = {}
    own = frozenset(figure.names)
    for key, value in figure.infobox:
        tag = "PER" if _PERSON_KEYS.search(key) else "LOC" if _PLACE_KEYS.search(key) else ""
        if not tag:
            continue
        for item in _SPLIT.split(_BRACKETED.sub("、", normalise(value))):
            item = item.strip(" “”。　")
            if 2 <= len(item) <= 14 and item not in own and _ONE_NAME.fullmatch(item):
                found.setdefault(item, tag)
    return found


_COUNT = re.compile(r"[\u4e00-\u9fff]{0,3}\d+[余多]?[位人个名]")
_ONE_NAME = re.compile(r"[\u4e00-\u9fff]{2,6}|[\u4e00-\u9fff]{1,8}(?:·[\u4e00-\u9fff]{1,8})+")
