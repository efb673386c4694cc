"""What work by models will take, told before it is begun."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chathistory.models.ledger import Price


@dataclass(frozen=True, slots=True)
class Estimate:
    """Passages that a chat model reads, texts that an embedding model turns into vectors, and what both will take.

    ``costs`` holds the money as (currency, amount), each currency once; ``unpriced`` tells that a model without a price
    takes part. ``beyond`` names, in Chinese, the budgets that would be passed.
    """

    passages: int = 0
    texts: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    costs: tuple[tuple[str, float], ...] = ()
    unpriced: bool = False
    beyond: tuple[str, ...] = ()

    def __add__(self, other: Estimate) -> Estimate:
        costs = dict(self.costs)
        for currency, amount in other.costs:
            costs[currency] = costs.get(currency, 0.0) + amount
        return Estimate(
            self.passages + other.passages,
            self.texts + other.texts,
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            tuple(costs.items()),
            self.unpriced or other.unpriced,
            (*self.beyond, *other.beyond),
        )

    @property
    def tokens(self) -> int:
        """All tokens, those sent and those received."""
        return self.tokens_in + self.tokens_out

    @property
    def cost(self) -> float:
        """The money that is known, all currencies in one sum, as ``[budget]`` counts it."""
        return sum(amount for _, amount in self.costs)

    @property
    def to_pay(self) -> bool:
        """Whether anything is to be paid: a call is, unless its price is known to be nothing."""
        return self.calls > 0 and (self.unpriced or self.cost > 0)

    def within(self, other: Estimate) -> bool:
        """Whether this is no more than what ``other`` says, so that who agreed to that agreed to this."""
        here, there = dict(self.costs), dict(other.costs)
        return (
            self.calls <= other.calls
            and self.tokens <= other.tokens
            and all(amount <= there.get(currency, 0.0) + 1e-9 for currency, amount in here.items())
            and self.unpriced <= other.unpriced
            and set(self.beyond) <= set(other.beyond)
        )


def priced(estimate: Estimate, price: Price | None) -> Estimate:
    """Return an estimate with the money for its tokens, marked where no price is known."""
    if price is None:
        return replace(estimate, unpriced=estimate.calls > 0)
    cost = price.cost(estimate.tokens_in, estimate.tokens_out)
    return replace(estimate, costs=((price.currency, cost),) if cost else ())
