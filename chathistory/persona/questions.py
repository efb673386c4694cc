"""What a line is: small talk, a question or a remark; and the words that carry its topic."""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Literal

from chathistory.domain import Figure
from chathistory.text import tokens

Social = Literal["greeting", "identity", "thanks", "farewell", "well", "praise", "noted", "sorry"]


_TO_ALL = r"(?:你们|您们|大家|各位|诸位|两位|二位|三位|几位|列位|众位|诸君|所有人|(?:老师|朋友|同学|先生|前辈|女士)们)"
_GREETING = re.compile(
    rf"{_TO_ALL}(?:先生|朋友|前辈|老师|大人|贤者)?(?:们)?(?:早|中|下|晚)?(?:上|午)?好|{_TO_ALL}(?:安好|早安|晚安|有礼|辛苦|请了)"
    rf"|^[，。！!\s]*{_TO_ALL}(?:先生|朋友|前辈|老师|大人)?[，。！!~～\s]*$"
    r"|[你您]好(?!像|些|[多久奇])|在吗|在么|在不在|有人(?:在)?吗|幸会|久仰|拜见|见过(?:先生|陛下|大人)|拜会|参见|叩见|万岁|安好"
    r"|早上好|上午好|中午好|下午好|晚上好|早安|午安|哈喽|哈啰|嗨|打扰|叨扰|冒昧|初次见面|很高兴(?:见到|认识)|(?:终于|有幸)见到|给.{1,8}(?:请安|行礼|问好)"
    r"|^(?:早|喂|嘿|安|问好|欢迎)(?:啊|呀)?[，。！!~～\s]*$"
    r"|\b(?:hello|hi|hey|greetings|good (?:morning|afternoon|evening)|nice to meet|pleased to meet)\b",
    re.I,
)
_ITSELF = re.compile(r"^(?:我叫|我是|我姓|俺是|本人是)[^？?，。]{1,16}[，。！!]?[^？?]{0,16}$")
_IDENTITY = re.compile(
    r"(?:[你您]们?|各位|诸位|大家|几位)(?:都|各|分别)?是(?:谁|哪位|哪几位|何人|什么人|干什么的|做什么的)|介绍.{0,4}(?:自己|你|您)|自我介绍|何许人|[你您](?:到底|究竟)是谁"
    r"|who are you|about yourself|introduce yoursel|尊姓大名|怎么称呼[？?]?$|你叫什么(?:名字)?[？?]?$|报上名来"
    r"|(?:阁下|陛下|先生|夫子|大人|皇上|女士|足下)是(?:谁|哪位|何人)",
    re.I,
)
_THANKS = re.compile(r"谢谢|多谢|感谢|谢过|谢了|受教|领教了|受益匪浅|学到了|thank", re.I)
_FAREWELL = re.compile(
    r"再见|再会|告辞|拜拜|晚安|后会有期|先走|回头见|下次(?:再)?[聊见]|改天(?:再)?聊|明天见|失陪|\bbye\b|goodbye|see you",
    re.I,
)
_WELL = re.compile(
    r"[你您]们?(?:最近|近来|今天|过得|还|一切|身体)*(?:好吗|好么|怎么样|还好吗|如何|好不好|可好)[？?]?$|(?:近来|别来)无恙|吃(?:了|过)(?:饭)?[吗没么]|how are you|how do you do",
    re.I,
)
_PRAISE = re.compile(
    r"(?:[你您](?:们)?(?:可)?(?:真|太|好|很|非常|实在)(?:是)?(?:厉害|了不起|伟大|聪明|棒|有学问|有趣|幽默|博学|强))|^(?:真|太|好)?(?:厉害|佩服|了不起|精彩|棒|高见|妙)(?:了|啊|呀|极了)*[！!。~]*$"
    r"|我(?:很|非常|真|最|一直)?(?:崇拜|敬佩|佩服|喜欢|仰慕|敬仰)[你您]|说得(?:真|太|很)?(?:好|妙|对)|you are (?:great|amazing)",
    re.I,
)
_NOTED = re.compile(
    r"^(?:哦+|噢+|喔|嗯+|好的?|行|明白了?|懂了|知道了|了解|原来如此|原来是这样|是这样啊?|这样啊|有道理|有意思|真有意思|没事|没什么|算了|好吧|哈+|呵+|嘿嘿|嘻+|不错|可以|ok|okay|i see)"
    r"(?:啊|呀|了|吧|哦|的|嘛|呢)*[，。！!~～…\s]*$",
    re.I,
)
_SORRY = re.compile(r"^(?:对不起|抱歉|不好意思|失礼了?|得罪了?|请原谅|见谅|恕罪|sorry)", re.I)
_ASKING = re.compile(
    r"[？?]|多[高大重远久长]|谁|什么|何[时地处人故以为谓]|为何|如何|怎[么样]|哪|多少|几[个人次年部首位岁]|吗|呢|是否|有没有"
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
for with about tell me us it that this 做 叫 写 看 用 当 样 样的 样子 么样 谁的 过的 怎么样 好 岁 开始 一年 一天
故事 经历 每天 每年 这辈子 一辈子 辈子 时候 小时 最大 最最 大家 各位 诸位 各自 一件 一句 一个 一位 哪件 哪本 哪一 先后 平时 特别 非常 叫做 属于  几岁 多大 经过
回事 怎么回事 发生 情况 想法 看法 怎么看
"""
_STOP = frozenset(_STOP_WORDS.split())


_FRAME = re.compile(
    r"怎么看待?|如何看待?|怎样看待?|什么是|是什么(?:样的)?|为什么|为何|怎么样?|如何|怎样|什么时候|什么地方|什么人|什么|[你您]们?|请问|多少|有没有|是不是"
)


def social(line: str) -> Social | None:
    """Return the kind of small talk a line is, None when it asks for memory."""
    text = line.strip()
    if _IDENTITY.search(text) and len(text) <= 30:
        return "identity"
    rest = len(re.sub(r"[，。！？!?,.、：:\s~～]", "", text))
    if _NOTED.match(text):
        return "noted"
    if _SORRY.match(text) and rest <= 12 and not is_question(text):
        return "sorry"
    if _WELL.search(text) and rest <= 14 and not content_words(_WELL.sub("", text)):
        return "well"
    if _FAREWELL.search(text) and rest <= 14 and not re.search(_TO_ALL + "晚安", text):
        return "farewell"
    if _THANKS.search(text) and rest <= 16 and not re.search(r"[？?]", text):
        return "thanks"
    if _PRAISE.search(text) and rest <= 16 and not re.search(r"[？?]|谁|什么|怎|哪", text):
        return "praise"
    greeting = _GREETING.search(text)
    if greeting and rest - len(greeting.group()) <= 10 and not _asks_beyond(text, greeting):
        return "greeting"
    if _ITSELF.match(text) and rest <= 24:
        return "greeting"
    return None


def _asks_beyond(text: str, greeting: re.Match[str]) -> bool:
    rest = text[: greeting.start()] + text[greeting.end() :]
    return bool(
        re.search(
            r"谁|什么|何|怎|哪|多少|几(?!位)|[？?].*[？?]|讲|说说|谈|聊聊|告诉|why|who|what|when|where|how", rest, re.I
        )
    )


def is_question(line: str) -> bool:
    """Whether a line wants an answer rather than tells something."""
    return bool(_ASKING.search(line))


_STORY = re.compile(
    r"讲讲|说说|谈谈|聊聊|讲一讲|说一说|讲个|讲述|故事|经过|怎么回事|发生|介绍|详细|具体|怎么(?!死|看|样|想)|tell|story",
    re.I,
)


def wants_story(line: str) -> bool:
    """Whether a line asks for a story or an account, which takes more than the sentence that answers."""
    return bool(_STORY.search(line))


def content_words(text: str, figure: Figure | None = None) -> list[str]:
    """Return the words of a line that carry its topic: no particles, no question words, none of the figure's names."""
    if figure is not None:
        for name in sorted(figure.names, key=len, reverse=True):
            if len(name) > 1:
                text = text.replace(name, " ")
    text = _FRAME.sub(" ", text)
    return [
        word for word in tokens(text) if word not in _STOP and not (len(word) == 1 and word in "吗呢吧啊呀嘛哦诶哎")
    ]
