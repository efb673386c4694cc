"""openie.json: written as the seed's readers expect it, read with patience, refused by name."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.domain import Extraction, Fact, Passage
from chathistory.errors import UnreadableFile
from chathistory.openie import from_seed, to_seed


def test_what_is_written_is_read_back() -> None:
    passages = [Passage("孔子，字仲尼。", position=0), Passage("孔子的父亲是叔梁纥。", position=1)]
    extractions = [
        Extraction(passages[1].id, ("孔子", "叔梁纥"), (Fact("孔子", "父亲", "叔梁纥"),)),
        Extraction(passages[0].id, ("孔子",), (Fact("孔子", "字", "仲尼"),)),
    ]
    data = json.loads(json.dumps(to_seed(extractions, passages), ensure_ascii=False))
    assert [doc["idx"] for doc in data["docs"]] == [passage.id for passage in passages]
    assert data["docs"][0]["extracted_triples"] == [["孔子", "字", "仲尼"]]
    assert data["avg_ent_chars"] == pytest.approx(7 / 3, abs=1e-3)
    assert data["avg_ent_words"] == 1.0
    assert from_seed(data) == [(passages[0], extractions[1]), (passages[1], extractions[0])]


def test_no_entity_means_averages_of_zero() -> None:
    assert to_seed([], []) == {"docs": [], "avg_ent_chars": 0.0, "avg_ent_words": 0.0}


def test_a_passage_without_extraction_is_left_out() -> None:
    assert to_seed([], [Passage("孔子。")])["docs"] == []


def test_broken_triples_and_entities_are_dropped_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    doc = {
        "idx": "x",
        "passage": "孔子周游列国。",
        "extracted_entities": ["孔子", "", None, " 孔子 ", 3],
        "extracted_triples": [["孔子", "周游", "列国"], ["孔子", "到"], ["a", "b", 3], ["", "b", "c"], "孔子", None],
    }
    with caplog.at_level(logging.WARNING):
        [(passage, extraction)] = from_seed({"docs": [doc, {**doc, "passage": "  "}]})
    assert extraction.facts == (Fact("孔子", "周游", "列国"),)
    assert extraction.entities == ("孔子",)
    assert extraction.passage_id == passage.id != "x"
    assert "丢弃了 9 条" in caplog.text


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"docs": {}},
        {"docs": ["x"]},
        {"docs": [{"passage": "孔子", "extracted_entities": []}]},
        {"docs": [{"passage": 3, "extracted_entities": [], "extracted_triples": []}]},
    ],
)
def test_another_shape_is_refused_by_name(data: object) -> None:
    with pytest.raises(UnreadableFile, match=r"openie\.json"):
        from_seed(data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["docs", "passage", "extracted_entities", "extracted_triples"]), inner)
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    try:
        read = from_seed(data)
    except UnreadableFile:
        return
    assert all(part.strip() for _, extraction in read for fact in extraction.facts for part in fact.parts())
