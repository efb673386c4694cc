"""The random mode: anyone who may speak, or END."""

from __future__ import annotations

import random

from chathistory.director.turns import eligible, just_spoke
from chathistory.domain import END, Choice, Scene


class RandomJudge:
    """Draws evenly from those online and END; never the one who spoke the very line before."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, scene: Scene) -> Choice:
        """Return one of those who may speak now, or END."""
        last = just_spoke(scene)
        names = [member.name for member in eligible(scene) if member.name != last]
        if not names:
            return Choice(END, "没有别的人可以发言")
        drawn = self._rng.choice([*names, END])
        return Choice(drawn, "随机模式：抽到结束" if drawn == END else f"随机模式：抽到{drawn}")
