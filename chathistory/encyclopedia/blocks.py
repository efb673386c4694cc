"""A tree as a run of blocks in reading order: headings, paragraphs, list items and table rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from chathistory.domain import Section
from chathistory.encyclopedia.dom import DEEPEST, Element
from chathistory.encyclopedia.inline import BLOCKS, Skip, append, is_silent, text_of
from chathistory.encyclopedia.sections import is_left_over
from chathistory.encyclopedia.tables import is_layout, rows_of
from chathistory.encyclopedia.tidy import BULLET, one_line, tidy

_HEADING = re.compile(r"^h([1-6])$")
_UNSEEN = frozenset({"h1"})


@dataclass(frozen=True, slots=True)
class Block:
    """One heading (``level`` 2-6) or one paragraph (``level`` 0), tidy."""

    kind: Literal["heading", "paragraph"]
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one kind of page is read.

    ``skip`` names what says nothing; ``heading`` returns (level, title) for an element that is a heading in this
    kind of page although its tag is not h2-h6, or an override for one that is; None leaves the tag to decide.
    ``admit`` says, outside any text, whether an element's own text may be taken; None admits everything.
    ``line`` returns the one line that a card-like element says; None leaves the element to be walked.
    """

    skip: Skip
    heading: Callable[[Element], tuple[int, str] | None]
    admit: Callable[[Element], bool] | None = None
    line: Callable[[Element], str | None] | None = None


class _Walk:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.blocks: list[Block] = []
        self._words: list[str] = []
        self._marker = ""

    def flush(self) -> None:
        text = tidy("".join(self._words))
        self._words.clear()
        if not text or not any(char.isalnum() for char in text) or is_left_over(text):
            return
        self.blocks.append(Block("paragraph", self._marker + text))
        self._marker = ""

    def inner(self, element: Element, admitted: bool, depth: int) -> None:
        if admitted and element.text:
            self._words.append(re.sub(r"\s+", " ", element.text) if element.tag != "pre" else element.text)
        if depth > DEEPEST:
            if admitted:
                self._words.append(" ".join(element.itertext()))
            return
        for child in element:
            self.node(child, admitted, depth + 1)
            if admitted and child.tail:
                self._words.append(re.sub(r"\s+", " ", child.tail) if element.tag != "pre" else child.tail)

    def node(self, element: Element, admitted: bool, depth: int) -> None:
        grammar = self.grammar
        if is_silent(element, grammar.skip):
            if element.tag in BLOCKS and element.tag not in {"div", "section"}:
                self.flush()
            return
        heading = grammar.heading(element)
        if heading is not None:
            self.flush()
            self.heading(*heading)
            return
        line = grammar.line(element) if grammar.line is not None else None
        if line is not None:
            self.flush()
            if line:
                self.blocks.append(Block("paragraph", BULLET + line))
            return
        tag = element.tag
        match = _HEADING.match(tag)
        if match:
            self.flush()
            if tag not in _UNSEEN and (admitted or grammar.admit is None):
                self.heading(int(match.group(1)), one_line(text_of(element, grammar.skip)))
            return
        if not admitted and grammar.admit is not None and not grammar.admit(element):
            if tag == "table":
                return
            self.inner(element, False, depth)
            return
        if tag == "table":
            self.flush()
            self.table(element, depth)
        elif tag in BLOCKS:
            self.flush()
            if tag == "li":
                self._marker = BULLET
            self.inner(element, True, depth)
            self.flush()
            self._marker = ""
        elif _holds_blocks(element):
            self.inner(element, True, depth)
        else:
            append(element, self._words, grammar.skip, depth)

    def heading(self, level: int, title: str) -> None:
        if title:
            self.blocks.append(Block("heading", title, level))

    def table(self, element: Element, depth: int) -> None:
        if is_layout(element, self.grammar.skip):
            self.inner(element, True, depth)
            self.flush()
            return
        for row in rows_of(element, self.grammar.skip):
            if is_left_over(row):
                continue
            self.blocks.append(Block("paragraph", BULLET + row))


def _holds_blocks(element: Element) -> bool:
    """Whether an inline element wraps paragraphs, as broken or old markup does (``<font><p>…``, ``<span><table>…``)."""
    if not len(element):
        return False
    return any(isinstance(node.tag, str) and (node.tag in BLOCKS) for node in element.iterdescendants())


def read_blocks(roots: Iterable[Element], grammar: Grammar) -> list[Block]:
    """Return the blocks under some elements, in reading order."""
    walk = _Walk(grammar)
    for root in roots:
        walk.node(root, grammar.admit is None, 0)
        walk.flush()
    return walk.blocks


def outline(blocks: Iterable[Block], dropped: Callable[[str], bool]) -> tuple[Section, ...]:
    """Return the sections of a run of blocks: the lead first (level 1, title ''), headings without text kept.

    A section whose title ``dropped`` names goes, and everything under it, up to the next heading of its level or above.
    A heading with nothing under it, neither text nor deeper heading, goes too; equal neighbours are emitted once.
    """
    titles: list[tuple[str, int]] = [("", 1)]
    texts: list[list[str]] = [[]]
    mute = 0
    for block in blocks:
        if block.kind == "heading":
            if mute and block.level > mute:
                continue
            mute = block.level if dropped(block.text) else 0
            if not mute:
                titles.append((block.text, block.level))
                texts.append([])
        elif not mute and (not texts[-1] or texts[-1][-1] != block.text):
            texts[-1].append(block.text)
    sections = [Section(title, level, tuple(body)) for (title, level), body in zip(titles, texts, strict=True)]
    kept: list[Section] = []
    for i, section in enumerate(sections):
        deeper = i + 1 < len(sections) and sections[i + 1].level > section.level
        if section.paragraphs or (deeper and i and _has_text(sections[i + 1 :], section.level)):
            kept.append(section)
    return tuple(kept)


def _has_text(following: list[Section], level: int) -> bool:
    for section in following:
        if section.level <= level:
            return False
        if section.paragraphs:
            return True
    return False
