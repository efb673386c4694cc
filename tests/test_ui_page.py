"""The page as a visitor uses it, driven by Streamlit's AppTest on a house of two made-up people."""

import logging
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from ui_support import HOSTILE, ROOT, TALES, Teller, make_archive, shown, summon_tales

from chathistory.domain import USER, Progress
from chathistory.encyclopedia import sample_names
from chathistory.errors import Ambiguous
from chathistory.salon import Archive, Salon, Terms
from chathistory.ui import house as house_room
from chathistory.ui import summoning
from chathistory.ui.visit import CIRCLE, Visit

SECONDS = 60.0


@pytest.fixture
def speaker() -> Teller:
    return Teller()


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speaker: Teller) -> Archive:
    """The archive behind the page; nobody was summoned yet."""
    archive = make_archive(tmp_path / "data", speaker)
    monkeypatch.setenv("CHATHISTORY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    return archive


@pytest.fixture
def peopled(archive: Archive, tmp_path: Path) -> Archive:
    """The archive with 甲先生 and 乙先生 summoned."""
    summon_tales(archive, tmp_path)
    return archive


def open_page(talk: str | None = None) -> AppTest:
    page = AppTest.from_file(str(ROOT / "sl_UI.py"), default_timeout=SECONDS)
    if talk is not None:
        page.query_params["talk"] = talk
    return run(page)


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception
    return page


def visit_of(page: AppTest) -> Visit:
    found = page.session_state["visit"]
    assert isinstance(found, Visit)
    return found


def press(page: AppTest, label: str, nth: int = 0) -> AppTest:
    """Click the button of that label; a failure names the labels that are there."""
    buttons = [button for button in page.button if button.label == label]
    assert buttons, [button.label for button in page.button]
    buttons[nth].click()
    return run(page)


def settled(page: AppTest) -> AppTest:
    """Wait until nobody is on the way, and draw the page again."""
    board = visit_of(page).house.board
    for job in board.shown(visit_of(page).salon.talk_id):
        assert board.wait(job.id, SECONDS)
    return run(page)


def seated(*names: str) -> AppTest:
    page = open_page()
    for name in names:
        next(toggle for toggle in page.toggle if name in toggle.label).set_value(True)
        run(page)
    assert visit_of(page).salon.online == list(names)
    return page


def say(page: AppTest, text: str) -> AppTest:
    page.chat_input(key="ui_say").set_value(text)
    return run(page)


def captions(page: AppTest) -> str:
    return "\n".join(str(element.value) for element in page.caption)


# --- the empty page ---


def test_a_first_visit_offers_the_shipped_figures_and_nothing_to_say_yet(archive: Archive) -> None:
    page = open_page()
    headings = [element.value for element in page.markdown]
    assert all(f"**{name}**" in headings for name in sample_names())
    assert sum(button.label == "召来" for button in page.button) == len(sample_names()) + 1  # and the form's
    assert page.chat_input(key="ui_say").disabled
    assert "还没有接大模型" in captions(page)


def test_one_click_summons_a_shipped_figure_and_seats_him(archive: Archive) -> None:
    page = open_page()
    page.button(key="ui_call_孔子").click()
    run(page)
    settled(page)
    assert visit_of(page).salon.online == ["孔子"]
    assert not page.chat_input(key="ui_say").disabled
    assert [button for button in page.button if str(button.key).startswith("ui_starter_")]


def test_somebody_who_was_summoned_before_takes_his_seat_at_once(peopled: Archive) -> None:
    page = open_page()
    page.button(key="ui_call_甲先生").click()
    assert visit_of(run(page)).salon.online == ["甲先生"]


def test_a_suggested_question_starts_the_talk(peopled: Archive) -> None:
    page = seated("甲先生")
    page.button(key="ui_starter_0").click()
    run(page)
    assert [line.speaker for line in visit_of(page).salon.history()] == [USER, "甲先生"]


def test_the_notice_goes_when_it_was_read(archive: Archive) -> None:
    page = open_page()
    page.button(key="ui_notice_close").click()
    run(page)
    assert "还没有接大模型" not in captions(page)


# --- the talk ---


def test_everybody_online_answers_with_his_sources_and_the_floor_comes_back(peopled: Archive) -> None:
    page = say(seated("甲先生", "乙先生"), "两位好，说说自己。")
    lines = visit_of(page).salon.history()
    assert [line.speaker for line in lines] == [USER, "甲先生", "乙先生"]
    assert all(line.text in shown(page) for line in lines)
    assert all(line.passages for line in lines[1:])
    assert "相关度" in captions(page)
    assert "由这些事实想起" in captions(page)
    assert "请您说" in captions(page)
    assert any(element.help and "轮到他了" in element.help for element in page.markdown)


def test_what_people_say_is_shown_literally(peopled: Archive, speaker: Teller) -> None:
    speaker.words = HOSTILE
    page = say(seated("甲先生"), HOSTILE)
    assert [element.value for element in page.text].count(HOSTILE) == 2
    assert not any("<b>" in str(element.value) for element in page.markdown)


def test_a_reload_finds_the_talk_its_people_and_its_sources(peopled: Archive) -> None:
    page = say(seated("甲先生"), "您跟谁学剑？")
    first = visit_of(page).salon
    again = open_page(first.talk_id)
    assert visit_of(again).salon.talk_id == first.talk_id
    assert visit_of(again).salon.online == ["甲先生"]
    assert all(line.text in shown(again) for line in first.history())
    assert "这一段里的事实" in captions(again)
    assert "相关度" in captions(again)
    assert any(element.help and "轮到他了" in element.help for element in again.markdown)


def test_an_unknown_talk_in_the_address_becomes_a_new_one(peopled: Archive) -> None:
    page = open_page("01NOSUCHTALK")
    assert page.query_params["talk"] == visit_of(page).salon.talk_id
    assert visit_of(page).salon.history() == []


def test_a_talk_of_another_circle_is_not_opened(peopled: Archive) -> None:
    other = Salon(peopled, "console").talk_id
    assert visit_of(open_page(other)).salon.talk_id != other
    mine = Salon(peopled, CIRCLE).talk_id
    assert visit_of(open_page(mine)).salon.talk_id == mine


def test_a_stopped_utterance_keeps_its_words_and_says_so(peopled: Archive, speaker: Teller) -> None:
    page = seated("甲先生")
    speaker.words = "前半句后半句"
    speaker.before_end = st.stop
    say(page, "请说。")
    lines = visit_of(page).salon.history()
    assert (lines[-1].text, lines[-1].cut) == ("前半句", True)
    run(page)
    assert "前半句" in shown(page)
    assert "未说完" in captions(page)
    speaker.before_end = lambda: None
    say(page, "接着说。")
    assert visit_of(page).salon.history()[-1].text == "前半句后半句"


def test_a_salon_belongs_to_one_run_at_a_time(peopled: Archive, speaker: Teller) -> None:
    page = seated("甲先生")
    turn, free = visit_of(page).turn, []

    def another_run() -> None:
        thread = threading.Thread(target=lambda: free.append(turn.acquire(blocking=False)))
        thread.start()
        thread.join(SECONDS)

    speaker.before_end = another_run
    say(page, "请说。")
    assert free == [False]
    assert turn.acquire(blocking=False)
    turn.release()


def test_a_failed_utterance_is_told_and_the_talk_goes_on(peopled: Archive, speaker: Teller) -> None:
    page = seated("甲先生")

    def broken() -> None:
        raise Ambiguous("模型没有回答，请再问一次。")

    speaker.before_end = broken
    say(page, "请说。")
    assert any("请再问一次" in element.value for element in page.warning)
    assert not page.chat_input(key="ui_say").disabled


def test_reasoning_stays_folded_and_out_of_the_words(peopled: Archive, speaker: Teller) -> None:
    speaker.reasoning = "我先想想"
    page = say(seated("甲先生"), "请说。")
    assert [block for block in page.expander if block.label == "思考过程"]
    assert "我先想想" not in visit_of(page).salon.history()[-1].text


def test_a_void_takes_back_what_was_drawn(peopled: Archive, speaker: Teller) -> None:
    drawn: list[str] = []
    speaker.words = "新的说法"
    speaker.first_try = "旧的说法"
    page = seated("甲先生")
    speaker.before_end = lambda: drawn.append("between")
    say(page, "请说。")
    assert drawn
    assert "旧的说法" not in shown(page)
    assert visit_of(page).salon.history()[-1].text == "新的说法"


def test_a_long_talk_shows_its_end_and_more_when_asked(peopled: Archive) -> None:
    page = seated("甲先生")
    salon = visit_of(page).salon
    for number in range(45):
        list(salon.say(f"第{number}问"))
    run(page)
    assert "第0问" not in shown(page)
    assert "第44问" in shown(page)
    for _ in range(2):
        page.button(key="ui_older").click()
        run(page)
    assert "第0问" in shown(page)
    assert not [button for button in page.button if button.key == "ui_older"]


def test_a_new_talk_is_empty_keeps_the_seats_and_the_old_one_stays(peopled: Archive) -> None:
    page = say(seated("甲先生"), "您好。")
    old = visit_of(page).salon.talk_id
    page.button(key="ui_new").click()
    run(page)
    new = visit_of(page).salon
    assert new.talk_id != old
    assert new.online == ["甲先生"]
    assert new.history() == []
    assert page.query_params["talk"] == new.talk_id
    assert visit_of(open_page(old)).salon.history()


# --- the sidebar ---


def test_people_join_and_leave_by_their_switches(peopled: Archive) -> None:
    page = seated("甲先生", "乙先生")
    next(toggle for toggle in page.toggle if "甲先生" in toggle.label).set_value(False)
    run(page)
    assert visit_of(page).salon.online == ["乙先生"]


def test_somebody_is_removed_after_a_confirmation(peopled: Archive) -> None:
    page = press(open_page(), "确定移除甲先生")
    assert [row.name for row in peopled.rows()] == ["乙先生"]
    assert not [toggle for toggle in page.toggle if "甲先生" in toggle.label]


def test_settings_hold_for_this_visit_from_the_next_line_on(peopled: Archive) -> None:
    page = seated("甲先生", "乙先生")
    page.slider(key="ui_set_round").set_value(1)
    run(page)
    say(page, "请说。")
    assert [line.speaker for line in visit_of(page).salon.history()] == [USER, "甲先生"]
    page.radio(key="ui_set_mode").set_value("random")
    page.slider(key="ui_set_query").set_value(1)
    run(page)
    say(page, "请再说。")
    chosen = visit_of(page).settings
    assert (chosen.mode, chosen.max_round, chosen.max_query) == ("random", 1, 1)
    assert visit_of(open_page()).settings.max_round == peopled.config.tables.salon.max_round


def test_memory_can_be_asked_and_drawn(peopled: Archive) -> None:
    page = open_page()
    page.selectbox(key="ui_memory_name").set_value("甲先生")
    page.text_input(key="ui_memory_question").set_value("跟谁学剑？")
    run(page)
    assert "师从白鹤道人" in shown(page)
    page.toggle(key="ui_memory_graph").set_value(True)
    run(page)


def test_memory_shows_what_lay_behind_the_last_round(peopled: Archive) -> None:
    page = say(seated("甲先生"), "您跟谁学剑？")
    labels = [block.label for block in page.expander]
    assert any(label.startswith("**甲先生**") for label in labels)


# --- adding people ---


def add(page: AppTest, name: str, source: str = "auto") -> AppTest:
    page.text_input(key="ui_add_name").set_value(name)
    page.selectbox(key="ui_add_source").set_value(source)
    next(button for button in page.button if "ui_add-召来" in str(button.key)).click()
    return settled(run(page))


def test_a_name_and_a_source_summon_somebody(archive: Archive) -> None:
    assert visit_of(add(open_page(), "仲尼", "sample")).salon.online == ["孔子"]


def test_a_blacklisted_name_is_refused_with_a_warning_and_logged(
    archive: Archive, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("chathistory")
    monkeypatch.setattr(logger, "propagate", True)
    page = open_page()
    visit_of(page).address = "203.0.113.7"
    add(page, "恶人")
    assert [element for element in page.warning if "恶人" in element.value]
    assert "203.0.113.7" in caplog.text
    assert not [button for button in page.button if button.label == "再试一次"]
    press(page, "知道了", -1)
    assert not page.warning


def test_an_unknown_name_offers_others_to_choose_from(archive: Archive) -> None:
    page = add(open_page(), "张三丰", "sample")
    assert any("张三丰" in element.value for element in page.error)
    settled(press(page, "苏格拉底"))
    assert visit_of(page).salon.online == ["苏格拉底"]


def test_an_ambiguous_name_is_asked_back_and_the_choice_is_summoned(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = summoning.summon_for

    def summon_for(
        one: Archive, name: str, source: str | None, address: str, terms: Terms
    ) -> Generator[Progress, None, None]:
        asked.append(name)
        if name == "刘备":
            raise Ambiguous("“刘备”有多个含义。", ("刘备（三国）", "刘备*（游戏）"))
        yield from real(one, "孔子", "sample", address, terms)

    monkeypatch.setattr(summoning, "summon_for", summon_for)
    page = add(open_page(), "刘备", "wikipedia")
    assert any("有多个含义" in element.value for element in page.info)
    settled(press(page, "刘备（三国）"))
    assert asked == ["刘备", "刘备（三国）"]
    assert visit_of(page).salon.online == ["孔子"]


def test_a_file_is_read_under_a_name_of_ours_and_goes_afterwards(archive: Archive) -> None:
    page = open_page()
    page.file_uploader(key="ui_add_file").set_value(("../甲先生.txt", TALES["甲先生"].encode(), "text/plain"))
    add(page, "")
    assert len(visit_of(page).salon.online) == 1
    assert list((archive.data_dir / "uploads").iterdir()) == []
    assert not (archive.data_dir.parent / "甲先生.txt").exists()


def test_a_file_of_another_kind_is_refused_with_what_to_give(archive: Archive) -> None:
    page = open_page()

    class Program:
        name = "virus.exe"

        def getvalue(self) -> bytes:
            return b"MZ"

    assert summoning.ask_for(visit_of(page), "甲", "file", Program()) is None
    run(page)
    assert any(".txt" in element.value.replace("\\", "") for element in page.warning)
    assert summoning.ask_for(visit_of(page), "甲", "file") is None
    run(page)
    assert any("请先选一个文件" in element.value for element in page.warning)


def test_an_empty_form_says_what_to_write_until_it_was_read(archive: Archive) -> None:
    page = add(open_page(), "")
    assert any("请写一个名字" in element.value for element in page.warning)
    page.button(key="ui_troubles_read").click()
    assert not run(page).warning


def test_a_half_done_summons_can_be_gone_on_with(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Salon(archive).summon("孔子", "sample")
    while next(steps).stage != "extract":
        pass
    steps.close()
    page = open_page()
    assert "召唤没有做完" in captions(page)
    settled(press(page, "接着做"))
    assert visit_of(page).salon.online == ["孔子"]


# --- a house that cannot be opened ---


def test_broken_settings_are_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[salon]\nmax_rounds = 3\n", encoding="utf-8")
    monkeypatch.setenv("CHATHISTORY_CONFIG", str(config))
    page = open_page()
    assert any("max_round" in element.value.replace("\\", "") for element in page.error)
