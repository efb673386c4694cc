"""Baidu's infoboxes: pairs in order, references out, a folded value read once and whole; and its relation cards."""

from __future__ import annotations

from chathistory.encyclopedia.dom import Element, by_class, by_class_prefix, classes
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.tidy import one_line, tidy, tidy_key
from chathistory.encyclopedia.wordlist import words

_BOXES = ("basic-info", "J-basic-info", "baseBox", "star-basic-info", "basicInfo", "card-info")
_BUTTONS = words("toggle toOverlap overlap expand collapse sup-anchor edit-icon basicInfo-overlap")
_BUTTON_WORDS = frozenset({"展开", "收起", "展开全部", "更多", "编辑", "播报", "展开更多"})


def skip(element: Element) -> bool:
    """Whether an element of an infobox is a button or a reference mark."""
    if element.get("data-tag") == "ref":
        return True
    tokens = classes(element)
    if not _BUTTONS.isdisjoint(tokens) or any(
        t.startswith(("supWrap", "toggle", "overlapBtn", "expandBtn")) for t in tokens
    ):
        return True
    return element.tag in {"a", "span", "div"} and len(element) == 0 and (element.text or "").strip() in _BUTTON_WORDS


def infobox_pairs(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a Baidu page's infobox, in order, each once."""
    pairs: dict[tuple[str, str], None] = {}
    seen: dict[str, tuple[str, str]] = {}
    for term in _terms(root):
        value = _definition(term)
        if value is None:
            continue
        pair = (tidy_key(text_of(term, skip)), _value(value))
        if not pair[0] or not pair[1]:
            continue
        before = seen.get(pair[0])
        if before is not None and _cut_of(before[1], pair[1]):
            pairs = {(pair if old == before else old): None for old in pairs}
        elif before is None or not _cut_of(pair[1], before[1]):
            pairs.setdefault(pair)
        seen[pair[0]] = pair if before is None or len(pair[1]) >= len(before[1]) else before
    return tuple(pairs)


def _terms(root: Element) -> list[Element]:
    """The dt elements of the infobox: those in its frame, or of its classes where there is no frame."""
    boxes = [*by_class(root, *_BOXES), *by_class_prefix(root, "basicInfo_", "basicInfo-")]
    found: dict[Element, None] = {}
    for box in boxes:
        for term in box.iter("dt"):
            if _inner_list(term) is None:
                found.setdefault(term)
    return list(found)


def _inner_list(term: Element) -> Element | None:
    """The folded list (``basicInfo-overlap``) around a dt, which repeats the pair it stands in."""
    for parent in term.iterancestors():
        if "basicInfo-overlap" in classes(parent) or any(t.startswith("overlap") for t in classes(parent)):
            return parent
        if parent.tag == "dd":
            return parent
    return None


def _definition(term: Element) -> Element | None:
    node = term.getnext()
    while node is not None and node.tag not in {"dt", "dd"}:
        node = node.getnext()
    return node if node is not None and node.tag == "dd" else None


def _value(element: Element) -> str:
    """The value's text; of a folded one the whole list that it hides."""
    inner = next(iter(element.iterdescendants("dd")), None)
    whole = tidy(text_of(inner, skip)) if inner is not None else ""
    outer = tidy(text_of(element, lambda node: skip(node) or node.tag == "dl"))
    return whole if len(whole) >= len(outer.rstrip("…. ")) and whole else outer


def _cut_of(short: str, long: str) -> bool:
    """Whether a text is the other one cut off with dots."""
    stem = short.rstrip("….。 展开")
    return short == long or (len(stem) >= 2 and long.startswith(stem))


def relation_pairs(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the pairs (relation, person) of a page's relation cards, as star pages and knowledge cards show them."""
    pairs: dict[tuple[str, str], None] = {}
    for item in by_class(root, "lemma-relation-item", "relation-item", "star-relation-item"):
        name = _label(item, "name", "relation-name", "lemma-name")
        relation = _label(item, "title", "relation", "relation-title", "lemma-relation")
        if name and relation and name != relation and len(relation) <= 12:
            pairs.setdefault((relation, name))
    return tuple(pairs)


def _label(item: Element, *names: str) -> str:
    node = next((element for element in by_class(item, *names) if element is not item), None)
    return one_line(text_of(node)) if node is not None else ""
