"""What the console shows: tables, progress, and a talk as it is spoken."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from chathistory.console.spending import Consent
from chathistory.domain import (
    Article,
    Ended,
    Event,
    Failed,
    Finished,
    Recall,
    Recalled,
    SpeakerChosen,
    Token,
    Utterance,
)
from chathistory.domain import (
    Progress as Step,
)
from chathistory.salon import Card, Salon
from chathistory.salon.doctor import Check

_STAGES = {
    "article": "寻访",
    "passages": "整理",
    "extract": "读出人地事",
    "embed": "记住",
    "graph": "织成记忆",
    "done": "完成",
}
_COLOURS = ("dark_orange3", "dark_cyan", "medium_purple3", "green4", "deep_pink4", "steel_blue")


def console(*, stderr: bool = False) -> Console:
    """Return a console on today's stdout (or stderr), so that a redirected one is honoured."""
    return Console(file=sys.stderr if stderr else sys.stdout, highlight=False, soft_wrap=True)


def follow(steps: Iterator[Step], *, quiet: bool = False, consent: Consent | None = None) -> str:
    """Run a summons to its end, a bar in a terminal, a line a stage elsewhere; return the canonical name.

    The bar makes room while ``consent`` asks its question.
    """
    out = console(stderr=quiet)
    name = ""
    if not out.is_terminal:
        if consent is not None:
            consent.announced = not quiet
        shown = ""
        for step in steps:
            name = step.name or name
            if step.stage != shown or step.stage in ("article", "graph", "done"):
                shown = step.stage
                if not quiet:
                    out.print(escape(step.message))
        return name
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=out, transient=True) as bars:
        bar = bars.add_task("", total=None)
        if consent is not None:
            consent.bars = bars
        last = ""
        for step in steps:
            bars.update(bar, description=_STAGES[step.stage], completed=step.done, total=step.total or None)
            last, name = step.message, step.name or name
    if last and not quiet:
        out.print(escape(last))
    return name


def show_cards(cards: Sequence[Card]) -> None:
    """Print who was summoned."""
    out = console()
    if not cards:
        out.print("还没有召来任何人。试试：summon 孔子")
        return
    table = Table(box=None, pad_edge=False)
    for title in ("名字", "生卒", "段落", "事实", "来源", "在座"):
        table.add_column(title, justify="right" if title in ("段落", "事实") else "left")
    for card in cards:
        state = "在座" if card.online else "" if card.ready else "召唤未完"
        table.add_row(escape(card.name), escape(card.years), str(card.passages), str(card.facts), card.source, state)
    out.print(table)


def show_article(article: Article) -> None:
    """Print what was read of an article."""
    out = console()
    out.print(f"[bold]{escape(article.title)}[/bold]  {escape(article.sense)}")
    if article.aliases:
        out.print("又名：" + escape("、".join(article.aliases)))
    born, died = article.birth, article.death
    if born or died:
        out.print(f"生卒：{escape(born.text if born else '？')} – {escape(died.text if died else '？')}")
    for key, value in article.infobox:
        out.print(f"  [dim]{escape(key)}[/dim]  {escape(value)}")
    for section in article.sections:
        if section.title:
            out.print(f"\n[bold]{'#' * section.level} {escape(section.title)}[/bold]")
        for paragraph in section.paragraphs:
            out.print(escape(paragraph))
    if article.partial:
        out.print("[dim]（只有摘要）[/dim]")


def show_recall(found: Recall, limit: int | None = None) -> None:
    """Print recalled passages with scores and the facts that led there."""
    out = console()
    if not found.confident:
        out.print("[dim]没有把握：下面的段落只是最接近的。[/dim]")
    if found.note:
        out.print(f"[dim]{escape(found.note)}[/dim]")
    for number, one in enumerate(found.recollections[:limit], start=1):
        title = f"〔{one.passage.section}〕" if one.passage.section else ""
        out.print(f"[bold]{number}.[/bold] [dim]{one.score:.3f} {one.passage.id[:8]}{escape(title)}[/dim]")
        out.print("   " + escape(one.passage.text))
        for fact in one.facts[:3]:
            out.print("   [dim]· " + escape(" — ".join(fact.parts())) + "[/dim]")


def show_passages(salon: Salon, said: Utterance) -> None:
    """Print the whole text of the passages behind an utterance."""
    out = console()
    for passage in salon.passages(said):
        out.print(f"  [dim]{passage.id[:8]} {escape(passage.text)}[/dim]")


def show_checks(checks: Iterable[Check]) -> None:
    """Print what doctor found."""
    out = console()
    for check in checks:
        sign = "[green]好[/green]" if check.ok else "[red]坏[/red]"
        out.print(f"{sign} {escape(check.name)}：{escape(check.detail)}")


def show_talk(events: Iterable[Event], salon: Salon) -> None:
    """Print a talk as it is spoken, each utterance followed by where it comes from."""
    out = console()
    recalled: dict[str, Recall] = {}
    said = False
    for event in events:
        if isinstance(event, SpeakerChosen):
            said = False
            out.print(f"[bold {_colour(salon, event.name)}]{escape(event.name)}[/]：", end="")
        elif isinstance(event, Recalled):
            recalled[event.name] = event.recall
        elif isinstance(event, Token):
            said = _token(out, event, said)
        elif isinstance(event, Finished):
            out.print("…（被打断）" if event.utterance.cut else "")
            _show_sources(out, recalled.get(event.utterance.speaker), event.utterance.passages)
        elif isinstance(event, Failed):
            out.print(f"\n[red]{escape(event.speaker)}没能说完：{escape(event.message)}[/red]")
        elif isinstance(event, Ended):
            out.print(f"[dim]（{escape(event.reason)}）[/dim]")


def _token(out: Console, token: Token, said: bool) -> bool:
    """Print a piece, or begin a new line where what was printed is void; returns whether words stand on the line."""
    if token.void:
        if said:
            out.print("\n[dim]（重说）[/dim]", end="")
    else:
        out.print(escape(token.text), end="")
    out.file.flush()
    return not token.void and (said or bool(token.text))


def _show_sources(out: Console, recall: Recall | None, passages: Sequence[str]) -> None:
    if recall is None or not passages:
        return
    titles = {
        one.passage.id: one.passage.section or "开篇" for one in recall.recollections if one.passage.id in passages
    }
    if titles:
        out.print("  [dim]据 " + "；".join(f"{escape(titles[p])} {p[:8]}" for p in passages if p in titles) + "[/dim]")


def _colour(salon: Salon, name: str) -> str:
    online = salon.online
    return _COLOURS[online.index(name) % len(_COLOURS)] if name in online else "bold"
