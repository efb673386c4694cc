"""Names within names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chathistory.knowledge.name_links import Links, name_links

KEYS = st.lists(
    st.lists(st.sampled_from(["a", "b", "cd", "刘", "备", "xyz"]), min_size=1, max_size=18).map(" ".join),
    max_size=12,
    unique=True,
)


def as_dict(links: Links) -> dict[tuple[int, int], float]:
    found = list(zip(links.outer.tolist(), links.inner.tolist(), strict=True))
    assert len(set(found)) == len(found)
    return dict(zip(found, links.share.tolist(), strict=True))


def oracle(keys: list[str], threshold: float) -> dict[tuple[int, int], float]:
    found = {}
    for outer, key in enumerate(keys):
        for inner, part in enumerate(keys):
            size, total = len(part.replace(" ", "")), len(key.replace(" ", ""))
            short = len(part.split()) <= 8 and len(key.split()) <= 16 and size > 1
            if inner != outer and short and f" {part} " in f" {key} " and size >= threshold * total:
                found[outer, inner] = size / total
    return found


@settings(max_examples=200)
@given(KEYS, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_all_names_that_make_enough_of_another_are_linked(keys: list[str], threshold: float) -> None:
    rows = {key: row for row, key in enumerate(keys)}
    assert as_dict(name_links(rows, 0, threshold)) == pytest.approx(oracle(keys, threshold))


@settings(max_examples=100)
@given(KEYS, st.integers(1, 12))
def test_links_of_names_that_join_are_those_that_were_missing(keys: list[str], first: int) -> None:
    rows = {key: row for row, key in enumerate(keys)}
    before = as_dict(name_links(dict(list(rows.items())[:first]), 0, 0.3))
    joined = as_dict(name_links(rows, first, 0.3))
    assert before | joined == pytest.approx(oracle(keys, 0.3))
    assert not before.keys() & joined.keys()


def test_no_links_where_none_are_wanted() -> None:
    assert not len(name_links({"刘 备": 0, "刘 备 传": 1}, 0, 2.0).outer)
    assert not len(name_links({"刘 备": 0, "刘 备 传": 1}, 1, 2.0).outer)
