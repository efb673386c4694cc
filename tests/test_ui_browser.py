"""The page in a real browser: what AppTest cannot see. Skipped where playwright or a chromium is missing."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from embedding_support import PARAGRAPHS, write_config
from llm_server import KEY, Act, LlmServer
from ui_support import HOSTILE, ROOT, TALES, Teller, make_archive, summon_tales

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECONDS = 90
INPUT = "[data-testid='stChatInputTextArea']"
IDLE = "[data-testid='stApp'][data-test-script-state='notRunning']"

LINES = 10
QUESTIONS = (
    "三位好，请问各位的老师是谁？",
    "苏先生，您写过书吗？",
    "李先生，您和杜甫是怎么认识的？",
    "孔先生，您离开鲁国以后去了哪里？",
    "您的母亲是谁？",
    "苏格拉底，您的妻子是谁？",
    "李白，您最喜欢喝酒吗？",
    "孔子，您的弟子有哪些？",
    "诸位，什么是学问？",
    "诸位再会。",
)

SLOW_APP = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
import ui_support
from chathistory.ui import house, render
speaker = ui_support.SlowTeller()
house.open_archive = lambda config, data: ui_support.make_archive(Path(data), speaker)
render(Path({root!r}))
"""

JUDGED_APP = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
import ui_support
from chathistory.director.llm import LlmJudge
from chathistory.models.api import Api
from chathistory.models.openai_compatible import OpenAIChat
from chathistory.ui import house, render
judge = LlmJudge(OpenAIChat(Api("hanging", {url!r}, {key!r}), "m"), seconds=60)
house.open_archive = lambda config, data: ui_support.make_archive(Path(data), ui_support.Teller(), judge)
render(Path({root!r}))
"""


@contextmanager
def serving(script: Path, data: Path, config: Path | None = None) -> Iterator[str]:
    """Run Streamlit on a free port and a data folder; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (data / "streamlit.log").open("w", encoding="utf-8")
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port)],
        cwd=ROOT,
        env=os.environ | {"CHATHISTORY_DATA": str(data), "CHATHISTORY_CONFIG": str(config or "")},
        stdout=log,
        stderr=log,
    )
    try:
        pause = threading.Event()
        for _ in range(SECONDS * 5):
            try:
                urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2).close()
                break
            except OSError:
                assert process.poll() is None, (data / "streamlit.log").read_text(encoding="utf-8")
                pause.wait(0.2)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(SECONDS)
        log.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def samples_url(summoned: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real page on a copy of the summoned samples."""
    data = tmp_path_factory.mktemp("web") / "data"
    shutil.copytree(summoned, data)
    with serving(ROOT / "sl_UI.py", data) as url:
        yield url


@pytest.fixture(scope="module")
def slow_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page on a house of two made-up people who speak slowly."""
    folder = tmp_path_factory.mktemp("slow")
    archive = make_archive(folder / "data", Teller())
    summon_tales(archive, folder)
    archive.close()
    script = folder / "slow_app.py"
    script.write_text(SLOW_APP.format(root=str(ROOT), tests=str(ROOT / "tests")), encoding="utf-8")
    with serving(script, folder / "data") as url:
        yield url


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[tuple[LlmServer, str]]:
    """A house whose director is a model that never answers, and the page of it."""
    archive = make_archive(tmp_path / "data", Teller())
    summon_tales(archive, tmp_path)
    archive.close()
    with LlmServer() as server:
        server.otherwise = Act(hang=True)
        script = tmp_path / "judged_app.py"
        text = JUDGED_APP.format(root=str(ROOT), tests=str(ROOT / "tests"), url=server.url, key=KEY)
        script.write_text(text, encoding="utf-8")
        with serving(script, tmp_path / "data") as url:
            yield server, url


@pytest.fixture
def paid(tmp_path: Path) -> Iterator[tuple[LlmServer, str]]:
    """The real page whose embedder is to be paid for."""
    with LlmServer() as server:
        config = write_config(tmp_path, server)
        (tmp_path / "data").mkdir()
        with serving(ROOT / "sl_UI.py", tmp_path / "data", config) as url:
            yield server, url


def visit(browser: Any, url: str, width: int = 1280, height: int = 900) -> Any:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(SECONDS * 1000)
    page.goto(url)
    page.wait_for_selector(INPUT)
    page.wait_for_selector(IDLE)
    return page


def seat(page: Any, name: str) -> None:
    card = page.locator(".st-key-ui_cards [class*=st-key-ui_card_]", has=page.locator(f"strong:text-is('{name}')"))
    card.get_by_text("请入座").click()
    card.get_by_text("在座", exact=True).wait_for()
    page.wait_for_selector(IDLE)


def say(page: Any, text: str) -> None:
    page.locator(f"{INPUT}:not([disabled])").fill(text)
    page.locator(f"{INPUT}:not([disabled])").press("Enter")
    page.locator("[data-testid=stChatMessage]", has_text=text).first.wait_for()


def write(page: Any, label: str, text: str) -> None:
    field = page.get_by_role("textbox", name=label)
    field.fill(text)
    field.press("Enter")
    page.wait_for_selector(IDLE)


def test_samples_talk_for_ten_lines_open_their_sources_and_are_still_there_after_a_reload(
    browser: Any, samples_url: str
) -> None:
    page = visit(browser, samples_url)
    for name in ("孔子", "苏格拉底", "李白"):
        seat(page, name)
    lines = page.locator("[data-testid=stChatMessage]")
    asked = 0
    while lines.count() < LINES:
        say(page, QUESTIONS[asked])
        page.get_by_text(re.compile("请您说")).wait_for()
        page.wait_for_selector(IDLE)
        asked += 1
    spoken = lines.locator("[data-testid=stText]").all_inner_texts()
    speakers = {name for name in ("孔子", "苏格拉底", "李白") if lines.locator(f"strong:text-is('{name}')").count()}
    assert len(speakers) == 3
    chip = lines.locator("[data-testid=stPopoverButton]").first
    chip.click()
    page.locator("[data-testid=stPopoverBody]").get_by_text("相关度").first.wait_for()
    page.reload()
    page.wait_for_selector(IDLE)
    lines.filter(has_text=QUESTIONS[0]).first.wait_for()
    assert lines.locator("[data-testid=stText]").all_inner_texts() == spoken
    chip.click()
    page.locator("[data-testid=stPopoverBody]").get_by_text("相关度").first.wait_for()
    page.close()


def test_a_file_is_summoned_while_the_page_tells_how_far_it_is(browser: Any, slow_url: str, tmp_path: Path) -> None:
    tale = tmp_path / "丙先生.txt"
    tale.write_text(TALES["甲先生"].replace("甲", "丙"), encoding="utf-8")
    page = visit(browser, slow_url)
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(tale)
    page.locator("[data-testid=stFileChip]").wait_for()
    page.locator("[data-testid=stSidebar] [data-testid=stFormSubmitButton] button").click()
    page.locator("[class*=st-key-ui_member_]", has_text="丙先生").wait_for()
    page.locator("h2", has_text="丙先生在座").wait_for()
    page.close()


def test_the_stop_button_ends_an_utterance_and_keeps_what_was_said(browser: Any, slow_url: str) -> None:
    page = visit(browser, slow_url)
    seat(page, "甲先生")
    say(page, "请说。")
    page.locator("[data-testid=stChatMessage] [data-testid=stText]", has_text="甲先生").wait_for()
    assert page.get_by_text("未说完").count() == 0 or not page.get_by_text("未说完").first.is_visible()
    page.locator("[data-testid=stChatInputStopButton]").click()
    page.wait_for_selector(IDLE)
    page.get_by_text("未说完").first.wait_for()
    page.reload()
    page.locator("[data-testid=stChatMessage]", has_text="未说完").wait_for()
    page.close()


def test_while_the_director_thinks_the_welcome_is_gone_and_stop_reaches_its_socket(
    browser: Any, hanging: tuple[LlmServer, str]
) -> None:
    server, url = hanging
    page = visit(browser, url)
    seat(page, "甲先生")
    seat(page, "乙先生")
    say(page, "谁先说？")
    server.wait_seen(1)
    page.locator(".st-key-ui_cards").wait_for(state="detached", timeout=5000)
    assert page.locator(IDLE).count() == 0
    assert server.seen[0].closed_at is None
    page.locator("[data-testid=stChatInputStopButton]").click()
    page.wait_for_selector(IDLE, timeout=5000)
    assert server.wait_closed(server.seen[0], 1.0) is not None
    page.locator("[data-testid=stChatMessage]", has_text="谁先说？").wait_for()
    page.close()


def test_what_a_summons_costs_outlives_a_reload_and_is_declined_tried_again_and_agreed_to(
    browser: Any, paid: tuple[LlmServer, str]
) -> None:
    server, url = paid
    page = visit(browser, url)
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "李白.md", "mimeType": "text/markdown", "buffer": "\n\n".join(PARAGRAPHS).encode()}
    )
    page.locator("[data-testid=stFileChip]").wait_for()
    page.locator("[data-testid=stSidebar] [data-testid=stFormSubmitButton] button").click()
    question = page.locator("[class*=st-key-ui_asking_]")
    question.get_by_text(re.compile("句转成向量.*CNY")).wait_for()
    page.reload()
    question.get_by_text(re.compile("句转成向量.*CNY")).wait_for()
    assert server.seen == []
    question.get_by_role("button", name="算了").click()
    page.get_by_text("什么也没有花").wait_for()
    page.get_by_role("button", name="再试一次").click()
    question.get_by_role("button", name="召来").click()
    page.locator("[class*=st-key-ui_member_]", has_text="李白").wait_for()
    assert server.seen
    page.close()


def test_opening_a_source_does_not_end_a_running_utterance(browser: Any, slow_url: str) -> None:
    page = visit(browser, slow_url)
    seat(page, "甲先生")
    say(page, "请说。")
    page.get_by_text(re.compile("请您说")).wait_for()
    say(page, "请再说。")
    page.locator("[data-testid=stChatMessage] [data-testid=stPopoverButton]").first.click()
    page.locator("[data-testid=stPopoverBody]").wait_for()
    page.locator("[data-testid=stChatMessage]").nth(3).locator("[data-testid=stPopoverButton]").wait_for()
    assert page.get_by_text("未说完").count() == 0
    page.close()


def test_markup_of_users_and_pages_shows_literally(browser: Any, slow_url: str) -> None:
    page = visit(browser, slow_url)
    seat(page, "乙先生")
    say(page, HOSTILE)
    page.get_by_text(re.compile("请您说")).wait_for()
    assert page.locator("[data-testid=stChatMessage] [data-testid=stText]").first.inner_text() == HOSTILE
    assert page.locator("[data-testid=stChatMessage]").locator("b, a, h1, .katex").count() == 0
    page.close()


def test_a_phone_shows_the_talk_without_scrolling_sideways(browser: Any, slow_url: str) -> None:
    page = visit(browser, slow_url, width=390, height=844)
    seat(page, "甲先生")
    say(page, "很" * 200 + "x" * 200)
    page.get_by_text(re.compile("请您说")).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    main = page.locator("[data-testid=stMainBlockContainer]")
    assert main.evaluate("element => element.scrollWidth") <= 390
    page.close()


# the last one: when the settings are cleared again, an embedded speaker stands where the slow one stood
def test_a_model_is_tried_saved_and_speaks_with_its_reasoning_folded(browser: Any, slow_url: str) -> None:
    with LlmServer() as server:
        server.decide = lambda seen: (
            Act(text="我在青山学剑。", reasoning="先想想青山。") if seen.body.get("stream") else Act(text="1")
        )
        page = visit(browser, slow_url)
        page.get_by_text("设置", exact=True).first.click()
        page.get_by_role("tab", name="大模型").click()
        write(page, "网址", server.url)
        page.wait_for_function("[...document.querySelectorAll('input')].some(one => one.value === '自己写网址')")
        write(page, "密钥", KEY)
        page.get_by_role("button", name="试一下").click()
        page.get_by_text(re.compile(r"秒答了")).wait_for()
        page.get_by_role("button", name="保存").click()
        page.get_by_text(re.compile("存下了")).wait_for()
        assert KEY not in page.content()
        seat(page, "甲先生")
        say(page, "您在哪里学剑？")
        answer = page.locator("[data-testid=stChatMessage]", has_text="我在青山学剑。").first
        answer.wait_for()
        page.get_by_text(re.compile("请您说")).wait_for()
        assert not page.get_by_text("先想想青山。").first.is_visible()
        answer.get_by_text("思考过程").click()
        page.get_by_text("先想想青山。").first.wait_for()
        page.get_by_role("button", name="清除").click()
        page.get_by_text(re.compile("忘掉了")).wait_for()
        page.close()
