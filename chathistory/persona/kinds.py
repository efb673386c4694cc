"""The table of questions: how each is asked, what a sentence that answers it shows, and how it sounds of oneself."""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Sequence

from chathistory.persona.kind import Kind
from chathistory.persona.kind import kind as _kind
from chathistory.persona.topics import OPEN, topics

_N = r"[0-9〇零一二两三四五六七八九十百千万]"


SUBJECTS = (
    _kind(
        "birth",
        r"出生|诞生|生于|生在|哪里人|哪儿人|何方人|什么地方人|(?<!离开)(?<!回)(?:故乡|家乡|老家)|籍贯|哪国人|\bborn\b|hometown",
        r"出生|诞生|生于|[^，。；、]人(?=[，。；])|祖籍|\bborn\b",
        r"ME[^，。；]{0,16}(?:出生|生于|诞生|生在|祖籍)|ME的(?:出生|祖籍)|^[^，。]{0,12}生于|生下ME"
        r"|ME.{0,20}[^，。；、的]{2,8}人(?=[，。])|\bI was born",
    ),
    _kind(
        "death",
        r"怎么死|如何死|怎样死|死于|死在|为何死|去世|逝世|驾崩|病故|死因|临终|死的|离世|处死|葬|墓|埋|遗言|最后一句|\bdie[ds]?\b|death",
        r"去世|逝世|病逝|病死|病故|卒|驾崩|死于|死在|崩|薨|毒|处死|自杀|葬|临终|遗[诏言]|最后|\bdied?\b|death",
        r"ME[^，。；]{0,16}(?:去世|逝世|病逝|病死|病故|驾崩|死[于在]|喝下|饮[下毒鸩]|自杀|被处死|安葬|葬[于在]|临终|临死)",
    ),
    _kind(
        "father",
        r"父亲|爸|爹|令尊|父母|双亲|家世|出身|家庭",
        r"父|家世|世家|贵族|出身|后裔",
        r"家父|ME的(?:父亲|父母|祖先)|^父亲|ME出身|ME[^，。]{0,6}之子",
    ),
    _kind("mother", r"母亲|妈|娘亲|令堂|父母|双亲", r"母", r"家母|ME的(?:母亲|父母)|^母亲"),
    _kind(
        "spouse",
        r"妻|老婆|夫人|娶|结婚|成婚|成亲|婚姻|丈夫|嫁|配偶|媳妇|结过婚|married|wife|husband",
        r"妻|娶|夫人|成婚|成亲|结婚|婚|嫁|皇后|married|wife|husband",
        r"ME[^，。]{0,12}(?:娶|妻|成婚|结婚|婚|嫁)|ME的(?:妻子|夫人|丈夫|配偶)|嫁给?了?ME",
    ),
    _kind(
        "children",
        r"儿子|女儿|孩子|子女|儿女|后代|几个子|children|\bsons?\b|daughter",
        r"[长次幼之儿]子|子女|儿|女儿|生下|children|\bsons?\b|daughter",
        r"ME[^，。]{0,6}(?:有|生了?|的|立)[^，。]{0,8}(?:儿子|女儿|[长次幼庶嫡独养一二两三四五]子|子女|儿女|孩子)|没有(?:子女|孩子|儿女|后代)|ME[^，。]{0,8}生下(?!来)|ME[^，。]{0,14}自己的儿子",
    ),
    _kind(
        "brother",
        r"兄弟|哥哥|弟弟|姐姐|妹妹|姐妹|排行",
        r"兄|弟(?!子)|哥|姐|妹|排行",
        r"家兄|舍弟|ME[^，。；]{0,10}(?:哥哥|弟弟|弟妹|姐姐|妹妹|兄弟)|ME的(?:哥哥|弟弟|兄|姐|妹)|ME[^，。]{0,8}排行",
    ),
    _kind(
        "name",
        r"叫什么|什么名字|名字|表字|的字是|字什么|字是什么|别号|名号|什么号|本名|原名|真名|小名",
        r"字(?=[^，。]{1,3}[，。])|取名|本名|原名|名[^，。]{1,2}[，。]|号[^，。]{2,5}[，。]|小名|小字|改名|名叫",
    ),
    _kind(
        "pupils",
        r"学生|弟子|徒弟|门生|门徒|门人",
        r"弟子|学生|门人|门徒|门下|追随",
        r"ME[^，。]{0,10}(?:弟子|学生|门下)",
    ),
    _kind(
        "teacher",
        r"老师|师父|师从|师承|拜.{0,4}为师|跟谁学|向谁学|谁教|恩师",
        r"老师|师从|求学|学于|拜|请教|跟.{0,6}学|向.{0,8}学|为师",
        r"ME[^，。]{0,30}为师|ME[^，。]{0,14}(?:师从|请教|求学|学于|跟[^，。]{1,8}学|向[^，。]{1,8}学|学生)|ME的(?:老师|恩师)",
    ),
    _kind(
        "works",
        r"著作|作品|写过|写了|哪些诗|哪首诗|什么诗|诗作|名篇|写的|什么书|哪些书|代表作|写下|著|\bwr[io]te|albums?|songs?",
        r"《|写|著|作|\bwrote|album|song",
        r"ME[^，。]{0,16}(?:写|著|作|编|修|完成|出版|发表)[^，。]{0,16}《|ME的(?:主要|代表)?(?:作品|著作|代表作)|诗作|名篇",
    ),
    _kind(
        "ideas",
        r"主张|思想|观点|看法|怎么看|如何看|认为|相信|理念|学说|信条|何谓|什么是|是什么意思|理解|是什么[？?]?$",
        r"主张|认为|提出|提倡|强调|相信|看作|说：|讲|“",
        r"ME[^，。]{0,6}(?:主张|认为|相信|提出|提倡|强调|说|以为|看重|重视|最)|ME的(?:核心|主要)?(?:思想|主张)",
    ),
    _kind(
        "taste",
        r"喜欢|喜爱|最爱|讨厌|嗜好",
        r"喜|爱|嗜|讨厌|厌恶",
        r"ME[^，。；]{0,8}(?:喜|爱|嗜|讨厌|厌恶)|ME的爱好",
    ),
    _kind(
        "office",
        r"官|职位|职务|做过什么|当过|担任|工作|差事|职业",
        r"任|官|封|拜[^，。]{1,3}|授|当|职|掌管",
        r"ME[^，。]{0,14}(?:任|当过?了?|做过|封|拜[^见访]|授|官|职)|ME的(?:官职|职业|职务)",
    ),
    _kind(
        "friend",
        r"朋友|好友|认识|交情|关系|结识|见过|来往|知己|遇到|遇见|见面|相识",
        r"友|结识|相识|认识|交|见|遇|同游|问",
        r"ME[^，。]{0,14}(?:友|结识|相识|认识|交|遇|见过?|同游)",
    ),
    _kind(
        "childhood",
        r"小时候(?:.{0,8}孩子)?|童年|少年|幼年|年轻|从小|孩童|娃娃|早年|小毛孩|childhood",
        r"小时候|少年|幼年|年少|童年|自幼|从小|年轻|岁|早年|幼|childhood|young",
        rf"ME[^，。]{{0,4}}(?:小时候|少年|幼|年少|童年|自幼|从小|年轻|{_N}+岁)|少年ME",
    ),
    _kind(
        "war",
        r"打仗|战争|战役|之战|作战|攻打|打败|战胜|打过",
        r"战|攻|败|军|兵|讨伐|征",
        r"ME[^，。]{0,16}(?:战|打|攻|军|兵|征)",
    ),
)

FORMS = (
    _kind("who", r"谁|哪位|何人|什么人|哪些人|哪几[位个]|\bwho\b|\bwhom\b", r"(?!)"),
    _kind(
        "when",
        r"何时|什么时候|哪一?年|几岁|几时|多大年|多大岁|多大的?时候|何年|哪个年代|什么年代|年纪|岁数|\bwhen\b|what year",
        rf"{_N}+年|{_N}+岁|元年|年间|年号|\b1[0-9]{{3}}\b|\b20[0-9]{{2}}\b",
    ),
    _kind(
        "where",
        r"哪里|哪儿|何处|何地|什么地方|哪个地方|在哪|去哪|到哪|住哪|哪国|哪座|\bwhere\b",
        r"[于在至到往抵回赴离住]了?[^，。；的]{1,8}[国州县郡城山河镇京都市府乡村岛关庙宫学阙原谷地庄园海江湖阳安邑院丹利兰]"
        r"|\b(?:in|at|to) [A-Z]",
    ),
    _kind(
        "why",
        r"为什么|为何|何以|何故|怎么会|缘何|因何|什么原因|干嘛|凭什么|理由|怎么反|\bwhy\b",
        r"因|由于|为了|所以|故(?!意|事|乡|居)|于是|遂|以便|既然|为的是|是为|怕|担心|不愿|不忍|\bbecause\b|\bso that\b",
    ),
    _kind(
        "count",
        r"多少|几[个人次年部首位千百岁任件条篇座场种处匹名]|多久|多长|多大|多高|多远|\bhow (?:many|much|long|old)\b",
        rf"{_N}{{2,}}(?!年(?!之?久|后|前))|(?!一)[0-9二两三四五六七八九十百千万][\u4e00-\u9fff](?<!年)|数[十百千]|一[个位名次](?![^，。；]{{0,2}}[不没])",
    ),
    _kind("does", r"做什么的|干什么的|什么职业|做哪行", r"匠|商|官|农|教师|大夫|将军|牧师|医|职|做过|当过|任"),
    _kind("how", r"怎么|如何|怎样|咋|\bhow\b", r"用|以|把|靠|通过|便|就|先"),
)

_WEAK = frozenset(("taste", "ideas"))
"""Subjects that any other takes the place of."""
_VIEW = re.compile(r"怎么看|如何看|认为|主张|观点|思想|看法|理解")
_NOT_WITH = {
    "reading": "works",
    "regret": "deeds",
    "stocks": "wealth",
    "lifespan": "death",
    "deeds": "works",
    "childhood": "children",
}
"""Where the first is asked, the second is not."""

HARD = frozenset(("birth", "death", "father", "mother", "spouse", "children", "brother", "teacher")) | OPEN
"""Subjects on which a sentence that says nothing of the figure himself is no answer."""

POINTED = frozenset(("who", "when", "where", "count"))
"""Forms that one sentence answers."""

_UNITS = (
    (re.compile(r"钱|亏|赚|花[了费]|工资|薪|俸|收入|赔|价"), r"[镑磅元贯文斤石斛金银钱]|英镑|先令"),
    (re.compile(r"岁|多大(?!的[^时])|年纪|年龄|寿"), r"岁"),
    (re.compile(r"多久|多少年|几年|多长时间|多少天|几天|how long"), r"年|个?月|[天日]|小时"),
    (re.compile(r"多高|身高"), r"[尺寸米]"),
    (re.compile(r"多少人|几个?人"), r"[个名位人]"),
)
_MEASURE = re.compile(r"(?:多少|几)([个位名次条首篇本卷部座件种封场任匹张块])")


def subjects(line: str) -> list[Kind]:
    """Return the subjects a line asks about (birth, father, works ...), in the order of the tables.

    A taste or an opinion is the subject only where no other is, or where an opinion is asked for in so many words.
    """
    found = [kind for kind in SUBJECTS if kind.asked.search(line)] + [topic.kind for topic in topics(line)]
    names = {kind.name for kind in found}
    found = [kind for kind in found if not any(kind.name == less and more in names for more, less in _NOT_WITH.items())]
    strong = [kind for kind in found if kind.name not in _WEAK or (kind.name == "ideas" and _VIEW.search(line))]
    return strong or found


def told(line: str, texts: Sequence[str]) -> bool:
    """Whether some text has the words of a hard subject that the line asks about."""
    return any(kind.shown.search(text) for kind in subjects(line) if kind.name in HARD for text in texts)


def forms(line: str) -> list[Kind]:
    """Return the forms of the question (who, when, where, why, count, how); ``how`` only where no other stands."""
    found = [form for form in FORMS if form.asked.search(line)]
    return [form for form in found if form.name != "how" or len(found) == 1]


def shows(form: Kind, line: str, sentence: str) -> float:
    """How well a sentence has what a form of question asks for, 0..1; a number counts whole with the unit asked for."""
    if not form.shown.search(sentence) and not (form.name == "count" and "、" in sentence):
        units = [unit for asked, unit in _UNITS if asked.search(line)] if form.name == "count" else []
        return 1.0 if any(re.search(rf"{_N}(?:多|余)?(?:{unit})", sentence) for unit in units) else 0.0
    if form.name == "when" and re.search(r"几岁|多大|年纪|岁数", line):
        return 1.0 if re.search(rf"{_N}+[多余来]?岁", sentence) else 0.4
    if form.name != "count":
        return 1.0
    units = [unit for asked, unit in _UNITS if asked.search(line)]
    measure = _MEASURE.search(line)
    if measure:
        if measure.group(1) in "个位名" and "、" in sentence:
            return 1.0
        units.append(measure.group(1) if measure.group(1) not in "个位名" else "[个位名人]")
    if not units:
        return 1.0
    return 1.0 if any(re.search(rf"{_N}[多余来几]?(?:{unit})", sentence) for unit in units) else 0.4
