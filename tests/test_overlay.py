"""settings.toml over config.toml: what it sets, what it cannot break, and the key that nobody sees."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from chathistory.config import EMBEDDED, Config, Provider, Tables, Task, TaskTable
from chathistory.errors import ConfigError
from chathistory.overlay import (
    FILE_NAME,
    JOBS,
    PRESETS,
    ModelChoice,
    check_address,
    checked,
    choice_in,
    in_force,
    overlay,
    text_of,
)

KEY = "sk-very-secret-0123456789"


def choice(**changes: object) -> ModelChoice:
    values: dict[str, object] = {
        "name": "deepseek",
        "base_url": "https://api.deepseek.com/v1",
        "model": "deepseek-chat",
        "key": SecretStr(KEY),
    }
    return ModelChoice(**(values | changes))  # type: ignore[arg-type]


def base(*providers: Provider, **tables: object) -> Config:
    return Config(Tables(llm_providers=providers, **tables), Path())  # type: ignore[arg-type]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_configuration_stays_the_same_one(tmp_path: Path) -> None:
    config = base()
    assert overlay(config, tmp_path / FILE_NAME) is config


def test_a_choice_speaks_and_directs_and_leaves_the_rest_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path, text_of(choice()))
    tables = overlay(base(), path).tables
    assert (tables.qa.llm.provider, tables.qa.llm.model) == ("deepseek", "deepseek-chat")
    assert tables.director.llm.provider == "deepseek"
    assert tables.entity_extract.llm.provider == tables.qa.filter.provider == EMBEDDED
    assert tables.llm_providers[0].key() == KEY
    assert in_force(overlay(base(), path), base()) == (
        "人物发言由 deepseek / deepseek-chat",
        "导演由 deepseek / deepseek-chat",
    )


@given(
    jobs=st.lists(st.sampled_from(list(JOBS)), min_size=1, unique=True),
    model=st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=30),
    key=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30),
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, jobs: list[str], model: str, key: str
) -> None:
    path = tmp_path_factory.mktemp("settings") / FILE_NAME
    wanted = checked(choice(jobs=tuple(job for job in JOBS if job in jobs), model=model, key=SecretStr(key)))
    path.write_text(text_of(wanted), encoding="utf-8")
    assert choice_in(path) == wanted


def test_the_other_providers_and_tasks_of_config_toml_stay(tmp_path: Path) -> None:
    other = Provider(name="zhipu", base_url="https://open.bigmodel.cn/api/paas/v4")
    config = base(other, entity_extract=TaskTable(llm=Task(provider="zhipu", model="glm")))
    laid = overlay(config, written(tmp_path, text_of(choice())))
    assert [one.name for one in laid.tables.llm_providers] == ["zhipu", "deepseek"]
    assert laid.tables.entity_extract.llm.provider == "zhipu"


def test_price_and_limits_of_the_same_provider_are_kept(tmp_path: Path) -> None:
    known = Provider.model_validate(
        {"name": "deepseek", "base_url": "https://api.deepseek.com/v1/", "price": {"input": 2.0}, "concurrency": 3}
    )
    path = written(tmp_path, text_of(choice()))
    (provider,) = overlay(base(known), path).tables.llm_providers
    assert (provider.concurrency, provider.price, provider.key()) == (3, known.price, KEY)
    elsewhere = known.model_copy(update={"base_url": "https://other.example/v1"})
    assert overlay(base(elsewhere), path).tables.llm_providers[0].price is None


@pytest.mark.parametrize(
    "text",
    [
        f'api_key = "{KEY}',
        f'[[llm_providers]]\nname = "a"\nbase_url = "http://a/v1"\napi_keys = "{KEY}"\n',
        f'[[llm_providers]]\nname = "a"\nbase_url = "http://a/v1"\napi_key = ["{KEY}"]\n',
        f"llm_providers = '{KEY}'",
        '[qa.llm]\nprovider = "nobody"\nmodel = "m"\n',
        "[qa.llm]\nprovider = 3\n",
        '[persistence]\ndata_root_path = "/"\n',
        "\x00",
        "= = =",
        text_of(choice(model="")),
        text_of(choice(base_url="file:///etc/passwd")),
        text_of(choice(key=SecretStr("$NO_SUCH_VARIABLE_HERE"))),
    ],
)
def test_a_broken_file_is_named_with_what_to_do_and_without_its_key(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        overlay(base(), path)
    assert str(path) in str(caught.value)
    assert "清除" in str(caught.value)
    assert KEY not in str(caught.value)
    assert KEY not in repr(caught.value.__cause__)


def test_a_file_that_is_no_text_or_no_file_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ConfigError, match="读不出来"):
        overlay(base(), path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigError, match="读不出来"):
        overlay(base(), path)


def test_the_key_shows_in_no_repr() -> None:
    assert KEY not in repr(choice())
    assert KEY not in str(choice().provider())


@pytest.mark.parametrize("address", [url for _, url in PRESETS.values()] + ["http://[::1]:8080/v1", "http://localhost"])
def test_presets_and_this_machine_are_good_addresses(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "api.deepseek.com",
        "ftp://a/v1",
        "file:///etc/passwd",
        "http://",
        "http://a b/v1",
        "http://a/v1\n",
        "http://a:port/v1",
        "http://[::1/v1",
        "http://me:secret@a/v1",
        "http://a/v1?key=1",
        "http://a/" + "v" * 600,
    ],
)
def test_what_is_no_address_is_refused_with_an_example(address: str) -> None:
    with pytest.raises(ConfigError, match="网址"):
        check_address(address)


def test_outer_blanks_go_and_what_is_missing_is_asked_for() -> None:
    clean = checked(choice(base_url=" https://api.deepseek.com/v1 ", model=" m ", key=SecretStr(f" {KEY}\n")))
    assert (clean.base_url, clean.model, clean.key.get_secret_value()) == ("https://api.deepseek.com/v1", "m", KEY)
    for wrong, said in [
        (choice(model=" "), "选模型"),
        (choice(jobs=()), "勾一项"),
        (choice(key=SecretStr("sk 1")), "密钥"),
        (choice(key=SecretStr("密钥：abc")), "密钥"),
    ]:
        with pytest.raises(ConfigError, match=said):
            checked(wrong)
