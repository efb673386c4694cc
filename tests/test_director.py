"""Who speaks next, and when to stop."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.director import main as benchmark
from benchmarks.director import run, scene_of
from chathistory.director import EmbeddedJudge, RandomJudge, choose, read_address
from chathistory.domain import END, USER, Choice, Line, Member, Scene
from chathistory.errors import ModelTimeout
from chathistory.models.protocols import Judge
from chathistory.text import NameReader

OWN = Path(__file__).parent / "fixtures" / "director_cases.json"
SHARED = Path(__file__).parents[1].parent / "shared" / "bench" / "zh_history" / "director_cases.json"
SCENES: list[dict[str, Any]] = json.loads(OWN.read_text(encoding="utf-8"))["scenes"]
ROOM = (Member("孔子", ("仲尼",)), Member("老子", ("老聃",)), Member("墨子", ("墨翟",)))


def scene(
    *lines: str, roster: tuple[Member, ...] = ROOM, relevance: Callable[[str, str], float] | None = None
) -> Scene:
    """Lines are '谁|话'; a line without a bar is the user's."""
    history = tuple(Line(*line.split("|", 1)) if "|" in line else Line(USER, line) for line in lines)
    personas = [line.speaker for line in history if line.speaker != USER]
    users = [i for i, line in enumerate(history) if line.speaker == USER]
    spoken = len(history) - 1 - users[-1] if users else len(history)
    return Scene(roster, history, personas[-1] if personas else None, relevance, spoken)


class Fixed:
    """A judge that always says the same."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, scene: Scene) -> Choice:
        return Choice(self.name, "定")


class Failing:
    """A judge whose model does not answer."""

    def choose(self, scene: Scene) -> Choice:
        raise ModelTimeout("超时")


def talk(
    first: str, judge: Judge, roster: tuple[Member, ...] = ROOM, says: Callable[[str], str] = lambda name: "如此。"
) -> list[str]:
    """Who speaks after one line of the user, until END or eight utterances."""
    lines, speakers = [first], []
    while len(speakers) < 8:
        choice = choose(scene(*lines, roster=roster), judge)
        if choice.name == END:
            break
        speakers.append(choice.name)
        lines.append(f"{choice.name}|{says(choice.name)}")
    return speakers


@pytest.mark.parametrize("case", SCENES, ids=[f"{c['id']}-{c['category']}" for c in SCENES])
def test_every_scene_written_beforehand_comes_out_right(case: dict[str, Any]) -> None:
    choice = choose(scene_of(case), EmbeddedJudge())
    expect = case["expect"][:1] if case["category"] == "two_mentioned" else case["expect"]
    assert choice.name in expect
    assert choice.reason


def test_the_own_cases_cover_every_kind_and_leave_the_outcome_open_to_be_wrong() -> None:
    assert len(SCENES) >= 80
    assert len({case["category"] for case in SCENES}) >= 20
    broken = {"scenes": [{**SCENES[0], "expect": ["无此人"]}], "parse_cases": []}
    assert run(broken)[0]["wrong"] == [SCENES[0]["id"]]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared scenes are not beside this checkout")
def test_the_shared_scenes_are_all_right() -> None:
    counts, told = run(json.loads(SHARED.read_text(encoding="utf-8")))
    assert not told
    assert counts["scenes_right"] == counts["scenes"] > 0


def test_the_benchmark_prints_its_contract(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert benchmark([str(OWN), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert set(counts) == {"scenes", "scenes_right", "parse_cases", "parse_right", "wrong"}
    assert benchmark([str(OWN)]) == 0
    assert benchmark([str(tmp_path / "none.json")]) == 1


def test_one_who_is_asked_answers_and_the_floor_goes_back() -> None:
    assert talk("墨子，何谓兼爱？", EmbeddedJudge()) == ["墨子"]


def test_two_who_are_asked_answer_in_the_order_named() -> None:
    assert talk("请墨子和孔子谈谈爱。", EmbeddedJudge()) == ["墨子", "孔子"]


def test_everyone_speaks_once_when_the_room_is_asked() -> None:
    assert Counter(talk("大家怎么看？", EmbeddedJudge())) == Counter(["孔子", "老子", "墨子"])


def test_everyone_but_the_excluded_one_speaks() -> None:
    assert Counter(talk("除了孔子，大家都说说。", EmbeddedJudge())) == Counter(["老子", "墨子"])


def test_a_question_to_nobody_gets_one_answer_without_memories() -> None:
    assert len(talk("水往哪里流？", EmbeddedJudge())) == 1


def test_personas_questioning_each_other_come_to_an_end() -> None:
    asks = {"孔子": "老聃先生，您以为如何？", "老子": "仲尼，你说呢？", "墨子": "孔子先生，您以为如何？"}
    speakers = talk("孔子，何谓道？", EmbeddedJudge(), says=lambda name: asks[name])
    assert speakers[:3] == ["孔子", "老子", "孔子"]
    assert max(Counter(speakers).values()) <= 2


def test_the_best_memory_answers_a_question_to_nobody() -> None:
    knows = {"孔子": 0.1, "老子": 0.9, "墨子": 0.3}
    heard: list[str] = []

    def relevance(name: str, text: str) -> float:
        heard.append(text)
        return knows[name]

    choice = EmbeddedJudge().choose(scene("水往哪里流？", relevance=relevance))
    assert choice.name == "老子"
    assert set(heard) == {"水往哪里流？"}


def test_somebody_with_much_to_say_joins_in_and_nobody_with_little() -> None:
    lines = ("水往哪里流？", "老子|处下。")
    assert EmbeddedJudge().choose(scene(*lines, relevance=lambda n, _: {"墨子": 0.9}.get(n, 0.2))).name == "墨子"
    assert EmbeddedJudge().choose(scene(*lines, relevance=lambda n, _: 0.2)).name == END


def test_nobody_answers_for_the_absent_without_knowing_the_matter() -> None:
    roster = (Member("孔子", online=False), Member("老子"))
    assert EmbeddedJudge().choose(scene("孔子，您饿过吗？", roster=roster, relevance=lambda n, _: 0.1)).name == END
    assert EmbeddedJudge().choose(scene("孔子，您饿过吗？", roster=roster, relevance=lambda n, _: 0.9)).name == "老子"


def test_without_a_line_nobody_speaks() -> None:
    assert EmbeddedJudge().choose(scene()).name == END
    assert EmbeddedJudge().choose(Scene(ROOM, (Line("系统", "开始"),))).name == END


def test_without_a_user_the_personas_still_answer_each_other() -> None:
    assert EmbeddedJudge().choose(scene("孔子|老聃先生，何谓道？")).name == "老子"
    assert EmbeddedJudge().choose(scene("孔子|今日天晴。")).name == END


def test_an_unnamed_pair_is_the_last_two_who_spoke() -> None:
    lines = ("大家好", "墨子|好。", "孔子|好。", "你们俩谁年长？")
    assert EmbeddedJudge().choose(scene(*lines)).name == "墨子"


def test_when_all_present_are_asked_to_be_silent_nobody_speaks() -> None:
    assert EmbeddedJudge().choose(scene("孔子别说话。", roster=ROOM[:1])).name == END


@pytest.mark.parametrize("name", ["孔子", "无名氏"])
def test_a_judge_cannot_give_the_floor_to_one_who_may_not_speak(name: str) -> None:
    roster = (Member("孔子", muted=True), Member("老子"), Member("墨子"))
    choice = choose(scene("老子您说。", roster=roster), Fixed(name))
    assert choice.name == "老子"
    assert "改用规则" in choice.reason


def test_a_judge_cannot_let_one_speak_twice_in_a_row() -> None:
    choice = choose(scene("孔子，仁？", "孔子|爱人。"), Fixed("孔子"))
    assert choice.name == END
    assert "不连续发言" in choice.reason


def test_a_failing_model_is_replaced_and_named() -> None:
    choice = choose(scene("墨子您说。"), Failing())
    assert choice.name == "墨子"
    assert "ModelTimeout" in choice.reason


def test_the_cap_ends_the_round_whatever_the_judge_says() -> None:
    lines = ("大家说说。", "孔子|一。", "老子|二。")
    assert choose(scene(*lines), Fixed("墨子"), max_round=2).name == END
    assert choose(scene(*lines), Fixed("墨子"), max_round=3).name == "墨子"


def test_a_sound_choice_passes_unchanged() -> None:
    assert choose(scene("各位？"), Fixed("墨子")) == Choice("墨子", "定")
    assert choose(scene("各位？"), Fixed(END)) == Choice(END, "定")


def test_nobody_online_ends_before_the_judge_is_asked() -> None:
    roster = tuple(Member(m.name, online=False) for m in ROOM)
    assert choose(scene("有人吗？", roster=roster), Failing()).name == END
    assert EmbeddedJudge().choose(scene("有人吗？", roster=roster)).name == END


def test_random_mode_draws_from_those_who_may_speak_and_the_end() -> None:
    roster = (Member("孔子"), Member("老子", online=False), Member("墨子", muted=True), Member("孟子"))
    judge = RandomJudge(random.Random(7))
    drawn = Counter(judge.choose(scene("说说", roster=roster)).name for _ in range(600))
    assert set(drawn) == {"孔子", "孟子", END}
    assert min(drawn.values()) > 150


def test_random_mode_never_repeats_at_once_and_obeys_its_seed() -> None:
    one = [RandomJudge(random.Random(3)).choose(scene("说说")).name for _ in range(3)]
    assert len(set(one)) == 1
    judge = RandomJudge(random.Random(1))
    assert all(judge.choose(scene("说说", "孔子|好。")).name != "孔子" for _ in range(200))
    assert judge.choose(scene("说说", "孔子|好。", roster=ROOM[:1])).name == END


def test_random_mode_lets_the_last_one_speak_after_a_new_line() -> None:
    judge = RandomJudge(random.Random(1))
    assert "孔子" in {judge.choose(scene("说说", "孔子|好。", "再说说")).name for _ in range(50)}


@given(
    st.lists(
        st.sampled_from(["孔子您说", "大家说说", "老子|墨翟先生？", "孔子|好。", "墨子|诸位？", "再见", "", "谁来？"]),
        max_size=6,
    ),
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=3, max_size=3),
    st.sampled_from(["孔子", "老子", "墨子", END, "鬼"]),
)
@settings(max_examples=150, deadline=None)
def test_whatever_happens_only_the_eligible_speak(lines: list[str], states: list[tuple[bool, bool]], says: str) -> None:
    roster = tuple(Member(m.name, m.aliases, on, mute) for m, (on, mute) in zip(ROOM, states, strict=True))
    shown = scene(*lines, roster=roster)
    able = {m.name for m in roster if m.online and not m.muted}
    for judge in (Fixed(says), EmbeddedJudge(), RandomJudge(random.Random(0))):
        choice = choose(shown, judge)
        assert choice.name in able | {END}
        assert choice.reason
        if shown.history and shown.history[-1].speaker != USER:
            assert choice.name != shown.history[-1].speaker


@given(st.text(max_size=80))
@settings(deadline=None)
def test_any_text_can_be_read_for_its_addressee(text: str) -> None:
    address = read_address(text, NameReader(ROOM))
    assert set(address.addressed) <= {m.name for m in ROOM}
    assert not set(address.addressed) & address.excluded


def test_an_unnamed_pair_stays_the_same_pair_while_it_answers() -> None:
    lines = ("大家好", "老子|好。", "墨子|好。", "孔子|好。", "你们俩谁年长？")
    first = EmbeddedJudge().choose(scene(*lines)).name
    second = EmbeddedJudge().choose(scene(*lines, f"{first}|我。")).name
    third = EmbeddedJudge().choose(scene(*lines, f"{first}|我。", f"{second}|我。")).name
    assert (first, second, third) == ("墨子", "孔子", END)


def test_an_unnamed_pair_are_the_only_two_in_the_room_and_both_answer() -> None:
    two = (*ROOM[:2], Member("墨子", ("墨翟",), online=False))
    first = choose(scene("两位怎么看勇敢？", roster=two), EmbeddedJudge()).name
    second = choose(scene("两位怎么看勇敢？", f"{first}|知其不可而为之。", roster=two), EmbeddedJudge()).name
    assert {first, second} == {"孔子", "老子"}
    third = choose(scene("两位怎么看勇敢？", "孔子|一。", "老子|二。", roster=two), EmbeddedJudge()).name
    assert third == END
