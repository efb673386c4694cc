"""Baidu's infoboxes: pairs in order, references out, a folded value read once and whole; and its relation cards."""

from __future__ import annotations

import re

from chathistory.encyclopedia.dom import Element, by_class, classes
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.tidy import one_line, tidy, tidy_key
from chathistory.encyclopedia.wordlist import words

_BOX = re.compile(r"^(?:J-)?(?:lemmaWgt-)?(?:star-)?bas(?:e|ic)-?info|^baseBox$|^dl-baseinfo$|^featureBaseInfo$", re.I)
_BUTTONS = words("""
    toggle toOverlap toExpand toCollapse overlap expand collapse sup-anchor edit-icon basicInfo-overlap
""")
_BUTTON_STARTS = ("supWrap", "supAnchor", "toggle", "overlap", "expandBtn", "basicInfoOverlap")
_BUTTON_WORDS = frozenset({"展开", "收起", "展开全部", "更多", "编辑", "播报", "展开更多"})


def skip(element: Element) -> bool:
    """Whether an element of an infobox is a button or a reference mark."""
    if element.get("data-tag") == "ref":
        return True
    tokens = classes(element)
    if not _BUTTONS.isdisjoint(tokens) or any(token.startswith(_BUTTON_STARTS) for token in tokens):
        return True
    return element.tag in {"a", "span", "div"} and len(element) == 0 and (element.text or "").strip() in _BUTTON_WORDS


def infobox_pairs(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a Baidu page's infobox, in order, each once.

    A value that the page folds stands there twice, cut and whole: the whole one is taken.
    """
    pairs: list[tuple[str, str]] = []
    for term, value in _terms(root):
        key, text = tidy_key(text_of(term, skip)), _value(value)
        if not key or not text:
            continue
        twin = next((i for i, (known, other) in enumerate(pairs) if known == key and _alike(other, text)), None)
        if twin is None:
            pairs.append((key, text))
        elif len(text) > len(pairs[twin][1]):
            pairs[twin] = (key, text)
    return tuple(pairs)


def _terms(root: Element) -> list[tuple[Element, Element]]:
    """The dt and dd elements of the infoboxes; those of a folded list, which repeat the pair around them, left out."""
    found: dict[Element, Element] = {}
    for title in by_class(root, "biTitle"):  # the template before 2016: no list, but named parts
        value = next((node for node in title.itersiblings() if "biContent" in classes(node)), None)
        if value is not None:
            found[title] = value
    for box in root.iterfind(".//*[@class]"):
        if not any(_BOX.match(token) for token in classes(box)):
            continue
        for term in [box] if box.tag == "dt" else box.iter("dt"):
            value = _definition(term)
            if value is not None and term not in found and not _is_folded(term):
                found[term] = value
    return list(found.items())


def _is_folded(term: Element) -> bool:
    """Whether a dt stands inside the dd of the same key: the whole list that a cut value hides."""
    outer = next((parent for parent in term.iterancestors() if parent.tag == "dd"), None)
    owner = outer.getprevious() if outer is not None else None
    while owner is not None and owner.tag != "dt":
        owner = owner.getprevious()
    return owner is not None and tidy_key(text_of(owner, skip)) == tidy_key(text_of(term, skip))


def _definition(term: Element) -> Element | None:
    node = term.getnext()
    while node is not None and node.tag not in {"dt", "dd"}:
        node = node.getnext()
    return node if node is not None and node.tag == "dd" else None


def _value(element: Element) -> str:
    """The value's text; of a folded one the whole text that it hides."""
    outer = tidy(text_of(element, lambda node: skip(node) or node.tag == "dl"))
    folded = next((term for term in element.iterdescendants("dt") if _is_folded(term)), None)
    inner = _definition(folded) if folded is not None else None
    whole = tidy(text_of(inner, skip)) if inner is not None else ""
    return whole if len(whole) > len(outer) else outer


def _alike(one: str, other: str) -> bool:
    """Whether two values are the same, or one is the other cut off with dots."""
    short, long = sorted((one, other), key=len)
    stem = short.rstrip("….。 ")
    return short == long or (len(stem) >= 4 and len(stem) < len(short) and long.startswith(stem))


def relation_pairs(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the pairs (relation, person) of a page's relation cards, as star pages and other people's show them."""
    pairs: dict[tuple[str, str], None] = {}
    for item in _cards(root):
        label = next((node for node in by_class(item, "name", "relation-name") if node is not item), None)
        if label is None:
            continue
        emphasised = next(label.iter("em"), None)
        if emphasised is not None:  # <div class="name" title="person">relation<em>person</em></div>
            person = one_line(text_of(emphasised)) or (label.get("title") or "").strip()
            relation = one_line(text_of(label, lambda node: node.tag == "em"))
        else:
            other = next((node for node in by_class(item, "title") if node is not item), None)
            person = one_line(text_of(other)) if other is not None else ""
            relation = one_line(text_of(label))
        if person and relation and person != relation and len(relation) <= 12 and len(person) <= 30:
            pairs.setdefault((relation, person))
    return tuple(pairs)


def _cards(root: Element) -> list[Element]:
    cards = list(by_class(root, "lemma-relation-item", "relation-item", "star-relation-item"))
    for box in [*by_class(root, "relations"), *root.iterfind(".//*[@id='slider_relations']")]:
        cards.extend(box.iter("li"))
    return list(dict.fromkeys(cards))
