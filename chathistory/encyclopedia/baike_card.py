"""Baidu's card of a lemma (BaikeLemmaCardApi): a summary and an infobox, never the whole article."""

from __future__ import annotations

from typing import Any

from chathistory.domain import Section
from chathistory.encyclopedia.dom import parse
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.page import Page
from chathistory.encyclopedia.tidy import tidy, tidy_key
from chathistory.errors import EmptyArticle


def page_of_card(card: dict[str, Any]) -> Page:
    """Return the card as a partial page."""
    pairs: list[tuple[str, str]] = []
    for row in card.get("card") or ():
        if isinstance(row, dict):
            value = row.get("value") or row.get("format") or ()
            texts = [value] if isinstance(value, str) else [str(item) for item in value]
            pair = (tidy_key(str(row.get("name") or "")), tidy("\n".join(map(_plain, texts))))
            if pair[0] and pair[1]:
                pairs.append(pair)
    abstract = tidy(_plain(str(card.get("abstract") or "")))
    url = str(card.get("url") or "")
    return Page(
        title=str(card.get("title") or card.get("key") or ""),
        sections=(Section("", 1, tuple(abstract.split("\n"))),) if abstract else (),
        infobox=tuple(pairs),
        sense=str(card.get("desc") or ""),
        portrait_url=str(card.get("image") or ""),
        source="baike",
        source_url=url.replace("http://", "https://", 1) if "baike.baidu.com" in url else "",
        variant="zh-cn",
        partial=True,
    )


def _plain(text: str) -> str:
    if "<" not in text:
        return text
    try:
        return text_of(parse(text))
    except EmptyArticle:
        return ""
