"""A well-behaved web client: who we are, one request at a time a host, polite pauses, bounded tries, sizes and time."""

from __future__ import annotations

import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
import requests_cache

from chathistory import __version__
from chathistory.encyclopedia.challenge import blocked, is_challenge, is_challenge_address
from chathistory.encyclopedia.decode import decode
from chathistory.encyclopedia.retrying import TRIES, is_timeout, retry_after
from chathistory.encyclopedia.transport import PAUSES, Manners, PoliteAdapter, TooLarge
from chathistory.errors import NetworkError, UnreadableFile

_LOG = logging.getLogger(__name__)
PROJECT_URL = "https://github.com/chathistory/chathistory"
MAX_PAGE = 8 * 1024 * 1024
MAX_IMAGE = 10 * 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_RETRIED = frozenset({429, 500, 502, 503, 504})
_MOST_REDIRECTS = 6
_CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Answer:
    """What a site answered: final address, status (200 or 404), body decoded from transfer, and its media type."""

    url: str
    status: int
    body: bytes
    content_type: str
    cached: bool = False

    @property
    def text(self) -> str:
        """The body as text; raises UnreadableFile when it is none."""
        return decode(self.body, self.content_type)


class WebClient:
    """The one way out to the web.

    Parameters
    ----------
    cache_dir
        Folder of the HTTP cache (``http.sqlite`` in it); None keeps nothing.
    project_url
        Stands in the User-Agent, so that sites know whom to ask.
    timeouts
        Seconds to connect, and between two pieces of a body.
    deadline
        Seconds for a whole body; a site that drips slower is given up.
    pauses
        Seconds between two requests to a host, by domain, as ``PAUSES``.
    sleep, clock, rng
        Passed in, so that tests neither wait nor vary.
    """

    def __init__(
        self,
        cache_dir: Path | str | None = None,
        *,
        project_url: str = PROJECT_URL,
        timeouts: tuple[float, float] = (6.0, 20.0),
        deadline: float = 60.0,
        max_bytes: int = MAX_PAGE,
        pauses: Mapping[str, tuple[float, float]] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        self.user_agent = f"chathistory/{__version__} ({project_url}) requests/{requests.__version__}"
        self._cache_dir = Path(cache_dir) if cache_dir is not None else None
        self._timeouts = timeouts
        self._deadline = deadline
        self._max_bytes = max_bytes
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._manners = Manners(pauses, deadline, sleep, clock, self._rng)
        self._session: requests.Session | None = None
        self._guard = threading.Lock()

    def __enter__(self) -> WebClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close connections and the cache; the client opens them anew when it is used again."""
        with self._guard:
            session, self._session = self._session, None
        if session is not None:
            session.close()
            if isinstance(session, requests_cache.CachedSession):
                session.cache.close()  # type: ignore[no-untyped-call]

    def get(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        *,
        name: str = "",
        hosts: Callable[[str], bool] | None = None,
        max_bytes: int | None = None,
        accept: str = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.5",
    ) -> Answer:
        """Return a site's answer, from the cache where the site says that it still holds.

        Parameters
        ----------
        name
            Whom the request is for, told in error messages.
        hosts
            Which host names a redirect may lead to; the first one's own only where None.

        Raises
        ------
        Blocked
            A challenge page, or a redirect to one. It is neither cached nor tried again.
        NetworkError
            No answer in the bounded tries, too large, too slow, broken off, or a status that is no page.
        """
        start = urlsplit(url).hostname
        allowed = hosts or (lambda host: host == start)
        self._manners.limit(max_bytes or self._max_bytes)
        for _ in range(_MOST_REDIRECTS):
            response = self._answered(url, params, accept, name)
            if response.status_code not in _REDIRECTS:
                return self._checked(response, name)
            url, params = urljoin(response.url or url, response.headers.get("Location", "")), None
            if is_challenge_address(url):
                raise blocked(name)
            host = urlsplit(url).hostname or ""
            if urlsplit(url).scheme not in {"http", "https"} or not (allowed(host) or host == start):
                raise NetworkError(
                    f"网站把请求转到了陌生的地址（{host or url[:60]}），没有跟过去。请换一个来源，或导入保存好的网页。"
                )
        raise NetworkError("网站的重定向太多，没有取到页面。请换一个来源，或导入保存好的网页。")

    def _checked(self, response: requests.Response, name: str) -> Answer:
        status, kind = response.status_code, response.headers.get("Content-Type", "")
        answer = Answer(response.url, status, response.content, kind, bool(getattr(response, "from_cache", False)))
        if _is_page(kind) and is_challenge(_text_of(answer), answer.url):
            raise blocked(name)
        if status in {200, 404, 410}:
            return answer
        host = urlsplit(answer.url).hostname
        if status in {401, 403}:
            raise NetworkError(f"{host} 拒绝了请求（HTTP {status}）。请稍后再试，或换一个来源，或导入保存好的网页。")
        raise NetworkError(f"{host} 没有给出页面（HTTP {status}）。请稍后再试，或换一个来源。")

    def _answered(self, url: str, params: Mapping[str, str] | None, accept: str, name: str) -> requests.Response:
        """One answer in at most ``TRIES`` tries: again on 429, 5xx and timeouts only."""
        host = urlsplit(url).hostname or url
        last = ""
        for attempt in range(TRIES):
            wait = 2.0**attempt + self._rng.random()
            try:
                response = self._sent(url, params, accept)
            except TooLarge as error:
                raise NetworkError(f"{host} 的页面{error}，已经放弃。请换一个来源，或导入保存好的网页。") from error
            except requests.RequestException as error:
                if not is_timeout(error):
                    raise NetworkError(
                        f"连不上 {host} 或传输中断（{type(error).__name__}）。请检查网络，或换一个来源。"
                    ) from error
                last = "超时"
            else:
                if response.status_code not in _RETRIED:
                    return response
                if _is_page(response.headers.get("Content-Type", "")) and is_challenge(response.text, response.url):
                    raise blocked(name)
                last = f"HTTP {response.status_code}"
                asked = retry_after(response.headers.get("Retry-After"), time.time())
                if asked is not None and asked > self._deadline * 2:
                    raise NetworkError(f"{host} 请求太频繁，要等 {asked:.0f} 秒。请稍后再试，或换一个来源。")
                wait = asked if asked is not None else wait
            if attempt + 1 < TRIES:
                _LOG.info("%s: %s, again in %.1f s", host, last, wait)
                self._sleep(wait)
        raise NetworkError(f"{host} 试了 {TRIES} 次都没有成功（{last}）。请稍后再试，或换一个来源。")

    def _sent(self, url: str, params: Mapping[str, str] | None, accept: str) -> requests.Response:
        """One request through the cache; without it where the cache's file cannot be used."""
        given: dict[str, Any] = {
            "params": dict(params) if params else None,
            "headers": {"Accept": accept},
            "timeout": self._timeouts,
            "allow_redirects": False,
        }
        try:
            return self._opened().get(url, **given)
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, requests.RequestException) or self._cache_dir is None:
                raise
            _LOG.warning("the HTTP cache in %s cannot be used (%s); going on without it", self._cache_dir, error)
            self.close()
            self._cache_dir = None
            return self._opened().get(url, **given)

    def _opened(self) -> requests.Session:
        with self._guard:
            if self._session is None:
                session: requests.Session
                if self._cache_dir is None:
                    session = requests.Session()
                else:
                    self._cache_dir.mkdir(parents=True, exist_ok=True)
                    session = requests_cache.CachedSession(
                        str(self._cache_dir / "http"),
                        backend="sqlite",
                        expire_after=_CACHE_SECONDS,
                        always_revalidate=True,
                        allowable_codes=(200,),
                        allowable_methods=("GET",),
                        match_headers=["Accept-Language"],
                        filter_fn=_may_keep,
                    )
                session.headers.update(
                    {
                        "User-Agent": self.user_agent,
                        "Accept-Encoding": "gzip, deflate",
                        "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5",
                    }
                )
                adapter = PoliteAdapter(self._manners)
                session.mount("https://", adapter)
                session.mount("http://", adapter)
                self._session = session
            return self._session


def _is_page(content_type: str) -> bool:
    return not content_type or "html" in content_type or content_type.startswith("text/")


def _text_of(answer: Answer) -> str:
    try:
        return answer.text
    except UnreadableFile:
        return ""


def _may_keep(response: Any) -> bool:
    """Whether an answer may be cached: never a challenge, nor an API's error with status 200."""
    kind = response.headers.get("Content-Type", "")
    if "json" in kind and response.content[:400].lstrip().startswith(b'{"error"'):
        return False
    return not _is_page(kind) or not is_challenge(
        _text_of(Answer(response.url, 200, response.content, kind)), response.url
    )
