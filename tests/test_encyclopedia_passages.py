"""Articles as passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chathistory.domain import Article, Section, text_id
from chathistory.encyclopedia import passages, read_sample
from chathistory.encyclopedia.splitting import LONGEST, cut, is_filler
from chathistory.text import normalise


def article(*paragraphs: str, **given: object) -> Article:
    return Article("刘备", "刘备", (Section("", 1, paragraphs),), **given)  # type: ignore[arg-type]


def texts(of: Article) -> list[str]:
    return [passage.text for passage in passages(of)]


def test_texts_are_in_normal_form_and_carry_their_place() -> None:
    found = passages(Article("刘备", "刘备", (Section("生平", 2, ("劉備　字玄德，Ｎ年生於 涿郡。",)),)))
    assert found[0].text == "刘备字玄德，N年生于涿郡。"
    assert (found[0].section, found[0].position, found[0].id) == ("生平", 0, text_id(found[0].text))


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    sentence = "刘备领兵去了一个地方，打了一场不大不小的仗，然后回到营中休息了整整三天。"
    pieces = cut(sentence * 20)
    assert "".join(pieces) == sentence * 20
    assert all(100 <= len(piece) <= LONGEST for piece in pieces)
    assert all(piece.endswith("。") for piece in pieces)


def test_no_cut_falls_inside_quotes_or_brackets() -> None:
    quote = "“" + "天下英雄，唯使君与操耳。" * 30 + "”"
    text = "曹操说：" + quote + "刘备大惊。" + "他（" + "见诸书。" * 60 + "）走了。" + "又过了很久。" * 40
    for piece in cut(text):
        assert piece.count("“") == piece.count("”")
        assert piece.count("（") == piece.count("）")


def test_a_semicolon_does_not_part_what_belongs_together() -> None:
    sentence = "若嗣子可辅，辅之；如其不才，君可自取。"
    assert all(sentence in piece or "；" not in piece for piece in cut("前文很长。" * 58 + sentence + "后文。" * 40))


def test_a_list_without_full_stops_is_cut_all_the_same() -> None:
    pieces = cut("，".join(["某某官职"] * 400))
    assert max(map(len, pieces)) <= LONGEST + 50


@given(st.text(alphabet="刘备说了。，；“”（）《》！？a. \n", max_size=900))
def test_nothing_is_lost_in_cutting(text: str) -> None:
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


def test_short_list_items_are_put_together_and_paragraphs_are_not() -> None:
    found = texts(article("他的家人有：", "• 祖父：刘雄", "• 父亲：刘弘", "刘备很高兴。", "刘备哭了。"))
    assert found == ["他的家人有：\n祖父：刘雄\n父亲：刘弘", "刘备很高兴。", "刘备哭了。"]


def test_items_of_two_sections_stay_apart() -> None:
    of = Article("刘备", "刘备", (Section("甲", 2, ("• 刘雄一",)), Section("乙", 2, ("• 刘弘二",))))
    assert texts(of) == ["刘雄一", "刘弘二"]


def test_what_stands_twice_is_emitted_once() -> None:
    assert texts(article("刘备是涿郡人。", "劉備是涿郡人。", "他字玄德。")) == ["刘备是涿郡人。", "他字玄德。"]


def test_boilerplate_and_fillers_are_left_out_but_no_word_of_a_sentence() -> None:
    fillers = [
        "主条目：赤壁之战",
        "详见：三国演义",
        "……",
        "展开全部",
        "此条目需要补充更多来源。",
        "略。",
        "主词条：惠陵",
    ]
    kept = ["他详见曹操的来信后大怒，于是出兵。", "刘备请协助者入帐，共商大计，直到天明方散，众人皆服其志，无不感泣。"]
    assert all(is_filler(normalise(text)) for text in fillers)
    assert texts(article(*fillers, *kept)) == [normalise(text) for text in kept]


def test_a_boilerplate_sentence_goes_and_the_rest_of_its_paragraph_stays() -> None:
    found = texts(article("刘备字玄德。本词条由专家认证审核。他是涿郡人。", "他说：“本词条由我写。”于是大笑。"))
    assert found == ["刘备字玄德。他是涿郡人。", "他说：“本词条由我写。”于是大笑。"]


def test_the_infobox_is_told_in_sentences() -> None:
    pairs = (
        ("中文名", "刘备"),
        ("字", "玄德"),
        ("父亲", "刘弘"),
        ("出生日期", "161年"),
        ("逝世日期", "223年6月10日"),
        ("出生地", "涿郡"),
        ("主要成就", "夺取益州\n建立蜀汉"),
        ("汉语拼音", "Liú Bèi"),
    )
    found = passages(article("刘备是涿郡人。", infobox=pairs))
    assert found[-1].section == "基本资料"
    assert found[-1].text == (
        "刘备，字玄德。刘备的父亲是刘弘。刘备生于161年。刘备卒于223年6月10日。刘备出生于涿郡。"
        "刘备的主要成就：夺取益州、建立蜀汉。"
    )


def test_a_westerners_infobox_keeps_its_blanks() -> None:
    of = Article("Ann Lee", "Ann Lee", (), infobox=(("Born", "1 May 1900\nDover"), ("Spouse", "Tom")))
    assert texts(of) == ["Ann Lee was born: 1 May 1900; Dover. Ann Lee, spouse: Tom."]


def test_a_samples_passages_are_of_a_size_and_each_once() -> None:
    kongzi = read_sample("孔子")
    assert kongzi is not None
    found = passages(kongzi)
    assert len({passage.id for passage in found}) == len(found)
    assert all(len(passage.text) <= LONGEST for passage in found)
    assert [passage.position for passage in found] == list(range(len(found)))
    assert any("孔子，字仲尼。孔子的" in passage.text and "父亲是叔梁纥" in passage.text for passage in found) or any(
        "孔子的父亲是叔梁纥。" in passage.text for passage in found
    )
