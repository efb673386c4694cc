"""Who is meant in a sentence: the figure's own names, other people, and whom 他/她/其 point to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chathistory.domain import Figure
from chathistory.persona.people import people, tagger

Who = Literal["self", "other"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a sentence that points to somebody.

    ``form`` is how: a name, 他/她, 其, or 他们/她们. ``subject`` tells whether it stands where a subject stands;
    ``sure`` whether ``who`` is beyond doubt.
    """

    start: int
    end: int
    form: Literal["name", "pronoun", "其", "plural"]
    who: Who
    subject: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its mentions resolved. ``clear`` is False when an 'I' put into it might be somebody else."""

    text: str
    mentions: tuple[Mention, ...]
    clear: bool

    @property
    def selves(self) -> tuple[Mention, ...]:
        """The mentions that are surely the figure."""
        return tuple(mention for mention in self.mentions if mention.who == "self" and mention.sure)


_QUOTED = re.compile(r"《[^》]*》|〈[^〉]*〉|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’|\"[^\"]*\"")
_WOMAN_NAME = re.compile(r"[后妃娘姬妹姐娥]$|氏$|公主|郡主|夫人|昭仪|太后|皇后|婉|女士|小姐|王后|女王")
_WOMAN_KIN = re.compile(
    r"(?:外甥女|侄女|孙女|外孙女|养女|继女|女儿|[长次幼三四五独]女|妻子?|夫人|前妻|妾|母亲?|继母|养母|祖母|外祖母|婆婆|岳母|姐姐?|妹妹?|姨母?|姑母?|嫂子?"
    r"|表妹|表姐|堂妹|堂姐|皇后|王后|太后|妃子?|公主|宫女|侍女|女仆|保姆|乳母|未婚妻|情人|女友|女学生)$"
)
_MAN_KIN = re.compile(
    r"(?:父亲?|继父|养父|祖父|外祖父|岳父|丈夫|前夫|夫君|儿子?|[长次幼三四五独]子|养子|继子|孙子?|外孙|兄长?|哥哥?|弟弟?|叔父?|伯父?|舅舅?|舅父|外甥|侄子?"
    r"|女婿|驸马|太子|皇帝|国王|牧师|爵士|先生|表哥|表弟|堂兄|堂弟|姐夫|妹夫)$"
)
_AFTER_WOMAN = re.compile(r"(?:夫人|太太|小姐|女士|公主|皇后|王后|女王)")
_PRONOUN = re.compile(r"(?<![其吉])[他她](?!们|人(?!生)|乡|国|处|日|年(?![少轻幼老纪])|山|方|者|杀|律)")
_PLURAL = re.compile(r"[他她]们")
_QI = re.compile(
    r"(?<![尤极与何若莫及])其(?![中他它余后间实次时一二三四所事地年上下内外前数])|及其(?=[\u4e00-\u9fff]{2})"
)
_KIN_FOLLOWS = re.compile(r"[父母妻兄弟子女孙师祖叔伯舅岳长次幼]")
_CLAUSE = re.compile(r"[，。；：！？,;:!?、]")
_BEFORE_OBJECT = frozenset(
    "把被将与和同向对给让使令命派请劝问告拜任用召遣杀害攻救助投随从为以由替教见送赐封求迎依归怕恨爱娶嫁骂责谏要叫称喊呼"
)
_SPEAKS = re.compile(
    r"[^，。；“]{0,8}?(?:说|回答|答道|认为|相信|觉得|以为|承认|解释|表示|发誓|谈到|自称|声称|知道|希望|担心|怕)"
    r"(?!服|明|客|法)"
)
_REPORTS = re.compile(r"(?:说|认为|觉得|以为|相信|批评|责备|抱怨|嘲笑|讥笑|发现|看出|听说|知道)$")
"""What is named right after these is the subject of what is reported."""
_BEFORE_CLAUSE = re.compile(r"(?:因为|由于|如果|虽然|尽管|即使|说|认为|以为|觉得|相信|知道)$")
BEFORE_SUBJECT = frozenset("，。；：、！？,年月日时后前中间岁初末春夏秋冬此但而故则因果是来曾久以")
"""Characters after which a subject stands (times, conjunctions, the end of a clause)."""
_NAMING = re.compile(r"(?:字|号|名|叫|称|曰|作|为|即|谥|讳|封|是|成|尊|呼)$")
_LISTS_NAMES = re.compile(r"(?:别名|别称|又名|尊称|本名|全名|谥号|称号|外文名|字|号)是[^，。；]*$")
_NAMING_OWN = re.compile(
    r"(?:改名|取名|名叫|名为|本名|原名|称为|自称|号称|改称|[称叫][他她]|尊[他她]为|叫做|又名|姓名|名字是)$"
)
_STATES = frozenset("周汉魏晋唐宋明清楚齐秦赵燕吴越蜀韩鲁卫陈梁隋辽金元商夏北南东西后前")
_TITLE_END = frozenset("王帝祖宗公侯后主")
_HONORIFIC = re.compile(r"(?:爵士|先生|夫人|陛下|大帝|女士|女皇)(?![\u4e00-\u9fff]?》)")
_DISCOVERS = (
    "提出|发现|创立|建立|推导|总结|研究|证明|归纳|得出|发表|阐述|使用|利用|运用|认为|解释|改进|制造|发明|制作|学习|反对|批评|写出|给出|完善"
    "|借助|根据|通过|采用|还有|也有|关于|对于|反驳|介绍|讲解|造出|磨制|设计|开创|奠定"
)
_LONGER = re.compile(
    r"(?:庙|墓|陵(?!阳|墓工)|祠|故居|故里|纪念[馆堂碑]|公园|大学|学院|中学|学派|学会|研究[会院所]|文学奖|诗派|主义|悖论|家语|改制考|诗集|文集|全集|本纪|世家"
    r"|列传|年谱|全书|语录|诗话|诞辰|法典|式的?|草堂|兵马俑|测试)"
    r"|(?:传|集|环|机|奖|路|街|桥|星|像|县|镇|岛|法)(?=[，。、；》）的是和与中里上]|$)"
    rf"|(?:第[一二三四五]|三大|万有引力|(?!{_DISCOVERS})[^，。；、的了过在是与和]{{2}})?"
    r"(?:定律|定理|公式|法则|方程组?|力学|流体|迭代法|单位|望远镜|方法|战争)"
)


def quoted(text: str) -> list[tuple[int, int]]:
    """Return the spans inside quotation marks and book-title marks, marks included."""
    return [match.span() for match in _QUOTED.finditer(text)]


def _free(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return all(end <= left or start >= right for left, right in taken)


def own_names(text: str, figure: Figure) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return (spans that name the figure, spans that only look so): 孔子庙, 《孔子》, 周武王, 字仲尼 are the latter.

    Single characters never name anybody; the longest name wins.
    """
    shut = quoted(text)
    found: list[tuple[int, int]] = []
    for name in sorted({name for name in figure.names if len(name) > 1}, key=lambda name: (-len(name), name)):
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            if _free(start, end, [*found, *shut]):
                span = _widen(text, start, end)
                if span is None or _other_than_self(text, start, end, name == figure.name):
                    longer = _LONGER.match(text, end)
                    shut.append((start, longer.end() if longer else end))
                else:
                    found.append(span)
            start = text.find(name, end)
    return sorted(found), sorted(shut)


def _widen(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take a given name before the dot and a title after it into the span; None when the dot makes it another's."""
    if text[start - 1 : start] in ("·", "•"):
        begin = max((match.end() for match in _CLAUSE.finditer(text, 0, start)), default=0)
        if start - begin > 9:
            return None
        start = begin
    if text[end : end + 1] in ("·", "•"):
        return None
    honorific = _HONORIFIC.match(text, end)
    return start, honorific.end() if honorific else end


def _other_than_self(text: str, start: int, end: int, canonical: bool) -> bool:
    if _LONGER.match(text, end):
        return True
    before = text[max(0, start - 4) : start]
    if _NAMING_OWN.search(before) or _LISTS_NAMES.search(text[:start]):
        return True
    if canonical:
        return False
    after_naming = bool(_NAMING.search(before)) and text[end : end + 1] not in ("为", "作")
    return after_naming or (text[end - 1] in _TITLE_END and before[-1:] in _STATES)


def _clause_start(text: str, position: int) -> int:
    return max((match.end() for match in _CLAUSE.finditer(text, 0, position)), default=0)


def _stands_as_subject(text: str, start: int, first_in_clause: bool) -> bool:
    begin = _clause_start(text, start)
    lead = text[begin:start]
    if not lead or _REPORTS.search(lead):
        return True
    return first_in_clause and len(lead) <= 14 and lead[-1] not in _BEFORE_OBJECT and not re.search(r"[的之]$", lead)


def mentions(text: str, figure: Figure) -> list[Mention]:
    """Return all mentions in order; pronouns are still unresolved (who = other, not sure)."""
    own, shut = own_names(text, figure)
    found = [Mention(start, end, "name", "self") for start, end in own]
    taken = [*own, *shut]
    for start, end in _people_around(text, taken):
        found.append(Mention(start, end, "name", "other"))
        taken.append((start, end))
    for pattern, form in ((_PLURAL, "plural"), (_PRONOUN, "pronoun"), (_QI, "其")):
        for match in pattern.finditer(text):
            if _free(*match.span(), taken):
                found.append(Mention(match.start(), match.end(), form, "other", sure=False))  # type: ignore[arg-type]
    found.sort(key=lambda mention: mention.start)
    placed: list[Mention] = []
    for mention in found:
        begin = _clause_start(text, mention.start)
        first = not any(begin <= earlier.start for earlier in placed)
        subject = _stands_as_subject(text, mention.start, first)
        if mention.form == "其":
            subject = mention.start == begin
        elif mention.form == "pronoun":
            lead = text[begin : mention.start]
            subject = not lead or lead[-1] in BEFORE_SUBJECT or bool(_BEFORE_CLAUSE.search(lead))
        placed.append(replace(mention, subject=subject))
    return placed


def _people_around(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """People named in the stretches between the spans that are taken."""
    position = 0
    for start, end in [*sorted(taken), (len(text), len(text))]:
        if start > position:
            for left, right in people(text[position:start]):
                yield position + left, position + right
        position = max(position, end)


def read(texts: Sequence[str], figure: Figure, woman: bool = False) -> list[Reading]:
    """Resolve the pronouns of consecutive sentences of one passage.

    The article is about the figure, so the topic is the figure at the start. A name in subject place becomes the
    topic. 他 in subject place is the topic; in object place it is not the clause's subject; 他的 and 其 belong to the
    subject. Where another person came between, the reading is not sure and the sentence is not ``clear``.
    """
    readings: list[Reading] = []
    women: dict[str, bool] = {}
    topic: Who = "self"
    before = False
    for text in texts:
        resolved: list[Mention] = []
        rivals: set[str] = set()
        since, speaking = before, False
        subject: Who = topic
        found = mentions(text, figure)
        clear = topic == "self" or any(mention.subject for mention in found[:1])
        for mention in found:
            if mention.form == "name":
                if mention.subject:
                    subject = topic = mention.who
                other = mention.who == "other"
                name = text[mention.start : mention.end]
                if other and _is_woman(text, mention, women) == woman:
                    rivals.add(name)
                    since = True
                elif not other:
                    since = False
                said = mention.subject and _SPEAKS.match(text, mention.end) is not None
                speaking = not other and (speaking or said)
                resolved.append(mention)
                continue
            settled = _settle(text, mention, _State(topic, subject, since, len(rivals), before, speaking, woman))
            if not settled.sure and mention.form == "pronoun":
                clear = False
            if mention.subject and mention.form == "pronoun":
                subject = settled.who
            resolved.append(settled)
        readings.append(Reading(text, tuple(resolved), clear))
        before = bool(rivals) and topic == "other"
    return readings


def _is_woman(text: str, mention: Mention, known: dict[str, bool]) -> bool:
    """Whether the name is a woman's, by its own form, the kin word or title beside it, or how it was told before.

    ``known`` gathers {name: woman} over the passage; a part of a name (凯瑟琳 of 凯瑟琳·巴顿) is the same person.
    """
    name = text[mention.start : mention.end]
    before = text[max(0, mention.start - 5) : mention.start]
    if _MAN_KIN.search(before) and not _WOMAN_KIN.search(before):
        known[name] = False
    elif _WOMAN_KIN.search(before) or _AFTER_WOMAN.match(text, mention.end) or _WOMAN_NAME.search(name):
        known[name] = True
    else:
        for other, woman in known.items():
            if name in re.split(r"[·•]", other):
                known[name] = woman
                break
    return known.get(name, False)


@dataclass(frozen=True, slots=True)
class _State:
    """What is known where a pronoun stands.

    ``since``: somebody else was named after the figure; ``rivals``: how many others the sentence has named so far;
    ``before``: the sentence before was about somebody else; ``speaking``: what stands here is what the figure says or
    thinks, and nobody else was named in it.
    """

    topic: Who
    subject: Who
    since: bool
    rivals: int
    before: bool
    speaking: bool
    woman: bool


def _settle(text: str, mention: Mention, state: _State) -> Mention:
    """Decide whom a pronoun means."""
    if mention.form == "plural":
        return replace(mention, who="other", sure=True)
    if text[mention.start] == ("他" if state.woman else "她"):
        return replace(mention, who="other", sure=True)
    if mention.form == "pronoun" and (state.speaking or (state.woman and not state.rivals and not state.before)):
        return replace(mention, who="self", sure=True)
    if mention.form == "其":
        own = state.subject == "self" and not state.since and not state.rivals
        leads = mention.subject or _KIN_FOLLOWS.match(text, mention.end) is not None
        return replace(mention, who="self", sure=own and leads)
    if mention.subject:
        return replace(mention, who=state.topic, sure=state.topic == "self" and not state.since)
    if text[mention.end : mention.end + 1] == "的":
        return replace(mention, who=state.subject, sure=state.subject == "self" and not (state.since or state.rivals))
    if state.subject == "other":
        return replace(mention, who="self", sure=state.rivals <= 1)
    if state.rivals:
        return replace(mention, who="other", sure=True)
    return replace(mention, who="self", sure=not state.before and _has_own_subject(text, mention.start))


def _has_own_subject(text: str, position: int) -> bool:
    """Whether a noun stands before the first verb of the clause, so that an object 他 may be the sentence's subject."""
    for word, flag in tagger().cut(text[_clause_start(text, position) : position]):
        if flag[0] in "nr" and word not in ("自己", "从此"):
            return True
        if flag[0] == "v":
            return False
    return False
