"""settings.toml, which the settings page writes into the data folder: which model does what, over config.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import toml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from chathistory.config import EMBEDDED, Config, Filter, Provider, Tables, Task, TaskTable
from chathistory.errors import ConfigError

FILE_NAME = "settings.toml"
Job = Literal["reply", "director", "extract", "filter"]
JOBS: dict[Job, str] = {"reply": "人物发言", "director": "导演", "extract": "抽取", "filter": "筛选"}
"""The jobs that the page offers, in its words. ``extract`` is two tasks: entities and triples."""
DEFAULT_JOBS: tuple[Job, ...] = ("reply", "director")
PRESETS: dict[str, tuple[str, str]] = {
    "siliconflow": ("硅基流动 SiliconFlow", "https://api.siliconflow.cn/v1"),
    "deepseek": ("深度求索 DeepSeek", "https://api.deepseek.com/v1"),
    "zhipu": ("智谱 Zhipu", "https://open.bigmodel.cn/api/paas/v4"),
    "dashscope": ("通义千问 DashScope", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
    "moonshot": ("月之暗面 Moonshot", "https://api.moonshot.cn/v1"),
    "openai": ("OpenAI", "https://api.openai.com/v1"),
    "ollama": ("Ollama（本机）", "http://127.0.0.1:11434/v1"),
    "lmstudio": ("LM Studio（本机）", "http://127.0.0.1:1234/v1"),
    "llamacpp": ("llama.cpp / vLLM（本机）", "http://127.0.0.1:8000/v1"),
}
"""Providers by the name they get in the settings: what people call them, and their address."""
OWN = "custom"
"""The name of a provider whose address was written by hand."""
_HEAD = """\
# 网页的设置页写的，盖过 config.toml 里的同名设置。里面有密钥，不要给别人看。
# 删去这个文件，就一切照 config.toml。

"""
_LONGEST = 500
_NO_KEY = SecretStr("")


class _Qa(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    llm: Task | None = None
    filter: Filter | None = None


class _File(BaseModel):
    """What may stand in the file: a part of config.toml's tables, nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    llm_providers: tuple[Provider, ...] = Field(default=(), max_length=16)
    entity_extract: TaskTable | None = None
    rdf_build: TaskTable | None = None
    qa: _Qa = _Qa()
    director: TaskTable | None = None


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What the settings page sets: one provider, one model, and the jobs they do. Its key never shows in a repr."""

    name: str
    base_url: str
    model: str
    jobs: tuple[Job, ...] = DEFAULT_JOBS
    key: SecretStr = _NO_KEY

    def provider(self) -> Provider:
        """Return the provider as the configuration knows it."""
        return Provider(name=self.name, base_url=self.base_url, api_key=self.key)


def checked(choice: ModelChoice) -> ModelChoice:
    """Return a choice without outer blanks.

    Raises
    ------
    ConfigError
        An address that is not http(s) or holds blanks or a password, a key that cannot be one, no model, no job.
    """
    url, model = choice.base_url.strip(), choice.model.strip()
    key = choice.key.get_secret_value().strip()
    check_address(url)
    if any(char.isspace() or not char.isprintable() or not char.isascii() for char in key) or len(key) > _LONGEST:
        raise ConfigError("密钥里有空格、中文标点或看不见的字符。请重新复制一次；写 $名字 则从环境变量里取。")
    if not model or not model.isprintable() or len(model) > _LONGEST:
        raise ConfigError("还没有选模型。请先点“试一下”，从列出的模型里选一个；或者直接写上模型的名字。")
    if not choice.jobs:
        raise ConfigError("还没有选哪些事交给它。请至少勾一项；都不交，就点“清除”。")
    return replace(choice, base_url=url, model=model, key=SecretStr(key))


def check_address(url: str) -> None:
    """Raise ConfigError where an address cannot be a provider's; one on this machine can."""
    good = not any(char.isspace() or not char.isprintable() for char in url) and len(url) <= _LONGEST
    try:
        parts = urlsplit(url)
        good = good and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ConfigError("网址不对：要以 http:// 或 https:// 开头，里面没有空格，例如 https://api.deepseek.com/v1。")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError("网址里不要写用户名、密码或 ? 后面的东西。密钥请写在“密钥”一栏。")


def overlay(config: Config, path: Path) -> Config:
    """Return the configuration with a settings file laid over it; the same one where there is no such file.

    A provider of the file takes price and limits from the one of the same name and address in ``config``.

    Raises
    ------
    ConfigError
        The file is broken, or a provider of it cannot be used (its key is a variable that is not set, say); the
        message names the file and says what to do.
    """
    data = _read(path)
    if data is None:
        return config
    tables, known = config.tables, {one.name: one for one in config.tables.llm_providers}
    given = {one.name: _completed(one, known.get(one.name)) for one in data.llm_providers}
    changed: dict[str, Any] = {"llm_providers": (*{**known, **given}.values(),)}
    for name in ("entity_extract", "rdf_build", "director"):
        if getattr(data, name) is not None:
            changed[name] = getattr(data, name)
    qa = {name: value for name in ("llm", "filter") if (value := getattr(data.qa, name)) is not None}
    changed["qa"] = tables.qa.model_copy(update=qa)
    laid = replace(config, tables=tables.model_copy(update=changed))
    try:
        _check(laid, data)
    except ConfigError as error:
        raise _broken(path, str(error)) from error
    return laid


def text_of(choice: ModelChoice) -> str:
    """Return the file's text for a choice; it holds the key."""
    task = {"provider": choice.name, "model": choice.model}
    data: dict[str, Any] = {
        "llm_providers": [
            {"name": choice.name, "base_url": choice.base_url, "api_key": choice.key.get_secret_value()},
        ]
    }
    if "reply" in choice.jobs:
        data.setdefault("qa", {})["llm"] = task
    if "filter" in choice.jobs:
        data.setdefault("qa", {})["filter"] = task
    if "director" in choice.jobs:
        data["director"] = {"llm": task}
    if "extract" in choice.jobs:
        data["entity_extract"] = {"llm": task}
        data["rdf_build"] = {"llm": task}
    return _HEAD + toml.dumps(data)


def choice_in(path: Path) -> ModelChoice | None:
    """Return what the settings page set, None where nothing is stored; raises as ``overlay`` does."""
    data = _read(path)
    if data is None or not data.llm_providers:
        return None
    provider = data.llm_providers[0]
    tasks: dict[Job, Task | None] = {
        "reply": data.qa.llm,
        "director": data.director.llm if data.director else None,
        "extract": data.entity_extract.llm if data.entity_extract else None,
        "filter": data.qa.filter,
    }
    mine = {job: task for job, task in tasks.items() if task is not None and task.provider == provider.name}
    model = next((task.model for task in mine.values()), "")
    return ModelChoice(provider.name, provider.base_url, model, tuple(mine), provider.api_key)


def _read(path: Path) -> _File | None:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _broken(path, "读不出来") from error
    try:
        return _File.model_validate(tomllib.loads(text))
    except (ValueError, TypeError) as error:
        # neither the parser's message nor a value of the file is repeated: it holds a key
        places = _places(error) if isinstance(error, ValidationError) else "不是正确的 TOML"
        raise _broken(path, places) from None


def _places(error: ValidationError) -> str:
    where = [".".join(str(part) for part in item["loc"]) for item in error.errors(include_input=False)]
    return f"{'、'.join(where[:5])} 不认得或值不对"


def _broken(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"{path}：{why}。它现在不起作用，一切照 config.toml。"
        "请在网页的“设置 → 大模型”里重新保存或点“清除”，或者删去这个文件。"
    )


def _completed(provider: Provider, known: Provider | None) -> Provider:
    """Return a provider with what only config.toml says of it: price and limits."""
    if known is None or known.base_url.rstrip("/") != provider.base_url.rstrip("/"):
        return provider
    rest = {name: getattr(known, name) for name in known.model_fields_set - provider.model_fields_set}
    return provider.model_copy(update=rest)


def _check(config: Config, data: _File) -> None:
    """Raise ConfigError where a task of the file names no provider or model, or its address or key cannot be used."""
    tasks: Mapping[str, Task | None] = {
        "qa.llm": data.qa.llm,
        "qa.filter": data.qa.filter,
        "director.llm": data.director.llm if data.director else None,
        "entity_extract.llm": data.entity_extract.llm if data.entity_extract else None,
        "rdf_build.llm": data.rdf_build.llm if data.rdf_build else None,
    }
    for name, task in tasks.items():
        if task is None or task.provider == EMBEDDED:
            continue
        provider = config.provider(name, task.provider)
        check_address(provider.base_url)
        provider.key()
        if not task.model:
            raise ConfigError(f"[{name}] 没有写 model")


def in_force(config: Config, base: Config) -> tuple[str, ...]:
    """Return, in Chinese, what a laid-over configuration does by a model otherwise than the one below it."""
    return tuple(
        f"{JOBS[job]}由 {task.provider} / {task.model}"
        for job, task in _tasks(config.tables).items()
        if task != _tasks(base.tables)[job] and task.provider != EMBEDDED
    )


def _tasks(tables: Tables) -> dict[Job, Task]:
    return {
        "reply": tables.qa.llm,
        "director": tables.director.llm,
        "extract": tables.entity_extract.llm,
        "filter": tables.qa.filter,
    }
