"""Birth and death out of infobox values, lead brackets and categories: a year, its precision, the source's words."""

from __future__ import annotations

import re

from chathistory.domain import Year
from chathistory.encyclopedia.wordlist import words
from chathistory.text import simplify, tidy_blanks

_BIRTH_KEYS = words("""
    出生 出生日期 出生时间 生日 诞辰 出生年月 出生年份 生年 诞生 出生年 出生于 公历生日 born birth birth_date
    date_of_birth
""")
_DEATH_KEYS = words("""
    逝世 逝世日期 去世 去世日期 去世时间 逝世时间 死亡 死亡日期 死亡时间 卒年 死亡年份 驾崩 卒 殁 忌日 崩 离世
    去世年份 逝世年份 死亡年月 牺牲时间 圆寂 薨 亡 died death death_date date_of_death
""")
_SPAN_KEYS = words("生卒 生卒年 生卒年月 生卒时间 生卒日期 生卒年份 生殁 lifespan")

_DIGIT = {"〇": 0, "零": 0, "○": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = rf"(?:{_MONTHS}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
_ABOUT = r"(?:约|大约|约于|大约于|约在|约为|或|可能|疑|一说|c\.|ca\.|circa|about|before|after|around|between|fl\.|c)"
_CHINESE_YEAR = re.compile(
    rf"(?P<about>{_ABOUT})?\s*(?P<era>公元前|西元前|前|B\.?C\.?E?\.?|公元|西元|A\.?D\.?)?\s*(?P<about2>约)?\s*"
    rf"(?P<year>\d{{1,4}}|[〇零○一二三四五六七八九十]{{1,4}})\s*(?P<unit>世纪|年代|年)(?:（[^（）\d]{{1,6}}）)?(?P<month>\s*(?:\d{{1,2}}|[正一二三四五六七八九十]{{1,3}})月"
    r"(?P<day>\s*(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?)?(?P<after>\s*[?？]|[前后]|左右|前后|或)?",
    re.I,
)
_BARE_BC = re.compile(r"(?P<about>约|c\.|ca\.)?\s*(?:公元前|西元前|前)\s*(?P<year>\d{1,4})(?!\d)", re.I)
_WESTERN = re.compile(
    rf"(?P<about>\b{_ABOUT})?\s*(?:(?P<day>\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}|{_MONTH}\s+\d{{1,2}})\s*,?\s+|(?P<month>{_MONTH})\s+)?"
    r"(?P<ad>A\.?D\.?\s*)?(?P<year>\d{1,4})(?:s(?P<decade>))?(?:\s*[/–-]\s*\d{1,4}(?=\s*B\.?C))?\s*(?P<era>B\.?C\.?E?\.?|A\.?D\.?|C\.?E\.?)?(?![\d%])",
    re.I,
)
_WESTERN_CENTURY = re.compile(r"(?P<year>\d{1,2})(?:st|nd|rd|th)\s+century\s*(?P<era>BC)?", re.I)
_ISO = re.compile(r"(?<!\d)(?P<year>-?\d{3,4})[-./](?P<month>\d{1,2})(?:[-./](?P<day>\d{1,2}))?(?!\d)")
_BRACKET = re.compile(r"[（(]([^（）()]*(?:[（(][^（）()]*[）)][^（）()]*)*)[）)]")
_RANGE = re.compile(
    r"\s*(?:[－—–―─~～〜至]+|(?<=[年日月?？代纪紀详詳 ])\s?-+|-+\s?(?=[前约公?？\s])|\s-\s"
    r"|(?<=\d)-(?=\d{3,4}\s*(?:年|B|$)))\s*"
)
_UNKNOWN = re.compile(r"[?？]|不详|不詳|未詳|未详|不明|未知|待考|unknown", re.I)
_IS_DATE = re.compile(r"\d\s*年|\d{3,4}|[？?]\s*[－—–-]|世[纪紀]|[〇零一二三四五六七八九]{3,4}年")
_LUNAR_DATE = re.compile(r"农历|旧历|阴历|儒略历|夏历")


def lifespan(
    title: str, infobox: tuple[tuple[str, str], ...], lead: str, categories: tuple[str, ...] = ()
) -> tuple[Year | None, Year | None]:
    """Return birth and death: of the infobox first, then of the lead's first brackets, then of the categories.

    A year without a number (``？``) is kept only where nothing better is found; None means the page says nothing, as it
    does of the death of the living.
    """
    box_birth, box_death = _of_infobox(infobox)
    lead_birth, lead_death = _of_lead(title, lead)
    category_birth, category_death = _of_categories(categories)
    birth = _best(box_birth, lead_birth, category_birth)
    death = _best(box_death, lead_death, category_death)
    if birth and death and birth.year is not None and death.year is not None and death.year < birth.year:
        if death.precision == "century" and death.year + 50 >= birth.year:
            return birth, Year(death.year + 50, death.text, "century")  # the century's end, not its middle
        return (lead_birth, lead_death) if _known(lead_birth) and _known(lead_death) else (birth, None)
    return birth, death


def _known(year: Year | None) -> bool:
    return year is not None and year.year is not None


def _best(*years: Year | None) -> Year | None:
    return next((year for year in years if _known(year)), next((year for year in years if year), None))


def _of_infobox(infobox: tuple[tuple[str, str], ...]) -> tuple[Year | None, Year | None]:
    birth: Year | None = None
    death: Year | None = None
    for key, value in infobox:
        name = simplify(key).replace(" ", "_").lower()
        if name in _SPAN_KEYS:
            first, second = _of_span(value)
            birth, death = birth or first, death or second
        elif name in _BIRTH_KEYS and not _known(birth):
            birth = parse_year(value) or birth
        elif name in _DEATH_KEYS and not _known(death):
            death = parse_year(value) or death
    return birth, death


def _of_categories(categories: tuple[str, ...]) -> tuple[Year | None, Year | None]:
    birth: Year | None = None
    death: Year | None = None
    for category in categories:
        name = simplify(category)
        found = re.match(r"^(前?\d{1,4})年(出生|逝世|去世)$", name) or re.match(
            r"^(\d{1,4}(?: BC)?) (births|deaths)$", name
        )
        if found:
            year = parse_year(found.group(1) if "BC" in found.group(1) else found.group(1) + "年")
            if found.group(2) in {"出生", "births"}:
                birth = birth or year
            else:
                death = death or year
    return birth, death


def _of_lead(title: str, lead: str) -> tuple[Year | None, Year | None]:
    """Birth and death out of the first brackets of the lead that hold a date or a range."""
    for match in list(_BRACKET.finditer(lead[:400]))[:4]:
        inside = match.group(1)
        if not re.search(r"\d|[？?]|世[纪紀]|不[详詳]|[〇零一二三四五六七八九]{3,4}年", inside) or inside.startswith(
            ("今", "约今")
        ):
            continue
        birth, death = _of_span(inside)
        if _known(birth) or _known(death) or (birth and death):
            return birth, death
    born = re.search(r"(\d{3,4}年[^，,。;；（）]{0,10})(?:出生|生[于於]|[诞誕]生)", lead[:300]) or re.search(
        r"(?:生[于於]|出生[于於]|[诞誕]生[于於]|出生在|\bborn\b(?: on| in)?)\s*([^，,。;；]{2,24})", lead[:600]
    )
    died = re.search(
        r"(?:[卒死][于於]|(?:逝世|病逝|去世)[于於]|\bdied\b(?: on| in)?)\s*([^，,。;；]{2,24})", lead[:600]
    )
    return (parse_year(born.group(1)) if born else None), (parse_year(died.group(1)) if died else None)


def _of_span(text: str) -> tuple[Year | None, Year | None]:
    """Birth and death out of ``前551年－前479年``, ``c. 470 – 399 BC``, ``？—220年`` or ``1941年5月24日－``."""
    text = _without_foreign(text)
    if _UNKNOWN.search(text) and "生卒" in text:
        return Year(None, text.strip(), "unknown"), Year(None, text.strip(), "unknown")
    parts = _RANGE.split(text, maxsplit=1)
    if len(parts) == 1:
        if re.search(r"逝世|去世|卒|died|[†✝]|\bd\.", text) and not re.search(r"生|born|\bb\.", text):
            return None, parse_year(text)
        return _born_only(text)
    birth, death = parse_year(parts[0]), parse_year(parts[1])
    if (
        birth
        and death
        and birth.year is not None
        and death.year is not None
        and birth.year > death.year
        and death.year < 0
    ):
        birth = Year(-birth.year, birth.text, birth.precision)
    return birth, death


def _born_only(text: str) -> tuple[Year | None, Year | None]:
    if re.search(r"生|born|\bb\.|\d\s*年|^\D{0,3}\d{3,4}|[A-Z][a-z]+ \d", text):
        return parse_year(text), None
    return None, None


def _without_foreign(text: str) -> str:
    """Drop what stands before the date in lead brackets: names in other languages and readings, kept apart by ；."""
    parts = re.split(r"[；;]", text)
    if len(parts) == 1:
        pieces = text.split("，")
        start = next((i for i, piece in enumerate(pieces) if _IS_DATE.search(piece)), 0)
        return re.split(r"，(?=[^，]{0,4}[历曆])", "，".join(pieces[start:]))[0]
    dated = [part for part in parts if _IS_DATE.search(part)]
    return dated[0] if dated else text


def parse_year(text: str) -> Year | None:
    """Return the year that a date in Chinese or English tells; None where there is none.

    前 and BC give negative years, 约/c. the precision ``about``, a century its middle year (前5世纪 is -450, 8世纪
    is 750), 年代 the decade's first year, ？ and 不详 a Year without a number. ``text`` is the date in the
    source's words, with an era's own date where one stands before the Christian year: ``永寿元年（155年）``.
    """
    words = tidy_blanks(" ".join(text.split()))
    plain = simplify(words)
    if len(plain) != len(words):
        words = plain
    best: tuple[int, int, Year] | None = None
    for match in _CHINESE_YEAR.finditer(plain):
        year = _of_chinese(match, words)
        if year is not None and not _LUNAR_DATE.search(plain[max(0, match.start() - 3) : match.start()]):
            best = (match.start(), match.end(), year)
            break
    if best is None:
        for pattern in (_ISO, _BARE_BC, _WESTERN_CENTURY, _WESTERN):
            found = _of_pattern(pattern, plain, words)
            if found is not None:
                best = found
                break
    if best is not None:
        start, end, year = best
        return Year(year.year, _with_era(words, start, end).rstrip("或"), year.precision)
    if _UNKNOWN.search(plain) and len(plain) <= 40:
        return Year(None, words.strip(" ，,（()）"), "unknown")
    return None


def _of_chinese(match: re.Match[str], words: str) -> Year | None:
    raw = match.group("year")
    number = int(raw) if raw.isdigit() else _han_number(raw)
    if number is None or number == 0:
        return None
    era = (match.group("era") or "").upper()
    before = "前" in era or era.startswith("B")
    text = words[match.start() : match.end()].strip()
    unit = match.group("unit")
    if unit == "世纪":
        return Year(-(number * 100 - 50) if before else number * 100 - 50, text, "century")
    if not raw.isdigit() and (len(raw) < 3 or "十" in raw) and not before:
        return None  # 元和三年 is a reign's third year, not the year 3
    if raw.isdigit() and _reign_before(words, match.start()) and number < 100 and not era:
        return None
    if unit == "年代":
        return Year(-number if before else number, text, "decade")
    about = match.group("about") or match.group("about2") or match.group("after")
    precision = "about" if about else "day" if match.group("day") else "month" if match.group("month") else "year"
    return Year(-number if before else number, text, precision)  # type: ignore[arg-type]


def _reign_before(words: str, start: int) -> bool:
    return start > 0 and "\u3400" <= words[start - 1] <= "\u9fff" and words[start - 1] not in "于在约前元生卒至"


def _of_pattern(pattern: re.Pattern[str], plain: str, words: str) -> tuple[int, int, Year] | None:
    for match in pattern.finditer(plain):
        groups = match.groupdict()
        number = int(groups["year"])
        if pattern is _ISO and not 1 <= int(groups["month"]) <= 12:
            continue
        text = words[match.start() : match.end()].strip(" ,，")
        if pattern is _BARE_BC:
            return match.start(), match.end(), Year(-number, text, "about" if groups["about"] else "year")
        era = (groups.get("era") or "").upper()
        before = era.startswith("B")
        if pattern is _WESTERN_CENTURY:
            return match.start(), match.end(), Year((-1 if before else 1) * (number * 100 - 50), text, "century")
        if pattern is _WESTERN and not era and len(groups["year"]) < 3 and not groups["ad"]:
            continue
        if pattern is _WESTERN and groups.get("about") and not groups["about"].strip():
            continue
        if groups.get("decade") is not None:
            return match.start(), match.end(), Year(-number if before else number, text, "decade")
        precision = (
            "about"
            if groups.get("about")
            else "day"
            if groups.get("day")
            else "month"
            if groups.get("month")
            else "year"
        )
        return match.start(), match.end(), Year(-number if before else number, text, precision)  # type: ignore[arg-type]
    return None


def _with_era(words: str, start: int, end: int) -> str:
    """The date's words, and the era's date before them when the Christian one stands in brackets after it."""
    text = words[start:end].strip(" ,，")
    head = words[:start].rstrip()
    if head.endswith(("（", "(")) and 2 <= len(head) <= 24 and re.search(r"[年载岁]", head):
        close = words.find("）" if head.endswith("（") else ")", end)
        return words[: close + 1].strip() if close >= 0 else text
    return text


def _han_number(raw: str) -> int | None:
    """七〇一 as 701, 十八 as 18, 二十 as 20."""
    if "十" in raw:
        tens, _, units = raw.partition("十")
        if len(tens) > 1 or len(units) > 1:
            return None
        return (_DIGIT.get(tens, 0) if tens else 1) * 10 + (_DIGIT.get(units, 0) if units else 0)
    value = 0
    for char in raw:
        if char not in _DIGIT:
            return None
        value = value * 10 + _DIGIT[char]
    return value
