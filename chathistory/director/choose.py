"""The one authority over turns: whatever a judge says, nobody speaks who may not."""

from __future__ import annotations

import logging

from chathistory.director.embedded import EmbeddedJudge
from chathistory.director.turns import eligible, just_spoke
from chathistory.domain import END, Choice, Scene
from chathistory.errors import ModelError
from chathistory.models.protocols import Judge

_log = logging.getLogger(__name__)


def choose(scene: Scene, judge: Judge, max_round: int | None = None) -> Choice:
    """Return the judge's choice, held to the rules.

    The chosen one is online, unmuted and did not speak the very line before. A judge that breaks this, or whose model
    fails, is replaced for this turn by the rule-based judge, and the reason says so.

    Parameters
    ----------
    max_round
        The most utterances after one line of the user; reached means END. None sets no limit.

    Returns
    -------
    Choice
        A member's canonical name or END; ``reason`` is in Chinese.
    """
    able = {member.name for member in eligible(scene)}
    if not able:
        return Choice(END, "没有在线且可发言的人物")
    if max_round is not None and scene.spoken >= max_round:
        return Choice(END, f"已到本轮上限（{max_round} 次发言）")
    try:
        choice = judge.choose(scene)
    except ModelError as error:
        _log.warning("the judge failed (%s), the rule-based one takes this turn", type(error).__name__)
        return _instead(scene, f"导演模型出错（{type(error).__name__}），改用规则判断")
    if choice.name == END:
        return choice
    if choice.name not in able:
        return _instead(scene, f"“{choice.name}”不在可发言者之列，改用规则判断")
    if choice.name == just_spoke(scene):
        return _instead(scene, f"{choice.name}刚刚说完，不连续发言，改用规则判断")
    return choice


def _instead(scene: Scene, why: str) -> Choice:
    choice = EmbeddedJudge().choose(scene)
    return Choice(choice.name, f"{why}：{choice.reason}")
