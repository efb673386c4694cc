"""How a figure speaks of himself: told from the infobox, the years and the name, never from a list of people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from chathistory.domain import Figure
from chathistory.text import sentences

Era = Literal["classical", "imperial", "modern", "foreign"]
"""classical: Chinese before the Sui (581); imperial: until 1840; modern: after it; foreign: everybody else."""

Rank = Literal["sovereign", "lord", "common"]

_SUI, _OPIUM_WAR, _FIRST_EMPEROR = 581, 1840, -221

_CHINESE_KEYS = frozenset(("字", "表字", "号", "谥号", "庙号", "朝代", "年号", "籍贯", "陵墓", "封爵", "封号", "尊号"))
_DYNASTY = re.compile(
    r"[夏商周秦汉晋隋唐宋元明清]朝|[唐宋元明清]代|[西东]周|春秋|战国|[西东前后]汉|三国|蜀汉|曹魏|东吴|孙吴|[西东]晋|南北朝|南朝|北朝"
    r"|北魏|五代|[北南]宋|民国|中国|中华|[鲁齐晋楚秦赵魏韩燕吴越宋卫陈蔡郑]国|武周"
)
_PEOPLES = re.compile(r"汉族|华夏|满族|蒙古族|回族|鲜卑|契丹|女真|藏族|汉人")
_FOREIGN_NAME = re.compile(r"[·•・]|^[A-Za-z][A-Za-z .'-]+$")
_STATE_KEYS = frozenset(("国籍", "国家", "所属国家", "公民权", "国别"))
_TIME_KEYS = frozenset(("时代", "所处时代", "朝代", "年代", "国家", "国籍", "政权"))
_POST_KEYS = re.compile(r"职业|身份|职位|职务|头衔|官职|称号|主要身份|地位|爵位|封爵")
_REIGN_KEYS = frozenset(("年号", "在位", "在位时间", "在位期间", "在位年份", "统治", "统治时间"))
_EMPEROR = re.compile(r"(?<![武文追])(?:皇帝|女皇|女帝|天子)")
_GIVEN_AFTERWARDS = re.compile(r"追[谥尊封赠]|[谥尊]号|妻|后妃|之[父母子女]")
_EMPEROR_NAME = re.compile(r"^..?.?(?:帝|始皇|[太高世中仁英神哲真孝宁理度宪武穆熹光圣德睿宣肃代顺敬僖昭懿玄成][祖宗])$")
_WOMAN = re.compile(r"女皇|女帝|皇后|王后|太后|公主|夫人|女王|女性|女诗人|女词人|女作家|女科学家|女政治家|妃|昭仪|才人")
_MAN = re.compile(r"爵士|太子|驸马|亲王|\bSir\b")
_HE_OR_SHE = re.compile(r"[他她](?!们)|\b(?:she|he|her|his|him)\b", re.I)
_SOME_WOMAN = re.compile(r"[妻母女姐妹妃后娘妇姑姨嫂氏]|夫人|小姐|太太|公主|情人")
_LATIN = re.compile(r"^[\x20-\x7e\u00c0-\u024f]+$")

_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田"
    "任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文嬴老庄墨荀屈司诸欧"
)


@dataclass(frozen=True, slots=True)
class Register:
    """The words a figure uses for himself.

    ``subject`` stands before a verb, ``object`` after one, ``own`` before a noun (我的, 朕的). ``humble`` tells whether
    kin are spoken of in the polite old way (家父), ``plain`` that no classical particle is used.
    """

    era: Era
    rank: Rank
    subject: str
    object: str
    own: str
    humble: bool
    plain: bool


def era(figure: Figure) -> Era:
    """Return the age and culture a figure speaks from; without any year a Chinese figure counts as imperial."""
    if not is_chinese(figure):
        return "foreign"
    years = [year.year for year in (figure.birth, figure.death) if year is not None and year.year is not None]
    if not years:
        return "imperial"
    if years[-1] >= _OPIUM_WAR + 70 or (len(years) == 1 and years[0] >= _OPIUM_WAR):
        return "modern"
    return "classical" if years[0] < _SUI else "imperial"


def rank(figure: Figure) -> Rank:
    """Return sovereign for a Chinese emperor (who says 朕), lord for a ruler before the first emperor (寡人)."""
    if not is_chinese(figure):
        return "common"
    if not _reigned(figure):
        return "common"
    death = figure.death.year if figure.death else None
    return "lord" if death is not None and death < _FIRST_EMPEROR else "sovereign"


def _reigned(figure: Figure) -> bool:
    if _EMPEROR_NAME.match(figure.name):
        return True
    for key, value in figure.infobox:
        if key in _REIGN_KEYS and _is_own_reign(key, value):
            return True
        if _POST_KEYS.search(key) and any(
            _EMPEROR.search(part) and not _GIVEN_AFTERWARDS.search(part) for part in re.split(r"[、，,；;/→]", value)
        ):
            return True
    return False


def _is_own_reign(key: str, value: str) -> bool:
    """An era name or years 在位 prove a reign; 统治 may be a duke's, so it counts only where the value says 帝."""
    return key == "年号" or key.startswith("在位") or "帝" in value


def is_chinese(figure: Figure) -> bool:
    """Whether the figure is Chinese: votes of infobox keys, state, dynasty and the form of the names."""
    votes = 0
    for key, value in figure.infobox:
        if key in _CHINESE_KEYS:
            votes += 2
        if key in _TIME_KEYS and _DYNASTY.search(value):
            votes += 2
        elif key in _STATE_KEYS and not _DYNASTY.search(value):
            votes -= 3
        if key.startswith("民族") and _PEOPLES.search(value):
            votes += 2
        if key.startswith("出生") and _DYNASTY.search(value):
            votes += 1
        if key in ("全名", "本名", "外文名", "原名") and "·" in value:
            votes -= 3
    if any(_FOREIGN_NAME.search(name) for name in (figure.name,)):
        votes -= 4
    votes -= 2 * any("·" in alias for alias in figure.aliases)
    votes += 1 if 2 <= len(figure.name) <= 4 and figure.name[:1] in _SURNAMES else -1
    return votes > 0


def is_woman(figure: Figure, texts: Iterable[str] = ()) -> bool:
    """Whether the figure is a woman: 性别, a woman's station in the infobox, else which pronoun the texts use."""
    for key, value in figure.infobox:
        if key == "性别":
            return "女" in value
        if key in ("丈夫", "夫君", "夫婿", "Husband"):
            return True
        if key in ("妻子", "夫人", "妻", "后妃", "皇后", "Wife"):
            return False
    posts = [value for key, value in figure.infobox if _POST_KEYS.search(key)]
    if any(_WOMAN.search(value) for value in (*posts, *figure.aliases)):
        return True
    if any(_MAN.search(name) for name in figure.names):
        return False
    return sum(_votes(part, figure) for text in texts for part in sentences(text)) > 0


def _votes(sentence: str, figure: Figure) -> int:
    """+1 where the first pronoun after the figure's name is she, -1 where it is he, 0 where a woman came between."""
    starts = [sentence.find(name) + len(name) for name in figure.names if name in sentence]
    if not starts:
        return 0
    pronoun = _HE_OR_SHE.search(sentence, min(starts))
    if pronoun is None or _SOME_WOMAN.search(sentence[min(starts) : pronoun.start()]):
        return 0
    return 1 if pronoun.group().strip().lower() in ("她", "she", "her") else -1


def is_latin(text: str) -> bool:
    """Whether a text is written in a Latin script."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and sum(1 for char in letters if _LATIN.match(char)) > 0.7 * len(letters)


def register(figure: Figure) -> Register:
    """Return the figure's words for himself, from ``era`` and ``rank``."""
    age, station = era(figure), rank(figure)
    if station == "sovereign":
        return Register(age, station, "朕", "朕", "朕的", humble=False, plain=False)
    if station == "lord":
        return Register(age, station, "寡人", "寡人", "寡人的", humble=False, plain=False)
    if age == "classical":
        return Register(age, station, "吾", "我", "我的", humble=True, plain=False)
    if age == "imperial":
        return Register(age, station, "我", "我", "我的", humble=True, plain=False)
    return Register(age, station, "我", "我", "我的", humble=False, plain=True)
