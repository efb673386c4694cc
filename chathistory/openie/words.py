"""The words of a sentence with the classes that the clause patterns need; names are kept whole."""

from __future__ import annotations

import re
from functools import lru_cache

from chathistory.openie import gazetteer
from chathistory.openie.lexicon import ERAS
from chathistory.openie.people import POSTHUMOUS, merge_people
from chathistory.openie.tags import cut
from chathistory.openie.titles import merge_places, merge_roles, retag
from chathistory.openie.word import Word

_NUM = "[元一二三四五六七八九十廿卅百〇]"
_ERA = "|".join(sorted(set(ERAS), key=lambda era: (-len(era), era)))
_RULER = r"(?:[周鲁秦汉晋唐宋齐楚魏赵燕韩明清隋]?[\u4e00-\u9fff][公王帝宗祖]|秦王政|鲁哀公|秦始皇)"
_DAY = r"(?:闰?(?:\d{1,2}|[正腊冬一二三四五六七八九十]{1,3})月(?:初?(?:\d{1,2}|[一二三四五六七八九十廿]{1,3})[日号])?)"
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
_RULER_NAME = re.compile(
    rf"(?!汉中|魏中|吴中|楚中)(?:[西东前后北南]?[汉魏晋宋齐梁陈隋唐周秦楚鲁卫赵燕韩吴越蜀明清元蔡郑曹])(?:[{POSTHUMOUS}]{{1,2}})"
    rf"(?:[帝宗祖](?![王室])|[公王](?![室府朝子国侯]))"
)


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
            raw.extend(cut(sentence[pending:start]))
            word, width = span
            if word.tag == "PAREN":
                if raw:
                    raw[-1] = Word(raw[-1].text, raw[-1].tag, raw[-1].value, raw[-1].note or word.text[1:-1])
            else:
                raw.append(word)
            start += width
            pending = start
        raw.extend(cut(sentence[pending:]))
        return retag(merge_roles(merge_places(merge_people(raw))))

    def _protected(self, text: str, at: int) -> tuple[Word, int] | None:
        char = text[at]
        for opener, pattern, tag in (("《", _WORK, "WORK"), ('“「‘『"', _QUOTE, "QUO"), ("（(【[", _PAREN, "PAREN")):
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
        if (known := _known(text, at)) and not (
            char == "子" and at and text[at - 1] in "儿孙女弟太皇王公君世养义妻父母天才妃电原长次幼"
        ):
            return Word(known[0], known[1]), len(known[0])
        if char.isascii() or "\u00c0" <= char <= "\u024f":
            if match := _LATIN.match(text, at):
                return Word(match.group().strip(), "N"), len(match.group())
            if match := _NUMBER.match(text, at):
                return Word(match.group(), "M"), len(match.group())
        return None


def _known(text: str, at: int) -> tuple[str, str] | None:
    for name, tag in _gazetteer().get(text[at], ()):
        if text.startswith(name, at):
            return name, tag
    return None
