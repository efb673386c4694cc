"""What the settings page does: a provider tried with a real call, kept in settings.toml, or forgotten."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from pydantic import SecretStr

from chathistory.config import Config, Provider, Tables, Task
from chathistory.domain import Message
from chathistory.errors import BadModelReply, ConfigError, ModelError
from chathistory.models.chat import Ask, Limits
from chathistory.overlay import ModelChoice, check_address, checked, choice_in, text_of
from chathistory.salon.archive import Archive
from chathistory.salon.logs import log_to
from chathistory.store import write_atomically

_QUESTION = "只回答一个字：好。"
_SECONDS = 60.0
_TOKENS = 64
_NO_CHAT = ("embed", "bge-", "rerank", "whisper", "tts", "speech", "image", "flux", "diffusion", "moderation", "ocr")


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a trial: the models a provider lists, and one model's answer to one word with its time.

    ``model`` is '' where none was named and the provider lists several to choose from. ``list_error`` tells why no
    models are listed: some providers have no list and answer all the same.
    """

    models: tuple[str, ...] = ()
    model: str = ""
    answer: str = ""
    seconds: float = 0.0
    list_error: str = ""


def try_out(archive: Archive, choice: ModelChoice, clock: Callable[[], float] = time.monotonic) -> Trial:
    """Ask a provider for its models and one of them for one word; the call stands in the ledger as any other.

    Raises
    ------
    ConfigError
        The address or the key cannot be used.
    ModelError
        Neither a list nor an answer could be had.
    """
    from chathistory.models.providers import Providers  # the openai client takes half a second to import

    name = "trial"
    known = with_stored_key(archive, checked(replace(choice, model=choice.model.strip() or name)))
    check_address(known.base_url)
    provider = Provider(name=known.name, base_url=known.base_url, api_key=known.key)
    with closing(Providers(Config(Tables(llm_providers=(provider,)), archive.base.root), log=archive.calls)) as made:
        listed: tuple[str, ...] = ()
        list_error = ""
        try:
            listed = tuple(made.chat(name, Task(provider=known.name, model=known.model)).models())
        except ModelError as error:
            if known.model == name:
                raise
            list_error = str(error)
        talking = [one for one in listed if not any(part in one.lower() for part in _NO_CHAT)]
        model = choice.model.strip() or (talking[0] if len(talking) == 1 else "")
        if not model:
            return Trial(listed)
        chat = made.chat(name, Task(provider=known.name, model=model))
        ask = Ask(name, Limits(first_token=_SECONDS, whole=_SECONDS), tries=1, max_tokens=_TOKENS, think=False)
        start = clock()
        reply = chat.complete([Message("user", _QUESTION)], ask)
        seconds = clock() - start
    if not reply.text and not reply.reasoning:
        raise BadModelReply(f"{known.name} 的模型 {model} 回了话，但是空的。请换一个模型再试。")
    return Trial(listed, model, reply.text or "（只想了想，还没说到话）", seconds, list_error)


def save(archive: Archive, choice: ModelChoice) -> ModelChoice:
    """Keep a choice in settings.toml (mode 600) and let the archive's makers be made by it; returns what was kept.

    Without a key, the one that is stored for the same address is kept.

    Raises
    ------
    ConfigError
        The choice cannot be used; settings and makers are then as before.
    StoreError
        The file cannot be written.
    """
    choice = with_stored_key(archive, checked(choice))
    taken = next((one for one in archive.base.tables.llm_providers if one.name == choice.name), None)
    if taken is not None and taken.base_url.rstrip("/") != choice.base_url.rstrip("/"):
        choice = replace(choice, name=f"{choice.name}-web")  # other tasks of config.toml go on with theirs
    path = archive.settings_path
    before = path.read_bytes() if path.is_file() else None
    write_atomically(path, text_of(choice).encode("utf-8"))
    try:
        _remake(archive)
    except ConfigError:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            write_atomically(path, before)
        raise
    return choice


def clear(archive: Archive) -> None:
    """Forget what the settings page set: all is again as config.toml says."""
    archive.settings_path.unlink(missing_ok=True)
    _remake(archive)


def stored(archive: Archive) -> ModelChoice | None:
    """Return what is kept, None where nothing (readable) is."""
    try:
        return choice_in(archive.settings_path)
    except ConfigError:
        return None


def with_stored_key(archive: Archive, choice: ModelChoice) -> ModelChoice:
    """Return the choice with the key that is stored for the very same address where it has none of its own."""
    kept = stored(archive)
    if choice.key.get_secret_value() or kept is None or kept.base_url != choice.base_url:
        return choice
    return replace(choice, key=SecretStr(kept.key.get_secret_value()))


def _remake(archive: Archive) -> None:
    archive.remake()
    log_to(archive.data_dir / "log", archive.config.secrets())
