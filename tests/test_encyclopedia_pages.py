"""Our own pages, each with the traps of its kind, read right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chathistory.domain import Article
from chathistory.encyclopedia import article_json, read_file, read_html
from chathistory.errors import Ambiguous, Blocked, EmptyArticle, NotFound

FIXTURES = Path(__file__).parent / "fixtures" / "encyclopedia"


def page(name: str) -> Article:
    return read_file(FIXTURES / name)


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def texts(article: Article) -> list[str]:
    return [text for _, text in article.paragraphs()]


def titles(article: Article) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in article.sections]


EXPECTED = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_nothing_but_the_article_is_read(name: str) -> None:
    found = "\n".join(strings(article_json(page(name)))).replace(name, "")
    assert [text for text in EXPECTED[name]["must_not_contain"] if text in found] == []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_whole_article_is_read(name: str) -> None:
    found = "\n".join(strings(article_json(page(name))))
    assert [text for text in EXPECTED[name]["must_contain"] if text not in found] == []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_lead_is_the_first_paragraph(name: str) -> None:
    article = page(name)
    assert article.sections[0].level == 1
    assert article.sections[0].title == ""
    assert texts(article)[0].startswith(article.title)


def test_an_old_baidu_page_has_its_tree_its_senses_and_its_infobox() -> None:
    article = page("baidu_old.html")
    assert titles(article) == [(1, ""), (2, "人物生平"), (3, "早年求学"), (3, "修筑长堤"), (2, "著作")]
    assert (article.title, article.sense) == ("沈知秋", "北宋水利官员")
    assert article.infobox == (
        ("中文名", "沈知秋"),
        ("别名", "沈子明、柳堤先生"),
        ("出生日期", "1021年"),
        ("逝世日期", "1085年3月"),
        ("主要成就", "修筑柳堤\n疏浚鉴湖\n编成《河防要略》"),
        ("父亲", "沈元亮"),
        ("妻子", "陆采薇"),
    )
    assert article.portrait_url == "https://bkimg.cdn.bcebos.com/pic/shen0001?x-bce-process=image/resize,w_268"
    assert article.source_url == "https://baike.baidu.com/item/%E6%B2%88%E7%9F%A5%E7%A7%8B/1234567"
    assert set(article.aliases) == {"沈子明", "柳堤先生", "子明", "柳堤居士"}


def test_table_rows_are_lines_that_tell_their_columns() -> None:
    assert texts(page("baidu_old.html"))[-2:] == [
        "• 年份：1060年；书名：《河防要略》；卷数：十卷",
        "• 年份：1060年；书名：《堤上杂记》；卷数：二卷",
    ]


def test_a_star_page_with_nested_lists_gives_pairs_and_relations() -> None:
    article = page("baidu_star.html")
    assert article.infobox == (("外文名", "Ye Qinghe"), ("代表作品", "枫桥夜泊，寒山钟"), ("师父", "顾明烛"))
    assert article.birth is not None
    assert article.birth.year == 1988
    assert article.death is None
    assert article.portrait_url == ""


def test_a_fragment_without_head_infobox_and_portrait_is_read() -> None:
    article = page("baidu_fragment_jsoup.html")
    assert article.title == "林疏影"
    assert article.infobox == ()
    assert article.portrait_url == ""
    assert article.aliases == ("林小满",)
    assert article.birth is not None
    assert article.death is not None
    assert (article.birth.year, article.death.year) == (1902, 1974)


def test_a_page_with_hashed_classes_is_read_by_its_hooks() -> None:
    article = page("baidu_hashed.html")
    assert titles(article) == [(1, ""), (2, "生平"), (3, "学艺")]
    assert (article.title, article.sense) == ("秦望山", "唐代铸剑师")
    assert article.infobox == (("本名", "秦望山"), ("职业", "铸剑师"), ("师父", "欧大冶"))
    assert article.portrait_url == "https://bkimg.cdn.bcebos.com/smart/qin02"


def test_the_hashes_of_the_classes_do_not_matter() -> None:
    import re

    text = (FIXTURES / "baidu_hashed.html").read_text(encoding="utf-8")
    rotated = re.sub(r'(class="[^"]*?)_(?:[A-Za-z0-9_]{1,6})(?=[ "])', r"\1_QqQ", text)
    assert rotated != text
    assert texts(read_html(rotated)) == texts(page("baidu_hashed.html"))


def test_a_page_with_page_data_only_knows_its_senses() -> None:
    from chathistory.encyclopedia.baidu_senses import senses
    from chathistory.encyclopedia.dom import parse

    text = (FIXTURES / "baidu_hashed.html").read_text(encoding="utf-8")
    found = senses(parse(text), text)
    assert [(sense.name, sense.lemma_id, sense.current) for sense in found] == [
        ("秦望山（唐代铸剑师）", "60010001", True),
        ("秦望山（浙江杭州的山）", "60010002", False),
    ]


def test_a_list_of_senses_is_no_article() -> None:
    with pytest.raises(Ambiguous) as caught:
        page("baidu_senses.html")
    assert caught.value.candidates == ("方回（元代诗论家）", "方回（传说中的隐士）")


def test_a_tiny_page_of_links_is_a_list_of_senses_too() -> None:
    with pytest.raises(Ambiguous) as caught:
        read_html(
            "<html><title>方回_百度百科</title><h1 class='J-lemma-title'>方回</h1><div class='listBox_x'>"
            "<a href='/item/%E6%96%B9%E5%9B%9E/1001?fromModule=x'>方回：元代诗论家</a>"
            "<a href='/item/%E6%96%B9%E5%9B%9E/1002'>传说中的隐士</a><a href='/item/other/3'>别的</a></div></html>"
        )
    assert caught.value.candidates == ("方回（元代诗论家）", "方回（传说中的隐士）")


def test_a_challenge_page_is_blocked_with_the_remedy() -> None:
    with pytest.raises(Blocked, match="保存"):
        page("baidu_captcha.html")


def test_baidus_page_for_a_missing_lemma_is_not_found() -> None:
    with pytest.raises(NotFound):
        read_html("<html><title>百度百科_错误页</title><body class='lemma-title'><p></p></body></html>", "某人")


def test_headings_may_stand_in_an_attribute_only() -> None:
    article = read_html(
        "<div class='J-lemma-content'><div data-tag='paragraph'>甲是乙。</div>"
        "<div data-tag='header' data-level='2' data-name='学艺'></div><div data-tag='paragraph'>丙是丁。</div></div>",
        "甲",
    )
    assert titles(article) == [(1, ""), (3, "学艺")]


def test_the_template_before_the_present_ones_is_read_too() -> None:
    article = read_html(
        "<html><title>甲乙_百度百科</title><div class='card-summary-content'><div class='para'>甲乙是人。</div></div>"
        "<div class='baseInfoWrap'><div class='biItem'><span class='biTitle'>字</span><div class='biContent'>丙丁</div>"
        "</div></div><div class='lemma-main-content'><h2 class='headline-1'><a class='edit'>编辑</a>"
        "<span class='headline-content'>生平</span></h2><div class='para'>戊己。</div></div></html>"
    )
    assert article.title == "甲乙"
    assert article.infobox == (("字", "丙丁"),)
    assert titles(article) == [(1, ""), (2, "生平")]
    assert article.sections[0].paragraphs == ("甲乙是人。",)


def test_a_wikipedia_page_of_old_has_nested_kinship_and_no_glyph_as_portrait() -> None:
    article = page("wiki_legacy_no_output.html")
    assert titles(article) == [(1, ""), (2, "生平"), (3, "弟子")]
    assert article.infobox == (("字", "子渡"), ("国籍", "楚国"), ("父亲", "许伯"), ("弟子", "陈小舟\n陈小楫"))
    base = "https://upload.wikimedia.org/wikipedia/commons/thumb/5/57/Xu_portrait.jpg"
    assert article.portrait_url == f"{base}/500px-Xu_portrait.jpg"
    assert (article.revision, article.variant) == ("7788", "zh-cn")
    assert set(article.aliases) == {"子渡", "渡翁", "许子渡"}
    assert article.birth is not None
    assert (article.birth.year, article.birth.precision, article.birth.text) == (-320, "about", "约前320年")
    assert article.death is not None
    assert article.death.year == -255


def test_the_present_skin_and_the_mobile_one_are_read() -> None:
    for name in ("wiki_vector2022.html", "wiki_minerva.html"):
        article = page(name)
        assert titles(article) == [(1, ""), (2, "生平")]
        assert article.title == "江雪樵"
    assert page("wiki_vector2022.html").infobox == (("出生", "1402年7月1日\n杭州府"), ("逝世", "1470年"))


def test_mobile_html_keeps_its_folded_infobox_and_sections() -> None:
    article = page("wiki_parsoid_mobile.html")
    assert titles(article) == [(1, ""), (2, "生平"), (3, "交游")]
    assert article.infobox == (("字", "沙鸥"), ("号", "拙斋"))
    assert article.revision == "424242"
    assert article.source_url == "https://zh.wikipedia.org/wiki/%E7%99%BD%E9%B9%AD%E6%B4%B2"


def test_a_fragment_takes_its_title_from_its_infobox_and_its_script_stays() -> None:
    article = page("wiki_parse_fragment.html")
    assert article.title == "蘇格兰特"
    assert article.birth is not None
    assert (article.birth.year, article.birth.precision) == (-450, "century")
    assert article.death is not None
    assert (article.death.year, article.death.precision) == (None, "unknown")


def test_an_english_page_is_read() -> None:
    article = page("wiki_english.html")
    assert titles(article) == [(1, ""), (2, "Life")]
    assert article.infobox[0] == ("Born", "Edmund Peter Harrow\n25 December 1642\nDover, England")
    assert article.aliases == ("Edmund Peter Harrow",)
    assert article.death is not None
    assert (article.death.year, article.death.precision) == (1710, "about")


def test_any_other_page_is_read_by_headings_and_paragraphs() -> None:
    article = read_html(
        "<title>某站</title><nav>导航</nav><main><h1>甲乙</h1><p>甲乙是诗人。</p><h2>生平</h2><p>生于越州。</p></main>"
        "<footer>版权所有</footer>"
    )
    assert article.title == "甲乙"
    assert texts(article) == ["甲乙是诗人。", "生于越州。"]


@pytest.mark.parametrize("text", ["", "   ", "<html></html>", "<!-- nothing -->", "<div class='lemma-summary'></div>"])
def test_a_page_without_text_is_empty(text: str) -> None:
    with pytest.raises(EmptyArticle):
        read_html(text, "某人")


def test_quotes_in_table_cells_and_two_columns_with_heads_are_readable() -> None:
    article = read_html(
        "<div class='mw-parser-output'><p>甲。</p>"
        "<table class='cquote'><tr><td>“</td><td>水能载舟。</td><td>”</td></tr></table>"
        "<table class='wikitable'><tr><th>官职</th><td>司空</td></tr>"
        "<tr><th>爵位</th><td>武平侯<br>魏公</td></tr></table></div>",
        "甲",
    )
    assert texts(article) == ["甲。", "• 水能载舟。", "• 官职：司空", "• 爵位：武平侯，魏公"]


def test_a_table_that_only_places_prose_is_read_as_prose() -> None:
    article = read_html(
        "<div class='mw-parser-output'><p>甲。</p><table><tr><td><h3>左</h3><p>一。</p></td>"
        "<td><p>二。</p></td></tr></table></div>",
        "甲",
    )
    assert texts(article) == ["甲。", "一。", "二。"]
    assert titles(article)[-1] == (3, "左")


def test_lines_that_only_announced_reference_marks_go_with_them() -> None:
    article = read_html(
        "<div class='lemma-summary'><div class='para'>甲是人。</div></div>"
        "<div class='para'>参考资料：<sup>[1]</sup></div>"
        "<table><tr><td>甲</td><td>乙</td></tr>"
        "<tr><td colspan='2'>资料来源：<sup>[2-3]</sup></td></tr></table>",
        "甲",
    )
    assert texts(article) == ["甲是人。", "• 甲；乙"]


def test_a_value_that_stands_there_cut_and_whole_is_taken_once_and_whole() -> None:
    article = read_html(
        "<div class='lemma-summary'><div class='para'>甲是人。</div></div><div class='basicInfo_x J-basic-info'><dl>"
        "<div><dt>代表作品</dt><dd>《早发白帝城》、《将进酒》、《静夜思》...</dd></div>"
        "<div><dt>代表作品</dt><dd>《早发白帝城》、《将进酒》、《静夜思》、《蜀道难》<div>收起</div></dd></div>"
        "<div><dt>代表作品</dt><dd>《早发白帝城》、《将进酒》、《静夜思》...</dd></div>"
        "<div><dt>职业</dt></div><div><dt>子女</dt><dd>丙</dd></div><div><dt>子女</dt><dd>丁</dd></div></dl></div>",
        "甲",
    )
    assert article.infobox == (
        ("代表作品", "《早发白帝城》、《将进酒》、《静夜思》、《蜀道难》"),
        ("子女", "丙"),
        ("子女", "丁"),
    )


def test_a_box_of_divisions_and_headings_over_their_values_is_read() -> None:
    article = read_html(
        "<div class='mw-parser-output'><div class='infobox'><table><tr><th colspan='2'>甲</th></tr>"
        "<tr><th colspan='2'>谥号</th></tr><tr><td colspan='2'>文正</td></tr><tr><th colspan='2'>签名</th></tr>"
        "<tr><td colspan='2'><img src='//upload.wikimedia.org/x/sign.png'>签</td></tr>"
        "<tr><td>身高</td><td>八尺</td></tr><tr><td><img src='x.png'></td><td>图</td></tr>"
        "<tr style='display:none'><th>隐</th><td>藏</td></tr></table></div><p>甲是人。</p></div>",
        "甲",
    )
    assert article.infobox == (("谥号", "文正"), ("身高", "八尺"))


def test_a_card_of_baidu_is_a_partial_article() -> None:
    from chathistory.encyclopedia.json_file import read_json

    card = {
        "title": "甲乙",
        "desc": "诗人",
        "abstract": "<p>甲乙是<b>诗人</b>。</p>",
        "card": [
            {"name": "字", "value": ["<a href='x'>丙</a>"]},
            {"name": "号", "value": "丁"},
            "junk",
            {"name": "空"},
        ],
        "url": "http://baike.baidu.com/item/x/1",
        "image": "https://bkimg.cdn.bcebos.com/pic/x",
    }
    article = read_json(json.dumps(card))
    assert (article.title, article.sense, article.partial) == ("甲乙", "诗人", True)
    assert article.sections[0].paragraphs == ("甲乙是诗人。",)
    assert article.infobox == (("字", "丙"), ("号", "丁"))
    assert article.source_url == "https://baike.baidu.com/item/x/1"
