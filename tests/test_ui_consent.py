"""A summons that is to be paid for, as a visitor sees it: told what it takes, agreed to or declined, never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from embedding_support import embedded_texts, go, opened, write_config
from llm_server import Act, LlmServer
from streamlit.testing.v1 import AppTest
from test_salon_by_model import of_passages
from test_ui_page import add, captions, open_page, press, run, settled, visit_of

from chathistory.salon import Archive
from chathistory.ui import house as house_room
from chathistory.ui import summoning

PASSAGES = 60


def answer(n: int) -> Act:
    return Act(text=json.dumps({"entities": ["李白", f"江城{n}"], "triples": [["李白", "来到", f"江城{n}"]]}))


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        server.decide = of_passages(answer)
        yield server


@pytest.fixture
def archive(server: LlmServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """A house whose extraction and embedding are done over the API."""
    config = write_config(tmp_path, server, by_model=True, concurrency=8, budget="[budget]\nday_tokens = 30000\n")
    archive = opened(config)
    monkeypatch.setenv("CHATHISTORY_DATA", str(archive.data_dir))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    yield archive
    archive.close()


def asked(tmp_path: Path) -> AppTest:
    """A page on which the figure of the file was asked for."""
    page = open_page()
    summoning.start(visit_of(page), "李白", str(tmp_path / "李白.md"))
    return settled(page)


def texts(page: AppTest) -> str:
    return "\n".join(str(element.value).replace("\\", "") for element in page.markdown)


def button(page: AppTest, part: str) -> None:
    [found] = [button for button in page.button if str(button.key).startswith(part)]
    found.click()
    run(page)


def test_what_it_takes_is_shown_and_nothing_is_spent_before_the_yes(
    server: LlmServer, archive: Archive, tmp_path: Path
) -> None:
    page = asked(tmp_path)
    assert f"要用大模型读 {PASSAGES} 段" in texts(page)
    assert "句转成向量" in texts(page)
    assert "CNY" in texts(page)
    assert "day_tokens = 30000" in texts(page)
    assert server.seen == []
    assert archive.calls.spent().calls == 0


def test_a_yes_goes_on_to_the_end(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    page = asked(tmp_path)
    button(page, "ui_agree_side")
    settled(page)
    assert visit_of(page).salon.online == ["李白"]
    assert len(server.chats) == PASSAGES


def test_the_question_outlives_a_reload_and_any_visit_may_answer_it(
    server: LlmServer, archive: Archive, tmp_path: Path
) -> None:
    page = asked(tmp_path)
    talk = visit_of(page).salon.talk_id
    reloaded = open_page(talk)
    assert f"要用大模型读 {PASSAGES} 段" in texts(reloaded)
    other = open_page()
    assert visit_of(other).salon.talk_id != talk
    button(other, "ui_agree_side")
    settled(other)
    assert run(reloaded).button
    assert visit_of(reloaded).salon.online == ["李白"]
    assert visit_of(other).salon.online == []


def test_a_no_ends_as_cancelled_and_loses_nothing(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    page = asked(tmp_path)
    button(page, "ui_decline_side")
    assert any("没有花" in str(element.value) for element in run(page).info)
    assert server.seen == []
    [row] = archive.rows()
    assert (row.name, row.state) == ("李白", "summoning")
    button(page, "ui_dismiss_")
    assert "召唤没有做完" in captions(page)
    press(page, "接着做")
    assert f"要用大模型读 {PASSAGES} 段" in texts(settled(page))


def test_others_are_summoned_while_one_asks(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    page = asked(tmp_path)
    for n in range(3):
        (tmp_path / f"甲{n}.md").write_text(f"# 甲{n}\n\n甲{n}住在江城{n}。", encoding="utf-8")
        summoning.start(visit_of(page), f"甲{n}", str(tmp_path / f"甲{n}.md"))
    settled(page)
    board = visit_of(page).house.board
    waiting = board.shown(visit_of(page).salon.talk_id)
    assert [job.state for job in waiting] == ["asking"] * 4
    board.agree(waiting[2].id)
    settled(page)
    assert visit_of(page).salon.online == ["甲1"]
    with archive.leases.hold("summon:李白"):
        pass  # the one that asks holds nothing


def test_what_was_agreed_to_and_stopped_goes_on_unasked(server: LlmServer, archive: Archive, tmp_path: Path) -> None:
    server.decide = of_passages(lambda n: Act(status=401) if n == 20 else answer(n))
    page = asked(tmp_path)
    button(page, "ui_agree_side")
    settled(page)
    assert page.error
    before = len(server.chats)
    assert 0 < before < PASSAGES
    server.decide = of_passages(answer)
    press(page, "再试一次")
    settled(page)
    assert visit_of(page).salon.online == ["李白"]


def test_makers_of_this_machine_ask_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = opened(write_config(tmp_path, None))
    monkeypatch.setenv("CHATHISTORY_DATA", str(archive.data_dir))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    page = open_page()
    settled(add(page, "孔子", "sample"))
    assert visit_of(page).salon.online == ["孔子"]
    archive.close()


def test_a_card_in_the_middle_asks_there_too(server: LlmServer, archive: Archive) -> None:
    page = open_page()
    page.button(key="ui_call_孔子").click()
    settled(run(page))
    assert server.seen == []
    button(page, "ui_decline_card")
    assert archive.calls.spent().calls == 0


def test_an_old_memory_serves_and_is_made_anew_by_a_click(
    server: LlmServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = write_config(tmp_path, server, "old")
    before = opened(config)
    go(before, config)
    before.close()
    archive = opened(write_config(tmp_path, server, "new"))
    monkeypatch.setenv("CHATHISTORY_DATA", str(archive.data_dir))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    page = open_page()
    visit_of(page).salon.join("李白")
    run(page)
    assert "旧的嵌入模型" in captions(page)
    assert "new" in captions(page)
    button(page, "ui_reembed")
    settled(page)
    assert "句转成向量" in texts(page)
    assert not embedded_texts(server, "new")
    button(page, "ui_agree_side")
    settled(page)
    run(page)
    assert "旧的嵌入模型" not in captions(page)
    assert visit_of(page).salon.notes == {}
    assert embedded_texts(server, "new")
    archive.close()
