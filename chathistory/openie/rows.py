"""Rows of a table told as 列名：值；列名：值, as articles keep films, plays and works."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PAIR = re.compile(r"(?P<label>[\u4e00-\u9fffA-Za-z]{1,12})[：:](?P<value>[^；;：:]+)(?:[；;]|$)")
_WORK = re.compile(r"《[^《》]+》")
_YEAR = re.compile(r"[（(](?P<year>\d{4})年?[）)]")
_BRACKET = re.compile(r"[（(][^（）()]*[）)]")
_ACTOR = re.compile(r"饰演|演员|扮演|主演|配音|饰者")

Triple = tuple[str, str, str]


def row_triples(line: str, figure: str) -> Iterator[Triple]:
    """Yield the facts of a row; nothing where the line is no row (two labelled values or more, one of them a work).

    The row's work is the subject; whoever is labelled as its actor also plays the figure.
    """
    pairs = [(match["label"], match["value"].strip(" 。")) for match in _PAIR.finditer(line)]
    if len(pairs) < 2 or sum(len(label) + len(value) + 2 for label, value in pairs) < 0.9 * len(line):
        return
    works = [work.group() for _, value in pairs if (work := _WORK.match(value))]
    if len(works) != 1:
        return
    for label, value in pairs:
        bare = _BRACKET.sub("", value).strip()
        if bare == works[0]:
            if year := _YEAR.search(value):
                yield works[0], "年份", f"{year['year']}年" if f"{year['year']}年" in value else year["year"]
            continue
        if len(bare) > 28:
            continue
        for item in bare.split("、"):
            yield works[0], label, item
            if _ACTOR.search(label):
                yield item, "饰演", figure
