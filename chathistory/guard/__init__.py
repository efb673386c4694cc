"""What may not be: names on the blacklist, and words from behind a figure's horizon."""

from chathistory.guard.blacklist import Blacklist
from chathistory.guard.horizon import anachronism, beyond, years_named

__all__ = ["Blacklist", "anachronism", "beyond", "years_named"]
