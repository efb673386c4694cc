"""The rule-based judge: who was addressed, whom the last speaker asked, who knows the matter best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chathistory.director.address import Address, read_address
from chathistory.director.phrases import ROOM_ASKED
from chathistory.director.turns import eligible, is_persona, just_spoke, split
from chathistory.domain import END, Choice, Line, Member, Scene
from chathistory.text import NameReader

_KNOWS_WELL = 0.6
"""Relevance above which somebody unasked joins in once the asked have spoken."""
_MOST_TURNS = 2
"""How often one persona may speak after one line of the user when personas question each other."""


class EmbeddedJudge:
    """Needs no model. Deterministic: equal claims go by talkativeness, then by the order of the roster."""

    def choose(self, scene: Scene) -> Choice:
        """Return who speaks next among those online and unmuted, or END, with the reason in Chinese."""
        able = eligible(scene)
        if not able:
            return Choice(END, "没有在线且可发言的人物")
        if not scene.history:
            return Choice(END, "还没有人说话")
        reader = NameReader(scene.roster)
        asked, since = split(scene)
        told = [line for line in since if is_persona(scene, line.speaker)]
        if asked is None and not told:
            return Choice(END, "还没有人说话")
        if not told and asked is not None:
            return _open(scene, able, asked, read_address(asked.text, reader), reader)
        return _go_on(scene, able, asked, told, reader)


def _open(scene: Scene, able: Sequence[Member], line: Line, address: Address, reader: NameReader) -> Choice:
    """The first utterance after the user's line."""
    if address.empty:
        return Choice(END, "用户没有说话")
    pool = [member for member in able if member.name not in address.excluded]
    if not pool:
        return Choice(END, "可发言的人都被请回避")
    plan = _plan(scene, address, reader)
    for name in plan:
        if any(member.name == name for member in pool):
            return Choice(name, f"用户点名{name}")
    if address.farewell:
        return Choice(END, "用户道谢或告别")
    absent = "、".join(plan)
    why = f"{absent}不能发言，由旁人接话" if absent else ""
    last = scene.last_speaker
    before = next((m for m in pool if m.name == last), None)
    follows = address.goes_on or (address.singular and not address.everyone and not address.others)
    if before and follows and not plan:
        return Choice(before.name, f"接着{before.name}刚才的话")
    if address.others:
        pool = [m for m in pool if m.name != last and m.name not in address.about] or pool
    rest = [m for m in pool if m.name != last] or pool
    if address.singular and not address.everyone and not last and not plan:
        rest = [m for m in rest if m.name in address.about] or rest
    best, score = _best(scene, rest, line.text)
    if plan and score is not None and score < _KNOWS_WELL:
        return Choice(END, f"{absent}不能发言，旁人不便代答")
    if why:
        return Choice(best.name, why)
    if address.everyone:
        return Choice(best.name, f"问的是大家，{best.name}先说")
    return Choice(best.name, f"没有点名，{best.name}最适合接话")


def _plan(scene: Scene, address: Address, reader: NameReader) -> list[str]:
    """Those the user's line asks by name, in order.

    An unnamed pair are the last two who spoke before the line, or the only two in the room.
    """
    if address.addressed or not address.pair:
        return list(address.addressed)
    if len(address.about) == 2:
        return list(address.about)
    recent: list[str] = []
    _, since = split(scene)
    for line in reversed(scene.history[: len(scene.history) - len(since)]):
        if is_persona(scene, line.speaker) and line.speaker not in recent:
            recent.append(line.speaker)
    if len(recent) >= 2:
        return recent[:2][::-1]
    here = [member.name for member in eligible(scene)]
    return here if len(here) == 2 else []


def _go_on(
    scene: Scene, able: Sequence[Member], asked: Line | None, told: Sequence[Line], reader: NameReader
) -> Choice:
    """An utterance after another persona's."""
    last = told[-1]
    turns = Counter(line.speaker for line in told)
    current = just_spoke(scene) or last.speaker
    open_to = [m for m in able if m.name != current]
    address = read_address(asked.text, reader) if asked else Address()
    open_to = [m for m in open_to if m.name not in address.excluded]
    if not open_to:
        return Choice(END, "没有别的人要接话")
    fresh = [m for m in open_to if turns[m.name] == 0]
    said = read_address(last.text, reader, last.speaker)
    if said.question or said.singular:
        for name in said.addressed:
            if any(m.name == name for m in open_to) and turns[name] < _MOST_TURNS:
                return Choice(name, f"{last.speaker}在问{name}")
    if said.question and (said.everyone or said.pair or ROOM_ASKED.search(last.text)) and fresh:
        return Choice(_best(scene, fresh, last.text)[0].name, f"{last.speaker}在问大家")
    plan = _plan(scene, address, reader) if asked else []
    for name in plan:
        if any(m.name == name for m in fresh):
            return Choice(name, f"用户也点名了{name}")
    if asked and (address.everyone or address.others) and fresh:
        return Choice(_best(scene, fresh, asked.text)[0].name, "问的是大家，轮到还没说的人")
    if asked and not plan and not address.goes_on and not address.singular and fresh:
        best, score = _best(scene, fresh, asked.text)
        if score is not None and score >= _KNOWS_WELL:
            return Choice(best.name, f"{best.name}的记忆与此事相关")
    return Choice(END, "被问的人都已答过" if plan else "没有人有话要说")


def _best(scene: Scene, members: Sequence[Member], text: str) -> tuple[Member, float | None]:
    """The member whose memory answers best, with the score; within a twentieth, and without memories, the talkative."""
    if scene.relevance is None:
        return max(members, key=lambda m: m.talkativeness), None
    scores = {m.name: scene.relevance(m.name, text) for m in members}
    best = max(members, key=lambda m: (round(scores[m.name] * 20), m.talkativeness))
    return best, scores[best.name]
