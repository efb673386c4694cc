"""Broken, cut and nested markup never raises an error that is not ours."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chathistory.encyclopedia import article_json, passages, read_html
from chathistory.encyclopedia.decode import decode
from chathistory.encyclopedia.json_file import read_json
from chathistory.encyclopedia.tidy import choose_variants, tidy
from chathistory.encyclopedia.wikitext import read_wikitext
from chathistory.errors import ChatHistoryError, UnreadableFile

FIXTURES = Path(__file__).parent / "fixtures" / "encyclopedia"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FIXTURES.glob("*.html"))}
PIECES = json.loads((FIXTURES / "markup_pieces.json").read_text(encoding="utf-8"))
SHAPES = json.loads((FIXTURES / "wrong_shapes.json").read_text(encoding="utf-8"))
COMMON = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def survives(read: Callable[[], object]) -> None:
    with contextlib.suppress(ChatHistoryError):
        assert read() is not None


def whole(text: str) -> object:
    article = read_html(text, "刘备")
    article_json(article)
    return passages(article)


@COMMON
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_pieces_of_markup_in_any_order(pieces: list[str]) -> None:
    survives(lambda: whole("".join(pieces)))


@COMMON
@given(st.sampled_from(sorted(PAGES)), st.integers(0, 10_000), st.integers(0, 10_000))
def test_pages_cut_anywhere(name: str, start: int, length: int) -> None:
    page = PAGES[name]
    begin = start % len(page)
    survives(lambda: whole(page[begin : begin + length]))
    survives(lambda: whole(page[:begin]))


@COMMON
@given(st.sampled_from(sorted(PAGES)), st.integers(0, 2**32))
def test_pages_with_pieces_lost_and_doubled(name: str, seed: int) -> None:
    rng = random.Random(seed)
    parts = PAGES[name].split("<")
    for _ in range(rng.randint(1, 12)):
        i = rng.randrange(len(parts))
        if rng.random() < 0.5:
            del parts[i]
        else:
            parts.insert(rng.randrange(len(parts)), parts[i])
        if not parts:
            break
    survives(lambda: whole("<".join(parts)))


@pytest.mark.parametrize("tag", ["div", "span", "table><tr><td", "ul><li", "section", "b", "dl><dd", "sup", "font"])
def test_markup_nested_beyond_all_measure(tag: str) -> None:
    deep = f"<{tag}>" * 3000
    for start in ("<div class='lemma-summary'><div class='para'>", "<div class='mw-parser-output'>", ""):
        survives(lambda start=start: whole(f"{start}<p>刘备是人。</p>{deep}刘备"))  # type: ignore[misc]


@COMMON
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    survives(lambda: whole(text))
    survives(lambda: read_json(text, "刘备"))
    survives(lambda: read_wikitext(text))
    tidy(text)


@COMMON
@given(st.binary(max_size=400))
def test_any_bytes_are_decoded_or_refused(body: bytes) -> None:
    with contextlib.suppress(UnreadableFile):
        assert isinstance(decode(body), str)


@COMMON
@given(st.text(alphabet="-{}|:;=>zhcntwHAR 甲乙[]'", max_size=60))
def test_marks_of_the_language_converter_in_any_order(text: str) -> None:
    choose_variants(text)
    read_wikitext("{{Infobox\n|a=" + text + "}}" + text)


def test_answers_of_every_wrong_shape() -> None:
    for value in SHAPES:
        survives(lambda value=value: read_json(json.dumps(value), "刘备"))  # type: ignore[misc]
