"""Our own server that speaks OpenAI's API on loopback and misbehaves on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-0123456789abcdef"


@dataclass
class Act:
    """What the server does with one request; the default is a good answer.

    ``status`` other than 200 is answered at once; ``hang`` answers nothing; ``drip`` sends a byte every so many
    seconds for ever; ``cut_after`` closes the connection after so many pieces of a stream (or, not streamed, half of
    the body); ``late`` is the seconds before the answer; ``linger`` those that a finished stream stays open.
    """

    text: str = "好。"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: Any = None
    hang: bool = False
    drip: float = 0.0
    cut_after: int | None = None
    late: float = 0.0
    gap: float = 0.0
    linger: float = 0.0
    pieces: Sequence[str] | None = None
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"
    finish: str | None = "stop"
    usage: bool = True
    done: bool = True
    raw: bytes | None = None
    vectors: list[list[float]] | None = None


@dataclass
class Seen:
    """One request as it came in."""

    path: str
    body: dict[str, Any]
    key: str
    at: float
    closed_at: float | None = None
    answered: bool = False

    @property
    def prompt(self) -> str:
        """All messages' text."""
        return "\n".join(str(message["content"]) for message in self.body.get("messages", []))


class LlmServer:
    """Answers with the queued acts in order, then with ``otherwise``.

    ``decide`` (request -> Act) goes before both. ``refuses`` maps a body's field to the status it is refused with.
    """

    def __init__(self) -> None:
        self.queue: list[Act] = []
        self.otherwise: Act = Act()
        self.decide: Callable[[Seen], Act | None] | None = None
        self.refuses: dict[str, str] = {}
        self.seen: list[Seen] = []
        self.busy = 0
        self.busiest = 0
        self.models = ["qwen", "embed"]
        self.dimension = 4
        self.largest_batch: int | None = None
        self._stopping = threading.Event()
        self.lock = threading.Lock()
        server = self

        class Handler(_Handler):
            owner = server

        self._http = _Http(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def chats(self) -> list[Seen]:
        """The chat requests so far."""
        return [one for one in self.seen if one.path.endswith("/chat/completions")]

    def __enter__(self) -> LlmServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def wait_closed(self, seen: Seen, seconds: float = 2.0) -> float | None:
        """Return when the client closed a hanging request, None when it did not within ``seconds``."""
        end = time.monotonic() + seconds
        while seen.closed_at is None and time.monotonic() < end:
            time.sleep(0.005)
        return seen.closed_at

    def wait_seen(self, count: int, seconds: float = 5.0) -> None:
        """Wait until so many requests came in."""
        end = time.monotonic() + seconds
        while len(self.seen) < count and time.monotonic() < end:
            time.sleep(0.005)

    def act(self, seen: Seen) -> Act:
        """Return what to do with a request."""
        for name, message in self.refuses.items():
            if name in seen.body or name in json.dumps(seen.body.get("response_format", {})):
                return Act(status=400, error={"message": message, "type": "invalid_request_error"})
        with self.lock:
            if self.decide is not None:
                chosen = self.decide(seen)
                if chosen is not None:
                    return chosen
            return self.queue.pop(0) if self.queue else self.otherwise

    @property
    def stopping(self) -> threading.Event:
        """Set when the server goes down, so that nothing hangs on."""
        return self._stopping


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    owner: LlmServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        seen = Seen(self.path, {}, self._key(), time.monotonic())
        self.owner.seen.append(seen)
        if self._wrong_key():
            return
        self._json({"object": "list", "data": [{"id": name, "object": "model"} for name in self.owner.models]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = Seen(self.path, body, self._key(), time.monotonic())
        owner = self.owner
        with owner.lock:
            owner.seen.append(seen)
            owner.busy += 1
            owner.busiest = max(owner.busiest, owner.busy)
        try:
            if not self._wrong_key():
                self._answer(seen, owner.act(seen))
        except OSError:
            seen.closed_at = seen.closed_at or time.monotonic()
            self.close_connection = True
        finally:
            with owner.lock:
                owner.busy -= 1

    def _key(self) -> str:
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ")

    def _wrong_key(self) -> bool:
        if self._key() == KEY:
            return False
        self._json({"error": {"message": f"Incorrect API key provided: {self._key()}", "code": "invalid_api_key"}}, 401)
        return True

    def _answer(self, seen: Seen, act: Act) -> None:
        if act.late:
            self.owner.stopping.wait(act.late)
        if act.hang:
            self._hang(seen)
            return
        if act.raw is not None:
            self._send(act.status, act.raw, act.headers)
            return
        if act.status != 200:
            self._json({"error": act.error or {"message": "told to fail"}}, act.status, act.headers)
            return
        if seen.path.endswith("/embeddings"):
            self._vectors(seen, act)
        elif seen.body.get("stream"):
            self._stream(seen, act)
        else:
            self._whole(seen, act)

    def _hang(self, seen: Seen) -> None:
        """Wait until the client hangs up, and note when."""
        self.connection.settimeout(0.02)
        while not self.owner.stopping.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        seen.closed_at = time.monotonic()
        self.close_connection = True

    def _whole(self, seen: Seen, act: Act) -> None:
        message: dict[str, Any] = {"role": "assistant", "content": act.text}
        if act.reasoning:
            message[act.reasoning_field] = act.reasoning
        data: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": seen.body["model"]}
        data["choices"] = [{"index": 0, "message": message, "finish_reason": act.finish}]
        if act.usage:
            data["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        content = json.dumps(data).encode()
        if act.cut_after is not None or act.drip:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if act.drip:
                self._drip(seen, act.drip)
            else:
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
            return
        self._send(200, content, {})
        seen.answered = True

    def _drip(self, seen: Seen, every: float) -> None:
        while not self.owner.stopping.wait(every):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _stream(self, seen: Seen, act: Act) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, delta in enumerate(_deltas(act)):
            if act.cut_after is not None and number >= act.cut_after:
                self.close_connection = True
                return
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            if act.drip:
                self._drip_events(seen, act.drip)
                return
            if act.gap:
                self.owner.stopping.wait(act.gap)
        if act.finish:
            self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": act.finish}]})
        if act.usage and seen.body.get("stream_options"):
            self._event({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}})
        if act.linger:
            self.owner.stopping.wait(act.linger)
        if act.done:
            self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")
        seen.answered = True

    def _drip_events(self, seen: Seen, every: float) -> None:
        while not self.owner.stopping.wait(every):
            self._chunk(b": still here\n\n")

    def _event(self, data: dict[str, Any]) -> None:
        self._chunk(b"data: " + json.dumps(data).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _vectors(self, seen: Seen, act: Act) -> None:
        texts = seen.body["input"]
        texts = [texts] if isinstance(texts, str) else texts
        most = self.owner.largest_batch
        if most is not None and len(texts) > most:
            self._json({"error": {"message": f"batch size is invalid, should not be larger than {most}"}}, 400)
            return
        vectors = act.vectors or [vector_of(text, self.owner.dimension) for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
        self._json({"object": "list", "data": data[::-1], "usage": {"prompt_tokens": 5 * len(texts)}})
        seen.answered = True

    def _json(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), headers or {})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _deltas(act: Act) -> Iterator[dict[str, str]]:
    if act.reasoning:
        yield {act.reasoning_field: act.reasoning}
    for piece in act.pieces if act.pieces is not None else list(act.text):
        yield {"content": piece}


def vector_of(text: str, dimension: int) -> list[float]:
    """Return a vector that tells texts apart, not of length 1."""
    return [float((sum(map(ord, text)) * (i + 3)) % 97 + len(text) + i) for i in range(dimension)]
