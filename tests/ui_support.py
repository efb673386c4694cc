"""A small house for tests of the web salon: two made-up people, a speaker that says what it is told, no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from chathistory.config import Config, Tables
from chathistory.domain import END, Choice, Extraction, Fact, Figure, Passage, Scene, SpeechRequest, Spoken, Void
from chathistory.knowledge import RecallParams
from chathistory.models.protocols import Judge
from chathistory.salon import Archive, Makers, Salon
from chathistory.testing import HashEmbedder

ROOT = Path(__file__).resolve().parents[1]
HOSTILE = "*甲* # $x^2$ <b>粗</b> :material/star: -> [链](http://a.b) `码`"

TALES = {
    "甲先生": "甲先生，生于公元600年，卒于公元650年。\n\n甲先生少年时在青山学剑，师从白鹤道人。\n\n甲先生娶了李小花。",
    "乙先生": "乙先生，生于公元610年，卒于公元660年。\n\n乙先生一生种菊，住在东篱。\n\n" + HOSTILE + "乙先生写在墙上。",
}


class OneFact:
    """An extractor that reads one fact out of every passage."""

    maker = "test"
    version = "1"

    def extract(self, passage: Passage, figure: Figure) -> Extraction:
        """Return the figure and the passage's first characters."""
        return Extraction(passage.id, (figure.name, passage.text[:4]), (Fact(figure.name, "提到", passage.text[:4]),))


class Teller:
    """A speaker that tells the first recalled passage in two pieces; ``before_end`` runs between them.

    ``first_try`` is said before and voided.
    """

    def __init__(self) -> None:
        self.before_end: Callable[[], None] = lambda: None
        self.reasoning = ""
        self.words: str | None = None
        self.first_try = ""

    def speak(self, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
        """Say the passage, or the words that were set."""
        passage = request.recall.recollections[0].passage
        words = self.words if self.words is not None else passage.text
        half = len(words) // 2
        if self.first_try:
            yield self.first_try
            yield Void()
        yield words[:half]
        self.before_end()
        yield words[half:]
        return Spoken(words, (passage.id,), reasoning=self.reasoning)


class SlowTeller(Teller):
    """A speaker as slow as a model: a character at a time."""

    def speak(self, request: SpeechRequest) -> Generator[str, None, Spoken]:
        """Say the passage three times over, slowly."""
        passage = request.recall.recollections[0].passage
        words = passage.text * 3
        pause = threading.Event()
        for character in words:
            yield character
            pause.wait(0.04)
        return Spoken(words, (passage.id,))


class RoundTable:
    """A judge that lets everybody online speak once, in order."""

    def choose(self, scene: Scene) -> Choice:
        """Return the next one in the roster, END when all have spoken."""
        online = [member.name for member in scene.roster if member.online]
        if scene.spoken >= len(online):
            return Choice(END, "都说过了")
        return Choice(online[scene.spoken], "轮到他了")


def make_archive(folder: Path, speaker: Teller, judge: Judge | None = None) -> Archive:
    """Open a data folder on the small makers; the blacklist of the folder holds 恶人."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "blacklist").write_text("恶人\n", encoding="utf-8")
    makers = Makers(HashEmbedder(), OneFact(), speaker, judge or RoundTable(), None, RecallParams())
    return Archive(Config(Tables(), folder), folder, makers=makers)


def summon_tales(archive: Archive, folder: Path) -> None:
    """Summon the two made-up people from files."""
    for name, text in TALES.items():
        path = folder / f"{name}.txt"
        path.write_text(text, encoding="utf-8")
        for _ in Salon(archive).summon(name, str(path)):
            pass


def shown(page: AppTest) -> str:
    """Return all texts that a page shows literally."""
    return "\n".join(str(element.value) for element in page.text)
