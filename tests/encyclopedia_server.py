"""A local HTTP server that replays scripted answers, and a client that asks it without waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003010100"
    "18dd8db00000000049454e44ae426082"
)


@dataclass
class Reply:
    """One answer. ``cut`` sends less than promised; ``pieces`` are sent one by one."""

    body: bytes = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    pieces: int = 1


@dataclass
class Seen:
    """One request as it came in."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


Answerer = Callable[[Seen], Reply]


class Site:
    """What the server says: replies by path (several are told one after the other, the last one stays)."""

    def __init__(self) -> None:
        self.replies: dict[str, list[Reply]] = {}
        self.answerer: Answerer | None = None
        self.seen: list[Seen] = []
        self.busy = 0
        self.most_busy = 0
        self.url = ""
        self.lock = threading.Lock()

    def on(self, path: str, *replies: Reply) -> None:
        self.replies[path] = list(replies)

    def answer(self, seen: Seen) -> Reply:
        if self.answerer is not None and seen.path == "/w/api.php":
            return self.answerer(seen)
        replies = self.replies.get(seen.path)
        if not replies:
            return Reply(b"gone", 404, "text/plain")
        return replies.pop(0) if len(replies) > 1 else replies[0]


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            seen = Seen(unquote(parts.path), query, dict(self.headers))
            with site.lock:
                site.seen.append(seen)
                site.busy += 1
                site.most_busy = max(site.most_busy, site.busy)
                reply = site.answer(seen)
            try:
                self._send(reply)
            finally:
                with site.lock:
                    site.busy -= 1

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body) + reply.cut))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.cut:
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            step = max(1, len(reply.body) // reply.pieces)
            try:
                for start in range(0, len(reply.body), step):
                    self.wfile.write(reply.body[start : start + step])
                    self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            return

    return Handler


@contextmanager
def serve() -> Iterator[Site]:
    """Run the server on a free port of this machine."""
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class Waits:
    """A clock that only goes on when somebody sleeps (or by ``tick`` at every look), and what was slept."""

    def __init__(self, tick: float = 0.0) -> None:
        self.now = 1000.0
        self.tick = tick
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        self.now += self.tick
        return self.now
