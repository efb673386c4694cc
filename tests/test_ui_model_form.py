"""The settings' section 大模型 as a visitor uses it, against our own server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from llm_server import KEY, Act, LlmServer
from streamlit.testing.v1 import AppTest
from test_ui_page import captions, open_page, press, run, say, seated, visit_of
from ui_support import Teller, make_archive, shown, summon_tales

from chathistory.overlay import PRESETS
from chathistory.salon import Archive, Salon
from chathistory.ui import house as house_room
from chathistory.ui import visit as visit_room
from chathistory.ui.model_form import at_this_machine


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """The archive behind the page, 甲先生 and 乙先生 summoned."""
    archive = make_archive(tmp_path / "data", Teller())
    monkeypatch.setenv("CHATHISTORY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    monkeypatch.setattr(visit_room, "client_address", str)
    summon_tales(archive, tmp_path)
    yield archive
    archive.close()


def written(page: AppTest, url: str, key: str = KEY) -> AppTest:
    page.selectbox(key="ui_llm_preset").set_value("custom")
    run(page)
    page.text_input(key="ui_llm_url").set_value(url)
    page.text_input(key="ui_llm_key").set_value(key)
    return press(page, "试一下")


def told(page: AppTest) -> str:
    return "\n".join(str(one.value).replace("\\", "") for kind in (page.success, page.info, page.error) for one in kind)


def everything(page: AppTest) -> str:
    """All that the page sends, the placeholders and values of its fields among it."""
    return "\n".join(str(block) for block in page.main) + "\n".join(str(block) for block in page.sidebar)


def test_a_preset_fills_in_the_address_and_another_one_forgets_the_model(archive: Archive, server: LlmServer) -> None:
    page = written(open_page(), server.url)
    assert page.selectbox(key="ui_llm_model").value == "qwen"
    for name, (_, url) in PRESETS.items():
        page.selectbox(key="ui_llm_preset").set_value(name)
        assert run(page).text_input(key="ui_llm_url").value == url
        assert page.selectbox(key="ui_llm_model").value is None
    page.selectbox(key="ui_llm_preset").set_value("custom")
    assert run(page).text_input(key="ui_llm_url").value == ""


def test_an_address_written_by_hand_is_called_by_its_providers_name_or_by_none(archive: Archive) -> None:
    page = open_page()
    page.text_input(key="ui_llm_url").set_value("http://127.0.0.1:8091/v1")
    assert run(page).selectbox(key="ui_llm_preset").value == "custom"
    page.text_input(key="ui_llm_url").set_value(PRESETS["moonshot"][1] + "/")
    assert run(page).selectbox(key="ui_llm_preset").value == "moonshot"


def test_a_trial_shows_time_answer_and_models_and_keeps_nothing(archive: Archive, server: LlmServer) -> None:
    page = written(open_page(), server.url)
    assert "qwen 用 0." in told(page)
    assert "“好。”" in told(page)
    assert "embed" in page.selectbox(key="ui_llm_model").options
    assert not archive.settings_path.exists()
    assert archive.extractive


def test_without_a_model_the_listed_ones_are_to_choose_from(archive: Archive, server: LlmServer) -> None:
    server.models = ["large", "small"]
    page = written(open_page(), server.url)
    assert "选一个" in told(page)
    assert page.selectbox(key="ui_llm_model").options == ["large", "small"]
    page.selectbox(key="ui_llm_model").set_value("small")
    assert "small 用" in told(press(page, "试一下"))


def test_what_goes_wrong_is_told_with_a_remedy_and_without_the_key(archive: Archive, server: LlmServer) -> None:
    page = written(open_page(), server.url, key="sk-wrong-key-9876543210")
    assert "密钥" in told(page)
    assert "9876543210" not in told(page)
    assert "网址" in told(written(page, "file:///etc/passwd"))
    assert "网址" in told(press(page, "保存"))
    assert not archive.settings_path.exists()


def test_a_saved_model_speaks_in_the_open_talk_and_the_banner_says_so(archive: Archive, server: LlmServer) -> None:
    server.decide = lambda seen: Act(text="模型替他说。") if seen.body.get("stream") else Act(text="1")
    page = seated("甲先生")
    assert "还没有接大模型" in captions(page)
    page = press(written(page, server.url), "保存")
    assert "存下了" in told(page)
    assert "还没有接大模型" not in captions(page)
    assert "由大模型 qwen 来说" in captions(page)
    assert "模型替他说。" in shown(say(page, "甲先生，您好。"))
    page = press(page, "清除")
    assert "还没有接大模型" in captions(page)
    assert not archive.settings_path.exists()


def test_only_the_ticked_jobs_are_given_to_it(archive: Archive, server: LlmServer) -> None:
    page = written(open_page(), server.url)
    ticked = {box.key: box.value for box in page.checkbox}
    assert [key for key, value in ticked.items() if value] == ["ui_llm_job_reply", "ui_llm_job_director"]
    page.checkbox(key="ui_llm_job_director").uncheck()
    page.checkbox(key="ui_llm_job_filter").check()
    press(page, "保存")
    tables = archive.config.tables
    assert (tables.qa.llm.model, tables.qa.filter.model) == ("qwen", "qwen")
    assert tables.director.llm.provider == tables.entity_extract.llm.provider == "embedded"


def test_the_key_is_nowhere_on_the_page_and_an_empty_field_keeps_it(archive: Archive, server: LlmServer) -> None:
    page = press(written(open_page(), server.url), "保存")
    assert page.text_input(key="ui_llm_key").value == ""
    again = open_page()
    assert again.text_input(key="ui_llm_url").value == server.url
    assert again.selectbox(key="ui_llm_model").value == "qwen"
    assert "已存了一把" in again.text_input(key="ui_llm_key").placeholder
    assert KEY not in everything(page) + everything(again)
    press(again, "试一下")
    assert "qwen 用" in told(again)
    again.text_input(key="ui_llm_url").set_value("http://127.0.0.1:9/v1")
    assert "已存了一把" not in run(again).text_input(key="ui_llm_key").placeholder


def test_reasoning_is_folded_as_it_comes_and_after_a_reload(archive: Archive, server: LlmServer) -> None:
    server.otherwise = Act(text="我在青山学剑。", reasoning="先想想青山。")
    page = written(seated("甲先生"), server.url)
    page.checkbox(key="ui_llm_job_director").uncheck()
    page = say(press(page, "保存"), "您在哪里学剑？")
    for seen in (page, open_page(visit_of(page).salon.talk_id)):
        blocks = [block for block in seen.expander if block.label == "思考过程"]
        assert blocks
        assert any("先想想青山。" in str(one.value) for block in blocks for one in block.text)
    assert "先想想" not in visit_of(page).salon.history()[-1].text


def test_settings_that_cannot_be_read_are_told_and_can_be_cleared(archive: Archive) -> None:
    archive.settings_path.write_text("qa = ", encoding="utf-8")
    archive.settings_error = Archive(archive.base, archive.data_dir).settings_error
    page = open_page()
    assert "settings.toml" in told(page)
    page = press(page, "清除")
    assert "settings.toml" not in told(page)
    assert Salon(archive).cards()


def test_only_somebody_at_this_machine_sets_the_model(archive: Archive) -> None:
    assert at_this_machine("")
    assert at_this_machine("127.0.0.1")
    assert at_this_machine("::1")
    assert not at_this_machine("203.0.113.7")
    assert not at_this_machine("nonsense")
    page = open_page()
    visit_of(page).address = "203.0.113.7"
    run(page)
    assert not [button for button in page.button if button.label == "保存"]
