"""On what terms models may be called for a summons: what it will take is told and agreed to first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from chathistory.domain import Spending
from chathistory.models.cancel import Cancel
from chathistory.models.estimate import Estimate
from chathistory.salon.archive import Archive

Confirm = Callable[[Estimate], bool]


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms models may be called for a summons.

    ``confirm`` is shown the estimate and says whether to go on, None goes on; it is asked only where there is something
    to pay, with nothing held meanwhile, so that it may take its time or raise. ``retry_failed`` reads again what was
    set aside before; ``cancel`` stops what is under way.
    """

    confirm: Confirm | None = None
    retry_failed: bool = False
    cancel: Cancel = field(default_factory=Cancel)


def told(estimate: Estimate) -> str:
    """Return an estimate as a sentence or two."""
    work = []
    if estimate.passages:
        work.append(f"要用大模型读 {estimate.passages} 段")
    if estimate.texts:
        work.append(f"{'把' if work else '要把'} {estimate.texts} 句转成向量")
    money = " + ".join(f"{amount:.4f} {currency}" for currency, amount in estimate.costs)
    if estimate.unpriced:
        unknown = "没有写价钱（[[llm_providers]] 的 price）"
        money = f"约 {money}，另有模型{unknown}" if money else unknown
    else:
        money = f"约 {money}" if money else "不花钱"
    said = f"{'，'.join(work)}：约 {estimate.calls} 次调用、{estimate.tokens} 个词元，{money}。"
    if estimate.beyond:
        said += f"这会超出预算（{'；'.join(estimate.beyond)}）：到了上限就停，做完的都存着。"
    return said


def with_budgets(
    estimate: Estimate, archive: Archive, now: Callable[[], datetime] = lambda: datetime.now().astimezone()
) -> Estimate:
    """Return an estimate with the budgets that it would pass, a day's and a summons'."""
    budget = archive.config.tables.budget
    today = archive.calls.spent(day=now().date().isoformat())
    found = []
    for key, spent, before in (("summon", Spending(0, 0, 0, 0, 0.0), ""), ("day", today, "今天")):
        most_tokens, most_cost = getattr(budget, f"{key}_tokens"), getattr(budget, f"{key}_cost")
        if most_tokens and spent.tokens + estimate.tokens > most_tokens:
            used = f"，{before}已用 {spent.tokens}" if before else ""
            found.append(f"{key}_tokens = {most_tokens}{used}")
        if most_cost and spent.cost + estimate.cost > most_cost:
            used = f"，{before}已用 {spent.cost:.4f}" if before else ""
            found.append(f"{key}_cost = {most_cost:g}{used}")
    return replace(estimate, beyond=tuple(found))
