"""The small parts of the page that need no browser: places, questions, graphs, faces, sources, the kept talk."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from ui_support import Teller, make_archive, summon_tales

from chathistory.domain import USER, Article, Fact, Passage, Progress, Section, Utterance
from chathistory.ui.egograph import ego_dot
from chathistory.ui.memory import last_round
from chathistory.ui.places import Places, places
from chathistory.ui.portraits import portrait
from chathistory.ui.sources import Source, stored_sources
from chathistory.ui.starters import starters
from chathistory.ui.summoning import share_done
from chathistory.ui.transcript import transcript
from chathistory.ui.welcome import invitations


def article(title: str, *sections: str) -> Article:
    return Article(title, title, tuple(Section(one, 2, ("有话。",)) for one in sections))


# --- places ---


def test_options_win_over_the_environment_and_unknown_ones_are_passed_over(tmp_path: Path) -> None:
    environ = {"CHATHISTORY_CONFIG": "/env.toml", "CHATHISTORY_DATA": "/env"}
    assert places(["-q", "--data", "/mine", "tests"], environ, tmp_path) == Places(Path("/env.toml"), Path("/mine"))


def test_without_a_name_the_settings_beside_the_page_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    assert places([], {}, home) == Places(None, None)
    (home / "config.toml").touch()
    assert places([], {}, home).config == home / "config.toml"
    (here / "config.toml").touch()
    assert places([], {}, home).config == Path("config.toml")


# --- questions to begin with ---


def everything(name: str, question: str) -> bool:
    return True


def test_questions_are_of_the_lives_in_the_room_and_stay_the_same_for_a_talk() -> None:
    room = [article("甲", "求学", "后世影响", "逝世"), article("乙", "从军", "生平")]
    asked = starters(room, "talk", everything)
    assert len(asked) == 4
    assert asked == starters(room, "talk", everything)
    assert "各位的老师都是谁？" in asked
    assert any(question.startswith("甲，") for question in asked)
    assert any(question.startswith("乙，") for question in asked)
    every = [q for seed in "abcdefgh" for one in room for q in starters([one], seed, everything)]
    assert "请谈谈求学。" in every
    assert not any(word in question for question in every for word in ("后世", "逝世", "请谈谈生平"))


def test_only_what_somebody_can_answer_is_suggested() -> None:
    known = {("甲", "请谈谈从军。"), ("甲", "您是哪里人？"), ("乙", "您是哪里人？")}
    tried: list[tuple[str, str]] = []

    def answers(name: str, question: str) -> bool:
        tried.append((name, question))
        return (name, question) in known

    for seed in "abc":
        asked = starters([article("甲", "求学", "从军", "做官")], seed, answers)
        assert set(asked) <= {"请谈谈从军。", "您是哪里人？", "请介绍一下您自己。"}
        both = starters([article("甲", "从军"), article("乙", "从军")], seed, answers)
        assert set(both) <= {"甲，请谈谈从军。", "甲，您是哪里人？", "乙，您是哪里人？", "请介绍一下您自己。"}
    assert len(tried) < 3 * 3 * 12


def test_an_article_that_answers_nothing_still_gets_an_introduction_and_an_empty_room_nothing() -> None:
    assert starters([article("甲")], "talk", lambda name, question: False) == ["请介绍一下您自己。"]
    assert starters([], "talk", everything) == []


# --- the graph ---


def test_the_graph_holds_the_neighbours_of_the_centre_only() -> None:
    dot = ego_dot("甲", [Fact("甲", "师从", "乙"), Fact("丙", "打败", "甲"), Fact("乙", "住在", "丁")])
    assert '"甲" -> "乙"' in dot
    assert '"丙" -> "甲"' in dot
    assert "丁" not in dot


def test_names_cannot_break_out_of_their_quotes() -> None:
    dot = ego_dot("甲", [Fact("甲", 'a"]; x', 'b\\"\n; evil -> y')])
    assert dot.count('"') % 2 == 0
    assert "\\" not in dot
    assert all('"' not in part.replace('"', "", 2) for part in dot.split("-> ")[1].split(" [label=")[:1])


def test_an_entity_without_facts_has_no_graph_and_a_busy_one_a_bounded_one() -> None:
    assert ego_dot("甲", [Fact("乙", "打", "丙"), Fact("甲", "是", "甲")]) == ""
    assert ego_dot("甲", [Fact("甲", "见", f"人{n}") for n in range(50)]).count("->") == 10


# --- faces ---


def test_a_picture_becomes_a_small_png_and_a_broken_one_the_seal(tmp_path: Path) -> None:
    good, bad = tmp_path / "avatar.png", tmp_path / "bad.png"
    Image.new("RGB", (600, 300), "red").save(good)
    bad.write_bytes(b"no picture")
    with Image.open(BytesIO(portrait("甲", good))) as image:
        assert (image.format, max(image.size)) == ("PNG", 192)
    assert portrait("甲", bad) == portrait("甲") == portrait("甲", tmp_path / "missing.png")


def test_every_shipped_figure_has_a_card_with_years_and_whole_words() -> None:
    found = invitations()
    assert len(found) >= 6
    assert all(one.years and one.words.endswith("。") for one in found)


# --- progress ---


def test_progress_never_goes_back_from_stage_to_stage() -> None:
    steps = [
        Progress("article", 0, 1),
        Progress("article", 1, 1),
        Progress("passages", 9, 9),
        Progress("extract", 0, 9),
        Progress("extract", 9, 9),
        Progress("embed", 0, 0),
        Progress("embed", 9, 9),
        Progress("graph", 1, 1),
        Progress("done", 9, 9),
    ]
    shares = [share_done(None), *map(share_done, steps)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


# --- sources and the kept talk ---


def test_sources_come_back_from_the_database_with_the_facts_of_their_passage(tmp_path: Path) -> None:
    archive = make_archive(tmp_path / "data", Teller())
    summon_tales(archive, tmp_path)
    row = archive.get("甲先生")
    passages = archive.personas.passages(row.id)
    said = Utterance("u1", "甲先生", "话", (passages[1].id, "gone"))
    gone = Utterance("u2", "无人", "话", (passages[0].id,))
    found = stored_sources(archive, [said, gone])
    assert [(one.passage.id, one.score) for one in found["u1"]] == [(passages[1].id, None)]
    assert found["u1"][0].facts
    assert found["u2"] == []


def test_the_last_round_is_what_was_said_since_the_user_spoke() -> None:
    lines = [Utterance(str(n), who, "话") for n, who in enumerate(["甲", USER, "乙", "甲"])]
    assert [line.speaker for line in last_round(lines)] == ["乙", "甲"]
    assert last_round([]) == []


def test_the_kept_talk_numbers_its_sources_once() -> None:
    passage = Passage("原文。", "少年")
    lines = [
        Utterance("1", USER, "问", at="2026-05-01T12:00:00+08:00"),
        Utterance("2", "甲", "答", (passage.id,)),
        Utterance("3", "甲", "再答", (passage.id,), cut=True),
    ]
    sources = {"2": [Source(passage, None, ())], "3": [Source(passage, None, ())]}
    text = transcript(lines, sources)
    assert "2026-05-01 12:00" in text
    assert "**甲**：答[1]" in text
    assert "再答……（未说完）[1]" in text
    assert text.count("原文。") == 1
    assert transcript([], {}).startswith("# 谈话")
