"""Tables as readable lines: one a row, each cell told by its column's heading; layout tables are told apart."""

from __future__ import annotations

from collections.abc import Iterator

from chathistory.encyclopedia.dom import Element, classes
from chathistory.encyclopedia.inline import Skip, is_silent, text_of
from chathistory.encyclopedia.tidy import tidy

_WIDEST = 60
_TALLEST = 400
_LONG_CELL = 160


def own_rows(table: Element) -> Iterator[Element]:
    """Yield the rows of a table, not those of tables inside it."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in {"tbody", "thead", "tfoot"}:
            yield from (row for row in child if row.tag == "tr")


def cells_of(row: Element) -> list[Element]:
    """Return the cells of a row."""
    return [cell for cell in row if cell.tag in {"td", "th"}]


def is_layout(table: Element, skip: Skip) -> bool:
    """Whether a table only places prose on the page: one column, or headings, tables or long texts in its cells."""
    if "presentation" in (table.get("role") or ""):
        return True
    widest = 0
    longest = 0
    for row in own_rows(table):
        if is_silent(row, skip):
            continue
        cells = cells_of(row)
        widest = max(widest, len(cells))
        for cell in cells:
            for node in cell.iterdescendants("table", "h2", "h3", "h4", "h5"):
                if not is_silent(node, skip):
                    return True
            longest = max(longest, sum(map(len, cell.itertext())))
    if widest <= 1:
        return True
    return longest > _LONG_CELL and "wikitable" not in classes(table) and not _has_header(table)


def _has_header(table: Element) -> bool:
    row = next(own_rows(table), None)
    return row is not None and bool(cells_of(row)) and all(cell.tag == "th" for cell in cells_of(row))


def rows_of(table: Element, skip: Skip) -> list[str]:
    """Return the table's rows as lines: ``时间：1994年；剧名：《三国演义》``; a heading row only names the columns.

    Cells that span rows are read again in each of them; a row of one cell stands alone, as a caption does. Without a
    heading row, a first cell that is a heading names the others, else the cells are kept apart by semicolons.
    """
    grid = _grid(table, skip)
    if not grid:
        return []
    first = next((row for row in own_rows(table) if not is_silent(row, skip)), None)
    told = first is not None and ("header" in classes(first) or first.getparent().tag == "thead")
    heads = [text for text, _ in grid[0]] if len(grid) > 1 and (_is_heading(grid[0]) or told) else []
    lines: list[str] = []
    for row in grid[1:] if heads else grid:
        line = _line(row, heads)
        if line and (not lines or lines[-1] != line):
            lines.append(line)
    return lines


def _is_heading(row: list[tuple[str, bool]]) -> bool:
    texts = [text for text, _ in row if text]
    return len(set(texts)) > 1 and all(is_head for text, is_head in row if text) and all(len(t) <= 20 for t in texts)


def _line(row: list[tuple[str, bool]], heads: list[str]) -> str:
    texts = [text if any(map(str.isalnum, text)) else "" for text, _ in row]
    if len(set(filter(None, texts))) <= 1:
        return next(filter(None, texts), "")
    if not heads and row[0][1] and row[0][0] and not all(is_head for _, is_head in row[1:]):
        return f"{row[0][0].rstrip('：:')}：" + "；".join(dict.fromkeys(filter(None, texts[1:])))
    parts: list[str] = []
    for i, text in enumerate(texts):
        head = heads[i].rstrip("：:") if i < len(heads) else ""
        part = f"{head}：{text}" if head and text and head != text else text
        if any(map(str.isalnum, part)) and (not parts or parts[-1] != part):
            parts.append(part)
    return "；".join(parts)


def _grid(table: Element, skip: Skip) -> list[list[tuple[str, bool]]]:
    """The cells' texts with whether they are headings, spans filled in; empty rows dropped."""
    grid: list[list[tuple[str, bool]]] = []
    hanging: dict[int, tuple[int, tuple[str, bool]]] = {}
    for row in list(own_rows(table))[:_TALLEST]:
        if is_silent(row, skip):
            continue
        line: list[tuple[str, bool]] = []

        def fill(line: list[tuple[str, bool]] = line) -> None:
            while len(line) in hanging:
                left, cell = hanging[len(line)]
                if left <= 1:
                    del hanging[len(line)]
                else:
                    hanging[len(line)] = (left - 1, cell)
                line.append(cell)

        for element in cells_of(row):
            fill()
            if is_silent(element, skip):
                line.append(("", False))
                continue
            text = tidy(text_of(element, skip)).replace("\n", "，")
            cell = (text, element.tag == "th" or _is_bold(element, text))
            rows, columns = _span(element, "rowspan"), _span(element, "colspan")
            for _ in range(min(columns, _WIDEST - len(line))):
                if rows > 1:
                    hanging[len(line)] = (rows - 1, cell)
                line.append(cell)
        fill()
        if any(text for text, _ in line):
            grid.append(line)
    return grid


def _is_bold(cell: Element, text: str) -> bool:
    bold = next(cell.iterdescendants("b", "strong"), None)
    return bool(text) and bold is not None and tidy(text_of(bold)) == text


def _span(cell: Element, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(int(value), 1), _TALLEST) if value.isascii() and value.isdigit() else 1
