"""The prompt of one utterance: who the figure is, what he recalls, and as much of the talk as the budget holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chathistory.domain import Figure, Line, Message, Recall, SpeechRequest
from chathistory.guard import anachronism, beyond
from chathistory.models.tokens import estimate_tokens
from chathistory.persona.register import register
from chathistory.prompts import render
from chathistory.text import sentences

Style = Literal["auto", "文言", "白话"]
Temper = Literal["温和", "直率", "针锋相对"]
_TEMPERS = {"温和": "temper_mild", "直率": "temper_frank", "针锋相对": "temper_sharp"}
_PROFILE_PAIRS = 18
_FACTS_A_MEMORY = 3


@dataclass(frozen=True, slots=True)
class Manner:
    """How figures talk: ``style`` auto goes by the figure; ``history_tokens`` is the budget for the talk so far."""

    style: Style = "auto"
    temper: Temper = "温和"
    show_citations: bool = False
    history_tokens: int = 2000


def messages_for(request: SpeechRequest, manner: Manner, caution: str = "") -> tuple[Message, ...]:
    """Return the prompt of an utterance.

    Parameters
    ----------
    caution
        A word about what was wrong with the last try, '' at the first.
    """
    figure = request.figure
    thing = anachronism(request.line.text, figure)
    if thing:
        caution = f"（留心：“{thing}”是你身后才有的，你不知道它。）{caution}"
    summary = f"更早的谈话（摘要）：\n{request.summary}\n\n" if request.summary else ""
    history = within_budget(request.history, manner.history_tokens)
    return render(
        "persona",
        figure=figure.name,
        profile=profile(figure),
        horizon=horizon(figure),
        manner=manner_text(figure, manner.style),
        temper=render(_TEMPERS[manner.temper])[0].text,
        max_chars=str(request.max_chars),
        memories=memories(request.recall, figure),
        summary=summary,
        history="\n".join(f"{line.speaker}：{line.text}" for line in history) or "（才开始）",
        others="、".join(request.others) or "只有来客一人",
        speaker=request.line.speaker,
        line=f"{request.line.speaker}：{request.line.text}",
        caution=caution,
    )


def profile(figure: Figure) -> str:
    """Return who the figure is, a line each: names, years, and the first pairs of the infobox."""
    lines = []
    if figure.aliases:
        lines.append("又称：" + "、".join(figure.aliases[:12]))
    years = [f"生于{figure.birth.text}" if figure.birth else "", f"卒于{figure.death.text}" if figure.death else ""]
    if any(years):
        lines.append("，".join(year for year in years if year))
    lines += [f"{key}：{value}" for key, value in figure.infobox[:_PROFILE_PAIRS]]
    return "\n".join(lines) or figure.name


def horizon(figure: Figure) -> str:
    """Return the figure's days in words."""
    born = figure.birth.text if figure.birth else "？"
    if figure.death is None:
        return f"你生于{born}。"
    return f"你生于{born}，卒于{figure.death.text}；你所知的世界到{figure.death.text}为止。"


def manner_text(figure: Figure, style: Style) -> str:
    """Return how the figure talks, from its age and culture or as the setting says."""
    words = register(figure)
    if style == "白话":
        return render("manner_plain")[0].text
    name = "manner_literary" if style == "文言" and words.era != "foreign" else f"manner_{words.era}"
    return render(name, self=words.subject)[0].text


def memories(recall: Recall, figure: Figure) -> str:
    """Return the recollections numbered from 1, without the sentences that lie behind the figure's horizon."""
    lines = []
    for number, one in enumerate(recall.recollections, start=1):
        kept = [part for part in sentences(one.passage.text) if not beyond(part, figure.death, figure.names)]
        facts = "；".join(" ".join(fact.parts()) for fact in one.facts[:_FACTS_A_MEMORY])
        text = "".join(kept).strip() or "（这一条说的是你身后的事，你不知道）"
        lines.append(f"[{number}]（{one.score:.2f}）{text}" + (f"（相关：{facts}）" if facts else ""))
    if not lines:
        return "（想不起相关的事）"
    if not recall.confident:
        lines.append("（这些未必相干；若与所问无关，就说不知道。）")
    return "\n".join(lines)


def within_budget(history: Sequence[Line], tokens: int) -> tuple[Line, ...]:
    """Return the newest lines whose estimated tokens fit, oldest first; no line is ever cut, one is always kept."""
    kept: list[Line] = []
    for line in reversed(history):
        tokens -= estimate_tokens(line.speaker + line.text) + 2
        if tokens < 0 and kept:
            break
        kept.append(line)
    return tuple(reversed(kept))
