"""Wikipedia's infoboxes as ordered pairs, their nested tables unrolled, captions and pictures left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chathistory.encyclopedia.dom import Element, classes, has_class
from chathistory.encyclopedia.inline import Skip, is_silent, text_of
from chathistory.encyclopedia.tables import cells_of, own_rows
from chathistory.encyclopedia.tidy import tidy, tidy_key

_BOXES = frozenset({"infobox", "vcard", "infobox_v2", "infobox-v2", "infobox_v3", "biota", "taxobox"})
_LONGEST_KEY = 24


def is_infobox(element: Element) -> bool:
    """Whether an element is an infobox of its own."""
    if element.tag not in {"table", "div", "aside"} or has_class(element, "navbox", "navbox-inner", "navbox-subgroup"):
        return False
    return any(token in _BOXES or (token.startswith("infobox") and "-" not in token) for token in classes(element))


def infobox_pairs(boxes: Iterable[Element], skip: Skip) -> tuple[tuple[str, str], ...]:
    """Return the pairs of the infoboxes in order, a pair that stands twice only once."""
    pairs: dict[tuple[str, str], None] = {}
    for box in boxes:
        tables = [box] if box.tag == "table" else [t for t in box.iter("table") if not _is_nested(t, box)]
        for table in tables:
            for pair in _pairs(table, skip, 0):
                pairs.setdefault(pair)
    return tuple(pairs)


def _is_nested(table: Element, box: Element) -> bool:
    for parent in table.iterancestors():
        if parent is box:
            return False
        if parent.tag == "table":
            return True
    return False


def _pairs(table: Element, skip: Skip, depth: int) -> Iterator[tuple[str, str]]:
    titled, heading = False, ""
    for row in own_rows(table):
        if is_silent(row, skip):
            continue
        cells = [cell for cell in cells_of(row) if not is_silent(cell, skip)]
        nested = [inner for cell in cells for inner in _tables_in(cell)]
        if nested and depth < 6:
            for inner in nested:
                yield from _pairs(inner, skip, depth + 1)
            continue
        if len(cells) == 1:
            text = tidy(text_of(cells[0], skip))
            if cells[0].tag == "th":
                heading = tidy_key(text) if titled else ""  # the first one is the box's own title
                titled = True
                continue
            if heading and text and next(cells[0].iter("img"), None) is None:
                yield heading, text
            heading = ""
            continue
        heading = ""
        if len(cells) >= 2 and _is_key(cells[0]):
            key = tidy_key(text_of(cells[0], skip))
            value = "\n".join(filter(None, (tidy(text_of(cell, skip)) for cell in cells[1:])))
            if key and value and len(key) <= _LONGEST_KEY * 2 and key != value:
                yield key, value


def _is_key(cell: Element) -> bool:
    """Whether a row's first cell names the value beside it: a heading, a label, or bold or short text."""
    if cell.tag == "th" or has_class(cell, "infobox-label"):
        return True
    if next(cell.iter("img"), None) is not None:
        return False
    return 0 < len(tidy("".join(cell.itertext()))) <= _LONGEST_KEY


def _tables_in(cell: Element) -> list[Element]:
    """The outermost tables inside a cell."""
    found: list[Element] = []
    for table in cell.iterdescendants("table"):
        if not any(outer in table.iterancestors() for outer in found):
            found.append(table)
    return found
