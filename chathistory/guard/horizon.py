"""The era horizon: nobody knows what happened after his death, nor speaks of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chathistory.domain import Figure, Year
from chathistory.guard.eras import CALLED_BY_ERA, ERA_NAMES, ERAS, RULERS, THINGS
from chathistory.text import fold_name
from chathistory.text.name_words import SURNAMES
from chathistory.text.names import best_cut

_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "元": 1, "○": 0}
_NUMBER = "0-9〇○零一二三四五六七八九十"
_CENTURY = re.compile(rf"(公元前|前)?(?:公元)?(?<![{_NUMBER}])([{_NUMBER}]{{1,3}})世纪(?:([{_NUMBER}]{{1,3}})年代)?")
_DECADE = re.compile(r"(?<![0-9])(1[0-9]{3}|20[0-9]{2})年代")
_RANGE = re.compile(
    rf"(公元前|前)?(?:公元)?(?<![{_NUMBER}.])([0-9]{{1,4}}|[〇○零一二三四五六七八九]{{3,4}})年?\s*[—–\-~～至到]+\s*(公元前|前)?(?:公元)?([0-9]{{1,4}}|[〇○零一二三四五六七八九]{{3,4}})年"
)
_YEAR = re.compile(
    rf"(公元前|西元前|纪元前|前|bc)?(公元|西元)?\s?(?<![{_NUMBER}.])([0-9]{{1,4}}|[〇○零一二三四五六七八九]{{3,4}})\s?年(?!级|前|后|间|来|的?时间|的?历史|之久|多|之后|之前|龄|限|期|纪|生)"
)
_BRACKETED = re.compile(
    r"[（(]\s?(?:公元)?(前)?([0-9]{1,4})(?:年)?\s?(?:[—–\-~～至]\s?(前)?([0-9]{1,4})(?:年)?)?\s?[）)]"
)
_BARE = re.compile(
    r"(?<![0-9.])(1[0-9]{3}|20[0-9]{2})(?![0-9.]|\s?(?:人|名|个|里|米|千|公|万|元|斤|石|匹|只|首|篇|字|卷|部|多|余|度|km|m\b))"
)
_ERA_YEAR = re.compile(
    rf"({'|'.join(sorted(ERA_NAMES, key=len, reverse=True))})(元|[一二三四五六七八九十0-9]{{1,3}})年"
)
_REIGN_YEAR = re.compile(rf"({'|'.join(sorted(RULERS, key=len, reverse=True))})")
_NOW = re.compile(
    r"(?<!古往)(?:现代|当代|如今天|现今|至今(?!日?(?:难忘|记得|不忘|想来|思之))|迄今|近代|近世|近现代|今天的?人们|现在的?人们|今人|当今(?!皇|圣|天子|天下|主|陛下)|今日的?(?:中国|世界|社会)|21世纪"
    r"|(?:位于|属于?|在|即|为|治|是)?今(?=[\u4e00-\u9fff]{2,8}(?:省|市|县|区|镇|州|境内|一带|附近|自治区|村|乡|国))"
    r"|[（(]今[\u4e00-\u9fff]{2,14}[）)])"
)
_AFTER_DEATH = re.compile(
    r"后世|(?<![此之以其然随背先前身])后人(?![呢心们马])|身后(?=[^，。]{0,4}(?:被|有|名|留|追|得|影响|之名|事))|追封|追谥|追赠|追尊|追认|追号|谥号?(?:为|曰|[“「])|谥(?=[“「]|[\u4e00-\u9fff]{1,4}[，。])"
    r"|庙号|配享|从祀|入祀|安葬|葬于|葬在|下葬|陵墓|墓址|墓地|祭祀他|被?祀为|纪念馆|故居|塑像|立祠|祠堂|流传至|传世|后代(?:学者|诗人|文人|史家|评价)|史学家|史家|学者们?(?:认为|指出|考证|研究|普遍)|研究者"
    r"|被(?:后世|誉为|尊为|尊称|奉为|视为|列为|评为|称颂|改编|拍成|搬上)|誉为|尊为|改编(?:为|成)|电影|电视剧|影视|动漫|游戏作品|考古|出土|世界遗产|联合国|排行|诞辰[^，。]{0,6}周年"
)
_DEATH_ITSELF = re.compile(
    r"(?:死后|殉国|病逝|逝世|去世|病故|病死|驾崩|崩于|卒于|卒，|殁于|薨|遇害|被杀|被害|自杀而死|战死|饮鸩|饮下毒)"
)
_OF_THAT_TIME = re.compile(r"皇帝|帝|朝|时期|时代|初年|末年|年间|初期|末期|中期|后期|政府|学者|诗人|文人|人(?!民)")
_IN_THAT_ERA = re.compile(
    r"元年|[一二三四五六七八九十0-9]{1,3}年|年间|年号|年|初年|初|末|中[，。年]|以来|时期|盛世|之治"
)
_ADVERBS = re.compile(
    r"^(?:于是|后来|不久|随后|终于|最终|最后|同年|次年|翌年|这年|当年|其后|此后|是年|当时|后)+|(?:不幸|也|便|就|竟|却|已|先后|相继|病重|最终|终于)+$"
)
_AGES_LATER = re.compile(r"([0-9]{2,4}|[一二两三四五六七八九]?[百千](?:多|余)?)年(?:之?后|以后)")


def _number(text: str) -> int | None:
    """Read 1840, 一八四〇 or 二十七; None when it is no number."""
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        if (tens and tens not in _DIGITS) or (ones and ones not in _DIGITS):
            return None
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    value = 0
    for char in text:
        if char not in _DIGITS:
            return None
        value = value * 10 + _DIGITS[char]
    return value


def years_named(text: str) -> list[tuple[int, int]]:
    """Return the spans (first year, last year) that a text names by number, era or reign; before Christ negative.

    A number with 前 is before Christ; in a range the first 前 holds for the second year only when the years fall.
    """
    folded = fold_name(text)
    spans: list[tuple[int, int]] = []
    rest = folded
    for match in _CENTURY.finditer(folded):
        number = _number(match.group(2))
        if number:
            first = -number * 100 if match.group(1) else (number - 1) * 100 + 1
            decade = _number(match.group(3)) if match.group(3) else None
            spans.append(
                (first + decade - 1, first + decade + 8) if decade and not match.group(1) else (first, first + 99)
            )
        rest = _blank(rest, match)
    for match in _DECADE.finditer(rest):
        spans.append((int(match.group(1)), int(match.group(1)) + 9))
        rest = _blank(rest, match)
    for pattern, places in ((_RANGE, (1, 2, 3, 4)), (_BRACKETED, (1, 2, 3, 4))):
        for match in pattern.finditer(rest):
            spans.extend(_range(*(match.group(i) for i in places)))
            rest = _blank(rest, match)
    for match in _ERA_YEAR.finditer(rest):
        first, last = ERA_NAMES[match.group(1)]
        number = _number(match.group(2))
        year = min(first + (number or 1) - 1, last + 1)
        spans.append((year, year))
        rest = _blank(rest, match)
    for match in _YEAR.finditer(rest):
        number = _number(match.group(3))
        if number is None or (number < 100 and not match.group(1) and not match.group(2)):
            continue
        year = -number if match.group(1) else number
        spans.append((year, year))
        rest = _blank(rest, match)
    spans.extend((int(m.group(1)), int(m.group(1))) for m in _BARE.finditer(rest))
    spans.extend(span for _, span in _eras_in(rest))
    return spans


def _range(before: str | None, start: str, also: str | None, end: str | None) -> list[tuple[int, int]]:
    a = _number(start)
    if a is None or (end is None and a < 100 and not before):
        return []
    if end is None:
        return [(-a, -a) if before else (a, a)]
    b = _number(end)
    if b is None:
        return []
    if before:
        return [(-a, -b if also or b < a else b)]
    return [(a, b if b > a else a)]


def _blank(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "\u2060" * len(match.group()) + text[match.end() :]


@lru_cache(maxsize=1)
def _era_pattern() -> re.Pattern[str]:
    return re.compile("|".join(sorted({*ERAS, *RULERS}, key=len, reverse=True)))


def _eras_in(folded: str) -> list[tuple[re.Match[str], tuple[int, int]]]:
    """Return the eras and reigns a text names as whole words: no 大历 in 重大历史, no 民国 in 人民国家."""
    known = {**RULERS, **ERAS}
    return [
        (match, known[match.group()])
        for match in _whole_words(_era_pattern(), folded)
        if not _other_sense(match.group(), folded[: match.start()], folded[match.end() :])
    ]


def _other_sense(name: str, before: str, after: str) -> bool:
    """Whether an era's name means something else here: 官渡一战, 传了五代, 绍兴 the city."""
    if name in ERA_NAMES and name not in CALLED_BY_ERA:
        return not _IN_THAT_ERA.match(after)
    if name in ("一战", "二战"):
        return bool(
            re.search(r"[\u3400-\u9fff]$", before) and not re.search(r"[在于和与及从对至过历]$", before)
        ) or bool(re.match(r"[而成定胜败]|[\u3400-\u9fff]胜", after))
    if name == "五代":
        return bool(re.search(r"[传历第至了上下]$", before) or re.match(r"同堂|单传|人|以[来后]", after))
    return False


def _whole_words(pattern: re.Pattern[str], folded: str) -> list[re.Match[str]]:
    """Return the matches that are words of the most probable cut, or that begin one with a word of time behind."""
    match = pattern.search(folded)
    if match is None:
        return []
    edges = {0, len(folded)} | {edge for span in best_cut(folded, {}) for edge in span}
    found = []
    while match is not None:
        whole = match.start() in edges and (match.end() in edges or bool(_OF_THAT_TIME.match(folded, match.end())))
        if whole:
            found.append(match)
        match = pattern.search(folded, match.end() if whole else match.start() + 1)
    return found


def beyond(text: str, death: Year | None, names: Sequence[str] = ()) -> bool:
    """Return whether a sentence speaks of what lies after a figure's death.

    Beyond are: a year, era or reign that begins after the death; words of the present day (今山东省, 现代) and of
    what is made of the dead (后世, 追谥, 葬于). The death itself is not told by the dead, and counts as beyond.
    Without a year of death only the words decide.

    Parameters
    ----------
    death
        As the article tells it; None, or a year of None, where it is unknown.
    names
        The figure's names, to tell his own death from another's (关羽被杀).
    """
    folded = fold_name(text)
    if _NOW.search(folded) or _AFTER_DEATH.search(folded):
        return True
    if _DEATH_ITSELF.search(folded) and not _before(text, death) and not _of_another(folded, names):
        return True
    if death is None or death.year is None:
        return False
    return any(first > death.year for first, _ in years_named(text)) or _ranges_past(text, death)


def _ranges_past(text: str, death: Year) -> bool:
    """Whether a range of numbered years ends well after the death (前221年—2000年)."""
    slack = 0 if death.precision in ("day", "month", "year") else 10
    numbered = [*_RANGE.finditer(fold_name(text))]
    spans = [span for m in numbered for span in _range(*(m.group(i) for i in (1, 2, 3, 4)))]
    return death.year is not None and any(last > death.year + slack for _, last in spans)


def _before(text: str, death: Year | None) -> bool:
    """Whether every year a text names lies before the death, and it names one."""
    years = years_named(text)
    return death is not None and death.year is not None and bool(years) and all(last < death.year for _, last in years)


def _of_another(folded: str, names: Sequence[str]) -> bool:
    """Whether a death in the sentence is somebody else's as far as can be seen: a kinsman's or another person's."""
    own = [fold_name(name) for name in names]
    for match in _DEATH_ITSELF.finditer(folded):
        clause = re.split(r"[，。；：、,;]", folded[: match.start()])[-1]
        subject = _ADVERBS.sub("", _ERA_YEAR.sub("", clause))
        if subject and subject[0] in SURNAMES and 2 <= len(subject) <= 4 and not any(n in subject for n in own if n):
            return True
    return bool(
        re.search(
            r"(?:父亲?|母亲?|妻子?|夫人|丈夫|兄长?|弟弟?|子女|儿子|女儿|祖父|祖母|叔父|伯父|舅父|老师|先帝|先主|太后|皇后|公主|太子|其父|其母|其兄|国王|皇帝|友人|好友|朋友|弟子|学生)"
            r"[^，。；]{0,10}(?:病逝|逝世|去世|病故|病死|驾崩|卒|殁|薨|遇害|被杀|被害|战死)",
            folded,
        )
    )


def anachronism(question: str, figure: Figure) -> str | None:
    """Return what a question asks about that lies after the figure's death, or None.

    A numbered year, an era, or a thing that came into the world later (手机); the persona then says in character that
    this lies beyond his days. The longest name of a thing is returned, as the question wrote it.
    """
    if figure.death is None or figure.death.year is None:
        return None
    death = figure.death.year
    folded = fold_name(question)
    own = {fold_name(name) for name in figure.names}
    for match in _whole_words(_thing_pattern(), folded):
        if THINGS[match.group()] > death and match.group() not in own:
            return question[match.start() : match.end()]
    for match, span in _eras_in(folded):
        if span[0] > death and not any(match.group() in name for name in own):
            return question[match.start() : match.end()]
    for first, _ in years_named(question):
        if first > death:
            return f"{first}年" if first > 0 else f"公元前{-first}年"
    later = _AGES_LATER.search(folded)
    return later.group() if later and "死后" not in folded else None


@lru_cache(maxsize=1)
def _thing_pattern() -> re.Pattern[str]:
    def guard(name: str) -> str:
        return rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])" if name.isascii() else re.escape(name)

    return re.compile("|".join(guard(name) for name in sorted(THINGS, key=len, reverse=True)))
