"""The web client's manners, against a local server."""

from __future__ import annotations

import gzip
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from encyclopedia_server import Reply, Site, Waits, serve

from chathistory.encyclopedia import WebClient
from chathistory.encyclopedia.retrying import retry_after
from chathistory.encyclopedia.transport import PAUSES
from chathistory.errors import Blocked, NetworkError

CAPTCHA = "<title>百度百科-验证</title><script src='https://wappass.baidu.com/static/machine/js/api/mkd.js'></script>".encode()
Maker = Callable[..., WebClient]


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as running:
        yield running


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def make(waits: Waits) -> Iterator[Maker]:
    made: list[WebClient] = []

    def maker(cache: Path | None = None, **given: object) -> WebClient:
        settings = {"sleep": waits.sleep, "clock": waits.clock, "rng": random.Random(1), **given}
        client = WebClient(cache, **settings)  # type: ignore[arg-type]
        made.append(client)
        return client

    yield maker
    for client in made:
        client.close()


def test_it_says_who_it_is_and_takes_gzip(site: Site, make: Maker) -> None:
    site.on("/a", Reply(gzip.compress("你好".encode()), headers={"Content-Encoding": "gzip"}))
    answer = make(project_url="https://example.org/me").get(site.url + "/a")
    assert answer.text == "你好"
    agent = site.seen[0].headers["User-Agent"]
    assert agent.startswith("chathistory/")
    assert "(https://example.org/me) requests/" in agent
    assert "gzip" in site.seen[0].headers["Accept-Encoding"]
    assert "br" not in site.seen[0].headers["Accept-Encoding"]


def test_it_pauses_between_two_requests_to_a_host_and_not_before_the_first(
    site: Site, make: Maker, waits: Waits
) -> None:
    site.on("/a", Reply(b"a"))
    client = make()
    client.get(site.url + "/a")
    assert waits.slept == []
    client.get(site.url + "/a")
    assert waits.slept == [pytest.approx(1.0)]


def test_baidu_is_given_five_seconds_and_more_wikimedia_one() -> None:
    assert PAUSES["baidu.com"][0] == 5.0
    assert PAUSES["baidu.com"][1] > 0
    assert PAUSES["wikipedia.org"][0] == PAUSES["wikimedia.org"][0] == 1.0


def test_one_request_at_a_time_a_host(site: Site, make: Maker) -> None:
    site.on("/a", Reply(b"x" * 100_000, pieces=50))
    client = make(pauses={"": (0.0, 0.0)})
    threads = [threading.Thread(target=client.get, args=(site.url + "/a",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(site.seen) == 4
    assert site.most_busy == 1


def test_a_429_is_tried_again_after_the_time_that_the_site_asks_for(site: Site, make: Maker, waits: Waits) -> None:
    site.on("/a", Reply(b"", 429, headers={"Retry-After": "7"}), Reply(b"ok"))
    assert make().get(site.url + "/a").body == b"ok"
    assert 7.0 in waits.slept


def test_a_site_that_asks_for_an_hour_is_left_alone(site: Site, make: Maker, waits: Waits) -> None:
    site.on("/a", Reply(b"", 429, headers={"Retry-After": "3600"}))
    with pytest.raises(NetworkError, match="3600 秒"):
        make().get(site.url + "/a")
    assert len(site.seen) == 1
    assert waits.slept == []


def test_server_errors_are_tried_four_times_in_all(site: Site, make: Maker) -> None:
    site.on("/a", Reply(b"", 503))
    with pytest.raises(NetworkError, match="HTTP 503"):
        make().get(site.url + "/a")
    assert len(site.seen) == 4


@pytest.mark.parametrize("status", [400, 403, 451])
def test_other_errors_are_not_tried_again(site: Site, make: Maker, status: int) -> None:
    site.on("/a", Reply(b"", status))
    with pytest.raises(NetworkError):
        make().get(site.url + "/a")
    assert len(site.seen) == 1


def test_a_missing_page_is_an_answer(site: Site, make: Maker) -> None:
    assert make().get(site.url + "/nowhere").status == 404


def test_a_body_that_breaks_off_is_an_error_and_is_not_kept(site: Site, make: Maker, tmp_path: Path) -> None:
    site.on("/a", Reply(b"half", cut=100), Reply(b"whole"))
    client = make(tmp_path)
    with pytest.raises(NetworkError, match="中断"):
        client.get(site.url + "/a")
    assert client.get(site.url + "/a").body == b"whole"


def test_a_body_beyond_the_limit_is_given_up(site: Site, make: Maker) -> None:
    site.on("/promised", Reply(b"x" * 3000))
    site.on("/bomb", Reply(gzip.compress(b"0" * 200_000), headers={"Content-Encoding": "gzip"}))
    client = make(max_bytes=2000)
    for path in ("/promised", "/bomb"):
        with pytest.raises(NetworkError, match="超过"):
            client.get(site.url + path)
    assert len(site.seen) == 2


def test_a_site_that_drips_is_given_up(site: Site, make: Maker) -> None:
    slow = Waits(tick=8.0)
    site.on("/a", Reply(b"x" * 4_000_000, pieces=400))
    with pytest.raises(NetworkError, match="没有传完"):
        make(sleep=slow.sleep, clock=slow.clock, deadline=60.0).get(site.url + "/a")


def test_a_dead_address_is_an_error_at_once(make: Maker, waits: Waits) -> None:
    with pytest.raises(NetworkError, match="连不上"):
        make().get("http://127.0.0.1:9/a")
    assert waits.slept == []


def test_timeouts_are_tried_again(make: Maker, waits: Waits, monkeypatch: pytest.MonkeyPatch) -> None:
    import requests

    def late(*_: object, **__: object) -> None:
        raise requests.ReadTimeout("late")

    monkeypatch.setattr(requests.Session, "send", late)
    with pytest.raises(NetworkError, match="4 次"):
        make().get("http://127.0.0.1:9/a")
    assert len(waits.slept) == 3
    assert waits.slept == sorted(waits.slept)


def test_redirects_are_followed_on_the_host_only(site: Site, make: Maker) -> None:
    site.on("/a", Reply(b"", 302, headers={"Location": "/b"}))
    site.on("/b", Reply(b"there"))
    site.on("/away", Reply(b"", 302, headers={"Location": "http://evil.example/x"}))
    site.on("/loop", Reply(b"", 302, headers={"Location": "/loop"}))
    client = make()
    answer = client.get(site.url + "/a")
    assert (answer.body, answer.url) == (b"there", site.url + "/b")
    with pytest.raises(NetworkError, match=r"evil\.example"):
        client.get(site.url + "/away")
    with pytest.raises(NetworkError, match="重定向"):
        client.get(site.url + "/loop")


def test_a_redirect_to_a_challenge_is_blocked_without_asking_it(site: Site, make: Maker) -> None:
    where = "https://baike.baidu.com/anticrawl/captchaview?captchaSourceUrl=x"
    site.on("/item/a", Reply(b" ", 302, headers={"Location": where}))
    with pytest.raises(Blocked, match="保存"):
        make().get(site.url + "/item/a", name="某人")
    assert len(site.seen) == 1


def test_a_challenge_with_status_200_is_blocked_and_never_kept(site: Site, make: Maker, tmp_path: Path) -> None:
    site.on("/item/a", Reply(CAPTCHA), Reply(b"<p>article</p>"))
    client = make(tmp_path)
    with pytest.raises(Blocked):
        client.get(site.url + "/item/a")
    assert len(site.seen) == 1
    answer = client.get(site.url + "/item/a")
    assert answer.body == b"<p>article</p>"
    assert not answer.cached


def test_a_challenge_behind_an_error_status_is_not_tried_again(site: Site, make: Maker) -> None:
    site.on("/item/a", Reply(CAPTCHA, 503))
    with pytest.raises(Blocked):
        make().get(site.url + "/item/a")
    assert len(site.seen) == 1


def test_a_kept_answer_is_asked_for_with_its_etag(site: Site, make: Maker, tmp_path: Path) -> None:
    site.on("/a", Reply(b"one", headers={"ETag": '"v1"'}), Reply(b"", 304, headers={"ETag": '"v1"'}))
    client = make(tmp_path)
    assert client.get(site.url + "/a").body == b"one"
    again = client.get(site.url + "/a")
    assert again.body == b"one"
    assert site.seen[1].headers["If-None-Match"] == '"v1"'


def test_answers_are_kept_by_url_and_variant(site: Site, make: Maker, tmp_path: Path) -> None:
    site.on("/a", Reply(b"one"), Reply(b"two"), Reply(b"three"))
    client = make(tmp_path)
    assert client.get(site.url + "/a", {"variant": "zh-cn"}).body == b"one"
    assert client.get(site.url + "/a", {"variant": "zh-tw"}).body == b"two"
    kept = client.get(site.url + "/a", {"variant": "zh-cn"})
    assert (kept.body, kept.cached) == (b"one", True)
    client.close()
    assert client.get(site.url + "/a", {"variant": "zh-cn"}).cached


def test_a_spoilt_cache_is_done_without(site: Site, make: Maker, tmp_path: Path) -> None:
    site.on("/a", Reply(b"one"))
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    (spoilt / "http.sqlite").write_bytes(b"no database at all" * 100)
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x", encoding="utf-8")
    for folder in (spoilt, in_the_way):
        assert make(folder).get(site.url + "/a").body == b"one"


def test_a_wrong_charset_in_the_header_does_not_spoil_the_text(site: Site, make: Maker) -> None:
    text = "<p>孔子名丘，字仲尼，鲁国陬邑人。</p>"
    site.on("/lies", Reply(text.encode("utf-8"), kind="text/html; charset=gb2312"))
    site.on("/old", Reply(text.encode("gb18030"), kind="text/html; charset=utf-8"))
    site.on("/none", Reply(text.encode("gb18030"), kind="text/html"))
    client = make()
    assert [client.get(site.url + path).text for path in ("/lies", "/old", "/none")] == [text] * 3


def test_retry_after_is_read_as_seconds_or_date() -> None:
    assert retry_after("12", 0) == 12
    assert retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20) == 40
    assert retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 90) == 0
    assert retry_after("soon", 0) is None
    assert retry_after(None, 0) is None
