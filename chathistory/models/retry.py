"""What may go wrong with one request, and which of it is tried again, when."""

from __future__ import annotations

import asyncio
import email.utils
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeVar

from chathistory.errors import BadModelReply, ModelError, ModelRefused, ModelTimeout, ModelUnreachable

T = TypeVar("T")
Kind = Literal["rate_limited", "server_error", "timeout", "cut", "unreachable", "refused", "bad_request"]
RETRIED: frozenset[str] = frozenset({"rate_limited", "server_error", "timeout", "cut", "unreachable"})
FIRST_WAIT = 0.25
_GROWTH = 3
_LONGEST_WAIT = 8.0
PATIENCE = 120.0
"""The longest Retry-After that is waited for."""
_NO_MONEY = ("insufficient", "quota", "balance", "余额", "欠费")


class Fault(Exception):
    """One request failed. ``detail`` is safe to show: no key, no prompt."""

    def __init__(
        self, kind: Kind, status: int = 0, detail: str = "", retry_after: float | None = None, raw: str = ""
    ) -> None:
        super().__init__(f"{kind} {status} {detail}".strip())
        self.kind = kind
        self.status = status
        self.detail = detail
        self.retry_after = retry_after
        self.raw = raw


def kind_of(status: int, words: str) -> Kind:
    """Return what an HTTP status means; ``words`` are the provider's code and message."""
    if status == 429:
        return "refused" if any(word in words.lower() for word in _NO_MONEY) else "rate_limited"
    if status in (408, 409, 425) or (status >= 500 and status != 501):
        return "server_error"
    return "refused" if status in (401, 402, 403, 404) else "bad_request"


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds a provider asks to wait (Retry-After as seconds or date, retry-after-ms), None without."""
    milliseconds = headers.get("retry-after-ms", "")
    value = headers.get("retry-after", "").strip()
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if value:
            return max(0.0, float(value))
    except ValueError:
        pass
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def wait_seconds(fault: Fault, times: int, rng: random.Random, first: float = FIRST_WAIT) -> float:
    """Return how long to wait after a fault that came ``times`` times: as told, else three times as long each time.

    The first wait is short: what fails once mostly goes well at once, and a server that is down needs seconds, which
    the third wait brings. A request that timed out was waited for long enough: the next one goes at once.
    """
    if fault.retry_after is not None:
        return fault.retry_after + rng.uniform(0, 0.05)
    if fault.kind == "timeout":
        return 0.0
    return float(min(_LONGEST_WAIT, first * _GROWTH ** (times - 1)) * rng.uniform(0.6, 1.0))


@dataclass(frozen=True, slots=True)
class Where:
    """What an error message names."""

    provider: str
    model: str
    base_url: str


async def with_retries(
    attempt: Callable[[int], Awaitable[T]],
    *,
    tries: int,
    rng: random.Random,
    first_wait: float = FIRST_WAIT,
    answered_since: Callable[[float], bool] = lambda _moment: False,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Call ``attempt(1)``, ``attempt(2)``, ... until one succeeds.

    Parameters
    ----------
    answered_since
        Whether the provider answered another call after a moment of the loop's clock: then the fault was chance, and
        the next wait is short again. A rate limit is none.

    Raises
    ------
    Fault
        The last one, after ``tries`` tries, or at once where trying again is of no use.
    """
    seen: Counter[str] = Counter()
    clock = asyncio.get_running_loop().time
    for number in range(1, tries + 1):
        started = clock()
        try:
            return await attempt(number)
        except Fault as fault:
            told = fault.retry_after or 0.0
            if fault.kind not in RETRIED or number == tries or told > PATIENCE:
                raise
            if fault.kind != "rate_limited" and answered_since(started):
                seen[fault.kind] = 0
            seen[fault.kind] += 1
            await sleep(wait_seconds(fault, seen[fault.kind], rng, first_wait))
    raise AssertionError("tries must be 1 or more")


def named(fault: Fault, where: Where) -> ModelError:
    """Return the error of ours that says what to do."""
    name = f"{where.provider} 的模型 {where.model}"
    detail = f"（{fault.detail}）" if fault.detail else ""
    if fault.kind == "timeout":
        return ModelTimeout(f"{name} 没有在限定的时间里回答。稍后再试，或在 config.toml 里换一个更快的模型。")
    if fault.kind == "unreachable":
        return ModelUnreachable(f"连不上 {where.provider}（{where.base_url}）{detail}。请检查网络、代理和 base_url。")
    if fault.kind == "cut":
        return ModelUnreachable(f"{name} 的回答几次都在中途断开{detail}。请检查网络，稍后再试。")
    if fault.kind == "rate_limited":
        wait = f"，它要求等 {fault.retry_after:.0f} 秒" if fault.retry_after else ""
        return ModelTimeout(
            f"{name} 说请求太多{wait}{detail}。稍后再试，"
            "或在 [[llm_providers]] 里写小 concurrency、requests_per_minute。"
        )
    if fault.kind == "server_error":
        return ModelUnreachable(f"{where.provider} 的服务器出错（HTTP {fault.status}）{detail}。稍后再试。")
    if fault.kind == "refused":
        return ModelRefused(_refusal(fault, name, where) + detail)
    return BadModelReply(f"{name} 不接受这次的请求（HTTP {fault.status}）{detail}。", fault.raw)


def _refusal(fault: Fault, name: str, where: Where) -> str:
    if fault.status in (401, 403):
        return f"{where.provider} 不认这把密钥。请检查 [[llm_providers]] 里 {where.provider} 的 api_key。"
    if fault.status == 404:
        return f"{where.provider} 没有模型 {where.model}，或 base_url 不对（{where.base_url}，多半应以 /v1 结尾）。"
    if fault.status in (402, 429):
        return f"{where.provider} 的余额或额度用完了。请充值，或在 config.toml 里换一个 provider。"
    return f"{name} 拒绝了请求（HTTP {fault.status}）。"
