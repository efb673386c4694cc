"""Who speaks next, and when to stop."""

from chathistory.director.address import Address, read_address
from chathistory.director.choose import choose
from chathistory.director.embedded import EmbeddedJudge
from chathistory.director.randomly import RandomJudge
from chathistory.director.reading import read_choice

__all__ = ["Address", "EmbeddedJudge", "RandomJudge", "choose", "read_address", "read_choice"]
