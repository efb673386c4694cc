"""The one facade that both interfaces and the tests use."""

from chathistory.salon.archive import Archive
from chathistory.salon.extracting import Terms
from chathistory.salon.makers import Makers, Mode
from chathistory.salon.salon import Card, Salon

__all__ = ["Archive", "Card", "Makers", "Mode", "Salon", "Terms"]
