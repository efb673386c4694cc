"""The database is asked once a run who was summoned, however many parts of the page show it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from ui_support import ROOT, Teller, make_archive, shown, summon_tales

from chathistory.salon import Archive, Salon
from chathistory.ui import house as house_room
from chathistory.ui.deck import Deck


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    archive = make_archive(tmp_path / "data", Teller())
    monkeypatch.setenv("CHATHISTORY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(house_room, "open_archive", lambda config, data: archive)
    summon_tales(archive, tmp_path)
    return archive


def test_a_rerun_asks_once_and_sees_who_came_meanwhile(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = AppTest.from_file(str(ROOT / "sl_UI.py"), default_timeout=60).run()
    assert not page.exception
    asked: list[int] = []
    rows = archive.rows

    def counted() -> list:  # type: ignore[type-arg]
        asked.append(1)
        return rows()

    tale = tmp_path / "丙先生.txt"
    tale.write_text("丙先生，生于公元620年。", encoding="utf-8")
    for _ in Salon(archive).summon("丙先生", str(tale)):
        pass
    monkeypatch.setattr(archive, "rows", counted)
    page.run()
    assert not page.exception
    assert len(asked) == 1
    assert "丙先生" in shown(page) + "".join(one.value for one in page.markdown)


def test_a_fragment_that_runs_again_by_itself_looks_anew(archive: Archive) -> None:
    salon = Salon(archive)
    deck = Deck(salon)
    assert deck.cards_for("roster") is deck.cards_for("memory") is deck.cards
    salon.join("甲先生")
    assert [card.online for card in deck.cards_for("roster")] == [True, False]
    assert [card.online for card in deck.cards] == [False, False]
