"""Text of pages and models shows literally, whatever stands in it."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.ui.plain import clipped, first_clauses, only_years, plain

MARKUP = st.text(alphabet=string.punctuation + "w. \n\t甲a1", max_size=60)


def read_back(markdown: str) -> str:
    """What a reader sees: escapes resolved, invisible gaps left out."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u200b", "")


@given(MARKUP | st.text(max_size=60))
def test_a_reader_sees_every_character_on_one_line(text: str) -> None:
    assert read_back(plain(text)) == re.sub(r"\s+", " ", text.replace("\u200b", "")).strip()


@given(MARKUP)
def test_no_ascii_punctuation_stands_unescaped(text: str) -> None:
    assert re.sub(r"\\[!-/:-@\[-`{-~]", "", plain(text)).translate(str.maketrans("", "", string.punctuation)) == re.sub(
        r"\\[!-/:-@\[-`{-~]", "", plain(text)
    )


@pytest.mark.parametrize(
    "text", [":smile:", ":material/star:", "->", "<-", "--", ">=", "~=", "www.a.b", "a@b.c", "http://a.b"]
)
def test_shortcodes_arrows_and_addresses_are_broken_by_an_invisible_gap(text: str) -> None:
    seen = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text))
    assert text not in seen
    assert seen.replace("\u200b", "") == text


def test_a_heading_or_list_inside_the_text_cannot_begin_a_line() -> None:
    assert "\n" not in plain("前\n# 题\n- 项\n1. 一")


def test_only_years_are_kept_of_dates() -> None:
    assert only_years("前551年9月28日 – 前479年4月11日") == "前551年 – 前479年"
    assert only_years("约前470年 – ？") == "约前470年 – ？"


def test_whole_clauses_are_kept_as_far_as_they_fit() -> None:
    assert first_clauses("孔子名丘，字仲尼，是鲁国人。", 10) == "孔子名丘，字仲尼。"
    assert first_clauses("孔子名丘，字仲尼。", 20) == "孔子名丘，字仲尼。"
    assert first_clauses("很长很长的一句。", 3) == "很长很长的一句。"


def test_clipping_keeps_the_limit() -> None:
    assert clipped("一二三四", 4) == "一二三四"
    assert clipped("一二三四五", 4) == "一二三…"
