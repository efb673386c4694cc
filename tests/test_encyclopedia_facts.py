"""The real saved pages beside the project: what a correct extraction contains, and what it must not."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from chathistory.domain import Article
from chathistory.encyclopedia import article_json, passages, read_file
from chathistory.errors import Ambiguous, Blocked, NotFound
from chathistory.text import normalise

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
FACTS = SHARED / "pages" / "facts.json"
QUESTIONS = SHARED / "bench" / "zh_history" / "questions.json"
here = pytest.mark.skipif(not FACTS.is_file(), reason="the saved pages (../shared/pages) are not here")
bench = pytest.mark.skipif(not QUESTIONS.is_file(), reason="the questions (../shared/bench) are not here")
CASES = json.loads(FACTS.read_text(encoding="utf-8")) if FACTS.is_file() else []


def squeeze(text: str) -> str:
    return re.sub(r"[\s\xa0]+", "", text)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, str) for part in value):
            yield "".join(value)  # an infobox pair, told as key+value
        for inner in value:
            yield from strings(inner)


@lru_cache(maxsize=8)
def article(name: str) -> Article:
    return read_file(SHARED / "pages" / name)


@here
@pytest.mark.parametrize("case", CASES, ids=[case["file"][:24] for case in CASES])
def test_the_saved_pages_are_read_right(case: dict[str, Any]) -> None:
    found = "\n".join(squeeze(text) for text in strings(article_json(article(case["file"]))))
    assert [text for text in case["must_contain"] if squeeze(text) not in found] == []
    assert [text for text in case["must_not_contain"] if squeeze(text) in found] == []


@here
def test_the_figures_are_known_by_names_and_years() -> None:
    known = {case["file"].split("_")[0]: article(case["file"]) for case in CASES}
    liu, cao, dylan = known["baidu"], known["zhwiki"], known["enwiki"]
    assert {"玄德", "刘玄德", "汉昭烈帝"} <= set(liu.aliases)
    assert {"孟德", "阿瞒", "武王", "太祖"} <= set(cao.aliases)
    assert "Robert Allen Zimmerman" in dylan.aliases
    assert [(one.birth.year, one.death.year if one.death else None) for one in (liu, cao, dylan) if one.birth] == [
        (161, 223),
        (155, 220),
        (1941, None),
    ]
    assert len(liu.infobox) == 13
    assert liu.sense == "三国时期蜀汉开国皇帝"
    assert all(".svg" not in one.portrait_url and one.portrait_url for one in (liu, cao, dylan))


@here
def test_the_challenge_page_is_blocked() -> None:
    with pytest.raises(Blocked):
        article("baidu_2023-04_anticrawl_captchaview_200.html")


@here
def test_the_recorded_api_answers_are_understood() -> None:
    with pytest.raises(NotFound):
        article("api/enwiki_action_query_missing_page_2026.json")
    with pytest.raises(Ambiguous):
        article("api/enwiki_action_query_Dodge_Ram_disambiguation_info_pageprops_2014.json")
    summary = article("api/enwiki_rest_page_summary_Fermat.json")
    assert summary.partial
    assert "aⁿ + bⁿ = cⁿ" in summary.sections[0].paragraphs[0]
    person = article("api/enwiki_action_query_Edsger_Dijkstra_2010s.json")
    assert ("known for", "Dijkstra's algorithm") in [(k, v.split("\n")[0]) for k, v in person.infobox]
    assert person.birth is not None
    assert person.birth.year == 1930
    assert "( ;" not in json.dumps(article_json(person))
    variants = [article(f"api/zhwiki_extract_text_地球_variant_zh-{v}.txt") for v in ("cn", "tw")]
    assert [one.title for one in variants] == ["地球", "地球"]
    assert "千克" in variants[0].sections[0].paragraphs[0]
    assert "公斤" in variants[1].sections[0].paragraphs[0]


@here
@bench
def test_every_gold_string_is_in_exactly_one_passage() -> None:
    texts = {
        one.title: [squeeze(passage.text) for passage in passages(one)]
        for one in (article(case["file"]) for case in CASES)
    }
    wrong = [
        (question["id"], gold)
        for question in json.loads(QUESTIONS.read_text(encoding="utf-8"))
        for gold in question["gold"]
        if sum(squeeze(normalise(gold)) in text for text in texts[question["figure"]]) != 1
    ]
    assert wrong == []


@here
def test_the_largest_page_is_read_fast_enough() -> None:
    case = next(case for case in CASES if case["file"].startswith("baidu"))
    path = SHARED / "pages" / case["file"]
    read_file(path)
    start = time.process_time()
    read_file(path)
    assert time.process_time() - start < 1.0
