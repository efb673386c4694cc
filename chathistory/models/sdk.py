"""The openai client, and its many errors as the few of ours."""

from __future__ import annotations

import importlib
import ipaddress
import re
from typing import Any
from urllib.parse import urlsplit

import openai

from chathistory.config import shown_url
from chathistory.errors import ConfigError
from chathistory.models.chat import Limits
from chathistory.models.retry import Fault, kind_of, retry_after

_TRANSPORT = openai.DefaultAsyncHttpxClient.__mro__[1].__module__.split(".")[0]
_HTTP_ERROR: type[Exception] = importlib.import_module(_TRANSPORT).HTTPError
"""The base of the transport's own errors; older clients let them through in the middle of a stream."""
TRANSPORT_ERRORS: tuple[type[Exception], ...] = (openai.OpenAIError, _HTTP_ERROR, OSError, ValueError)
"""All that a request may raise, broken JSON in a stream (ValueError) among it."""
_CODE = re.compile(r"[\w.\- ]{1,60}")
_KEY_LIKE = re.compile(r"\b(?:sk|key|ak)-[\w*.\-]{4,}", re.I)
_DETAIL_CHARS = 160
_SHORTEST_KEY = 4
_MESSAGES = ("message", "error", "detail", "msg", "error_msg")
_ECHO = 12
"""So many characters in common with the prompt, and a provider's message is not shown."""


def is_loopback(base_url: str) -> bool:
    """Whether a provider runs on this machine."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def make_client(name: str, base_url: str, key: str) -> openai.AsyncOpenAI:
    """Return a client without retries of its own; proxies are not asked for providers on this machine.

    Raises
    ------
    ConfigError
        The address or the key cannot be used, or a proxy setting needs a package that is missing.
    """
    if urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
        raise ConfigError(
            f"[[llm_providers]] {name!r} 的 base_url {shown_url(base_url)!r} 不是网址，例如 https://api.deepseek.com/v1。"
        )
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"[[llm_providers]] {name!r} 的 api_key 里有中文标点或看不见的字符。请重新复制一次。")
    try:
        transport = openai.DefaultAsyncHttpxClient(trust_env=not is_loopback(base_url))
        return openai.AsyncOpenAI(base_url=base_url, api_key=key or "none", max_retries=0, http_client=transport)
    except (ImportError, ValueError) as error:
        raise ConfigError(
            f"连接 {name!r} 的代理设置用不了：{error}。请检查环境变量 HTTPS_PROXY、ALL_PROXY。"
        ) from error


def timeout_of(limits: Limits) -> Any:
    """Return the transport's time limits; what is finer is watched above it."""
    return openai.Timeout(limits.whole, connect=limits.connect)


def fault_of(error: Exception, key: str, prompt: str) -> Fault:
    """Return what an error of the client means. ``key`` and ``prompt`` never get into it."""
    if isinstance(error, openai.APIStatusError):
        return _status(error, key, prompt)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        connecting = "connect" in type(error.__cause__).__name__.lower()
        return Fault("unreachable" if connecting else "timeout")
    if isinstance(error, openai.APIConnectionError):
        return Fault(_connection_kind(error.__cause__))
    if isinstance(error, openai.APIError):
        return Fault("server_error", 200, safe_detail(str(error.message), key, prompt))
    if isinstance(error, _HTTP_ERROR | OSError):
        return Fault(_connection_kind(error))
    return Fault("cut", detail="回答里有读不懂的数据")


def _connection_kind(cause: BaseException | None) -> Any:
    """A connection that was never made, or one that broke."""
    name = type(cause).__name__
    if name in ("RemoteProtocolError", "ReadError", "IncompleteRead", "StreamClosed", "DecodingError"):
        return "cut"
    return "timeout" if name == "ReadTimeout" else "unreachable"


def _status(error: openai.APIStatusError, key: str, prompt: str) -> Fault:
    status = error.status_code
    body = error.body
    inner: dict[str, Any] = {}
    if isinstance(body, dict):
        inner = body["error"] if isinstance(body.get("error"), dict) else body
    code = str(inner.get("code") or inner.get("type") or "")
    message = _told(inner or body) or str(error.message or "")
    detail = safe_detail(message, key, prompt) or (code if _CODE.fullmatch(code) else "")
    after = retry_after(error.response.headers)
    param = inner.get("param")
    raw = without_key(f"{message[:2000]} ('{param}')" if isinstance(param, str) and param else message[:2000], key)
    return Fault(kind_of(status, f"{code} {message}"), status, detail, after, raw=raw)


def _told(body: Any) -> str:
    """What an error's body says, in whatever place its server says it; '' for a page and for nothing."""
    if isinstance(body, dict):
        return next((told for name in _MESSAGES if (told := _told(body.get(name)))), "")
    if isinstance(body, list):
        return "; ".join(told for one in body[:5] if (told := _where(one) + _told(one)))
    text = str(body or "").strip()
    return "" if text.startswith("<") else text


def _where(complaint: Any) -> str:
    """The field that one complaint of a validating server is about."""
    place = complaint.get("loc") if isinstance(complaint, dict) else None
    return f"{'.'.join(str(part) for part in place)}: " if isinstance(place, list) else ""


def safe_detail(message: str, key: str, prompt: str) -> str:
    """Return a provider's message fit to be shown and logged; '' where it repeats the prompt."""
    message = without_key(" ".join(message.split()), key)[:_DETAIL_CHARS]
    for start in range(0, max(1, len(message) - _ECHO + 1)):
        if len(message) >= _ECHO and message[start : start + _ECHO] in prompt:
            return ""
    return message


def without_key(text: str, key: str) -> str:
    """Return a text in which the key, and whatever looks like one, is blotted out."""
    if len(key) >= _SHORTEST_KEY:
        text = text.replace(key, "***")
    return _KEY_LIKE.sub("***", text)
