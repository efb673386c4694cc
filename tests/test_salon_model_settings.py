"""A provider tried, kept and forgotten, against our own server: what is asked, what is written, who speaks then."""

import logging
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from llm_server import KEY, Act, LlmServer
from pydantic import SecretStr
from ui_support import Teller, make_archive, summon_tales

from chathistory.config import Config, Provider, Tables, Task
from chathistory.director import EmbeddedJudge
from chathistory.director.llm import LlmJudge
from chathistory.domain import Event, Finished, Recalled
from chathistory.errors import BadModelReply, ConfigError, ModelRefused, ModelUnreachable
from chathistory.overlay import ModelChoice
from chathistory.salon import Archive, Salon
from chathistory.salon.doctor import examine
from chathistory.salon.model_settings import clear, save, stored, try_out


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = make_archive(tmp_path / "data", Teller())
    yield archive
    archive.close()


def choice(server: LlmServer, **changes: object) -> ModelChoice:
    made = ModelChoice("custom", server.url, "qwen", key=SecretStr(KEY))
    return replace(made, **changes)  # type: ignore[arg-type]


# --- trying ---


def test_a_trial_lists_the_models_and_asks_one_for_a_word(archive: Archive, server: LlmServer) -> None:
    times = iter([10.0, 12.5])
    trial = try_out(archive, choice(server), clock=lambda: next(times))
    assert (trial.models, trial.model, trial.answer, trial.seconds) == (("embed", "qwen"), "qwen", "好。", 2.5)
    assert archive.calls.spent().calls == 1
    assert not archive.settings_path.exists()


def test_without_a_model_the_only_one_that_talks_is_asked_and_several_are_to_choose_from(
    archive: Archive, server: LlmServer
) -> None:
    assert try_out(archive, choice(server, model="")).model == "qwen"
    server.models = ["a", "b"]
    trial = try_out(archive, choice(server, model=""))
    assert (trial.models, trial.model) == (("a", "b"), "")
    assert len(server.chats) == 1


def test_a_provider_that_lists_nothing_may_still_answer(archive: Archive, server: LlmServer) -> None:
    server.models = []
    assert try_out(archive, choice(server)).answer == "好。"


def test_a_model_that_only_thinks_is_heard(archive: Archive, server: LlmServer) -> None:
    server.otherwise = Act(text="", reasoning="想")
    assert "想" in try_out(archive, choice(server)).answer


def test_a_wrong_key_a_missing_model_and_silence_say_what_to_do(archive: Archive, server: LlmServer) -> None:
    with pytest.raises(ModelRefused, match="密钥") as caught:
        try_out(archive, choice(server, key=SecretStr("sk-wrong-key-9876543210")))
    assert "9876543210" not in str(caught.value)
    server.otherwise = Act(status=404)
    with pytest.raises(ModelRefused, match="没有模型"):
        try_out(archive, choice(server))
    server.otherwise = Act(text="")
    with pytest.raises(BadModelReply):
        try_out(archive, choice(server))
    with pytest.raises(ModelUnreachable, match="连不上"):
        try_out(archive, choice(server, base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(ConfigError, match="网址"):
        try_out(archive, choice(server, base_url="file:///etc/passwd"))


# --- keeping ---


def events_of(salon: Salon, text: str) -> list[Event]:
    return list(salon.say(text, max_round=1))


def said(events: list[Event]) -> str:
    return next(event.utterance.text for event in events if isinstance(event, Finished))


def test_an_open_talk_goes_on_with_the_model_and_back_again(
    archive: Archive, server: LlmServer, tmp_path: Path
) -> None:
    summon_tales(archive, tmp_path)
    salon = Salon(archive)
    salon.join("甲先生")
    embedder, loaded = archive.embedder, archive.load("甲先生")
    assert archive.extractive
    save(archive, choice(server))
    assert not archive.extractive
    assert archive.embedder is embedder
    assert archive.load("甲先生") is loaded
    assert isinstance(archive.makers.judge, LlmJudge)
    server.decide = lambda seen: Act(text="模型替甲先生说。") if seen.body.get("stream") else Act(text="1")
    assert said(events_of(salon, "甲先生，您好。")) == "模型替甲先生说。"
    asked = len(server.chats)
    clear(archive)
    assert archive.extractive
    assert isinstance(archive.makers.judge, EmbeddedJudge)
    assert "模型" not in said(events_of(salon, "甲先生，您跟谁学剑？"))
    assert len(server.chats) == asked


def test_a_round_that_runs_ends_with_the_speaker_it_began_with(
    archive: Archive, server: LlmServer, tmp_path: Path
) -> None:
    summon_tales(archive, tmp_path)
    save(archive, choice(server, jobs=("reply",)))
    server.otherwise = Act(text="模型慢慢地说完了。", gap=0.01)
    salon = Salon(archive)
    salon.join("甲先生")
    events = salon.say("您好。", max_round=1)
    while not isinstance(next(events), Recalled):
        pass
    next(events)
    clear(archive)
    last = next(event.utterance for event in events if isinstance(event, Finished))
    assert (last.text, last.cut) == ("模型慢慢地说完了。", False)


def test_the_file_is_for_its_owner_only_and_the_next_start_finds_it(
    archive: Archive, server: LlmServer, tmp_path: Path
) -> None:
    kept = save(archive, choice(server, jobs=("reply", "extract", "filter")))
    assert stat.S_IMODE(archive.settings_path.stat().st_mode) == 0o600
    assert stored(archive) == kept
    again = Archive(Config(Tables(), tmp_path), archive.data_dir)
    tables = again.config.tables
    assert [tables.qa.llm.model, tables.rdf_build.llm.model, tables.qa.filter.model] == ["qwen"] * 3
    assert tables.director.llm.provider == "embedded"
    again.close()


def test_a_saving_that_fails_leaves_all_as_it_was(archive: Archive, server: LlmServer) -> None:
    save(archive, choice(server))
    before, makers = archive.settings_path.read_bytes(), archive.makers
    with pytest.raises(ConfigError, match="环境变量"):
        save(archive, choice(server, key=SecretStr("$NO_SUCH_VARIABLE_HERE")))
    with pytest.raises(ConfigError, match="网址"):
        save(archive, choice(server, base_url="ftp://a"))
    assert archive.settings_path.read_bytes() == before
    assert archive.makers is makers
    clear(archive)
    with pytest.raises(ConfigError, match="环境变量"):
        save(archive, choice(server, key=SecretStr("$NO_SUCH_VARIABLE_HERE")))
    assert not archive.settings_path.exists()
    assert archive.extractive


def test_a_stored_key_is_kept_for_its_own_address_and_sent_to_no_other(archive: Archive, server: LlmServer) -> None:
    save(archive, choice(server))
    assert save(archive, choice(server, key=SecretStr(""), model="embed")).key.get_secret_value() == KEY
    with LlmServer() as other:
        with pytest.raises(ModelRefused):
            try_out(archive, choice(other, key=SecretStr("")))
        assert all(KEY not in seen.key for seen in other.seen)


def test_a_name_that_config_toml_gives_to_another_address_is_not_taken_from_it(
    server: LlmServer, tmp_path: Path
) -> None:
    tables = Tables(
        llm_providers=(Provider(name="custom", base_url="http://127.0.0.1:9/v1"),),
        entity_extract={"llm": Task(provider="custom", model="m")},  # type: ignore[arg-type]
    )
    archive = Archive(Config(tables, tmp_path), tmp_path / "data")
    kept = save(archive, choice(server))
    assert kept.name != "custom"
    assert archive.config.provider("entity_extract", "custom").base_url == "http://127.0.0.1:9/v1"
    archive.close()


def test_a_broken_file_is_told_and_all_goes_on_without_it(archive: Archive, tmp_path: Path) -> None:
    archive.settings_path.write_text("qa = ", encoding="utf-8")
    again = Archive(Config(Tables(), tmp_path), archive.data_dir)
    assert again.extractive
    assert "settings.toml" in str(again.settings_error)
    assert any(not check.ok and "settings.toml" in check.detail for check in examine(again))
    assert stored(again) is None
    clear(again)
    assert again.settings_error is None
    again.close()


def test_doctor_tells_that_settings_are_in_force(archive: Archive, server: LlmServer) -> None:
    save(archive, choice(server, jobs=("reply",)))
    told = next(check for check in examine(archive) if check.name == "设置页")
    assert told.ok
    assert "人物发言由 custom / qwen" in told.detail
    assert all(KEY not in check.detail for check in examine(archive))


def test_no_key_stands_in_the_log(archive: Archive, server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_A_TEST", KEY)
    save(archive, choice(server, key=SecretStr("$KEY_OF_A_TEST")))
    logging.getLogger("chathistory.test").warning("sent %s", KEY)
    logs = [path.read_text(encoding="utf-8") for path in (archive.data_dir / "log").iterdir()]
    assert any("sent ***" in text for text in logs)
    assert all(KEY not in text for text in logs)
