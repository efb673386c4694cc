"""The words of an element: references and hidden parts out, exponents, ruby base text and formulas kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from chathistory.encyclopedia.dom import DEEPEST, Element, classes, is_hidden, parse
from chathistory.encyclopedia.wordlist import words
from chathistory.errors import EmptyArticle

Skip = Callable[[Element], bool]

_WHITE = re.compile(r"[ \t\r\n\f\v]+")
_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_REFERENCE = re.compile(r"^\s*[\[［【〔][^\]］】〕]{0,24}[\]］】〕]?(?::\s?[\d,–-]+)?\s*$|^\s*:\s?[\d,、–-]+\s*$|^\s*$")
_ORDINAL = re.compile(r"^(?:st|nd|rd|th|er|e|re|ème|o|a|ª|º)$")
_NEVER = words("""
    script style link meta noscript template iframe object svg canvas audio video source track map button
    select option input textarea form head title rt rp rtc param embed base figure figcaption dialog nav
""")
BLOCKS = words("""
    address article aside blockquote body center dd details div dl dt fieldset footer h1 h2 h3 h4 h5 h6 header
    hr li main menu ol p pre section summary table tbody td tfoot th thead tr ul caption
""")


def skip_nothing(_element: Element) -> bool:
    """The skip rule of a tree in which nothing but scripts and hidden parts is dropped."""
    return False


def is_silent(element: Element, skip: Skip) -> bool:
    """Whether an element says nothing to a reader: scripts, hidden parts, reference marks, or what ``skip`` names."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _NEVER:
        return True
    if tag == "sup" and _is_reference(element):
        return True
    return (is_hidden(element) and not _is_math(element)) or skip(element)


def _is_reference(element: Element) -> bool:
    if "ref" in (element.get("data-tag") or "") or not {"reference", "mw-ref"}.isdisjoint(classes(element)):
        return True
    return _REFERENCE.match("".join(element.itertext())) is not None


def _is_math(element: Element) -> bool:
    return any(token.startswith("mwe-math") for token in classes(element)) or element.tag == "math"


def _is_raised(element: Element, start: str) -> bool:
    """Whether a span is an exponent (``sup_``) or an index (``sub_``) by its hashed class, as Baidu writes them now."""
    if element.tag != "span":
        return False
    tokens = classes(element)
    return any(t.startswith(start) for t in tokens) and any(t.startswith("text_") for t in tokens)


def text_of(element: Element, skip: Skip = skip_nothing) -> str:
    """Return the raw text inside an element; line breaks where ``<br>`` and block elements stand. Not yet tidy."""
    out: list[str] = []
    gather(element, out, skip)
    return "".join(out)


def gather(element: Element, out: list[str], skip: Skip, depth: int = 0) -> None:
    """Append the text inside an element to ``out``."""
    if element.text:
        out.append(_white(element, element.text))
    if depth > DEEPEST:
        return
    for child in element:
        append(child, out, skip, depth + 1)
        if child.tail:
            out.append(_white(element, child.tail))


def append(element: Element, out: list[str], skip: Skip, depth: int = 0) -> None:
    """Append what one element says (its tail excluded) to ``out``."""
    if is_silent(element, skip):
        return
    tag = element.tag
    if tag == "br":
        out.append("\n")
    elif tag == "sup" or _is_raised(element, "sup_"):
        out.append(superscript(text_of(element, skip)))
    elif tag == "sub" or _is_raised(element, "sub_"):
        text = text_of(element, skip)
        out.append(text.translate(_SUBSCRIPTS) if text.strip().isascii() else text)
    elif tag == "img":
        out.append(_formula_image(element))
    elif _is_math(element):
        out.append(math_text(element))
    elif element.get("data-mw-variant"):
        out.append(variant_text(element.get("data-mw-variant") or ""))
    elif tag in BLOCKS:
        out.append("\n")
        gather(element, out, skip, depth)
        out.append("\n")
    else:
        gather(element, out, skip, depth)


def _white(parent: Element, text: str) -> str:
    """Collapse white space as a browser does, except in preformatted text."""
    if parent.tag == "pre" or (parent.getparent() is not None and parent.getparent().tag == "pre"):
        return text
    return _WHITE.sub(" ", text)


def superscript(text: str) -> str:
    """Return an exponent in Unicode superscripts, ``^(…)`` where there are none; ordinals and words stay plain."""
    bare = text.strip()
    raised = bare.translate(_SUPERSCRIPTS)
    if bare and not any(char.isalnum() and char.isascii() for char in raised) and not _has_letters(raised):
        return raised
    if not bare.isascii() or _ORDINAL.match(bare) or len(bare) > 12 or (len(bare) > 1 and bare.isalpha()):
        return text
    return f"^{bare}" if len(bare) == 1 else f"^({bare})"


def _has_letters(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)


def math_text(element: Element) -> str:
    """Return a formula's alternative text without its display wrapper."""
    for node in element.iter():
        if not isinstance(node.tag, str):
            continue
        alt = node.get("alttext") or (node.get("alt") if node.tag == "img" else None)
        if alt:
            return clean_formula(alt)
    return clean_formula(" ".join("".join(element.itertext()).split()))


def clean_formula(text: str) -> str:
    """Return TeX without ``{\\displaystyle …}`` around it, simple powers as Unicode superscripts."""
    text = text.strip()
    wrapped = re.match(r"^\{\\(?:displaystyle|textstyle|scriptstyle)\s*(.*)\}$", text, re.S)
    if wrapped:
        text = wrapped.group(1).strip()
    text = re.sub(r"\^\{?([0-9n+-]+)\}?", lambda m: m.group(1).translate(_SUPERSCRIPTS), text)
    return text.replace("\\times", "×").replace("\\,", " ").replace("\\cdot", "·")


def _formula_image(element: Element) -> str:
    """The alternative text of an image that stands for characters; other images say nothing."""
    names = " ".join(classes(element))
    if "math" in names or "tex" in names.split() or "formula" in names:
        return clean_formula(element.get("alt") or "")
    return ""


def variant_text(data: str) -> str:
    """Return what Parsoid's ``data-mw-variant`` shows to a reader of mainland Chinese."""
    try:
        rule = json.loads(data)
    except ValueError:
        return ""
    if not isinstance(rule, dict):
        return ""
    if isinstance(rule.get("disabled"), dict):
        return _plain(rule["disabled"].get("t"))
    if isinstance(rule.get("filter"), dict):
        return _plain(rule["filter"].get("t"))
    pairs = rule.get("twoway")
    if not rule.get("show", True) or not isinstance(pairs, list):
        return ""
    shown = {str(pair.get("l")): _plain(pair.get("t")) for pair in pairs if isinstance(pair, dict)}
    for name in ("zh-cn", "zh-hans", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk"):
        if name in shown:
            return shown[name]
    return next(iter(shown.values()), "")


def _plain(value: object) -> str:
    """The words of a variant's text, which may hold markup and further variants."""
    if not isinstance(value, str):
        return ""
    if "data-mw-variant" in value:
        try:
            return text_of(parse(value))
        except EmptyArticle:
            return ""
    return re.sub(r"<[^<>]*>", "", value)
