"""The embedded OpenIE maker: entities and facts of a passage by rules, with neither network nor key."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chathistory.domain import Extraction, Fact, Figure, Passage
from chathistory.errors import ExtractionError
from chathistory.openie.checks import is_entity, make_fact, tidy
from chathistory.openie.chinese import ChineseReader
from chathistory.openie.english import EnglishReader

_CJK = re.compile(r"[\u3400-\u9fff]")
_REAL_TEXT = re.compile(r"(?:[\u3400-\u9fff][^\u3400-\u9fff]*){4}|(?:[A-Za-z]{3}[^A-Za-z]*){3}")


class RuleExtractor:
    """Reads facts by part-of-speech and clause patterns; knows the figure's names, and no article in particular."""

    maker = "rules"
    version = "2"

    def extract(self, passage: Passage, figure: Figure) -> Extraction:
        """Return the entities and facts of a passage.

        Facts name the figure by its canonical name; every entity stands in the passage or is a name of the figure.

        Raises
        ------
        ExtractionError
            Where real text gives not one entity.
        """
        chinese = 5 * len(_CJK.findall(passage.text)) > len(passage.text)
        reader = ChineseReader(figure) if chinese else EnglishReader(figure)
        triples, names = reader.read(passage)
        facts = _unique(fact for triple in triples if (fact := make_fact(*triple)) is not None)
        entities = _entities(passage, figure, facts, names) or _entities(passage, figure, (), reader.nouns(passage))
        if not entities and _REAL_TEXT.search(passage.text):
            raise ExtractionError(
                f"段落“{passage.text[:20]}…”中没有读出任何实体；请检查来源文本，或在 config.toml 中改用模型提取。"
            )
        return Extraction(passage.id, entities, facts)


def _unique(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(facts))


def _entities(passage: Passage, figure: Figure, facts: tuple[Fact, ...], names: Iterable[str]) -> tuple[str, ...]:
    """Ends of facts, then names, each once; only what stands in the passage or names the figure."""
    known = frozenset(figure.names)
    found: dict[str, None] = {}
    for candidate in [end for fact in facts for end in (fact.subject, fact.object)] + [tidy(name) for name in names]:
        if is_entity(candidate) and (candidate in known or candidate in passage.text):
            found.setdefault(candidate)
    return tuple(found)
