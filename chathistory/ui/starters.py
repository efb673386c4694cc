"""Questions to begin with, made from what those in the room have to tell."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from chathistory.domain import Article

_MOST = 4
_LONGEST_TITLE = 14
_AFTERWARDS = re.compile(
    r"影响|评价|后世|身后|纪念|争议|参考|著作权|研究|遗产|逝世|去世|死|卒|墓|陵|艺术形象|影视|史料|史书|年表|注释|"
    r"家族成员|轶事典故|相关|荣誉|传说|别名|外部|人物关系|个人作品"
)
_OPENERS = (
    "您最得意的事是什么？",
    "您的老师是谁？您从他那里学到了什么？",
    "您年少时过的是什么日子？",
    "您有哪些朋友？",
)


def starters(articles: Sequence[Article], seed: str) -> list[str]:
    """Return three or four questions for those in the room; the same seed gives the same ones.

    Parameters
    ----------
    articles
        The articles of those who are online, in the order of joining.
    seed
        Anything that stays the same while the suggestions should, a talk's id.
    """
    if not articles:
        return []
    rng = random.Random(seed + "".join(article.title for article in articles))
    own = [questions for questions in (_about(article, rng) for article in articles) if questions]
    chosen = [questions[n] for n in range(_MOST) for questions in own if n < len(questions)][: _MOST - 1]
    chosen += rng.sample(_OPENERS, len(_OPENERS))
    if len(articles) > 1:
        chosen.insert(min(1, len(chosen)), "各位都跟谁学过本领？")
    return list(dict.fromkeys(chosen))[:_MOST]


def _about(article: Article, rng: random.Random) -> list[str]:
    titles = [section.title for section in article.sections if section.level > 1 and section.paragraphs]
    good = [one for one in titles if 2 <= len(one) <= _LONGEST_TITLE and not _AFTERWARDS.search(one)]
    picked = rng.sample(good, min(_MOST, len(good)))
    return [f"{article.title}，请谈谈“{title}”。" for title in picked]
