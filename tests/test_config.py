"""config.toml: what is accepted, what is refused, and how it says so."""

import traceback
from pathlib import Path

import pytest

from chathistory.config import Config, Provider, Tables, load, parse
from chathistory.errors import ConfigError, NoSuchProvider

ROOT = Path(__file__).resolve().parents[1]


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "config.toml"
    path.write_bytes(text.encode(encoding))
    return path


def test_the_shipped_file_loads_and_says_what_the_defaults_are() -> None:
    shipped = load(ROOT / "config.toml").tables
    assert shipped.qa.params == Tables().qa.params
    assert shipped.qa.llm.provider == Tables().qa.llm.provider
    assert shipped.rag == Tables().rag
    assert shipped.salon == Tables().salon
    assert shipped.persistence.data_root_path == Tables().persistence.data_root_path


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load()
    assert config.tables == Tables()
    assert config.data_dir == tmp_path / "data"


def test_the_seeds_own_file_still_loads(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
[[llm_providers]]
name = "localhost"
base_url = "https://api.example.com/v1/"
api_key = "secret-key"
[entity_extract.llm]
provider = "localhost"
model = "m"
[embedding]
provider = "localhost"
model = "bge"
dimension = 1024
[rag.params]
synonym_search_top_k = 10
synonym_threshold = 0.8
[qa.params]
relation_search_top_k = 10
relation_threshold = 0.5
ppr_damping = 0.8
[persistence]
data_root_path = "data"
raw_data_path = "/import.json"
openie_data_path = "/openie.json"
embedding_data_dir = "/embedding"
rag_data_dir = "/rag"
""",
    )
    tables = load(path).tables
    assert tables.rag.params.synonym_threshold == 0.8
    assert tables.qa.params.ppr_damping == 0.8
    assert tables.embedding.dimension == 1024


def test_a_mistyped_key_is_named_with_the_nearest_known_one() -> None:
    with pytest.raises(ConfigError, match=r"qa\.params\.ppr_dampin.*ppr_damping"):
        parse({"qa": {"params": {"ppr_dampin": 0.5}}})


def test_an_unlike_key_lists_what_is_known() -> None:
    with pytest.raises(ConfigError, match="max_round"):
        parse({"salon": {"zzzz": 1}})


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"qa": {"params": {"ppr_damping": 1.5}}}, "qa.params.ppr_damping"),
        ({"salon": {"mode": "loud"}}, "salon.mode"),
        ({"llm_providers": [{"name": "x"}]}, "llm_providers.0.base_url"),
        ({"persistence": {"raw_data_path": "/../../etc/passwd"}}, "persistence.raw_data_path"),
    ],
)
def test_a_wrong_value_is_named(data: dict[str, object], where: str) -> None:
    with pytest.raises(ConfigError, match=where):
        parse(data)


def test_a_task_without_its_provider_says_which_are_known(tmp_path: Path) -> None:
    path = write(tmp_path, '[qa.llm]\nprovider = "siliconflow"\nmodel = "m"\n')
    with pytest.raises(NoSuchProvider, match="siliconflow.*embedded"):
        load(path)


@pytest.mark.parametrize("text", ["[qa", "a = ", "= 3", "[[llm_providers]]\nname = 'x"])
def test_broken_toml_is_a_named_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        load(write(tmp_path, text))


def test_a_file_in_gbk_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="UTF-8"):
        load(write(tmp_path, "# 设置\n", encoding="gbk"))


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load(write(tmp_path, "\ufeff[salon]\nmax_round = 5\n")).tables.salon.max_round == 5


def test_a_missing_file_that_was_named_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--config"):
        load(tmp_path / "no.toml")


def test_a_key_may_stand_in_the_environment_and_never_shows() -> None:
    provider = Provider(name="x", base_url="http://x", api_key="$SOME_KEY")  # type: ignore[arg-type]
    assert provider.key({"SOME_KEY": "sk-123456"}) == "sk-123456"
    with pytest.raises(ConfigError, match="SOME_KEY"):
        provider.key({})
    plain = Config(Tables(llm_providers=(Provider(name="x", base_url="u", api_key="sk-9"),)), Path())  # type: ignore[arg-type]
    assert "sk-9" not in repr(plain)
    assert plain.provider("qa.llm", "x").key() == "sk-9"


def test_limits_price_and_budget_of_a_provider_are_read() -> None:
    tables = parse(
        {
            "llm_providers": [
                {
                    "name": "p",
                    "base_url": "http://x/v1",
                    "concurrency": 3,
                    "requests_per_minute": 60,
                    "price": {"input": 2.0, "output": 8.0},
                }
            ],
            "budget": {"day_cost": 5.0},
            "qa": {"filter": {"provider": "p", "model": "m"}},
            "director": {"llm": {"provider": "p", "model": "m", "timeout": 20}},
        }
    )
    [provider] = tables.llm_providers
    assert provider.price is not None
    assert (provider.concurrency, provider.requests_per_minute, provider.price.output) == (3, 60, 8.0)
    assert (tables.budget.day_cost, tables.budget.summon_tokens) == (5.0, 0)
    assert (tables.qa.filter.timeout, tables.director.llm.timeout) == (3.0, 20)


def test_neither_key_nor_password_shows_in_an_error_or_an_address() -> None:
    provider = {"name": "p", "base_url": "https://user:pass-word@host/v1?key=query-key", "api_key": ["sk-secret"]}
    with pytest.raises(ConfigError) as error:
        parse({"llm_providers": [provider]})
    assert "sk-secret" not in "".join(traceback.format_exception(error.value))
    known = parse({"llm_providers": [provider | {"api_key": "sk-secret"}]}).llm_providers[0]
    assert known.address == "https://host/v1"
    assert "sk-secret" not in repr(known)
