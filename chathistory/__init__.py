"""ChatHistory: summon historical figures by name and talk with them in a group."""

__version__ = "0.1.0"
