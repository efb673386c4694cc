"""The console salon and the one-shot commands."""

from chathistory.console.commands import run

__all__ = ["run"]
