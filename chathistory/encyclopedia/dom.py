"""A page as an lxml tree, and the few questions that every reader asks of an element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import lxml.etree
from lxml.etree import _Element as Element

from chathistory.errors import EmptyArticle

__all__ = [
    "DEEPEST",
    "Element",
    "by_class",
    "by_class_prefix",
    "classes",
    "first",
    "has_class",
    "is_hidden",
    "parse",
]

DEEPEST = 180
"""Nesting below which a tree is no longer walked element by element."""

_FOLDABLE = frozenset({"collapsible-block", "pcs-collapse-table-content", "mw-collapsible-content", "content_block"})
_FOLDABLE_STARTS = ("mf-section", "j-submodule")
_NUL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)


def parse(text: str) -> Element:
    """Return the root of an HTML text, whole page or fragment; raises EmptyArticle when there is no element in it."""
    parser = lxml.etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    body = _NUL.sub("", text).encode("utf-8")
    try:
        root = lxml.etree.fromstring(body, parser)
    except (lxml.etree.ParserError, lxml.etree.XMLSyntaxError, ValueError) as error:
        raise EmptyArticle("网页里没有内容。请重新保存整个网页，或换一个来源。") from error
    if root is None:
        raise EmptyArticle("网页里没有内容。请重新保存整个网页，或换一个来源。")
    return root


def classes(element: Element) -> list[str]:
    """Return the class tokens of an element."""
    value = element.get("class")
    return value.split() if value else []


def has_class(element: Element, *names: str) -> bool:
    """Whether one of the names is a class token of the element."""
    value = element.get("class")
    return bool(value) and not set(value.split()).isdisjoint(names)


def is_hidden(element: Element) -> bool:
    """Whether the element's own attributes hide it from readers for good.

    Sections and infoboxes that a mobile page folds until they are touched are no hidden parts.
    """
    style = element.get("style")
    hidden = element.get("hidden") is not None or (bool(style) and _HIDDEN_STYLE.search(style) is not None)
    return hidden and not _is_foldable(element)


def _is_foldable(element: Element) -> bool:
    if element.tag in {"section", "table", "tbody", "body"}:
        return True
    return any(token in _FOLDABLE or token.startswith(_FOLDABLE_STARTS) for token in classes(element))


def first(root: Element, path: str) -> Element | None:
    """Return the first element that an XPath finds, or None."""
    found = root.xpath(path)
    return found[0] if found else None


def by_class(root: Element, *names: str) -> Iterator[Element]:
    """Yield the descendants (root included) that carry one of the class tokens, in document order."""
    wanted = set(names)
    for element in _candidates(root, names):
        if not wanted.isdisjoint(element.get("class").split()):
            yield element


def by_class_prefix(root: Element, *prefixes: str) -> Iterator[Element]:
    """Yield the descendants (root included) of which a class token starts with one of the prefixes."""
    for element in _candidates(root, prefixes):
        if any(token.startswith(prefixes) for token in element.get("class").split()):
            yield element


@lru_cache(maxsize=256)
def _holding(names: tuple[str, ...]) -> lxml.etree.XPath:
    """The search for elements whose class attribute holds one of the texts, done by libxml2."""
    tests = " or ".join(f"contains(@class, '{name}')" for name in names)
    return lxml.etree.XPath(f"descendant-or-self::*[{tests}]")


def _candidates(root: Element, names: tuple[str, ...]) -> list[Element]:
    found: list[Element] = _holding(names)(root)
    return found
