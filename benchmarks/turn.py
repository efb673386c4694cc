"""How much of a turn is ours: from the user's Enter to the first request, and beside the model's own time.

Five personas sit in the room; a server on loopback answers as a provider does, a token every so often, and notes when
each request arrives. ``python -m benchmarks.turn [--lines N] [--json]``
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from chathistory.config import Config, parse
from chathistory.domain import Finished
from chathistory.salon import Archive, Salon

_NAMES = ("孔子", "秦始皇", "李白", "武则天", "苏格拉底")
_QUESTIONS = ("{}，您一生最得意的事是什么？", "{}，您怎么看朋友？", "{}，您小时候的日子怎样？", "{}，您最后悔什么？")
_ANSWERS = (
    "这件事我记得很清楚，说来话长，容我慢慢讲给你听，请先坐下喝一杯热茶，再听我从头道来。",
    "年轻的时候家里清贫，父母教我识字明理，后来离乡远游，见过许多山川和人物，眼界才开阔。",
    "朋友贵在真心，彼此规劝过失，患难时肯伸手相助，这样的人一生能遇见几个，已经是福气。",
    "夜里独坐灯下，想起旧事，总觉得有些话当初没有说完，有些路走得太急，现在想来颇为可惜。",
    "治学没有捷径，日积月累，反复思量，遇到疑难便去请教别人，不必因为对方年轻就羞于开口。",
    "春天看花，秋天望月，四季各有好处，我最爱雨后的清晨，推开门窗，满院都是泥土的香气。",
)
"""All unlike each other: a near copy of an earlier line would be asked once more."""
_TOKEN_SECONDS = 0.02


class _Provider(BaseHTTPRequestHandler):
    """Streams one of a few answers, a character every 20 ms; choices of the director are answered by 1."""

    arrivals: list[float]
    arrivals_ever: list[float]
    busy: list[float]

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        type(self).arrivals.append(time.perf_counter())
        type(self).arrivals_ever.append(time.perf_counter())
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        began = time.perf_counter()
        if body.get("stream"):
            self._stream()
        else:
            message = {"role": "assistant", "content": '{"choice": 1}'}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send({"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]})
        type(self).busy.append(time.perf_counter() - began)

    def _send(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode("utf-8")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for char in _ANSWERS[len(type(self).arrivals_ever) % len(_ANSWERS)]:
            time.sleep(_TOKEN_SECONDS)
            delta = {"index": 0, "delta": {"content": char}, "finish_reason": None}
            self._event({"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [delta]})
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        self._event({"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [end]})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, value: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode("utf-8") + b"\n\n")
        self.wfile.flush()


@contextmanager
def _provider() -> Iterator[tuple[str, type[_Provider]]]:
    handler = type("Provider", (_Provider,), {"arrivals": [], "arrivals_ever": [], "busy": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", handler
    finally:
        server.shutdown()


def measure(lines: int) -> dict[str, float]:
    """Return medians and worsts in ms, and our share of a reply in per cent."""
    with tempfile.TemporaryDirectory() as folder, _provider() as (url, handler):
        tables = parse(
            {
                "llm_providers": [{"name": "loop", "base_url": url, "api_key": "none"}],
                "qa": {"llm": {"provider": "loop", "model": "m"}},
            }
        )
        archive = Archive(Config(tables, Path(folder)))
        salon = Salon(archive)
        for name in _NAMES:
            for _ in salon.summon(name, "sample"):
                pass
            salon.join(name)
        list(salon.say(f"{_NAMES[0]}，您好。", max_round=1))
        before: list[float] = []
        share: list[float] = []
        for number in range(lines):
            handler.arrivals.clear()
            handler.busy.clear()
            line = _QUESTIONS[number % len(_QUESTIONS)].format(_NAMES[number % len(_NAMES)])
            entered = time.perf_counter()
            events = list(salon.say(line, max_round=1))
            whole = time.perf_counter() - entered
            if not any(isinstance(event, Finished) for event in events):
                raise RuntimeError(f"nobody answered {line!r}")
            before.append((handler.arrivals[0] - entered) * 1000)
            share.append(100 * (1 - sum(handler.busy) / whole))
        archive.close()
    return {
        "personas": len(_NAMES),
        "lines": lines,
        "enter_to_request_ms_median": round(statistics.median(before), 1),
        "enter_to_request_ms_max": round(max(before), 1),
        "ours_percent_median": round(statistics.median(share), 2),
        "ours_percent_max": round(max(share), 2),
    }


def main() -> None:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.lines)
    if options.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        print(f"{key:30} {value}")


if __name__ == "__main__":
    main()
