"""OpenIE: entities and facts of a passage. The embedded maker reads by rules and needs neither network nor key."""

from chathistory.openie.infobox import infobox_facts
from chathistory.openie.rules import RuleExtractor
from chathistory.openie.seed_format import from_seed, to_seed

__all__ = ["RuleExtractor", "from_seed", "infobox_facts", "to_seed"]
