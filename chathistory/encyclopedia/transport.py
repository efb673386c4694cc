"""One request as it leaves: its host's turn, the pause before it, and a body read within size and time."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import DecodeError, HTTPError, ReadTimeoutError

PAUSES: Mapping[str, tuple[float, float]] = {
    "wikipedia.org": (1.0, 0.0),
    "wikimedia.org": (1.0, 0.0),
    "baidu.com": (5.0, 3.0),
    "": (1.0, 0.0),
}
"""Seconds between two requests to a host, and the most of a random extra; '' is for every other host."""
_CHUNK = 65536


class TooLarge(requests.RequestException):
    """A body beyond the limit, or one that trickles in beyond the time for it."""


class Manners:
    """Whose turn it is to ask a host, and how long a body may be and take.

    ``limit`` is kept a thread, so that a picture may be larger than a page at the same time.
    """

    def __init__(
        self,
        pauses: Mapping[str, tuple[float, float]],
        deadline: float,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
        rng: random.Random,
    ) -> None:
        self._pauses = pauses
        self._deadline = deadline
        self._sleep = sleep
        self._clock = clock
        self._rng = rng
        self._guard = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}
        self._last: dict[str, float] = {}
        self._local = threading.local()

    def limit(self, size: int) -> None:
        """Set the most bytes of a body for this thread's next requests."""
        self._local.limit = size

    @contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait for the host's turn and the pause since its last answer; one request at a time a host."""
        with self._guard:
            lock = self._turns.setdefault(host, threading.Lock())
        with lock:
            left = self._pause(host)
            if left > 0:
                self._sleep(left)
            try:
                yield
            finally:
                self._last[host] = self._clock()

    def _pause(self, host: str) -> float:
        last = self._last.get(host)
        if last is None:
            return 0.0
        named = (self._pauses[domain] for domain in self._pauses if domain and is_within(host, domain))
        rest, extra = next(named, self._pauses.get("", (0.0, 0.0)))
        return last + rest + self._rng.random() * extra - self._clock()

    def read(self, response: requests.Response) -> None:
        """Read the whole body into the response; raises TooLarge beyond the limits of size and time."""
        limit: int = self._local.limit
        declared = response.headers.get("Content-Length", "")
        if declared.isdigit() and int(declared) > limit:
            raise TooLarge(f"超过 {limit / 1048576:.0f} MB")
        end = self._clock() + self._deadline
        body = bytearray()
        for piece in _pieces(response):
            body += piece
            if len(body) > limit:
                raise TooLarge(f"超过 {limit / 1048576:.0f} MB")
            if self._clock() > end:
                raise TooLarge(f"在 {self._deadline:.0f} 秒内没有传完")
        response._content = bytes(body)
        response._content_consumed = True  # type: ignore[attr-defined]


def _pieces(response: requests.Response) -> Iterator[bytes]:
    """Yield the body as it comes in, decompressed, never waiting for a whole block: a dripping site must be noticed."""
    read = getattr(response.raw, "read1", None)
    if read is None:  # urllib3 before 2.2
        yield from response.iter_content(1024)
        return
    try:
        while piece := read(_CHUNK, decode_content=True):
            yield piece
    except ReadTimeoutError as error:
        raise requests.ReadTimeout(error) from error
    except DecodeError as error:
        raise requests.exceptions.ContentDecodingError(error) from error
    except HTTPError as error:
        raise requests.ConnectionError(error) from error


class PoliteAdapter(HTTPAdapter):
    """The adapter through which every request goes, redirects and revalidations too."""

    def __init__(self, manners: Manners) -> None:
        super().__init__(max_retries=0)
        self._manners = manners

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        """Send one request in its host's turn, and read its body."""
        host = urlsplit(str(request.url or "")).hostname or ""
        with self._manners.turn(host):
            response = super().send(request, *args, **{**kwargs, "stream": True})
            try:
                self._manners.read(response)
            except requests.RequestException:
                response.close()
                raise
            response.raw.release_conn()
        return response


def is_within(host: str, domain: str) -> bool:
    """Whether a host is a domain or under it."""
    return host == domain or host.endswith("." + domain)
