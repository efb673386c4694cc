"""The director over a model: numbered choices in, one number or the end out, the rule-based judge where it fails."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.director.address import read_address
from chathistory.director.embedded import EmbeddedJudge
from chathistory.director.reading import read_choice
from chathistory.director.turns import eligible, is_persona, just_spoke
from chathistory.domain import END, Choice, Member, Message, Scene
from chathistory.models.chat import Ask, Chat, JsonForm, Limits
from chathistory.prompts import render
from chathistory.text import NameReader

_LINES = 12
_LINE_CHARS = 200
_FORM = JsonForm(
    "choice",
    {
        "type": "object",
        "properties": {"choice": {"type": "integer"}},
        "required": ["choice"],
        "additionalProperties": False,
    },
)


class LlmJudge:
    """Asks a model who speaks next. Safe to share between threads.

    Parameters
    ----------
    seconds
        Time for one answer; whoever waits for the next speaker waits that long at most, twice with the re-ask.
    """

    def __init__(self, chat: Chat, *, seconds: float = 15.0) -> None:
        self._chat = chat
        self._ask = Ask(
            "direct",
            limits=Limits(connect=5, whole=seconds),
            tries=2,
            deadline=seconds,
            temperature=0.0,
            max_tokens=200,
            think=False,
            form=_FORM,
        )

    def choose(self, scene: Scene) -> Choice:
        """Return one of those who may speak, or END, with the reason in Chinese.

        Raises
        ------
        ModelError
            The model could not be had; ``director.choose`` then asks the rule-based judge and says so.
        """
        last = just_spoke(scene)
        able = [member for member in eligible(scene) if member.name != last]
        if not able:
            return Choice(END, "没有别的人可以发言")
        if not scene.history:
            return Choice(END, "还没有人说话")
        called = _called(scene, able)
        messages: Sequence[Message] = _messages(scene, able)
        for number in (1, 2):
            reply = self._chat.complete(messages, self._ask)
            name = read_choice(reply.text, able, numbered=True)
            chosen = "把话交还给用户" if name == END else f"选了{name}"
            if name is not None and called is not None and name != called:
                return Choice(called, f"用户叫的是{called}，导演模型却{chosen}：以用户的话为准")
            if name == END:
                return Choice(END, f"导演模型{chosen}")
            if name is not None and any(member.name == name for member in able):
                return Choice(name, f"导演模型{chosen}" + ("（重问后）" if number == 2 else ""))
            again = f"没有读懂。只回答一个编号，0 到 {len(able)}，格式：" + '{"choice": 编号}'
            said = reply.text[:500] or "（空）"
            messages = [*_messages(scene, able), Message("assistant", said), Message("user", again)]
        choice = EmbeddedJudge().choose(scene)
        return Choice(choice.name, f"导演模型两次没有选出可发言的人，改用规则判断：{choice.reason}")


def _messages(scene: Scene, able: Sequence[Member]) -> Sequence[Message]:
    choices = "\n".join(f"{n}. {_titled(member)}" for n, member in enumerate(able, start=1))
    lines = [f"{line.speaker}：{_short(line.text)}" for line in scene.history[-_LINES:]]
    return render(
        "director", choices=choices, history="\n".join(lines), named=_named(scene, able), spoken=str(scene.spoken)
    )


def _named(scene: Scene, able: Sequence[Member]) -> str:
    """Who the last line speaks to, as the names' reader sees it: small models overlook a form of address."""
    asked = _asked(scene)
    numbers = [f"{member.name}（{n}）" for n, member in enumerate(able, start=1) if member.name in asked]
    return f"最后一句是对{'、'.join(numbers)}说的。" if numbers else ""


def _called(scene: Scene, able: Sequence[Member]) -> str | None:
    """Whom the user's line calls upon, where that is one and he may speak: no model overrules that."""
    if is_persona(scene, scene.history[-1].speaker):
        return None
    asked = _asked(scene)
    found = [member.name for member in able if member.name in asked]
    return found[0] if len(asked) == len(found) == 1 else None


def _asked(scene: Scene) -> Sequence[str]:
    last = scene.history[-1]
    speaker = last.speaker if is_persona(scene, last.speaker) else None
    return read_address(last.text, NameReader(scene.roster), speaker).addressed


def _titled(member: Member) -> str:
    others = "、".join(member.aliases[:4])
    return f"{member.name}（{others}）" if others else member.name


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LINE_CHARS else text[:_LINE_CHARS] + "……"
