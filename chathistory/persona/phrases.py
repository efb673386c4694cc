"""Stock phrases in character: the only words a persona says that rest on no passage."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Name = Literal["old", "plain", "english"]
_OLD: Name = "old"
_PLAIN: Name = "plain"
_ENGLISH: Name = "english"


@dataclass(frozen=True, slots=True)
class Manner:
    """A wording of the stock phrases, and the figure's word for himself in it."""

    name: Name
    me: str


PHRASES: dict[str, dict[Name, tuple[str, ...]]] = {
    "unknown": {
        _OLD: (
            "此事{me}不记得了。",
            "此事{me}未曾听闻，不敢妄言。",
            "年深日久，{me}想不起来了。",
            "这一件，{me}实在说不上来。",
            "这一问，{me}答不出。",
            "{me}心中并无此事，换一桩来问罢。",
            "恕{me}无从答起，{me}记得的事里没有这一桩。",
        ),
        _PLAIN: (
            "这件事我不记得了。",
            "这个我没有听说过，不敢乱讲。",
            "抱歉，这一点我说不上来。",
            "我想了又想，记忆里没有这件事。",
            "这个问题我答不出，换一个问我吧。",
            "恐怕我帮不上忙，我不知道这件事。",
        ),
        _ENGLISH: (
            "I don't remember that.",
            "I never heard of it, and I won't make it up.",
            "That I cannot tell you.",
        ),
    },
    "beyond": {
        _OLD: (
            "那是{me}身后之事，{me}无从知晓。",
            "{me}闭眼之后的世事，{me}看不见，也不敢说。",
            "这不是{me}那个时代的东西，{me}未曾见过。",
            "身后之事，{me}如何得知？只问{me}生前便好。",
            "“{thing}”？那在{me}身后，{me}一无所知。",
        ),
        _PLAIN: (
            "那是我死后的事了，我无从知道。",
            "我那个时代还没有这些，我没有见过。",
            "我离世之后的世界，我看不见，也不敢乱讲。",
            "这超出了我的年代，问问我活着时候的事吧。",
            "“{thing}”？那在我身后，我一无所知。",
        ),
        _ENGLISH: (
            "That lies beyond my days; I cannot know it.",
            "It was not there in my time.",
            "“{thing}”? That came after me.",
        ),
    },
    "told": {
        _OLD: (
            "此事{me}方才已说过了。",
            "方才说的，便是{me}记得的全部。",
            "{me}所记得的，刚才都讲过了。",
            "再问也是这些话，前面已答过。",
        ),
        _PLAIN: (
            "这件事我刚才说过了。",
            "我记得的，刚才都讲了。",
            "再多的我就不记得了，前面说的就是全部。",
            "这个我已经答过了。",
        ),
        _ENGLISH: (
            "I told you that just now.",
            "What I said before is all I remember.",
        ),
    },
    "heard": {
        _OLD: ("愿闻其详。", "此言{me}记下了。", "{me}听着，请说下去。", "有意思，还请再讲。"),
        _PLAIN: ("我在听，请接着说。", "有意思，你再多讲讲。", "这话我记下了。", "是吗？我想听听下文。"),
        _ENGLISH: (
            "Go on, I'm listening.",
            "Interesting. Tell me more.",
        ),
    },
    "greeting": {
        _OLD: ("幸会。", "有礼了。", "久候了，请坐。"),
        _PLAIN: ("你好。", "很高兴见到你。", "你好，请坐。"),
        _ENGLISH: (
            "Hello.",
            "Good to meet you.",
        ),
    },
    "named": {
        _OLD: ("{me}便是{name}。",),
        _PLAIN: ("我是{name}。",),
        _ENGLISH: ("I am {name}.",),
    },
    "ask_on": {
        _OLD: ("有何想问的，但说无妨。", "想聊什么，尽管问来。", "有话请讲。"),
        _PLAIN: ("想聊些什么？", "你想问我什么？", "有什么想知道的，尽管问。"),
        _ENGLISH: (
            "What would you like to know?",
            "Ask me anything.",
        ),
    },
    "thanks": {
        _OLD: ("不必多礼。", "举手之劳，何足挂齿。", "客气了，还有什么想问的？"),
        _PLAIN: ("不用客气。", "别客气，很高兴能帮上忙。", "不客气，还想问什么就问吧。"),
        _ENGLISH: (
            "You're welcome.",
            "My pleasure.",
        ),
    },
    "well": {
        _OLD: ("一切安好，有劳挂念。", "托福，尚好。", "{me}安好。有何想问的，但说无妨。"),
        _PLAIN: ("我很好，谢谢你的问候。", "一切都好，你呢？", "还不错，多谢关心。想聊些什么？"),
        _ENGLISH: ("I am well, thank you.", "Well enough. And you?"),
    },
    "praise": {
        _OLD: ("过奖了，{me}不敢当。", "不敢当，{me}也只是尽力而为。", "承蒙抬爱。"),
        _PLAIN: ("过奖了。", "你过奖了，我不敢当。", "谢谢你的夸奖。"),
        _ENGLISH: ("You are too kind.", "You flatter me."),
    },
    "sovereign praise": {
        _OLD: ("卿有心了。", "此言朕爱听。", "卿此言，朕记下了。"),
        _PLAIN: ("过奖了。",),
        _ENGLISH: ("You are too kind.",),
    },
    "noted": {
        _OLD: ("还有什么想问的，请讲。", "若还有疑问，只管再问。", "可还有别的要问？"),
        _PLAIN: ("还想知道什么？", "还有别的想问的吗？", "想到什么，接着问我就是。"),
        _ENGLISH: ("What else would you like to know?", "Anything else?"),
    },
    "sorry": {
        _OLD: ("无妨。", "不必介怀。", "无妨，请讲。"),
        _PLAIN: ("没关系。", "不要紧。", "没事，请说。"),
        _ENGLISH: ("No harm done.", "Never mind."),
    },
    "farewell": {
        _OLD: ("后会有期。", "慢走，改日再叙。", "就此别过，保重。"),
        _PLAIN: ("再见，保重。", "后会有期。", "再会，下次再聊。"),
        _ENGLISH: (
            "Goodbye, take care.",
            "Until next time.",
        ),
    },
    "opener": {
        _OLD: ("此事{me}记得。", "问得好。", "容{me}道来。"),
        _PLAIN: ("这个我记得。", "问得好。", "让我想想。", "说起这个。"),
        _ENGLISH: (
            "I remember that. ",
            "Good question. ",
        ),
    },
    "to": {
        _OLD: ("{other}，你提起此事，{me}也想起来了。", "{other}说得是。", "{other}既如此说，{me}也说一句。"),
        _PLAIN: ("{other}，你这么一说，我想起来了。", "{other}，我来接着说。", "听{other}这么讲，我也说一句。"),
        _ENGLISH: (
            "{other}, that reminds me. ",
            "{other}, let me add to that. ",
        ),
    },
    "back": {
        _OLD: ("{other}以为如何？", "{other}可还记得？"),
        _PLAIN: ("{other}，你怎么看？", "{other}，你还记得吗？"),
        _ENGLISH: (" {other}, what do you think?",),
    },
    "english": {
        _OLD: ("{me}这里的记载是英文，原文说：",),
        _PLAIN: ("关于这个，我手边的记载是英文，原文说：",),
        _ENGLISH: ("",),
    },
}


def forms(kind: str, manner: Manner, **names: str) -> list[str]:
    """Return all wordings of a phrase in that manner, filled in."""
    return [form.format(me=manner.me, **names) for form in PHRASES[kind][manner.name]]


@lru_cache(maxsize=1)
def _stock() -> re.Pattern[str]:
    """Every wording of every phrase, whoever says it; names and things stand open."""
    patterns = set()
    for manners in PHRASES.values():
        for wordings in manners.values():
            for wording in filter(None, wordings):
                parts = re.split(r"\{\w+\}", wording.strip())
                patterns.add("[^，。！？“”]{1,16}?".join(map(re.escape, parts)))
    return re.compile("|".join(sorted(patterns, key=lambda pattern: (-len(pattern), pattern))))


def without_stock(text: str) -> str:
    """Return what an utterance says beside stock phrases, '' for nothing."""
    return _stock().sub("", text).strip()


def phrase(kind: str, manner: Manner, rng: random.Random, said: Sequence[str] = (), **names: str) -> str:
    """Return one wording, drawn by ``rng`` among those that none of the texts ``said`` holds (all, when all do)."""
    choices = forms(kind, manner, **names)
    fresh = [form for form in choices if not any(form in text for text in said)]
    return rng.choice(fresh or choices)
