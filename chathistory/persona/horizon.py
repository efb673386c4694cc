"""A small horizon of the persona's own, until the guard room has its own."""

from __future__ import annotations

import re

from chathistory.domain import Figure, Year

_YEAR = re.compile(r"(?<![\d前])(前?)(\d{1,4})年(?!前|后|间)")
_CENTURY = re.compile(r"(\d{1,2})世纪")
_AFTER = re.compile(
    r"[死卒]后|去世[之以]?后|逝世[之以]?后|病[逝故]后|身后|追[谥赠封尊]|后世|至今|今天|如今|现代|当代|近代|迄今|联合国|世界遗产|旅游|景区|电视剧|电影"
)
_MODERN = re.compile(
    r"手机|电脑|计算机|互联网|网络|微信|人工智能|AI|飞机|火车|高铁|汽车|电视|电影|电话|电灯|卫星|核武|原子弹|微博|抖音|股票|疫苗|二战|一战|新冠|外卖|地铁|视频|软件",
    re.I,
)


def beyond(text: str, death: Year | None) -> bool:
    """Whether a sentence tells of what came after the death."""
    if death is None or death.year is None:
        return False
    for sign, digits in _YEAR.findall(text):
        if (-int(digits) if sign else int(digits)) > death.year:
            return True
    if any((int(century) - 1) * 100 > death.year for century in _CENTURY.findall(text) if "前" not in text):
        return True
    return bool(_AFTER.search(text))


def anachronism(question: str, figure: Figure) -> bool:
    """Whether a question is about what the figure cannot have known."""
    death = figure.death
    if death is None or death.year is None:
        return False
    return bool(death.year < 1850 and _MODERN.search(question)) or beyond(question, death)
