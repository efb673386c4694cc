"""The one facade that both interfaces and the tests use."""

from chathistory.salon.archive import Archive
from chathistory.salon.card import Card
from chathistory.salon.makers import Makers, Mode
from chathistory.salon.salon import Salon
from chathistory.salon.terms import Terms

__all__ = ["Archive", "Card", "Makers", "Mode", "Salon", "Terms"]
