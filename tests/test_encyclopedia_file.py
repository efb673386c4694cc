"""Files and folders as articles."""

from __future__ import annotations

import json
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path
from urllib.parse import quote

import pytest

from chathistory.domain import Year
from chathistory.encyclopedia import (
    article_from_json,
    article_json,
    figure,
    passages,
    read_file,
    read_sample,
    sample_names,
)
from chathistory.errors import Ambiguous, EmptyArticle, NotFound, UnreadableFile

MARKDOWN = """+++
title = "沈知秋"
aliases = ["柳堤先生", "子明"]
birth = "约前102年"
death = -50
infobox = [["字", "子明"], ["父亲", "沈元亮"]]
+++
沈知秋，字子明，**越州**人。
他修筑了[长堤](https://example.org)。

## 生平

第一段。

- 祖父：沈伯安
1. 先选木

### 早年

> 治水如治学。

---

## 参考

"""


def write(folder: Path, name: str, body: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(body if isinstance(body, bytes) else body.encode("utf-8"))
    return path


def test_markdown_with_front_matter(tmp_path: Path) -> None:
    article = read_file(write(tmp_path, "a.md", MARKDOWN))
    assert article.title == article.requested == "沈知秋"
    assert article.aliases == ("柳堤先生", "子明", "沈子明")
    assert article.birth == Year(-102, "约前102年", "about")
    assert article.death == Year(-50, "前50年")
    assert article.infobox == (("字", "子明"), ("父亲", "沈元亮"))
    assert [(s.level, s.title, s.paragraphs) for s in article.sections[:3]] == [
        (1, "", ("沈知秋，字子明，越州人。他修筑了长堤。",)),
        (2, "生平", ("第一段。", "• 祖父：沈伯安", "• 先选木")),
        (3, "早年", ("治水如治学。",)),
    ]


@pytest.mark.parametrize(
    ("front", "year"),
    [
        ("birth = 161", Year(161, "161年")),
        ("birth = 1893-12-26", Year(1893, "1893-12-26", "day")),
        ('birth = {year = -551, text = "前551年"}', Year(-551, "前551年")),
        ('birth = "？"', Year(None, "？", "unknown")),
        ('birth = ""', None),
    ],
)
def test_birth_in_front_matter_may_take_several_forms(tmp_path: Path, front: str, year: Year | None) -> None:
    article = read_file(write(tmp_path, "甲.md", f"+++\n{front}\n+++\n甲（100年－160年）是人。"))
    assert article.title == "甲"
    assert article.birth == year


@pytest.mark.parametrize(
    "front", ["title = ", 'aliases = "一个"', "infobox = [[1, 2, 3]]", "infobox = 3", "birth = [1]"]
)
def test_front_matter_that_cannot_be_read_is_named(tmp_path: Path, front: str) -> None:
    with pytest.raises(UnreadableFile, match=r"\+\+\+|文件开头"):
        read_file(write(tmp_path, "a.md", f"+++\n{front}\n+++\n甲是人。"))


def test_a_heading_is_the_title_where_there_is_no_front_matter(tmp_path: Path) -> None:
    article = read_file(write(tmp_path, "x.md", "# 孟子\n\n孟子名轲。\n\n```\ncode\n```\n"))
    assert article.title == "孟子"
    assert article.sections[0].paragraphs[0] == "孟子名轲。"


def test_plain_text_is_a_paragraph_a_line_and_named_by_its_file(tmp_path: Path) -> None:
    article = read_file(write(tmp_path, "孟子.txt", "孟子\n孟子名轲，邹国人。\r\n\r\n  他主张性善。\n"))
    assert article.title == "孟子"
    assert article.sections[0].paragraphs == ("孟子名轲，邹国人。", "他主张性善。")
    assert read_file(write(tmp_path, "a.txt", "孟子名轲。"), "孟子").title == "孟子"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_texts_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    text = "孟子名轲，邹国人，主张性善，与孔子并称。"
    article = read_file(write(tmp_path, "孟子.txt", text.encode(encoding)))
    assert article.sections[0].paragraphs == (text,)


def test_one_cut_character_does_not_spoil_a_text(tmp_path: Path) -> None:
    text = "孟子名轲，邹国人，主张性善，与孔子并称。" * 30
    article = read_file(write(tmp_path, "孟子.txt", text.encode("utf-8")[:-1]))
    assert article.sections[0].paragraphs[0].startswith("孟子名轲")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.pdf", b"%PDF-1.7 \x00\x01"),
        ("a.html", b"\x89PNG\r\n\x1a\n\x00\x00"),
        ("a.txt", b"abc\x00\x01\x02def"),
        ("a.docx", b"PK\x03\x04\x00"),
        ("a.json", "{不是 JSON".encode()),
        ("a.json", b'{"other": 1}'),
        ("a.json", b"[1, 2]"),
        ("a.json", b'"text"'),
        ("a.json", b'{"infobox": [], "sections": [{"title": 1}], "title": "x"}'),
        ("a.json", b'{"query": {"pages": {"1": {"title": "x", "pageid": 1}}}}'),
        ("a.json", b'{"parse": {"title": "x"}}'),
        ("a.json", b'{"error": {"code": "ratelimited", "info": "slow down"}}'),
    ],
)
def test_files_that_are_no_article_are_told(tmp_path: Path, name: str, body: bytes) -> None:
    with pytest.raises(UnreadableFile):
        read_file(write(tmp_path, name, body))


@pytest.mark.parametrize("name", ["甲.txt", "甲", "甲.page"])
def test_a_page_is_told_by_its_content_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    body = "\n <dl><dd><h1>甲乙</h1></dd></dl><div class='lemma-summary'><div class='para'>甲乙是人。</div></div>"
    article = read_file(write(tmp_path, name, body))
    assert (article.title, article.sections[0].paragraphs) == ("甲乙", ("甲乙是人。",))


def test_a_web_archive_is_read_by_the_page_in_it(tmp_path: Path) -> None:
    page = (
        "<html><title>甲乙_百度百科</title><div class='lemma-summary'><div class='para'>甲乙是人。</div></div></html>"
    )
    archive = MIMEMultipart("related")
    part = MIMEText(page, "html", "utf-8")
    part["Content-Location"] = "https://baike.baidu.com/item/%E7%94%B2/1"
    archive.attach(MIMEText("body{}", "css"))
    archive.attach(part)
    article = read_file(write(tmp_path, "甲.mhtml", archive.as_bytes()))
    assert (article.title, article.sections[0].paragraphs) == ("甲乙", ("甲乙是人。",))
    assert article.source_url == "https://baike.baidu.com/item/%E7%94%B2/1"
    with pytest.raises(UnreadableFile):
        read_file(write(tmp_path, "乙.mht", b"From: nobody"))


def test_a_page_saved_by_a_browser_tells_where_it_is_from(tmp_path: Path) -> None:
    for url in ("https://baike.baidu.com/item/x/1", "https://evil.example/x"):
        body = f"<!-- saved from url=(0031){url} -->\n<div class='mw-parser-output'><p>甲乙是人。</p></div>"
        found = read_file(write(tmp_path, "甲.html", body)).source_url
        assert found == url if "baidu" in url else found.startswith("file:")


@pytest.mark.parametrize(("name", "body"), [("a.txt", ""), ("a.txt", " \n \n"), ("a.md", "# \n"), ("a.json", "[]")])
def test_empty_files_are_told(tmp_path: Path, name: str, body: str) -> None:
    with pytest.raises(EmptyArticle):
        read_file(write(tmp_path, name, body))


def test_a_missing_file_and_a_wrong_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_file(tmp_path / "none.html")
    with pytest.raises(NotFound):
        read_file("a\x00b.html")
    with pytest.raises(UnreadableFile, match=r"import\.json"):
        read_file(tmp_path)


def test_a_seeds_folder_is_read_by_its_percent_encoded_name(tmp_path: Path) -> None:
    folder = tmp_path / quote("孟子")
    folder.mkdir()
    write(folder, "import.json", json.dumps(["孟子名轲。", "他主张性善。[1]"]))
    for path in (folder, folder / "import.json"):
        article = read_file(path)
        assert article.title == "孟子"
        assert article.sections[0].paragraphs == ("孟子名轲。", "他主张性善。")
    write(tmp_path, "list.json", json.dumps({folder.name: "亚圣"}))
    assert read_file(folder).title == "亚圣"
    assert read_file(folder, "孟轲").title == "孟轲"


def test_answers_of_mediawiki_are_told_by_their_form(tmp_path: Path) -> None:
    html = "<div class='mw-parser-output'><p><b>甲乙</b>（100年－160年）是人。</p></div>"
    forms = [
        {"parse": {"title": "甲乙", "revid": 5, "text": {"*": html}, "redirects": [{"from": "丙丁", "to": "甲乙"}]}},
        {"parse": {"title": "甲乙", "revid": 5, "text": html, "redirects": [{"from": "丙丁", "to": "甲乙"}]}},
    ]
    for form in forms:
        article = read_file(write(tmp_path, "a.json", json.dumps(form)))
        assert (article.title, article.revision, article.aliases) == ("甲乙", "5", ("丙丁",))
        assert article.death is not None
        assert article.death.year == 160
    extract = {
        "query": {"pages": [{"title": "甲乙", "extract": "甲乙是人。\n== 生平 ==\n生于越州。\n== 参考文献 ==\n书。"}]}
    }
    article = read_file(write(tmp_path, "a.json", json.dumps(extract)))
    assert [(s.title, s.paragraphs) for s in article.sections] == [("", ("甲乙是人。",)), ("生平", ("生于越州。",))]
    mobile = {
        "lead": {"displaytitle": "甲乙", "sections": [{"id": 0, "text": "<p>甲乙是人。</p>"}]},
        "remaining": {"sections": [{"line": "生平", "toclevel": 1, "text": "<p>生于越州。</p>"}]},
    }
    article = read_file(write(tmp_path, "a.json", json.dumps(mobile)))
    assert [section.title for section in article.sections] == ["", "生平"]
    rest = {"title": "甲乙", "latest": {"id": 9}, "html": html}
    assert read_file(write(tmp_path, "a.json", json.dumps(rest))).revision == "9"


def test_answers_that_say_there_is_no_such_person(tmp_path: Path) -> None:
    for value in (
        {"query": {"pages": {"-1": {"title": "甲", "missing": ""}}}},
        {"query": {"pages": [{"title": "甲", "missing": True}]}},
        {"error": {"code": "missingtitle", "info": "x"}},
    ):
        with pytest.raises(NotFound):
            read_file(write(tmp_path, "a.json", json.dumps(value)))
    for value in (
        {"query": {"pages": [{"title": "甲", "pageid": 3, "pageprops": {"disambiguation": ""}}]}},
        {"type": "disambiguation", "title": "甲", "extract": "甲可以指"},
    ):
        with pytest.raises(Ambiguous):
            read_file(write(tmp_path, "a.json", json.dumps(value)))


def test_wikitext_is_read_without_its_markup(tmp_path: Path) -> None:
    source = """{{Infobox person
| name = 甲乙
| image = x.jpg
| birth_date = {{birth date|1900|5|1}}
| 父亲 = [[丙|丙丁]]<ref>书</ref>
}}
'''甲乙'''（1900年－1980年）是[[越州]]人<ref name=a/>，质量为10<sup>24</sup>{{nowrap|千克}}。{{citation needed}}
[[File:x.jpg|thumb|图[[越州]]]]
{| class=wikitable
| a
|}
== 生平 ==
* 生于[http://x 越州]。
== 参考文献 ==
书
"""
    value = {"query": {"pages": {"7": {"title": "甲乙", "revisions": [{"slots": {"main": {"content": source}}}]}}}}
    article = read_file(write(tmp_path, "a.json", json.dumps(value)))
    assert article.sections[0].paragraphs == ("甲乙（1900年－1980年）是越州人，质量为10²⁴千克。",)
    assert [(s.title, s.paragraphs) for s in article.sections[1:]] == [("生平", ("• 生于越州。",))]
    assert article.infobox == (("name", "甲乙"), ("birth date", "1900-05-01"), ("父亲", "丙丁"))


def test_an_exported_article_comes_back_as_it_was(tmp_path: Path) -> None:
    article = read_sample("孔子")
    assert article is not None
    value = article_json(article)
    assert article_from_json(json.loads(json.dumps(value))) == article
    back = read_file(write(tmp_path, "a.json", json.dumps(value, ensure_ascii=False)))
    assert back.sections == article.sections


def test_the_contract_of_the_json() -> None:
    article = read_sample("苏格拉底")
    assert article is not None
    value = article_json(article)
    contract = [
        "title", "requested", "sense", "aliases", "birth", "death", "infobox", "sections", "portrait_url", "source_url",
        "partial",
    ]  # fmt: skip
    assert list(value)[: len(contract)] == contract
    assert {"year", "text"} <= set(value["birth"])
    assert value["death"]["year"] == -399
    assert all(set(section) == {"title", "level", "paragraphs"} for section in value["sections"])
    assert all(len(pair) == 2 for pair in value["infobox"])
    assert value["partial"] is False


def test_the_samples_are_found_by_any_of_their_names() -> None:
    assert {"孔子", "秦始皇", "李白", "武则天", "苏格拉底", "牛顿"} <= set(sample_names())
    for name, title in {
        "孔夫子": "孔子", "武則天": "武则天", "蘇格拉底": "苏格拉底", "socrates": "苏格拉底", "isaac newton": "牛顿",
        "李 白": "李白", "秦始皇帝": "秦始皇",
    }.items():  # fmt: skip
        article = read_sample(name)
        assert article is not None
        assert (article.title, article.requested, article.source) == (title, name, "sample")
    assert read_sample("查无此人") is None


def test_every_sample_is_a_whole_article() -> None:
    for name in sample_names():
        article = read_sample(name)
        assert article is not None
        assert article.birth is not None
        assert article.death is not None
        assert article.infobox
        assert sum(1 for _ in article.paragraphs()) >= 35
        assert len(passages(article)) >= 35
        assert figure(article).names[0] == name
