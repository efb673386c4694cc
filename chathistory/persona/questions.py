"""What a line is: small talk, a question or a remark; and the words that carry its topic."""

from __future__ import annotations

import re
from typing import Literal

from chathistory.domain import Figure
from chathistory.text import tokens

Social = Literal["greeting", "identity", "thanks", "farewell"]


_GREETING = re.compile(
    r"你好|您好|在吗|在么|在不在|幸会|久仰|拜见|见过(?:先生|陛下|大人)|早上好|下午好|晚上好|早安|哈喽|嗨"
    r"|^(?:hello|hi|hey)\b",
    re.I,
)
_IDENTITY = re.compile(
    r"[你您]是(?:谁|哪位|何人|什么人|干什么的|做什么的)|介绍.{0,4}(?:自己|你|您)|自我介绍|何许人|[你您](?:到底|究竟)是谁"
    r"|who are you|about yourself|尊姓大名|怎么称呼[？?]?$|你叫什么(?:名字)?[？?]?$|报上名来"
    r"|(?:阁下|陛下|先生|夫子|大人|皇上|女士|足下)是(?:谁|哪位|何人)",
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


_FRAME = re.compile(
    r"怎么看待?|如何看待?|怎样看待?|什么是|是什么(?:样的)?|为什么|为何|怎么样?|如何|怎样|什么时候|什么地方|什么人|什么|[你您]们?|请问|多少|有没有|是不是"
)


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
    text = _FRAME.sub(" ", text)
    return [
        word for word in tokens(text) if word not in _STOP and not (len(word) == 1 and word in "吗呢吧啊呀嘛哦诶哎")
    ]
