"""The one reader of names: who of a roster is named in a text, and whom a name means."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from chathistory.text.name_forms import Named, fold_name, is_latin, name_key, owners, surname
from chathistory.text.name_words import CALLED_ALONE, COMPOUND_SURNAMES, HONORIFICS, OTHER_SURNAMES
from chathistory.text.tokens import jieba_words

_CJK = re.compile(r"[\u3400-\u9fff]")
_ALNUM = re.compile(r"[a-z0-9]")
_WORD_FREQUENCY = {0: 1000.0, 1: 300.0, 2: 100.0}
"""How common a name is taken to be as a word, by level, when it competes with jieba's words."""
_THINGS = re.compile(
    r"主义|大学|学院|学派|定律|定理|力学|方程|公式|常数|变换|望远镜|曲线|草堂|故居|纪念馆|兵法|小行星|环形山|卫星|探测器|"
    r"蛋糕|(?:第[一二三四])定律|式的|奖章|文学奖|金像|(?:式|奖|庙|墓|祠|陵|肉|灯)(?![\u3400-\u9fff])"
)
"""What makes a thing of the name before it."""
_PARTICLES = frozenset(
    "或和与跟及同的在是说问对向给让请由被把将就也都还又再才很吗呢吧啊呀了着过来去讲谈答看想会能可为从到等"
)
_TOO_WHITE = re.compile(r"[\u3400-\u9fff](?<![问请听让由找和与跟及选是对向给到该教如欢像说])$")
"""What 太 follows when it means too: 墙太白."""
_UNITS = frozenset(
    [
        "牛顿",
        "焦耳",
        "安培",
        "瓦特",
        "赫兹",
        "帕斯卡",
        "开尔文",
        "欧姆",
        "库仑",
        "特斯拉",
        "高斯",
        "韦伯",
        "亨利",
        "伏特",
    ]
)
_ASKED = re.compile(r"(?:请|请教|由|问|听|听听|轮到|有请)$")
_ASKED_TO_SPEAK = re.compile(r"(?:先|来)?(?:说|讲|谈|答|回答|接话|发言)|先|来(?![\u3400-\u9fff])")
_KIN = re.compile(r"(?:[我你您他她](?:的|家)?|小|乖|龟|装|好|儿|亲)$")
_LONG_HONORIFIC = re.compile("|".join(sorted((h for h in HONORIFICS if len(h) > 1), key=len, reverse=True)))
_SHORT_HONORIFIC = re.compile(
    "(?:" + "|".join(h for h in HONORIFICS if len(h) == 1) + r")(?=$|[^\u3400-\u9fffa-z0-9]|[您你]|之|所)"
)
_QUOTES = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "〈": "〉", '"': '"'}
_WRAPPERS = re.compile(r"[“”‘’「」『』\"【】\[\]()（）<>《》]")
_LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text: canonical ``name``, ``text[start:end] == surface``.

    ``quoted`` tells that it stands inside a quotation or a book title that holds more than the name itself.
    """

    name: str
    start: int
    end: int
    surface: str
    quoted: bool = False


@lru_cache(maxsize=1)
def _sayings() -> re.Pattern[str]:
    """All sayings as one pattern over folded text; commas may stand inside."""
    lines = (resources.files("chathistory.text") / "sayings.txt").read_text(encoding="utf-8").splitlines()
    known = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    gap = "[，, 、的]?"
    return re.compile("|".join(gap.join(map(re.escape, s)) for s in sorted(known, key=len, reverse=True)))


def honorific_end(folded: str, start: int) -> int:
    """Return where a form of address that begins at ``start`` ends; ``start`` itself when there is none."""
    match = _LONG_HONORIFIC.match(folded, start) or _SHORT_HONORIFIC.match(folded, start)
    return match.end() if match else start


def quotations(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of what stands between quotation marks or title brackets, the marks left out."""
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(text):
        closer = _QUOTES.get(text[i])
        end = text.find(closer, i + 1, i + 1 + _LONGEST_QUOTE) if closer else -1
        if end < 0:
            i += 1
            continue
        spans.append((i + 1, end))
        i = end + 1
    return spans


class NameReader:
    """Finds the members of one roster in texts.

    Parameters
    ----------
    roster
        Whoever has ``name`` and ``aliases``. A form claimed by two members means nobody, unless it is the canonical
        name of one; names given go before names derived (司马君实, 孔先生, 太宗).
    """

    def __init__(self, roster: Sequence[Named]) -> None:
        self.roster = tuple(roster)
        self._owners = owners(self.roster)
        self._families = {person.name: surname(fold_name(person.name)) for person in self.roster}
        self._keys: dict[str, tuple[str | None, int]] = {}
        for form, (name, level) in self._owners.items():
            key = name_key(form)
            held = self._keys.get(key)
            if held is None or level < held[1]:
                self._keys[key] = (name, level)
            elif level == held[1] and name != held[0]:
                self._keys[key] = (None, level)
        self._by_head: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for form in sorted(self._owners, key=len, reverse=True):
            if len(form) > 1 or self._owners[form][1] == 0:
                self._by_head.setdefault(form[0], []).append((form, _form_pattern(form)))

    def mentions(self, text: str) -> list[Mention]:
        """Return who is named, in order; longest match over the whole roster, no names inside longer words.

        Names in sayings (说曹操，曹操到) and things called after a person (牛顿定律, 孔明灯) are no mentions.
        """
        folded = fold_name(text)
        candidates = self._candidates(folded)
        if not candidates:
            return []
        path: frozenset[tuple[int, int]] | None = None
        quotes = quotations(text)
        sayings = [match.span() for match in _sayings().finditer(folded)]
        found: list[Mention] = []
        taken = 0
        for start, end, form in candidates:
            name, level = self._owners[form]
            if start < taken or any(a <= start and end <= b for a, b in sayings):
                continue
            if not _names_a_person(folded, start, end, form):
                taken = max(taken, end)
                continue
            if not is_latin(form):
                if not (_clean_left(folded, start) and _clean_right(folded, end)):
                    if end - start > len(form) or form in CALLED_ALONE:
                        continue
                    if path is None:
                        path = self._segmentation(folded, candidates)
                    if (start, end) not in path and not _asked_to_speak(folded, start, end):
                        continue
                if level and name and self._of_another(folded, start, form, name):
                    taken = max(taken, end)
                    continue
            taken = end
            if name is not None:
                found.append(Mention(name, start, end, text[start:end], _quoted(folded, start, end, quotes)))
        return found

    def resolve(self, text: str) -> str | None:
        """Return whom a name given by a user means (孔夫子, @Newton, 「老聃」先生), None for nobody or for several."""
        bare = _WRAPPERS.sub("", fold_name(text)).strip(" \t\r\n\u3000@＠。，,.!！?？:：;；*_#`")
        for candidate in (bare, bare[: _honorific_start(bare)]):
            held = self._keys.get(name_key(candidate))
            if held is not None:
                return held[0]
        return None

    def _candidates(self, folded: str) -> list[tuple[int, int, str]]:
        """Every (start, end, form), by start, the longest first."""
        spans: list[tuple[int, int, str]] = []
        for start, char in enumerate(folded):
            for form, pattern in self._by_head.get(char, ()):
                match = pattern.match(folded, start)
                if match:
                    spans.append((start, match.end(), form))
        return spans

    def _segmentation(self, folded: str, candidates: list[tuple[int, int, str]]) -> frozenset[tuple[int, int]]:
        """The words of the most probable cut, in which the candidate names compete with jieba's words."""
        extra = {(a, b): _WORD_FREQUENCY[self._owners[f][1]] * 10.0 ** (max(0, b - a - 2)) for a, b, f in candidates}
        return best_cut(folded, extra)

    def _of_another(self, folded: str, start: int, form: str, name: str) -> bool:
        """Whether a courtesy name follows a surname that is not its owner's: 苏子美 is not 杜子美."""
        if len(form) != 2 or start == 0:
            return False
        family = self._families.get(name, "")
        before = folded[max(0, start - 2) : start]
        if before in COMPOUND_SURNAMES:
            return before != family
        one = before[-1]
        if one not in OTHER_SURNAMES or one == family:
            return False
        return start < 2 or (start - 1, start) in best_cut(folded[: start + 2], {(start, start + 2): 300.0})


def _form_pattern(form: str) -> re.Pattern[str]:
    """A form as a pattern over folded text: blanks of Latin names flexible, middots optional."""
    if is_latin(form):
        words = [re.escape(word) for word in re.split(r"[\s\-]+", form) if word]
        return re.compile(r"(?<![a-z0-9])" + r"[\s\-·.]+".join(words) + r"(?![a-z0-9])")
    parts = [r"[ \u3000]?".join(map(re.escape, part)) for part in re.split(r"[·•・‧∙⋅]", form)]
    return re.compile(r"[·•・‧∙⋅. ]?".join(parts))


def _clean_left(folded: str, start: int) -> bool:
    return start == 0 or not (_CJK.match(folded[start - 1]) or _ALNUM.match(folded[start - 1]))


def _clean_right(folded: str, end: int) -> bool:
    return (
        end == len(folded) or folded[end] in "您你" or not _CJK.match(folded[end]) or honorific_end(folded, end) > end
    )


def _asked_to_speak(folded: str, start: int, end: int) -> bool:
    """Whether the words around leave no doubt: 请白起来说 is no 起来."""
    before = folded[max(0, start - 3) : start]
    return bool((_ASKED.search(before) or before.endswith("让")) and _ASKED_TO_SPEAK.match(folded, end))


def _names_a_person(folded: str, start: int, end: int, form: str) -> bool:
    """Whether the name stands for the person, not for a unit, a relative or a thing called after him."""
    if form in _UNITS and re.search(r"[0-9.一二三四五六七八九十百千万两]\s?$", folded[:start]):
        return False
    if form in ("孙子", "老子") and _KIN.search(folded[:start]):
        return False
    if form[0] == "太" and len(form) == 2 and _TOO_WHITE.search(folded[:start]):
        return not (folded.startswith("了", end) or _clean_right(folded, end))
    if is_latin(form):
        return not re.match(r"-?(?:ian|ism|ist|ium)", folded[end:])
    return not _THINGS.match(folded, end)


def _quoted(folded: str, start: int, end: int, quotes: list[tuple[int, int]]) -> bool:
    for a, b in quotes:
        if a <= start and end <= b:
            rest = folded[a:start] + folded[honorific_end(folded, end) : b]
            return bool(rest.strip(" @"))
    return False


def _honorific_start(folded: str) -> int:
    """Where a trailing form of address begins; the whole length when there is none."""
    for match in _LONG_HONORIFIC.finditer(folded):
        if match.end() == len(folded) and match.start() >= 1:
            return match.start()
    if len(folded) > 2 and folded[-1] in HONORIFICS:
        return len(folded) - 1
    return len(folded)


def _name_with_particle(text: str, start: int, end: int, names: dict[tuple[int, int], float]) -> bool:
    """Whether a word of the dictionary is just a name and a particle grown together (墨子或)."""
    return ((start, end - 1) in names and text[end - 1] in _PARTICLES) or (
        (start + 1, end) in names and text[start] in _PARTICLES
    )


def best_cut(text: str, extra: dict[tuple[int, int], float]) -> frozenset[tuple[int, int]]:
    """Return the spans of the most probable segmentation by jieba's unigram model.

    Parameters
    ----------
    extra
        Further words as (start, end) -> frequency in jieba's counts; the larger of both counts is taken.
    """
    frequency, total, ends_of = jieba_words(text)
    reach: dict[int, set[int]] = {}
    for start, end in extra:
        reach.setdefault(start, set()).add(end)
    log_total = math.log(total)
    best: list[tuple[float, int]] = [(0.0, 0)] * (len(text) + 1)
    for i in range(len(text) - 1, -1, -1):
        known = {j for j in ends_of.get(i, ()) if not _name_with_particle(text, i, j, extra)}
        options = known | reach.get(i, set()) | {i + 1}
        best[i] = max(
            (math.log(max(frequency(text[i:j]), extra.get((i, j), 0.0), 1.0)) - log_total + best[j][0], j)
            for j in options
        )
    spans = set()
    i = 0
    while i < len(text):
        spans.add((i, best[i][1]))
        i = best[i][1]
    return frozenset(spans)
