"""JSON as an article: MediaWiki's answers, Baidu's card, the seed's list of strings, an exported article."""

from __future__ import annotations

import json
from typing import Any

from chathistory.domain import Article, Section
from chathistory.encyclopedia.export import article_from_json
from chathistory.encyclopedia.page import Page, article_of
from chathistory.encyclopedia.tidy import tidy
from chathistory.errors import UnreadableFile


def read_json(text: str, requested: str = "", *, fallback_title: str = "") -> Article:
    """Return the article in a JSON text.

    Raises
    ------
    UnreadableFile
        It is no JSON, or of a shape that no known source writes.
    NotFound, Ambiguous
        A MediaWiki answer for a missing page, or for a disambiguation page.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"这个 JSON 文件读不了（{error}）。请检查文件是否完整。") from error
    if isinstance(value, list):
        return _seed(value, requested or fallback_title)
    if not isinstance(value, dict):
        raise UnreadableFile("这个 JSON 里没有词条。可用的有：MediaWiki 接口的回答、旧版的 import.json（字符串列表）。")
    if "sections" in value and "infobox" in value:
        return article_from_json(value)
    try:
        page = _page(value, requested or fallback_title)
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        raise UnreadableFile(f"这个 JSON 的结构不对（{error}）。请重新保存接口的回答。") from error
    return article_of(page, requested or page.title)


def _page(value: dict[str, Any], name: str) -> Page:
    from chathistory.encyclopedia.mediawiki import is_answer, page_of_answer

    if is_answer(value):
        return page_of_answer(value, name)
    if "abstract" in value or "card" in value:
        from chathistory.encyclopedia.baike_card import page_of_card

        return page_of_card(value)
    raise UnreadableFile("这个 JSON 里没有词条。可用的有：MediaWiki 接口的回答、旧版的 import.json（字符串列表）。")


def _seed(value: list[Any], name: str) -> Article:
    """The seed's import.json: a list of paragraphs."""
    if not all(isinstance(item, str) for item in value):
        raise UnreadableFile("import.json 应当是字符串列表，一段一条。")
    paragraphs = tuple(text for text in map(tidy, value) if text)
    return article_of(Page(title=name, sections=(Section("", 1, paragraphs),), source="file"), name)
