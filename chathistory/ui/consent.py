"""Consent in the browser: asked by letting the summons end, given by a click on whichever page shows the question."""

from __future__ import annotations

from chathistory.errors import ConsentNeeded
from chathistory.models.estimate import Estimate
from chathistory.salon.terms import told


class Consent:
    """What was asked for one summons, and what was agreed to: that much, and no more, goes on unasked."""

    def __init__(self) -> None:
        self._asked: Estimate | None = None
        self._agreed: Estimate | None = None

    def __call__(self, estimate: Estimate) -> bool:
        """Return True where this was agreed to; raise ConsentNeeded, with the estimate in words, where it was not."""
        if self._agreed is not None and estimate.within(self._agreed):
            return True
        self._asked = estimate
        raise ConsentNeeded(told(estimate))

    def agree(self) -> None:
        """Agree to what was asked last."""
        self._agreed = self._asked
