"""What the console prints of a talk while it is spoken."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from ui_support import Teller, make_archive, summon_tales

from chathistory.console.render import show_talk
from chathistory.domain import Event, Finished, SpeakerChosen, Token, Utterance
from chathistory.salon import Salon


@pytest.fixture
def salon(tmp_path: Path) -> Salon:
    return Salon(make_archive(tmp_path / "data", Teller()))


def printed(events: Sequence[Event], salon: Salon, capsys: pytest.CaptureFixture[str]) -> str:
    show_talk(events, salon)
    return capsys.readouterr().out


def finished(text: str) -> Finished:
    return Finished(Utterance("1", "甲", text))


def test_what_is_void_is_begun_again_on_a_new_line(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    events = [SpeakerChosen("甲", ""), Token("甲", "旧"), Token("甲", "", void=True), Token("甲", "新"), finished("新")]
    assert printed(events, salon, capsys) == "甲：旧\n（重说）新\n"


def test_a_void_before_any_word_and_a_second_one_print_nothing(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    void = Token("甲", "", void=True)
    events = [SpeakerChosen("甲", ""), void, Token("甲", "旧"), void, void, Token("甲", "新"), finished("新")]
    assert printed([*events, *events], salon, capsys) == "甲：旧\n（重说）新\n" * 2


def test_reason_and_scores_are_kept_with_what_was_said_also_when_it_is_cut(tmp_path: Path) -> None:
    speaker = Teller()
    speaker.reasoning = "想想"
    archive = make_archive(tmp_path / "other", speaker)
    summon_tales(archive, tmp_path)
    salon = Salon(archive)
    salon.join("甲先生")
    list(salon.say("您跟谁学剑？"))
    events = salon.say("您跟谁学剑？")
    while not isinstance(next(events), Token):
        pass
    events.close()
    whole, cut = (line for line in salon.history() if line.speaker == "甲先生")
    assert cut.cut
    traces = archive.traces.get_many([whole.id, cut.id])
    assert [traces[line.id].reason for line in (whole, cut)] == ["轮到他了"] * 2
    assert [traces[line.id].reasoning for line in (whole, cut)] == ["想想", ""]
    assert set(whole.passages) <= set(traces[whole.id].scores)
    assert traces[cut.id].scores == traces[whole.id].scores
    archive.close()
