"""Title and senses (义项) of a Baidu page, out of its lists or its PAGE_DATA."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from chathistory.encyclopedia.dom import Element, by_class, by_class_prefix, classes, first
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.tidy import one_line

_ITEM = re.compile(r"(?:baike\.baidu\.com)?/(?:item|view|subview)/([^/?#]+)(?:/(\d+))?")


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of an ambiguous title. ``lemma_id`` is '' where the page does not tell it (the current one)."""

    title: str
    description: str
    lemma_id: str = ""
    current: bool = False

    @property
    def name(self) -> str:
        """The sense as a name that can be summoned: ``刘备（三国时期蜀汉开国皇帝）``."""
        return f"{self.title}（{self.description}）" if self.description else self.title


def page_title(root: Element) -> str:
    """Return the lemma's title, '' when the page does not tell one."""
    for node in [
        *by_class(root, "J-lemma-title"),
        *by_class(root, "lemmaWgt-lemmaTitle-title"),
        *by_class_prefix(root, "lemmaTitle_"),
    ]:
        inner = next(node.iter("h1"), node)
        text = one_line(text_of(inner, _aside))
        if text:
            return text
    heading = next((h for h in root.iter("h1") if one_line(text_of(h, _aside))), None)
    if heading is not None:
        return one_line(text_of(heading, _aside))
    node = first(root, "//*[@data-lemmatitle]")
    if node is not None:
        return (node.get("data-lemmatitle") or "").strip()
    return _split_head(root)[0]


def _aside(element: Element) -> bool:
    if element.tag in {"h2", "a", "sup"}:
        return True
    return any(token == "btn-list" or "pinyin" in token for token in classes(element))


def _split_head(root: Element) -> tuple[str, str]:
    head = first(root, "//title")
    text = one_line(head.text or "") if head is not None else ""
    text = re.sub(r"[_\-–—]\s*(?:百度百科|搜索).*$", "", text)
    match = re.match(r"^(.*?)[（(](.*)[)）]$", text)
    return (match.group(1).strip(), match.group(2).strip()) if match else (text.strip(), "")


def current_sense(root: Element, found: tuple[Sense, ...]) -> str:
    """Return the description of the sense that the page tells of, '' where it gives none.

    ``found`` is what ``senses`` read out of the page.
    """
    for sense in found:
        if sense.current and sense.description:
            return sense.description
    nodes = [
        *by_class(root, "lemma-desc"),
        *by_class_prefix(root, "lemmaDescText"),
        *by_class_prefix(root, "lemmaDesc_"),
    ]
    title_box = next(by_class(root, "lemmaWgt-lemmaTitle-title"), None)
    if title_box is not None:
        nodes.extend(title_box.iter("h2"))
    for node in nodes:
        text = _bare(one_line(text_of(node)))
        if text and "同名词条" not in text and "义项" not in text:
            return text
    return _split_head(root)[1]


def _bare(text: str) -> str:
    return text.strip().strip("（）()▪·• ").strip()


def senses(root: Element, text: str = "") -> tuple[Sense, ...]:
    """Return the senses that a page lists, in its order; empty when the title has one meaning only.

    The current one is the item without a link. PAGE_DATA in the page's text is used where there is no list.
    """
    title = page_title(root)
    found: list[Sense] = []
    lists = [
        *by_class(root, "polysemantList-wrapper", "polysemant-list", "custom_dot", "para-list", "J-polysemant-content")
    ]
    lists += list(by_class_prefix(root, "polysemantList_", "newPolysemantList", "polysemantWrapper", "contentItem_"))
    for box in lists:
        tokens = [token.lower() for token in classes(box)]
        polysemic = any("polysemant" in t or t.startswith("contentitem_") for t in tokens) or is_sense_list(root)
        items = [node for node in box.iter("li", "div", "a") if node.tag == "li" or _is_child(node)]
        if not polysemic or not items:
            continue
        found = [sense for sense in (_sense_of(item, title) for item in items) if sense is not None]
        if found:
            break
    if not found and text:
        found = _from_page_data(text)
    if not found:
        found = _bare_list(root, title)
    unique = list({(sense.title, sense.description): sense for sense in found}.values())
    return tuple(unique) if len(unique) > 1 else ()


def _is_child(element: Element) -> bool:
    return any(token.lower().startswith("contentitemchild") for token in classes(element))


def _sense_of(item: Element, title: str) -> Sense | None:
    link = next(item.iter("a"), None)
    shown = _bare(one_line(text_of(link if link is not None else item)))
    label = _bare(link.get("title") or "") if link is not None and shown.endswith(("...", "…")) else shown
    if not label or len(label) > 80:
        return None
    name, colon, description = label.partition("：")
    if colon and name == title:
        label = description
    match = _ITEM.search(link.get("href") or "") if link is not None else None
    found = unquote(match.group(1)) if match else ""
    return Sense(found or title, _bare(label), (match.group(2) or "") if match else "", current=link is None)


def is_sense_list(root: Element) -> bool:
    """Whether the page is only a list of senses (an ambiguous title without a default)."""
    text = next((one_line(text_of(node)) for node in by_class(root, "lemma-summary", "para")), "")
    if re.search(r"这是一个多义词|请在下列义项", text):
        return True
    if next(by_class(root, "lemmaWgt-subLemmaListTitle"), None) is not None:
        return True
    return len(_bare_list(root, page_title(root))) > 1


def _bare_list(root: Element, title: str) -> list[Sense]:
    """The senses of a tiny page that holds nothing but links to the title's own lemmas."""
    if first(root, "//*[@data-tag='paragraph' or @label-module='para']") is not None:
        return []
    if next(by_class(root, "lemma-summary", "J-summary", "para"), None) is not None:
        return []
    found: list[Sense] = []
    for link in root.iter("a"):
        match = _ITEM.search(link.get("href") or "")
        if match and match.group(2) and unquote(match.group(1)) == title:
            sense = _sense_of(link, title)
            if sense is not None and sense.description and sense.description != title:
                found.append(sense)
    return found


def page_data(text: str) -> dict[str, Any]:
    """Return the page's ``window.PAGE_DATA``, an empty dict when there is none that can be read."""
    match = re.search(r"(?:window\.)?PAGE_DATA\s*=\s*(?=\{)", text)
    if not match:
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(text, match.end())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _from_page_data(text: str) -> list[Sense]:
    data = page_data(text)
    navigation = data.get("navigation")
    lemmas = navigation.get("lemmas") if isinstance(navigation, dict) else None
    current = str(data.get("lemmaId") or "")
    found: list[Sense] = []
    for lemma in lemmas if isinstance(lemmas, list) else []:
        if isinstance(lemma, dict) and lemma.get("lemmaId"):
            number = str(lemma["lemmaId"])
            title = str(lemma.get("lemmaTitle") or data.get("lemmaTitle") or "")
            found.append(Sense(title, _bare(str(lemma.get("lemmaDesc") or "")), number, current=number == current))
    return found
