"""Relations that stand inside noun phrases: titles before names, kin and followers, dates in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chathistory.openie.lexicon import KIN_SHORT, KINDS, MODAL, NEGATIVE, SOCIAL
from chathistory.openie.verbs import title_predicate
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_SPAN = re.compile(
    r"^(?P<birth>[^－—–~～-]*?\d+年[^－—–~～,，；;-]*)\s*[－—–~～-]+\s*(?P<death>[^－—–~～,，；;-]*?\d+年[^－—–~～,，；;-]*)"
)
_TODAY = re.compile(r"^今(?:之|属|称|为|名|天的)?(?P<now>[\u4e00-\u9fff]{2,16}?)(?:一带|附近|境内|境)?$")
_YEAR_NOTE = re.compile(r"^(?:公元)?(?P<year>前?\d{1,4}年)(?:\d{1,2}月(?:\d{1,2}日)?)?$")
_LATIN_NAME = re.compile(r"^(?:[\u4e00-\u9fff]*语?[：:])?\s*(?P<name>[A-Z][A-Za-z.'’ -]{2,40})")
_STYLE = re.compile(r"^字(?P<style>[\u4e00-\u9fff]{1,3})(?:[，,].*)?$")
_NOT_BEFORE_TITLE = frozenset(["前", "原", "故", "非", "无", "未来", "假", "伪", "代"])
_PLAIN_TITLES = frozenset(
    word_list(
        "士兵 骑兵 步兵 将 老师 学生 弟子 门人 门生 官员 官吏 大臣 将领 使者 商人 农民 首领 夫人 公主 "
        "太子 太后 皇帝 皇后 皇子 世子 王子 领袖"
    )
)

Triple = tuple[str, str, str]


def phrase_relations(words: Sequence[Word]) -> Iterator[Triple]:
    """Yield the facts that a sentence's noun phrases state by themselves."""
    for i, word in enumerate(words):
        before = words[i - 1] if i else None
        if word.tag == "PER":
            yield from _possession(words, i)
            yield from _title(words, i)
            if i and "－" not in word.note[:1]:
                yield from _life_years(word)
            yield from _style(word)
            if (before is not None and before.tag in ("N", "ROLE") and (before.text in KINDS or _called(words, i))) or (
                before is not None and before.text in KIN_SHORT and i > 1 and words[i - 2].text == "之"
            ):
                yield from _kin(words, i - 1, i)
        if word.tag == "WORK" and before is not None:
            author = words[i - 2] if before.text == "的" and i > 1 else before
            if (
                author.tag == "PER"
                and (author is before or before.text == "的")
                and not _joined(words, i, author is before)
            ):
                yield author.name(), "著有", word.text
        if word.tag == "LOC" and before is not None and before.tag == "LOC" and _within(before.text, word.text):
            yield word.text, "属于", before.text
        if word.tag == "DATE" and (match := _YEAR_NOTE.match(word.note)) and not word.text[-2:-1].isdigit():
            yield word.text, "即公元", match["year"]
        if word.tag == "LOC" and word.note and (match := _TODAY.match(word.note)):
            yield word.text, "今为", match["now"]
        if (
            word.tag == "WORK"
            and i + 2 < len(words)
            and words[i + 1].text in ("作者", "的作者")
            and words[i + 2].tag == "PER"
        ):
            yield words[i + 2].name(), "著有", word.text


def _title(words: Sequence[Word], i: int) -> Iterator[Triple]:
    """徐州牧陶谦 states that 陶谦 held the office."""
    if i == 0 or words[i - 1].tag != "ROLE" or words[i - 1].note:
        return
    role = words[i - 1]
    if role.text in _PLAIN_TITLES or len(role.text) < 2 or role.text in KINDS:
        return
    before = words[i - 2] if i > 1 else None
    if before is not None and (
        before.text in _NOT_BEFORE_TITLE
        or before.text in ("为", "任", "做", "当", "的", "之", "称", "是", "拜", "封")
        or before.tag in ("PER", "ROLE")
    ):
        return
    yield words[i].name(), title_predicate(role.text), role.text


def _kin(words: Sequence[Word], kind_at: int, person_at: int) -> Iterator[Triple]:
    """曹操父亲曹嵩, 孔子的弟子子路、子贡: (owner, kind, person)."""
    owner_at = kind_at - 1
    if owner_at >= 0 and words[owner_at].text in ("的", "之"):
        owner_at -= 1
    if owner_at < 0 or words[owner_at].tag != "PER" or (words[owner_at].note and owner_at != kind_at - 1):
        return
    if owner_at and words[owner_at - 1].text in ("、", "和", "与", "及"):
        return
    kind = words[kind_at].text
    kind = KIN_SHORT.get(kind, kind)
    owner = words[owner_at].name()
    j = person_at
    while j < len(words) and words[j].tag == "PER":
        yield owner, kind, words[j].name()
        if kind not in SOCIAL and not kind.endswith(("子", "女", "妹", "弟")):
            return
        if (
            j + 2 < len(words)
            and words[j + 1].text in ("、", "和", "与")
            and words[j + 2].tag == "PER"
            and _list_ends(words, j + 2)
        ):
            j += 2
        else:
            return


def _possession(words: Sequence[Word], i: int) -> Iterator[Triple]:
    """牛顿的颜色理论: the name has what follows 的, when that is specific and nothing in the clause denies it."""
    if i + 2 >= len(words) or words[i + 1].text != "的" or words[i].note:
        return
    if any(word.text in NEGATIVE or word.text in MODAL for word in words) or (
        i and (words[i - 1].tag in ("PER", "V", "VN") and len(words[i - 1].text) < 2)
    ):
        return
    if i and words[i - 1].text in ("、", "和", "与", "及", "像", "如", "除了"):
        return
    j = i + 2
    while j < len(words) and words[j].tag in ("N", "A", "B", "LOC", "VN"):
        j += 1
    thing = words[i + 2 : j]
    if (
        not thing
        or thing[-1].tag != "N"
        or (j < len(words) and (words[j].text in ("的", "之") or words[j].tag in ("PER", "F", "WORK", "ROLE", "Q")))
    ):
        return
    text = "".join(word.text for word in thing)
    if 3 <= len(text) <= 9 and len(thing[-1].text) > 1:
        yield words[i].name(), "有", text


_LEVELS = {
    "国": 1,
    "省": 1,
    "州": 2,
    "郡": 2,
    "府": 2,
    "市": 2,
    "县": 3,
    "邑": 4,
    "乡": 4,
    "镇": 4,
    "区": 4,
    "村": 5,
    "里": 5,
    "庄": 5,
}


def _within(outer: str, inner: str) -> bool:
    """绵州 昌隆县: the second is a smaller kind of place than the first."""
    return _LEVELS.get(outer[-1], 9) < _LEVELS.get(inner[-1], 0)


def _joined(words: Sequence[Word], i: int, adjacent: bool) -> bool:
    """Whether the name before a work belongs to something else: 批评牛顿《…》 does not, 给牛顿《…》 does."""
    at = i - 1 if adjacent else i - 2
    return at > 0 and words[at - 1].text in ("给", "向", "对", "为", "寄给", "献给", "、", "和", "与", "赠", "送给")


def _called(words: Sequence[Word], i: int) -> bool:
    """孔子的六世祖孔父嘉: a name, 的, one noun, a name."""
    return (
        i >= 3
        and words[i - 2].text == "的"
        and words[i - 3].tag == "PER"
        and words[i - 1].tag == "N"
        and 2 <= len(words[i - 1].text) <= 4
    )


def _list_ends(words: Sequence[Word], j: int) -> bool:
    """A 、 always lists; after 和 and 与 the list must end there, not go on with a verb that needs company."""
    if words[j - 1].text == "、":
        return True
    return j + 1 >= len(words) or words[j + 1].tag in ("X", "U")


def _style(word: Word) -> Iterator[Triple]:
    if word.note and (match := _STYLE.match(word.note)):
        yield word.name(), "字", match["style"]


def _life_years(word: Word) -> Iterator[Triple]:
    if match := _SPAN.match(word.note):
        yield word.name(), "出生于", _date_only(match["birth"])
        yield word.name(), "逝世于", _date_only(match["death"])


def life_span(word: Word) -> Iterator[Triple]:
    """曹操（155年－220年3月15日): when he was born and when he died; only for the one a sentence opens with."""
    if match := _SPAN.match(word.note):
        yield word.name(), "出生于", _date_only(match["birth"])
        yield word.name(), "逝世于", _date_only(match["death"])
    elif match := _LATIN_NAME.match(word.note):
        yield word.name(), "外文名", match["name"].strip()


def _date_only(text: str) -> str:
    """Drop what stands round a date inside brackets."""
    match = re.search(r"(?:公元前|公元|前|约)?\d+年(?:\d+月(?:\d+日)?)?", text)
    return match.group() if match else ""
