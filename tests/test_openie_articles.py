"""The rule-based maker over whole articles: the shipped samples, and saved pages where they are at hand."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from benchmarks.openie_sheet import articles, draw, main, read
from chathistory.domain import Article, Extraction, Passage
from chathistory.encyclopedia import figure, passages, read_file, read_sample, sample_names
from chathistory.openie import RuleExtractor, from_seed, to_seed
from chathistory.openie.english_words import PRONOUNS_LOWER
from chathistory.openie.lexicon import PRONOUNS

PAGES = Path(__file__).parents[1].parent / "shared" / "pages"
needs_pages = pytest.mark.skipif(not PAGES.is_dir(), reason="saved pages are not at hand (../shared/pages)")


def extract(article: Article) -> list[tuple[Passage, Extraction]]:
    who = figure(article)
    return [(passage, RuleExtractor().extract(passage, who)) for passage in passages(article)]


@lru_cache(maxsize=1)
def samples() -> dict[str, list[tuple[Passage, Extraction]]]:
    return {name: extract(article) for name in sample_names() if (article := read_sample(name)) is not None}


def holds(read_out: list[tuple[Passage, Extraction]], names: tuple[str, ...]) -> None:
    for passage, extraction in read_out:
        assert extraction.entities or len(passage.text) < 4, passage.text
        assert all(entity in passage.text or entity in names for entity in extraction.entities)
        for fact in extraction.facts:
            assert all(part.strip() == part and part for part in fact.parts())
            assert fact.subject != fact.object
            assert not {part.lower() for part in fact.parts()} & (PRONOUNS | PRONOUNS_LOWER)


@pytest.mark.parametrize("name", sample_names())
def test_every_passage_of_a_sample_has_entities_and_its_facts_name_things(name: str) -> None:
    article = read_sample(name)
    assert article is not None
    holds(samples()[name], figure(article).names)


def test_samples_give_two_and_a_half_facts_a_passage_or_more() -> None:
    read_out = [extraction for article in samples().values() for _, extraction in article]
    assert sum(len(extraction.facts) for extraction in read_out) / len(read_out) >= 2.5


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("孔子", ("孔子", "父亲", "叔梁纥")),
        ("孔子", ("孔子", "字", "仲尼")),
        ("孔子", ("孔子", "见过", "老子")),
        ("孔子", ("华督", "杀害", "孔父嘉")),
        ("秦始皇", ("秦始皇", "于前229年", "派遣王翦攻赵")),
        ("李白", ("许圉师", "孙女", "许氏")),
        ("李白", ("李白", "著有", "《峨眉山月歌》")),
        ("武则天", ("武则天", "最敬重的大臣", "狄仁杰")),
        ("武则天", ("武则天", "退位于", "705年正月")),
        ("牛顿", ("牛顿", "于1661年6月", "进入剑桥大学三一学院")),
        ("苏格拉底", ("苏格拉底", "于前424年", "参加德里昂战役")),
    ],
)
def test_facts_that_the_samples_state(name: str, expected: tuple[str, str, str]) -> None:
    stated = {fact.parts() for _, extraction in samples()[name] for fact in extraction.facts}
    assert expected in stated


def test_a_sample_survives_the_way_through_openie_json() -> None:
    read_out = samples()["孔子"]
    data = to_seed([extraction for _, extraction in read_out], [passage for passage, _ in read_out])
    assert [(p.text, e.facts) for p, e in from_seed(data)] == [(p.text, e.facts) for p, e in read_out]


def test_the_draw_of_a_sheet_is_fixed_by_its_seed() -> None:
    article = read_sample("孔子")
    assert article is not None
    count, rows = read(article, RuleExtractor())
    assert count.failed == 0
    assert count.mean == pytest.approx(len(rows) / count.passages)
    assert draw(rows, 7, 20) == draw(rows, 7, 20) != draw(rows, 8, 20)
    assert len(draw(rows[:5], 7, 20)) == 5


@needs_pages
def test_saved_pages_are_read_whole_and_the_sheet_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pages", str(PAGES), "--seed", "3", "--count", "5"]) == 0
    out, err = capsys.readouterr()
    assert "0 failed" in out
    assert "Blocked" in err
    assert len(out.splitlines()) == len(articles(PAGES)) + 1 + 5
    assert main(["--pages", str(PAGES), "--seed", "3", "--count", "5", "--json"]) == 0


@needs_pages
@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("baidu_2023-03_刘备_historical_polysemant61.html", ("黄忠", "杀死", "夏侯渊")),
        ("zhwiki_2019-11_曹操_zh-cn_vector_legacy.html", ("曹操", "字", "孟德")),
        ("enwiki_2017_Bob_Dylan_full.html", ("Bob Dylan", "moved to", "Minneapolis")),
    ],
)
def test_saved_pages_give_facts_that_hold(page: str, expected: tuple[str, str, str]) -> None:
    article = read_file(PAGES / page)
    read_out = extract(article)
    holds(read_out, figure(article).names)
    assert expected in {fact.parts() for _, extraction in read_out for fact in extraction.facts}
