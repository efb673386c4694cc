"""Questions to begin with, made from what those in the room have to tell, and only such as they have an answer to."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from chathistory.domain import Article

_MOST = 4
_FEW = 2
_TRIES = 10
"""Questions that one person is tried with at most, so that an article which answers little costs little time."""
_LONGEST_TITLE = 14
_AFTERWARDS = re.compile(
    r"影响|评价|后世|身后|纪念|争议|参考|著作权|研究|遗产|逝世|去世|死|卒|墓|陵|艺术形象|影视|史料|史书|年表|注释|"
    r"家族成员|轶事典故|相关|荣誉|传说|别名|外部|人物关系|个人作品"
)
_BARE = frozenset(("生平", "简介", "人物生平", "概述", "个人生活", "主要成就", "人物简介", "生平简介", "人物经历"))
_OPENERS = (
    "您的老师是谁？",
    "您有哪些朋友？",
    "您的父母是谁？",
    "您年少时过的是什么日子？",
    "您最得意的事是什么？",
    "您写过哪些书？",
    "您是哪里人？",
    "您的学生有哪些？",
    "您做过什么官？",
    "您娶了谁？",
)
_ALL, _EACH = "各位的老师都是谁？", "您的老师是谁？"
_INTRODUCTION = "请介绍一下您自己。"


def starters(articles: Sequence[Article], seed: str, answers: Callable[[str, str], bool]) -> list[str]:
    """Return up to four questions for those in the room; the same seed gives the same ones.

    Parameters
    ----------
    articles
        The articles of those who are online, in the order of joining.
    seed
        Anything that stays the same while the suggestions should, a talk's id.
    answers
        Whether the person of that name has an answer to a question; what has none is not suggested.
    """
    if not articles:
        return []
    rng = random.Random(seed + "".join(article.title for article in articles))
    several = len(articles) > 1
    chosen: list[str] = []
    if several and all(answers(article.title, _EACH) for article in articles):
        chosen.append(_ALL)
    own = [_answered(article, rng, answers) for article in articles]
    share = max(1, _MOST // len(articles))
    for _ in range(share if several else _MOST):
        for article, questions in zip(articles, own, strict=True):
            question = next(questions, None) if len(chosen) < _MOST else None
            if question is not None:
                chosen.append(f"{article.title}，{question}" if several else question)
    if len(chosen) < _FEW:
        chosen.append(_INTRODUCTION)
    return chosen


def _answered(article: Article, rng: random.Random, answers: Callable[[str, str], bool]) -> Iterator[str]:
    """Yield questions that a person has an answer to, one about a section and one of everybody's by turns."""
    for question in list(_candidates(article, rng))[:_TRIES]:
        if answers(article.title, question):
            yield question


def _candidates(article: Article, rng: random.Random) -> Iterator[str]:
    titles = [section.title for section in article.sections if section.level > 1 and section.paragraphs]
    good = [one for one in titles if 2 <= len(one) <= _LONGEST_TITLE and not _AFTERWARDS.search(one)]
    about = [f"请谈谈{title}。" for title in rng.sample(good, len(good)) if title not in _BARE]
    openers = rng.sample(_OPENERS, len(_OPENERS))
    for number in range(max(len(about), len(openers))):
        yield from about[number : number + 1]
        yield from openers[number : number + 1]
