"""config.toml, read once: every key known, every mistake named with a hint, secrets from the environment."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from chathistory.errors import ConfigError, NoSuchProvider

EMBEDDED = "embedded"
"""The provider's name that means: the rule-based maker, no network and no key."""

Threshold = float | Literal["auto"]


def shown_url(url: str) -> str:
    """Return a URL without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "…"
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), hide_input_in_errors=True)


class PriceTable(_Table):
    """Money a million tokens, as the provider's price list gives it."""

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)
    currency: str = Field(default="CNY", max_length=8)


class Provider(_Table):
    """One OpenAI-compatible provider. ``api_key`` may be ``$NAME``: read from the environment when it is used.

    ``concurrency`` None is 8, or 2 on this machine; ``requests_per_minute`` 0 sets no limit.
    """

    name: str
    base_url: str
    api_key: SecretStr = SecretStr("")
    price: PriceTable | None = None
    concurrency: int | None = Field(default=None, ge=1, le=256)
    requests_per_minute: int = Field(default=0, ge=0)

    @property
    def address(self) -> str:
        """The base URL as it may be shown: a password or a key that was written into it is left out."""
        return shown_url(self.base_url)

    def key(self, environ: Mapping[str, str] = os.environ) -> str:
        """Return the key itself; raises ConfigError when the environment variable it names is not set."""
        value = self.api_key.get_secret_value().strip()
        if not value.startswith("$"):
            return value
        found = environ.get(value[1:], "")
        if not found:
            raise ConfigError(
                f"[[llm_providers]] {self.name!r} 的 api_key 写作 {value}，但环境变量里没有它。请先设置它。"
            )
        return found


class Task(_Table):
    """Which provider and model do a task."""

    provider: str = EMBEDDED
    model: str = ""
    timeout: float | None = Field(default=None, gt=0)
    """Seconds one answer may take; None is the task's own."""


class Filter(Task):
    """``[qa.filter]``: 'embedded' filters nothing; after ``timeout`` recall goes on unfiltered."""

    timeout: float | None = Field(default=3.0, gt=0)
    keep: int = Field(default=5, ge=1)


class BudgetTable(_Table):
    """The most a summons and a day may take; 0 sets no limit. Money is in the currency of the prices."""

    summon_tokens: int = Field(default=0, ge=0)
    summon_cost: float = Field(default=0.0, ge=0)
    day_tokens: int = Field(default=0, ge=0)
    day_cost: float = Field(default=0.0, ge=0)


class TaskTable(_Table):
    """The table around a task, as the seed's file nests it: ``[qa.llm]``."""

    llm: Task = Task()


class Embedding(_Table):
    """Which model embeds; ``dimension`` is only checked, the model's own answer counts."""

    provider: str = EMBEDDED
    model: str = "auto"
    dimension: int | None = Field(default=None, ge=1)


class RagParams(_Table):
    """How the graph is built (the seed's keys)."""

    synonym_search_top_k: int = Field(default=10, ge=0)
    synonym_threshold: Threshold = "auto"


class Rag(_Table):
    """``[rag.params]``."""

    params: RagParams = RagParams()


class QaParams(_Table):
    """How a query runs (the seed's keys)."""

    relation_search_top_k: int = Field(default=5, ge=1)
    relation_threshold: Threshold = "auto"
    paragraph_search_top_k: int = Field(default=1000, ge=1)
    paragraph_node_weight: float = Field(default=0.05, ge=0)
    ent_filter_top_k: int = Field(default=15, ge=1)
    ppr_damping: float = Field(default=0.5, gt=0, lt=1)
    res_top_k: int = Field(default=3, ge=1)


class Qa(_Table):
    """``[qa.llm]``, ``[qa.filter]`` and ``[qa.params]``."""

    llm: Task = Task()
    filter: Filter = Filter()
    params: QaParams = QaParams()


class SalonTable(_Table):
    """How a talk runs."""

    max_round: int = Field(default=3, ge=1, le=50)
    max_query: int = Field(default=3, ge=1, le=20)
    history_length: int = Field(default=30, ge=1)
    mode: Literal["judged", "random"] = "judged"


class PersonaTable(_Table):
    """How figures talk when a model writes their lines."""

    style: Literal["auto", "文言", "白话"] = "auto"
    temper: Literal["温和", "直率", "针锋相对"] = "温和"
    max_chars: int = Field(default=150, ge=20, le=2000)
    show_citations: bool = False
    history_tokens: int = Field(default=2000, ge=100)


class EncyclopediaTable(_Table):
    """How articles are fetched."""

    project_url: str = "https://github.com/chathistory/chathistory"
    lang: str = "zh"


class Persistence(_Table):
    """Where things lie; the seed's two derived folders are accepted and unused, since indexes are derived at login."""

    data_root_path: str = "data"
    raw_data_path: str = "/import.json"
    openie_data_path: str = "/openie.json"
    embedding_data_dir: str = "/embedding"
    rag_data_dir: str = "/rag"

    @field_validator("raw_data_path", "openie_data_path")
    @classmethod
    def _plain_file_name(cls, value: str) -> str:
        name = value.strip("/")
        if not name or "/" in name or "\\" in name or name in {".", ".."}:
            raise ValueError("只写文件名，例如 /import.json")
        return name


class Tables(_Table):
    """The whole file."""

    llm_providers: tuple[Provider, ...] = ()
    entity_extract: TaskTable = TaskTable()
    rdf_build: TaskTable = TaskTable()
    embedding: Embedding = Embedding()
    rag: Rag = Rag()
    qa: Qa = Qa()
    director: TaskTable = TaskTable()
    budget: BudgetTable = BudgetTable()
    salon: SalonTable = SalonTable()
    persona: PersonaTable = PersonaTable()
    encyclopedia: EncyclopediaTable = EncyclopediaTable()
    persistence: Persistence = Persistence()


@dataclass(frozen=True, slots=True)
class Config:
    """The tables, and the folder that relative paths start from."""

    tables: Tables
    root: Path

    @property
    def data_dir(self) -> Path:
        """The data folder, absolute."""
        return (self.root / self.tables.persistence.data_root_path).resolve()

    def secrets(self, environ: Mapping[str, str] = os.environ) -> list[str]:
        """Return every key, as it is written and as it is sent: what must not stand in a log."""
        written = [one.api_key.get_secret_value().strip() for one in self.tables.llm_providers]
        return [key for one in written for key in (one, environ.get(one[1:], "") if one.startswith("$") else "") if key]

    def provider(self, task: str, name: str) -> Provider:
        """Return the provider a task names; raises NoSuchProvider with the known names."""
        for provider in self.tables.llm_providers:
            if provider.name == name:
                return provider
        known = "、".join([EMBEDDED, *(provider.name for provider in self.tables.llm_providers)])
        raise NoSuchProvider(
            f"[{task}] 用到的 provider {name!r} 没有定义；已知：{known}。"
            f'请在 config.toml 里加一段 [[llm_providers]]，写上 name = "{name}"。'
        )


def load(path: Path | None = None) -> Config:
    """Read a config file; None reads ``config.toml`` here or gives the defaults where there is none.

    Raises
    ------
    ConfigError
        A file that is named but missing, broken TOML, an unknown key (with the nearest known one), a wrong value.
    NoSuchProvider
        A task that names a provider which is not defined.
    """
    if path is None:
        path = Path("config.toml")
        if not path.is_file():
            return Config(Tables(), Path.cwd())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(f"找不到设置文件 {path}。请检查 --config 的路径。") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"设置文件 {path} 读不出来：{error}。它应是 UTF-8 文本。") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"设置文件 {path} 不是正确的 TOML：{error}") from error
    config = Config(parse(data), path.resolve().parent)
    _check_providers(config)
    return config


def parse(data: Mapping[str, Any]) -> Tables:
    """Return the tables of a parsed file; raises ConfigError naming the key, the fault and a hint."""
    try:
        return Tables.model_validate(data)
    except ValidationError as error:
        raise ConfigError("config.toml：" + "；".join(_explain(dict(item)) for item in error.errors())) from error


def _explain(item: Mapping[str, Any]) -> str:
    where = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        *parents, key = [str(part) for part in item["loc"]]
        near = difflib.get_close_matches(key, _known_keys(parents), n=1, cutoff=0.5)
        hint = f"，是不是 {near[0]}？" if near else f"；这里认得的有：{'、'.join(_known_keys(parents)) or '（没有）'}"
        return f"不认得的设置 {where}{hint}"
    if item["type"] == "missing":
        return f"缺少 {where}"
    return f"{where} 的值不对：{item['msg']}"


def _known_keys(parents: list[str]) -> list[str]:
    model: type[BaseModel] = Tables
    for part in parents:
        if part.isdigit():
            continue
        if part == "llm_providers":
            model = Provider
            continue
        field = model.model_fields.get(part)
        if field is None or not isinstance(field.annotation, type) or not issubclass(field.annotation, BaseModel):
            return []
        model = field.annotation
    return list(model.model_fields)


def _check_providers(config: Config) -> None:
    tables = config.tables
    tasks = {
        "entity_extract.llm": tables.entity_extract.llm.provider,
        "rdf_build.llm": tables.rdf_build.llm.provider,
        "embedding": tables.embedding.provider,
        "qa.llm": tables.qa.llm.provider,
        "qa.filter": tables.qa.filter.provider,
        "director.llm": tables.director.llm.provider,
    }
    for task, name in tasks.items():
        if name != EMBEDDED:
            config.provider(task, name)
