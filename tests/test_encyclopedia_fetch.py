"""Names to articles over the web, against a local server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from encyclopedia_server import PNG, Reply, Seen, Site, Waits, serve

from chathistory.encyclopedia import Sites, WebClient, fetch, portrait_png
from chathistory.errors import (
    Ambiguous,
    BadName,
    Blocked,
    EmptyArticle,
    NetworkError,
    NotFound,
    SourceError,
    UnreadableFile,
)

FIXTURES = Path(__file__).parent / "fixtures" / "encyclopedia"
HTML = """<div class="mw-parser-output"><table class="infobox"><tr><td colspan="2"><img width="200" height="300"
 src="//upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Bai.jpg/200px-Bai.jpg" data-file-width="900"></td></tr>
<tr><th>字</th><td>沙鸥</td></tr></table><p><b>白鹭洲</b>（1655年—1685年），清朝词人。</p></div>"""
SENSES = """<div class="mw-parser-output"><p>白鹭洲可以指：</p><ul>
<li><a href="/wiki/a" title="白鹭洲 (词人)">白鹭洲</a>，清朝词人</li>
<li><a href="/wiki/b" title="白鹭洲 (南京)">白鹭洲</a>，南京的公园</li>
<li><a class="new" href="/wiki/c" title="红链">红链</a></li></ul></div>"""


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as running:
        yield running


@pytest.fixture
def client(tmp_path: Path) -> Iterator[WebClient]:
    waits = Waits()
    with WebClient(tmp_path, sleep=waits.sleep, clock=waits.clock) as made:
        yield made


@pytest.fixture
def sites(site: Site) -> Sites:
    return Sites(wikipedia=site.url, baike=site.url)


def _json(value: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status, "application/json; charset=utf-8")


def _wiki(seen: Seen) -> Reply:
    """A small Wikipedia: an article, a redirect to it, a disambiguation page, and nothing else."""
    query = seen.query
    if query["action"] == "parse":
        text = SENSES if query["page"] == "白鹭洲" else HTML
        return _json({"parse": {"title": query["page"], "revid": 77, "text": text}})
    if query.get("list") == "search":
        return _json({"query": {"search": [{"title": "白鹭"}, {"title": "白鹭洲 (词人)"}]}})
    if query.get("prop") == "imageinfo":
        info = [{"extmetadata": {"LicenseShortName": {"value": "Public domain"}}}]
        return _json({"query": {"pages": [{"title": query["titles"], "imageinfo": info}]}})
    title = query["titles"]
    if title == "白鹭洲":
        return _json({"query": {"pages": [{"pageid": 1, "title": title, "pageprops": {"disambiguation": ""}}]}})
    if title in {"白鹭洲 (词人)", "白沙鸥"}:
        page = {
            "pageid": 2,
            "title": "白鹭洲 (词人)",
            "canonicalurl": "https://zh.wikipedia.org/wiki/B",
            "lastrevid": 76,
            "redirects": [{"title": "拙斋居士"}, {"title": "白鹭洲词全集 (丛书)"}],
        }
        answer: dict[str, Any] = {"query": {"pages": [page]}}
        if title == "白沙鸥":
            answer["query"]["redirects"] = [{"from": "白沙鸥", "to": "白鹭洲 (词人)"}]
        return _json(answer)
    return _json({"query": {"pages": [{"title": title, "missing": True}]}})


def test_wikipedia_gives_an_article_with_everything_known_about_it(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    article = fetch("白沙鸥", "wikipedia", client=client, sites=sites)
    assert article.title == "白鹭洲 (词人)"
    assert article.requested == "白沙鸥"
    assert {"沙鸥", "白沙鸥", "拙斋居士"} <= set(article.aliases)
    assert not any("全集" in alias for alias in article.aliases)
    assert article.birth is not None
    assert article.birth.year == 1655
    assert article.revision == "77"
    assert article.variant == "zh-cn"
    assert article.fetched_at
    assert article.source_url == "https://zh.wikipedia.org/wiki/B"
    assert article.portrait_url.endswith("/500px-Bai.jpg")
    assert article.portrait_licence == "Public domain"
    assert article.source == "wikipedia"


def test_wikipedia_is_asked_as_it_wants_to_be(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    fetch("白沙鸥", "wikipedia", client=client, sites=sites)
    first, second = site.seen[0].query, site.seen[1].query
    assert first["redirects"] == first["converttitles"] == "1"
    assert {"pageprops", "info", "pageimages"} <= set(first["prop"].split("|"))
    assert first["variant"] == second["variant"] == "zh-cn"
    assert second["action"] == "parse"
    assert second["disableeditsection"] == "1"
    assert {"text", "sections", "revid"} <= set(second["prop"].split("|"))
    assert all(seen.query["formatversion"] == "2" for seen in site.seen)


def test_the_english_edition_is_asked_without_a_variant(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    article = fetch("白沙鸥", "wikipedia", client=client, sites=sites, lang="en")
    assert "variant" not in site.seen[0].query
    assert article.variant == "en"
    with pytest.raises(BadName):
        fetch("白沙鸥", "wikipedia", client=client, sites=sites, lang="evil.example/")


def test_an_ambiguous_name_gives_candidates_that_are_names_themselves(
    site: Site, client: WebClient, sites: Sites
) -> None:
    site.answerer = _wiki
    with pytest.raises(Ambiguous) as caught:
        fetch("白鹭洲", client=client, sites=sites)
    assert caught.value.candidates == ("白鹭洲 (词人)", "白鹭洲 (南京)")
    assert fetch(caught.value.candidates[0], client=client, sites=sites).title == "白鹭洲 (词人)"
    assert fetch("白鹭洲（词人）", client=client, sites=sites).title == "白鹭洲 (词人)"
    chosen = fetch("白鹭洲", "wikipedia", client=client, sites=sites, sense="清朝")
    assert (chosen.title, chosen.requested) == ("白鹭洲 (词人)", "白鹭洲")


def test_a_missing_page_comes_with_near_titles(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    with pytest.raises(NotFound, match="白鹭") as caught:
        fetch("白路洲", "wikipedia", client=client, sites=sites)
    assert caught.value.candidates == ("白鹭", "白鹭洲 (词人)")


def test_an_answer_that_is_no_json_is_a_network_error(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = lambda _seen: Reply(b"<html>login to our wifi</html>")
    with pytest.raises(NetworkError, match="读不懂"):
        fetch("某人", "wikipedia", client=client, sites=sites)


def test_an_error_of_the_api_is_told_and_is_no_missing_page(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = lambda _seen: _json({"error": {"code": "ratelimited", "info": "too many requests"}})
    with pytest.raises(NetworkError, match="too many requests"):
        fetch("某人", "wikipedia", client=client, sites=sites)
    site.answerer = lambda _seen: _json({"query": {"pages": [{"pageid": 3, "title": 5, "redirects": 7}]}})
    with pytest.raises(NetworkError, match="结构不对"):
        fetch("某人", "wikipedia", client=client, sites=sites)


def _page(name: str) -> Reply:
    return Reply((FIXTURES / name).read_bytes())


def test_baike_gives_the_page_of_the_title(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/沈知秋", _page("baidu_old.html"))
    article = fetch("沈知秋", "baike", client=client, sites=sites)
    assert (article.title, article.sense, article.source) == ("沈知秋", "北宋水利官员", "baike")
    assert article.fetched_at
    assert not article.partial


def test_a_sense_is_fetched_by_its_own_number(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/沈知秋", _page("baidu_old.html"))
    site.on(
        "/item/沈知秋/7654321",
        Reply("<div class='lemma-summary'><div class='para'>沈知秋，画家。</div></div>".encode()),
    )
    for name, sense in (("沈知秋（当代画家）", ""), ("沈知秋", "画家"), ("沈知秋", "7654321")):
        article = fetch(name, "baike", client=client, sites=sites, sense=sense)
        assert article.sections[0].paragraphs == ("沈知秋，画家。",)
    assert fetch("沈知秋（水利官员）", "baike", client=client, sites=sites).sense == "北宋水利官员"
    with pytest.raises(Ambiguous) as caught:
        fetch("沈知秋（宇航员）", "baike", client=client, sites=sites)
    assert "沈知秋（当代画家）" in caught.value.candidates


def test_a_bare_list_of_senses_asks_back(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/方回", _page("baidu_senses.html"))
    site.on("/item/方回/1001", _page("baidu_fragment_jsoup.html"))
    with pytest.raises(Ambiguous) as caught:
        fetch("方回", "baike", client=client, sites=sites)
    assert caught.value.candidates == ("方回（元代诗论家）", "方回（传说中的隐士）")
    assert fetch(caught.value.candidates[0], "baike", client=client, sites=sites).title == "林疏影"


def test_a_challenge_is_blocked_unless_the_card_is_to_be_had(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/某人", _page("baidu_captcha.html"))
    with pytest.raises(Blocked, match="维基百科"):
        fetch("某人", "baike", client=client, sites=sites)
    card = {
        "title": "某人",
        "desc": "诗人",
        "abstract": "某人，唐代诗人。",
        "card": [{"name": "字", "value": ["无名"]}],
    }
    site.on("/api/openapi/BaikeLemmaCardApi", _json(card))
    article = fetch("某人", "baike", client=client, sites=sites)
    assert article.partial
    assert article.infobox == (("字", "无名"),)


@pytest.mark.parametrize("status", [404, 410])
def test_baike_without_the_lemma_is_not_found(site: Site, client: WebClient, sites: Sites, status: int) -> None:
    site.on("/item/某人", Reply(b"", status))
    with pytest.raises(NotFound):
        fetch("某人", "baike", client=client, sites=sites)


def test_a_redirect_to_the_error_page_is_not_found(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/某人", Reply(b"", 302, headers={"Location": "/error.html"}))
    site.on("/error.html", Reply("<title>百度百科错误页</title>".encode()))
    with pytest.raises(NotFound):
        fetch("某人", "baike", client=client, sites=sites)


def test_an_empty_page_is_told(site: Site, client: WebClient, sites: Sites) -> None:
    site.on("/item/某人", Reply(b"  "))
    with pytest.raises(EmptyArticle):
        fetch("某人", "baike", client=client, sites=sites)


def test_auto_goes_from_sample_to_wikipedia_to_baike(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    site.on("/item/沈知秋", _page("baidu_old.html"))
    assert fetch("孔子", client=client, sites=sites).source == "sample"
    assert site.seen == []
    assert fetch("白沙鸥", client=client, sites=sites).source == "wikipedia"
    assert fetch("沈知秋", "auto", client=client, sites=sites).source == "baike"


def test_the_last_error_of_auto_names_those_before_it(site: Site, client: WebClient, sites: Sites) -> None:
    site.answerer = _wiki
    with pytest.raises(NotFound, match=r"维基百科：.*百度百科：") as caught:
        fetch("查无此人", client=client, sites=sites)
    assert "白鹭" in caught.value.candidates
    site.on("/item/查无此人", _page("baidu_captcha.html"))
    with pytest.raises(Blocked, match="维基百科："):
        fetch("查无此人", client=client, sites=sites)


@pytest.mark.parametrize("name", ["", "   ", "长" * 101])
def test_names_that_cannot_be_are_refused(name: str, client: WebClient) -> None:
    with pytest.raises(BadName):
        fetch(name, client=client)


def test_names_with_slashes_and_dots_stay_one_part_of_the_address(site: Site, client: WebClient, sites: Sites) -> None:
    with pytest.raises(SourceError):
        fetch("../../etc/passwd", "baike", client=client, sites=sites)
    assert site.seen[0].path == "/item/../../etc/passwd"
    assert quote("../../etc/passwd", safe="") == "..%2F..%2Fetc%2Fpasswd"


def test_a_path_as_source_reads_the_file() -> None:
    path = FIXTURES / "baidu_old.html"
    assert fetch("沈知秋", str(path)).requested == "沈知秋"
    assert fetch(str(path), "file").title == "沈知秋"
    assert fetch(str(path), str(path)).requested == "沈知秋"


def test_an_unknown_sample_names_those_that_there_are() -> None:
    with pytest.raises(NotFound, match="孔子") as caught:
        fetch("查无此人", "sample")
    assert "孔子" in caught.value.candidates


def test_a_portrait_is_loaded_only_from_allowed_hosts_and_only_as_a_picture(site: Site, client: WebClient) -> None:
    with pytest.raises(NetworkError, match="不在允许"):
        portrait_png("https://evil.example/a.png", client)
    with pytest.raises(NetworkError, match="不在允许"):
        portrait_png("file:///etc/passwd", client)

    def here(host: str) -> bool:
        return host == "127.0.0.1"

    site.on("/tiny.png", Reply(PNG, kind="image/png"))
    site.on("/page.png", Reply(b"<html>", kind="text/html"))
    site.on("/lie.png", Reply(b"<svg onload='x'/>", kind="image/png"))
    site.on("/drawing.svg", Reply(b"<svg/>", kind="image/svg+xml"))
    for path in ("/tiny.png", "/page.png", "/lie.png", "/drawing.svg"):
        with pytest.raises(UnreadableFile):
            portrait_png(site.url + path, client, hosts=here)
    with pytest.raises(NotFound):
        portrait_png(site.url + "/none.png", client, hosts=here)
