"""The facade, end to end on the shipped samples: no network, no key, nothing faked but chance and time."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from chathistory.config import Config, Tables
from chathistory.domain import (
    USER,
    Ended,
    Event,
    Failed,
    Figure,
    Finished,
    Member,
    Progress,
    Recalled,
    SpeakerChosen,
    Token,
    Year,
)
from chathistory.errors import (
    Blacklisted,
    ChatHistoryError,
    Locked,
    NotFound,
    NotOnline,
    SourceError,
    UnknownPersona,
    UnreadableFile,
)
from chathistory.salon import Archive, Salon
from chathistory.salon.doctor import examine
from chathistory.salon.logs import DailyLog, log_to
from chathistory.salon.styles import with_styles
from chathistory.text import NameReader

TALE = """甲乙丙，字丁戊，是大周的将军。甲乙丙生于公元600年，卒于公元650年。

甲乙丙少年时在青山学剑，师从白鹤道人。他学剑十年，终于有成。

甲乙丙三十岁时娶了李小花为妻。他们生了一个儿子，名叫甲小丁。
"""


def drain(steps: Iterator[Progress]) -> list[Progress]:
    return list(steps)


@pytest.fixture(scope="module")
def shared_archive(summoned: Path) -> Archive:
    """An archive with three samples, for the tests that only talk."""
    archive = Archive(Config(Tables(), summoned), summoned)
    archive.seed(1)
    return archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(Config(Tables(), tmp_path))
    archive.seed(1)
    return archive


@pytest.fixture
def tale(tmp_path: Path) -> str:
    path = tmp_path / "甲乙丙.txt"
    path.write_text(TALE, encoding="utf-8")
    return str(path)


def talk(salon: Salon, text: str, **how: object) -> list[Event]:
    return list(salon.say(text, **how))  # type: ignore[arg-type]


def spoken(events: list[Event]) -> list[tuple[str, str]]:
    return [(e.utterance.speaker, e.utterance.text) for e in events if isinstance(e, Finished)]


# --- summoning ---


def test_a_summons_goes_through_every_stage_and_tells_the_name(archive: Archive, tale: str) -> None:
    steps = drain(Salon(archive).summon("甲乙丙", tale))
    stages = list(dict.fromkeys(step.stage for step in steps))
    assert stages == ["article", "passages", "extract", "embed", "graph", "done"]
    assert steps[-1].name == "甲乙丙"
    assert all(step.done <= step.total for step in steps)
    assert all(step.message for step in steps)


def test_a_summons_leaves_the_seeds_files(archive: Archive, tale: str) -> None:
    drain(Salon(archive).summon("甲乙丙", tale))
    row = archive.get("甲乙丙")
    home = archive.data_dir / row.folder
    assert row.folder == "%E7%94%B2%E4%B9%99%E4%B8%99"
    raw = json.loads((home / "import.json").read_text(encoding="utf-8"))
    assert any("青山学剑" in text for text in raw)
    openie = json.loads((home / "openie.json").read_text(encoding="utf-8"))
    assert {"docs", "avg_ent_chars", "avg_ent_words"} <= set(openie)
    assert all(len(triple) == 3 for doc in openie["docs"] for triple in doc["extracted_triples"])
    assert (home / "avatar.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((archive.data_dir / "list.json").read_text(encoding="utf-8")) == {row.folder: "甲乙丙"}


class Counting:
    """An extractor and embedder that count what they are asked, over real ones."""

    def __init__(self, archive: Archive) -> None:
        from dataclasses import replace

        makers = archive.makers
        self.extracted: list[str] = []
        self.embedded: list[str] = []
        self.extractor, self.inner = makers.extractor, makers.embedder
        self.maker, self.version = makers.extractor.maker, makers.extractor.version
        self.model_id, self.dimension, self.note = self.inner.model_id, self.inner.dimension, ""
        self.fail_after = 10**9
        archive._makers = replace(makers, extractor=self, embedder=self)

    def extract(self, passage, figure):  # type: ignore[no-untyped-def]
        if len(self.extracted) >= self.fail_after:
            raise KeyboardInterrupt
        self.extracted.append(passage.id)
        return self.extractor.extract(passage, figure)

    def query(self, text):  # type: ignore[no-untyped-def]
        return self.inner.query(text)

    def passages(self, texts):  # type: ignore[no-untyped-def]
        if len(self.embedded) >= self.fail_after:
            raise KeyboardInterrupt
        self.embedded.extend(texts)
        return self.inner.passages(texts)


def test_a_second_summons_does_no_work_twice(archive: Archive, tale: str) -> None:
    counting = Counting(archive)
    drain(Salon(archive).summon("甲乙丙", tale))
    first = (len(counting.extracted), len(counting.embedded))
    assert first[0] >= 3
    assert first[1] == len(set(counting.embedded))
    assert [step.stage for step in drain(Salon(archive).summon("甲乙丙"))] == ["done"]
    drain(Salon(archive).summon("甲乙丙", tale))
    assert (len(counting.extracted), len(counting.embedded)) == first


def test_a_summons_broken_off_goes_on_from_there(archive: Archive) -> None:
    counting = Counting(archive)
    counting.fail_after = 40
    with pytest.raises(KeyboardInterrupt):
        drain(Salon(archive).summon("孔子"))
    with pytest.raises(UnknownPersona, match="没有做完"):
        archive.get("孔子")
    stored = len(archive.extractions.get_many(counting.extracted, "孔子", counting.maker, counting.version))
    assert 0 < stored <= 40
    counting.fail_after = 10**9
    drain(Salon(archive).summon("孔子"))
    assert len(counting.extracted) <= len(set(counting.extracted)) + 16
    assert len(counting.embedded) == len(set(counting.embedded))
    assert archive.get("孔子").state == "ready"


def test_removing_and_summoning_anew_pays_for_nothing(archive: Archive, tale: str) -> None:
    counting = Counting(archive)
    salon = Salon(archive)
    drain(salon.summon("甲乙丙", tale))
    paid = (len(counting.extracted), len(counting.embedded))
    assert salon.remove("丁戊") == "甲乙丙"
    assert archive.rows() == []
    assert not (archive.data_dir / "%E7%94%B2%E4%B9%99%E4%B8%99").exists()
    drain(salon.summon("甲乙丙", tale))
    assert (len(counting.extracted), len(counting.embedded)) == paid


def test_a_folder_of_the_seed_is_summoned_without_a_crawl(archive: Archive) -> None:
    home = archive.data_dir / "%E6%9F%90%E7%94%B2"
    home.mkdir(parents=True)
    passage = "某甲在东海钓鱼，遇见了龙王。"
    (home / "import.json").write_text(json.dumps([passage], ensure_ascii=False), encoding="utf-8")
    doc = {"idx": "0", "passage": passage, "extracted_entities": ["某甲", "龙王"]}
    doc["extracted_triples"] = [["某甲", "遇见", "龙王"], ["坏的"]]
    openie = {"docs": [doc], "avg_ent_chars": 2, "avg_ent_words": 1}
    (home / "openie.json").write_text(json.dumps(openie, ensure_ascii=False), encoding="utf-8")
    counting = Counting(archive)
    salon = Salon(archive)
    drain(salon.summon("某甲"))
    assert counting.extracted == []
    row = archive.get("某甲")
    assert [fact.parts() for fact in archive.personas.extractions(row.id)[0].facts] == [("某甲", "遇见", "龙王")]
    assert [step.stage for step in drain(salon.summon("某甲"))] == ["done"]
    found = salon.recall("某甲", "您遇见了谁？", 1)
    assert found.recollections[0].passage.text == passage


def test_an_imports_json_alone_is_enough(archive: Archive) -> None:
    home = archive.data_dir / "%E6%9F%90%E4%B9%99"
    home.mkdir(parents=True)
    texts = ["某乙是东海的渔夫，常在岛上晒网。", "某乙三十岁时渡海到了扶桑。"]
    (home / "import.json").write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    drain(Salon(archive).summon("某乙"))
    assert archive.get("某乙").name == "某乙"
    assert len(archive.personas.passages(archive.get("某乙").id)) >= 1


def test_a_folder_that_is_called_like_a_source_is_not_taken_for_it(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sample").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "自带样本" in drain(Salon(archive).summon("孔子", "sample"))[1].message


def test_the_blacklist_refuses_aliases_and_traditional_forms(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "blacklist").write_text("# 名单\n苏格拉底\n李太白\n", encoding="utf-8")
    archive = Archive(Config(Tables(), tmp_path))
    salon = Salon(archive, address="203.0.113.7")
    log_to(tmp_path / "log")
    for name in ("苏格拉底", "蘇格拉底", "Socrates", "李白"):
        with pytest.raises(Blacklisted):
            drain(salon.summon(name))
    assert archive.rows() == []
    logged = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "log").iterdir())
    assert "203.0.113.7" in logged


def test_an_unknown_name_without_a_network_says_what_to_do(archive: Archive) -> None:
    with pytest.raises(SourceError, match="不存在的人"):
        drain(Salon(archive).summon("不存在的人", "sample"))
    assert archive.rows() == []


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"", ChatHistoryError), (b"\x00\x01\x02\xff" * 200, UnreadableFile), (b"   \n\n ", ChatHistoryError)],
)
def test_a_file_that_is_no_article_is_refused_and_nothing_stored(
    archive: Archive, tmp_path: Path, content: bytes, kind: type[Exception]
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    with pytest.raises(kind):
        drain(Salon(archive).summon("某人", str(path)))
    assert archive.rows() == []


def test_a_missing_file_is_a_named_error(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises((NotFound, UnreadableFile)):
        drain(Salon(archive).summon("某人", str(tmp_path / "没有.html")))


def test_a_failed_summons_leaves_the_old_persona(archive: Archive, tale: str, tmp_path: Path) -> None:
    salon = Salon(archive)
    drain(salon.summon("甲乙丙", tale))
    before = archive.personas.passages(archive.get("甲乙丙").id)
    bad = tmp_path / "bad.html"
    bad.write_bytes(b"\x00" * 5000)
    with pytest.raises(ChatHistoryError):
        drain(salon.summon("甲乙丙", str(bad)))
    assert archive.personas.passages(archive.get("甲乙丙").id) == before


def test_two_at_once_on_one_figure_is_refused_by_name(archive: Archive, tale: str) -> None:
    first = Salon(archive).summon("甲乙丙", tale)
    next(first)
    other = Archive(Config(Tables(), archive.config.root))
    with pytest.raises(Locked, match="甲乙丙"):
        drain(Salon(other).summon("甲乙丙", tale))
    drain(first)
    assert archive.get("甲乙丙").state == "ready"


# --- the talk ---


def test_three_samples_talk_for_ten_lines_and_every_line_has_its_passages(shared_archive: Archive) -> None:
    salon = Salon(shared_archive, rng=random.Random(3))
    for name in ("孔子", "苏格拉底", "李白"):
        salon.join(name)
    questions = [
        "各位，怎样才算有智慧？",
        "孔子先生，您为什么离开鲁国？",
        "苏格拉底，您为什么不逃走？",
        "李太白，您是怎么认识杜甫的？",
        "大家最爱喝什么？",
    ]
    lines = 0
    for question in questions:
        events = talk(salon, question)
        assert isinstance(events[-1], Ended)
        for event in events:
            if isinstance(event, Finished):
                lines += 1
                row = shared_archive.get(event.utterance.speaker)
                known = {p.id for p in shared_archive.personas.passages(row.id)}
                assert set(event.utterance.passages) <= known
                assert event.utterance.text
                assert len(event.utterance.text) <= 200
    assert lines >= 7
    assert len(salon.history()) == lines + len(questions)


def test_who_is_addressed_by_an_alias_answers_and_the_floor_comes_back(shared_archive: Archive) -> None:
    salon = Salon(shared_archive)
    salon.join("孔子")
    salon.join("苏格拉底")
    events = talk(salon, "仲尼，您的儿子叫什么名字？")
    speakers = [name for name, _ in spoken(events)]
    assert speakers[0] == "孔子"
    assert "鲤" in spoken(events)[0][1]
    assert isinstance(events[-1], Ended)


def test_the_events_come_in_order_and_tokens_make_the_utterance(shared_archive: Archive) -> None:
    salon = Salon(shared_archive)
    salon.join("孔子")
    events = talk(salon, "孔子，您最喜欢哪个弟子？", max_round=1)
    kinds = [type(event) for event in events]
    assert kinds[:2] == [SpeakerChosen, Recalled]
    assert kinds[-2:] == [Finished, Ended]
    text = "".join(event.text for event in events if isinstance(event, Token))
    finished = next(event for event in events if isinstance(event, Finished))
    assert text == finished.utterance.text
    assert [p.id for p in salon.passages(finished.utterance)] == list(finished.utterance.passages)


def test_max_round_is_a_hard_cap(shared_archive: Archive) -> None:
    salon = Salon(shared_archive)
    for name in ("孔子", "苏格拉底", "李白"):
        salon.join(name)
    assert len(spoken(talk(salon, "大家都说说，什么是勇敢？", max_round=2))) == 2


def test_random_mode_is_repeatable_and_never_repeats_a_speaker_at_once(shared_archive: Archive) -> None:
    def run(seed: int) -> list[str]:
        salon = Salon(shared_archive, rng=random.Random(seed))
        for name in ("孔子", "苏格拉底", "李白"):
            salon.join(name)
        return [name for name, _ in spoken(talk(salon, "随便聊聊。", mode="random", max_round=6))]

    runs = [run(seed) for seed in range(6)]
    assert runs == [run(seed) for seed in range(6)]
    assert len({tuple(one) for one in runs}) > 1
    assert all(a != b for one in runs for a, b in itertools.pairwise(one))


def test_joining_and_leaving_while_the_talk_goes_on(shared_archive: Archive) -> None:
    salon = Salon(shared_archive)
    assert spoken(talk(salon, "有人吗？")) == []
    assert salon.join("Confucius") == "孔子"
    salon.join("孔子")
    assert salon.online == ["孔子"]
    events = salon.say("孔子，您好。", max_round=3)
    next(events)
    salon.join("李白")
    list(events)
    assert salon.leave("仲尼") == "孔子"
    assert salon.online == ["李白"]
    with pytest.raises(NotOnline, match="李白"):
        salon.leave("孔子")
    with pytest.raises(UnknownPersona, match="summon"):
        salon.join("关羽")


def test_leaving_frees_the_memory(shared_archive: Archive) -> None:
    import gc

    salon = Salon(shared_archive)
    salon.join("孔子")
    row = shared_archive.get("孔子")
    assert row.id in shared_archive._loaded
    salon.leave("孔子")
    gc.collect()
    assert row.id not in shared_archive._loaded


def test_a_stopped_utterance_keeps_what_was_said(shared_archive: Archive) -> None:
    salon = Salon(shared_archive)
    salon.join("孔子")
    events = salon.say("孔子，什么是仁？")
    said = ""
    for event in events:
        if isinstance(event, Token):
            said += event.text
            break
    events.close()  # type: ignore[attr-defined]
    last = salon.history()[-1]
    assert (last.speaker, last.text, last.cut) == ("孔子", said, True)
    assert spoken(talk(salon, "孔子，请接着说。"))


def test_a_speaker_that_fails_hands_the_floor_back_and_the_next_line_works(shared_archive: Archive) -> None:
    from dataclasses import replace

    from chathistory.errors import ModelTimeout

    class Broken:
        def speak(self, request):  # type: ignore[no-untyped-def]
            yield "我以为"
            raise ModelTimeout("模型没有回答。再试一次。")

    salon = Salon(shared_archive)
    salon.join("孔子")
    loaded = salon._online["孔子"]
    whole = loaded.persona
    loaded.persona = replace(whole, speaker=Broken())
    events = talk(salon, "孔子，您好。")
    assert any(isinstance(event, Failed) and event.error == "ModelTimeout" for event in events)
    assert isinstance(events[-1], Ended)
    assert salon.history()[-1].text == "我以为"
    loaded.persona = whole
    assert spoken(talk(salon, "孔子，您好。"))


def test_a_talk_comes_back_with_its_members_and_lines(shared_archive: Archive) -> None:
    salon = Salon(shared_archive, circle="a")
    salon.join("孔子")
    talk(salon, "孔子，您好。")
    again = Salon(shared_archive, circle="a", talk_id=salon.talk_id)
    assert again.online == ["孔子"]
    assert again.history() == salon.history()
    assert again.history()[0].speaker == USER
    stranger = Salon(shared_archive, circle="b", talk_id=salon.talk_id)
    assert stranger.history() == []


def test_the_one_sovereign_in_the_room_is_meant_by_his_style() -> None:
    emperor = Figure("秦始皇", ("嬴政",), None, Year(-210, "前210年"), (("在位", "前221年—前210年"), ("朝代", "秦朝")))
    empress = Figure("武则天", ("武曌",), None, Year(705, "705年"), (("年号", "天授"), ("朝代", "武周")))
    teacher = Figure("孔子", ("仲尼",), None, Year(-479, "前479年"), (("国籍", "鲁国"), ("字", "仲尼")))
    roster = tuple(Member(figure.name, figure.aliases) for figure in (emperor, empress, teacher))
    alone = with_styles(roster, {"秦始皇": emperor, "孔子": teacher})
    assert NameReader(alone).resolve("陛下") == "秦始皇"
    both = with_styles(roster, {"秦始皇": emperor, "武则天": empress})
    assert NameReader(both).resolve("陛下") is None


# --- doctor and log ---


def test_doctor_finds_a_healthy_house_healthy_and_a_half_summons_not(archive: Archive, tale: str) -> None:
    drain(Salon(archive).summon("甲乙丙", tale))
    assert all(check.ok for check in examine(archive))
    half = Salon(archive).summon("孔子")
    for step in half:
        if step.stage == "extract":
            break
    half.close()  # type: ignore[attr-defined]
    bad = [check for check in examine(archive) if not check.ok]
    assert [check.name for check in bad] == ["人物 孔子"]
    assert "summon 孔子" in bad[0].detail


def test_the_log_blots_out_keys(tmp_path: Path) -> None:
    import logging

    handler = DailyLog(tmp_path, ["sk-secret-key"])
    logger = logging.getLogger("chathistory.test")
    logger.addHandler(handler)
    logger.warning("calling with %s", "sk-secret-key")
    logger.removeHandler(handler)
    text = next(tmp_path.iterdir()).read_text(encoding="utf-8")
    assert "***" in text
    assert "sk-secret" not in text


def test_a_list_shows_years_short(archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "某公.md"
    head = '+++\ntitle = "某公"\nbirth = "约前470年"\ndeath = "建安二十五年正月廿三日（220年3月15日）"\n+++\n'
    path.write_text(head + "某公是大周的将军，在青山学剑十年。\n", encoding="utf-8")
    salon = Salon(archive)
    drain(salon.summon("某公", str(path)))
    assert salon.cards()[0].years == "约前470年 – 220年"
