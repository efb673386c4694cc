"""Money and tokens in the console: asking before they are spent, and what was spent."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from chathistory.domain import Spending
from chathistory.models.estimate import Estimate
from chathistory.salon.terms import told
from chathistory.salon.usage import Usage
from chathistory.store import UsageRow


class Consent:
    """Shows an estimate and asks; without a terminal only ``--yes`` is a yes.

    ``announced`` tells that whoever shows the progress has printed the estimate, so that it is not told twice.
    """

    def __init__(self, *, yes: bool = False) -> None:
        self._yes = yes
        self.bars: Progress | None = None
        self.announced = False

    def __call__(self, estimate: Estimate) -> bool:
        """Whether to go on; raises UsageError where there is nobody to ask."""
        if self._yes:
            if not self.announced:
                click.echo(told(estimate), err=True)
            return True
        if not sys.stdin.isatty():
            raise click.UsageError(f"{told(estimate)}这里没有终端可以问；同意的话请加 --yes。")
        if self.bars is not None:
            self.bars.stop()
        try:
            return bool(click.confirm(f"{told(estimate)}继续吗？", default=True, err=True))
        finally:
            if self.bars is not None:
                self.bars.start()


def show_usage(usage: Usage) -> None:
    """Print what models have cost."""
    out = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    if not usage.total.calls:
        out.print("还没有调用过大模型。")
        return
    for title, spent in ((f"今天 {usage.day}", usage.today), ("总共", usage.total)):
        line = f"{spent.calls} 次调用（{spent.failed} 次没成），收发 {spent.tokens_in} / {spent.tokens_out} 个词元"
        out.print(f"[bold]{title}[/bold]  {line}")
    for row in usage.by_currency:
        if row.key:
            out.print(f"花费  {row.spent.cost:.4f} {escape(row.key)}")
    for title, rows in (("任务", usage.by_task), ("模型", usage.by_model), ("结果", usage.by_outcome)):
        table = Table(box=None, pad_edge=False)
        for column in (title, "调用", "没成", "发", "收", "秒", "花费"):
            table.add_column(column, justify="left" if column == title else "right")
        for row in rows:
            spent = row.spent
            numbers = (spent.calls, spent.failed, spent.tokens_in, spent.tokens_out)
            table.add_row(escape(row.key), *map(str, numbers), f"{row.seconds:.1f}", f"{spent.cost:.4f}")
        out.print()
        out.print(table)


def usage_json(usage: Usage) -> dict[str, Any]:
    """Return the same as JSON."""
    return {
        "day": usage.day,
        "today": _sums(usage.today),
        "total": _sums(usage.total),
        "by_task": [_row(row) for row in usage.by_task],
        "by_model": [_row(row) for row in usage.by_model],
        "by_outcome": [_row(row) for row in usage.by_outcome],
        "by_currency": [_row(row) for row in usage.by_currency],
        "by_day": [_row(row) for row in usage.by_day],
    }


def _sums(spent: Spending) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "failed": spent.failed,
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "cost": round(spent.cost, 6),
    }


def _row(row: UsageRow) -> dict[str, Any]:
    return {"key": row.key, **_sums(row.spent), "seconds": row.seconds}
