"""The portrait of a Wikipedia page: the infobox's first photograph or painting, never an SVG, a glyph or an icon."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from chathistory.encyclopedia.dom import Element, classes, has_class

STEPS = (20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840)
"""The only widths in pixels at which Wikimedia serves thumbnails."""
_WANTED = 500
_SMALLEST = 60
_THUMB = re.compile(r"^(.*?/thumb/(?:[^/]+/)*?)([^/]+)/(?:[^/]*-)?(\d+)px-[^/]+$")
_GLYPH = re.compile(
    r"\.svg|chinese.?characters|hanzi|kanji|signature|autograph|签名|簽名|seal.?script|icon|logo|flag_of|coat.?of.?arms|"
    r"\.gif$|\.webm|\.ogv|map|locator|disambig|字形|小篆|edit-clear|question_book|wiktionary|commons-",
    re.I,
)


def portrait_of(boxes: Iterable[Element], content: Element) -> str:
    """Return the https URL of the portrait, '' when the page has none."""
    for box in boxes:
        for image in box.iter("img"):
            url = _candidate(image)
            if url:
                return url
    for image in content.iter("img"):
        if any(
            has_class(parent, "navbox", "hatnote", "ambox", "sidebar", "mbox-small", "metadata", "noprint")
            for parent in image.iterancestors()
        ):
            continue
        lead = next((p for p in image.iterancestors() if has_class(p, "thumb") or p.tag == "figure"), None)
        if lead is None:
            continue
        return _candidate(image) if _before_first_heading(lead, content) else ""
    return ""


def _before_first_heading(element: Element, content: Element) -> bool:
    for node in content.iter():
        if node is element:
            return True
        if node.tag == "h2" and not has_class(node.getparent(), "toctitle"):
            return False
    return False


def _candidate(image: Element) -> str:
    url = image.get("src") or image.get("data-src") or ""
    if not url or url.startswith("data:"):
        url = image.get("data-src") or ""
    alt = f"{unquote(url)} {image.get('alt') or ''} {image.get('resource') or ''}"
    if not url or _GLYPH.search(alt) or "noviewer" in classes(image):
        return ""
    if min(_number(image, "width", 999), _number(image, "height", 999)) < _SMALLEST:
        return ""
    return allowed_width("https:" + url if url.startswith("//") else url, _number(image, "data-file-width", 0))


def _number(image: Element, name: str, default: int) -> int:
    value = (image.get(name) or "").strip()
    return int(value) if value.isascii() and value.isdigit() else default


def allowed_width(url: str, original: int = 0) -> str:
    """Return a thumbnail's URL at a width that Wikimedia serves, at most 500 px; the original file for smaller ones.

    A URL that is no Wikimedia thumbnail is returned as it is.
    """
    match = _THUMB.match(url)
    if not match:
        return url
    stem, name, width = match.group(1), match.group(2), int(match.group(3))
    if original and original <= width:
        return stem.replace("/thumb/", "/", 1) + name
    roof = min(original or _WANTED, _WANTED)
    steps = [step for step in STEPS if step <= roof]
    step = steps[-1] if steps else STEPS[0]
    if original and step < width and original <= 2 * _WANTED:
        return stem.replace("/thumb/", "/", 1) + name
    return f"{stem}{name}/{step}px-{name}"
