"""What a line asks for: the kind of question, its content words, and small talk that needs no memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chathistory.domain import Figure
from chathistory.text import tokens

Social = Literal["greeting", "identity", "thanks", "farewell"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: how it is asked, what an answering sentence shows, and which words carry the answer."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    weight: float = 1.0


_N = r"[0-9〇零一二两三四五六七八九十百千万]"


def _kind(name: str, asked: str, shown: str, weight: float = 1.0) -> Kind:
    return Kind(name, re.compile(asked, re.I), re.compile(shown, re.I), weight)


KINDS = (
    _kind(
        "birth",
        r"出生|诞生|生于|生在|哪里人|哪儿人|何方人|什么地方人|故乡|家乡|老家|籍贯|哪国人|\bborn\b|hometown",
        r"出生|诞生|生于|[^，。；、]人(?=[，。；])|祖籍|\bborn\b",
        1.2,
    ),
    _kind(
        "death",
        r"怎么死|如何死|怎样死|死于|死在|为何死|去世|逝世|驾崩|病故|死因|临终|死的|离世|处死|葬|遗言|\bdie[ds]?\b|death",
        r"去世|逝世|病逝|病死|病故|卒|驾崩|死于|崩|薨|毒|处死|自杀|葬|临终|遗诏|\bdied?\b|death",
        1.2,
    ),
    _kind("father", r"父亲|爸|爹|令尊|父母|双亲|家世|出身|家庭", r"父|家世|世家|贵族|出身|后裔", 1.1),
    _kind("mother", r"母亲|妈|娘亲|令堂|父母|双亲", r"母", 1.1),
    _kind(
        "spouse",
        r"妻|老婆|夫人|娶|结婚|成婚|成亲|婚姻|丈夫|嫁|配偶|媳妇|married|wife|husband",
        r"妻|娶|夫人|成婚|成亲|结婚|嫁|婚|皇后|married|wife|husband",
        1.2,
    ),
    _kind(
        "children",
        r"儿子|女儿|孩子|子女|儿女|后代|几个子|children|\bsons?\b|daughter",
        r"[长次幼之儿]子|子女|儿|女儿|生下|children|\bsons?\b|daughter",
    ),
    _kind("brother", r"兄弟|哥哥|弟弟|姐姐|妹妹|姐妹|排行", r"兄|弟(?!子)|哥|姐|妹|排行"),
    _kind(
        "name",
        r"叫什么|什么名字|名字|表字|的字是|字什么|字是什么|别号|名号|什么号|本名|原名|真名|小名",
        r"字(?=[^，。]{1,3}[，。])|取名|本名|原名|名[^，。]{1,2}[，。]|号[^，。]{2,5}[，。]|小名|小字|改名",
    ),
    _kind("pupils", r"学生|弟子|徒弟|门生|门徒|门人", r"弟子|学生|门人|门徒|门下|追随", 1.1),
    _kind(
        "teacher",
        r"老师|师父|师从|师承|拜.{0,4}为师|跟谁学|向谁学|谁教|恩师",
        r"老师|师从|求学|学于|拜|请教|跟.{0,6}学|向.{0,8}学|为师",
        1.1,
    ),
    _kind(
        "works",
        r"著作|作品|写过|写了|哪些诗|哪首诗|什么诗|诗作|名篇|写的|什么书|代表作|写下|著|\bwr[io]te|albums?|songs?",
        r"《|写|著|作|\bwrote|album|song",
        1.1,
    ),
    _kind(
        "ideas",
        r"主张|思想|观点|看法|怎么看|如何看|认为|相信|理念|学说|信条|何谓|什么是|是什么意思|理解",
        r"主张|认为|提出|提倡|强调|相信|看作|说：|讲|“",
    ),
    _kind(
        "taste", r"喜欢|爱好|喜爱|爱吃|性格|脾气|嗜好|为人|最爱|讨厌", r"喜|爱|嗜|性格|性情|为人|脾气|不喝|不吃|讨厌"
    ),
    _kind("office", r"官|职位|职务|做过什么|当过|担任|工作|差事", r"任|官|封|拜[^，。]{1,3}|授|当|职|掌管"),
    _kind(
        "friend",
        r"朋友|好友|认识|交情|关系|结识|见过|来往|知己|遇到|遇见|见面|相识",
        r"友|结识|相识|认识|交|见|遇|同游|问",
    ),
    _kind("enemy", r"敌人|对手|仇|争论|争吵|得罪|讨厌谁|死敌|对头", r"敌|争|仇|怨|得罪|诬|控告|政敌|不和"),
    _kind(
        "deeds",
        r"成就|贡献|功绩|发明|发现|事迹|做了什么|功劳|得意|最大的",
        r"发明|发现|创立|创办|提出|统一|建立|证明|制造|完成|开创|修",
    ),
    _kind("look", r"长什么样|长相|相貌|多高|身高|外貌|样子|模样", r"身[高长材]|相貌|容貌|长得|长相|脸|眼|尺"),
    _kind(
        "childhood",
        r"小时候|童年|少年|幼年|年轻|从小|孩童|娃娃|早年|childhood",
        r"小时候|少年|幼年|年少|童年|自幼|从小|年轻|岁|早年|幼|childhood|young",
    ),
    _kind("war", r"打仗|战争|战役|之战|作战|攻打|打败|战胜|打过", r"战|攻|败|军|兵|讨伐|征"),
)

FORMS = (
    _kind("who", r"谁|哪位|何人|什么人|哪些人|哪几[位个]|\bwho\b|\bwhom\b", r"(?!)"),
    _kind(
        "when",
        r"何时|什么时候|哪一?年|几岁|几时|多大年|多大岁|多大的时候|何年|什么年代|年纪|岁数|\bwhen\b|what year",
        rf"{_N}+年|{_N}+岁|元年|年间|年号|\b1[0-9]{{3}}\b|\b20[0-9]{{2}}\b",
    ),
    _kind(
        "where",
        r"哪里|哪儿|何处|何地|什么地方|哪个地方|在哪|去哪|到哪|住哪|哪国|哪座|\bwhere\b",
        r"[于在至到往抵回赴离]了?[^，。；的]{1,8}[国州县郡城山河镇京都市府乡村岛关庙宫学阙原谷地庄园海江湖阳安邑院丹利兰]"
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
        rf"{_N}{{1,}}|数[十百千]|\d",
    ),
    _kind("how", r"怎么|如何|怎样|咋|\bhow\b", r"用|以|把|靠|通过|便|就|先"),
)

_GREETING = re.compile(
    r"你好|您好|在吗|在么|在不在|幸会|久仰|拜见|见过(?:先生|陛下|大人)|早上好|下午好|晚上好|早安|哈喽|嗨"
    r"|^(?:hello|hi|hey)\b",
    re.I,
)
_IDENTITY = re.compile(
    r"[你您]是(?:谁|哪位|何人|什么人|干什么的|做什么的)|介绍.{0,4}(?:自己|你|您)|自我介绍|何许人|[你您](?:到底|究竟)是谁"
    r"|who are you|about yourself|尊姓大名|怎么称呼[？?]?$|你叫什么(?:名字)?[？?]?$|阁下是谁|报上名来",
    re.I,
)
_THANKS = re.compile(r"谢谢|多谢|感谢|谢过|受教|领教了|thank", re.I)
_FAREWELL = re.compile(r"再见|告辞|拜拜|晚安|后会有期|先走|回头见|下次再聊|\bbye\b|goodbye", re.I)
_ASKING = re.compile(
    r"[？?]|谁|什么|何[时地处人故以为谓]|为何|如何|怎[么样]|哪|多少|几[个人次年部首位岁]|吗|呢|是否|有没有"
    r"|讲讲|说说|谈谈|聊聊|讲一讲|说一说|介绍"
    r"|告诉|\b(?:who|what|when|where|why|how|tell|did|do|are|is|was)\b",
    re.I,
)
_STOP_WORDS = """
的 了 吗 呢 吧 啊 呀 么 你 您 我 他 她 它 们 你们 是 是不是 有 没有 在 和 与 跟 同 对 对于 就 都 也 还 又 被 把
给 让 什么 谁 哪 哪里 哪儿 哪些 哪个 哪位 为什么 为何 怎么 怎样 如何 多少 几 个 何 何时 何地 何处 时候 的时候 这
那 这个 那个 这样 那样 请 请问 请教 一下 可以 能 能否 知道 告诉 说 说说 讲 讲讲 谈 谈谈 聊聊 觉得 认为 关于 到底
究竟 当年 当初 当时 那时 后来 然后 之后 以后 以前 自己 先生 陛下 大人 阁下 老师 听说 据说 最 过 得 地 着 去 来
会 要 想 曾 曾经 一生 中 里 上 下 之 其 所 并 而 从 到 事 事情 有关 记得 还记得 难道 真的 哪年 哪一年 一 不 没
第一 人 年 公 次 the a an of in on at to is are was were do did does you your who what when where why how and
for with about tell me us it that this 做 叫 写 看 用 当 样 样的 样子 么样 谁的 过的 怎么样 好 岁 几岁 多大 经过
回事 怎么回事 发生 情况 想法 看法 怎么看
"""
_STOP = frozenset(_STOP_WORDS.split())


def social(line: str) -> Social | None:
    """Return the kind of small talk a line is, None when it asks for memory."""
    text = line.strip()
    if _IDENTITY.search(text) and len(text) <= 30:
        return "identity"
    rest = len(re.sub(r"[，。！？!?,.\s~～]", "", text))
    if _FAREWELL.search(text) and rest <= 14:
        return "farewell"
    if _THANKS.search(text) and rest <= 16 and not re.search(r"[？?]", text):
        return "thanks"
    greeting = _GREETING.search(text)
    if greeting and rest - len(greeting.group()) <= 6 and not _asks_beyond(text, greeting):
        return "greeting"
    return None


def _asks_beyond(text: str, greeting: re.Match[str]) -> bool:
    rest = text[: greeting.start()] + text[greeting.end() :]
    return bool(re.search(r"谁|什么|何|怎|哪|多少|几|why|who|what|when|where|how", rest, re.I))


def is_question(line: str) -> bool:
    """Whether a line wants an answer rather than tells something."""
    return bool(_ASKING.search(line))


def content_words(text: str, figure: Figure | None = None) -> list[str]:
    """Return the words of a line that carry its topic: no particles, no question words, none of the figure's names."""
    if figure is not None:
        for name in sorted(figure.names, key=len, reverse=True):
            if len(name) > 1:
                text = text.replace(name, " ")
    return [
        word for word in tokens(text) if word not in _STOP and not (len(word) == 1 and word in "吗呢吧啊呀嘛哦诶哎")
    ]


def kinds(line: str) -> list[Kind]:
    """Return the subjects a line asks about (birth, father, works ...), in the order of the table."""
    return [kind for kind in KINDS if kind.asked.search(line)]


def forms(line: str) -> list[Kind]:
    """Return the forms of the question (who, when, where, why, count, how); ``how`` only where no other stands."""
    found = [form for form in FORMS if form.asked.search(line)]
    return [form for form in found if form.name != "how" or len(found) == 1]
