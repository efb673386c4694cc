"""Questions that are suggested have an answer."""

from pathlib import Path

import pytest

from chathistory.config import Config, Tables
from chathistory.domain import Finished
from chathistory.errors import UnknownPersona
from chathistory.salon import Archive, Salon
from chathistory.salon.answering import has_answer
from chathistory.ui.starters import starters


def test_what_is_suggested_is_answered_with_a_source(summoned: Path) -> None:
    archive = Archive(Config(Tables(), summoned), summoned)
    archive.seed(1)
    for row in archive.rows():
        loaded = archive.load(row.name)
        asked = starters([row.article], "talk", lambda name, question: has_answer(archive, name, question))
        assert len(asked) >= 2, row.name
        assert any(loaded.answers.values())
        for question in asked:
            salon = Salon(archive)
            salon.join(row.name)
            said = [event.utterance for event in salon.say(question, max_round=1) if isinstance(event, Finished)]
            assert said[0].passages, (row.name, question, said[0].text)
    archive.close()


def test_what_nobody_ever_told_is_not_and_is_tried_once(summoned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive(Config(Tables(), summoned), summoned)
    held = archive.load("孔子")
    assert has_answer(archive, "孔子", "您的老师是谁？")
    assert not has_answer(archive, "孔子", "您怎么看量子计算机的芯片？")
    monkeypatch.setattr(type(held.persona), "recall_for", None)
    assert has_answer(archive, "仲尼", "您的老师是谁？")
    with pytest.raises(UnknownPersona):
        has_answer(archive, "张三丰", "您的老师是谁？")
    archive.close()
