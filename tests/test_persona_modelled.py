"""The speaker over a model: what reaches the ear, whatever the model does."""

from collections.abc import Generator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chathistory.domain import (
    USER,
    Fact,
    Figure,
    Line,
    Passage,
    Recall,
    Recollection,
    SpeechRequest,
    Spoken,
    Void,
    Year,
)
from chathistory.errors import BadModelReply, ModelTimeout
from chathistory.models.chat import Reply
from chathistory.persona.modelled import ModelSpeaker, alike
from chathistory.persona.prompting import Manner, messages_for, within_budget
from chathistory.persona.trimming import Trimmer
from chathistory.testing import ScriptedChat

KONGZI = Figure(
    "孔子",
    ("仲尼", "孔丘", "Confucius"),
    Year(-551, "前551年"),
    Year(-479, "前479年"),
    (("国籍", "鲁国"), ("字", "仲尼")),
)
PASSAGES = (Passage("孔子离开鲁国，带着弟子周游列国。"), Passage("前739年后唐玄宗追封孔子。孔子爱听韶乐。"))
RECALL = Recall(tuple(Recollection(p, 0.9, (Fact("孔子", "离开", "鲁国"),)) for p in PASSAGES), confident=True)

ROOM: dict[str, Any] = {"others": ("老子", "苏格拉底"), "others_aliases": ("老聃", "Socrates", "聃")}


def request(text: str = "您为什么离开鲁国？", history: Sequence[Line] = (), **more: Any) -> SpeechRequest:
    return SpeechRequest(KONGZI, Line(USER, text), tuple(history), RECALL, **{**ROOM, **more})


def speak(chat: ScriptedChat, ask: SpeechRequest | None = None, manner: Manner | None = None) -> tuple[str, Spoken]:
    """Return what a listener hears in the end, and the whole utterance."""
    return listen(ModelSpeaker(chat, manner).speak(ask or request()))


def listen(stream: Generator[str | Void, None, Spoken]) -> tuple[str, Spoken]:
    heard = ""
    while True:
        try:
            piece = next(stream)
        except StopIteration as stop:
            return heard, stop.value
        heard = "" if isinstance(piece, Void) else heard + piece


def test_a_plain_answer_is_heard_as_it_comes_with_its_sources() -> None:
    heard, spoken = speak(ScriptedChat("季桓子受了女乐[1]，三日不朝。吾遂行[1][2]。"))
    assert heard == spoken.text == "季桓子受了女乐，三日不朝。吾遂行。"
    assert spoken.passages == (PASSAGES[0].id, PASSAGES[1].id)
    assert not spoken.cut


def test_citations_stay_where_the_setting_keeps_them_and_false_numbers_never() -> None:
    heard, spoken = speak(ScriptedChat("吾遂行[1]，去卫国[9]。【1，2】"), manner=Manner(show_citations=True))
    assert heard == "吾遂行[1]，去卫国。[1][2]"
    assert len(spoken.passages) == 2


OWN_LABELS = [
    *(
        "孔子：",
        "孔子: ",
        "孔子 : ",
        "孔子：\n",
        "孔子：孔子：",
        "**孔子**：",
        "**孔子：** ",
        "*孔子*: ",
        "【孔子】",
        "【孔子】：",
    ),
    *(
        "[孔子]：",
        "[孔子] ",
        "<孔子>",
        "＜孔子＞：",
        "（孔子）：",
        "“孔子”：",
        "孔子（叹气）：",
        "孔子(笑): ",
        "「孔子」：",
        "仲尼：",
    ),
    *(
        "孔子（前551年—前479年，鲁国人）：",
        "孔子说：",
        "孔子答道：",
        "### 孔子\n",
        "**孔子**\n",
        "孔子\n",
        "- 孔子：",
        "1. 孔子：",
    ),
    *("Confucius: ", "CONFUCIUS：", "assistant: ", "AI：", "> 孔子："),
]


@pytest.mark.parametrize("label", OWN_LABELS)
def test_the_figures_own_label_is_taken_off(label: str) -> None:
    assert speak(ScriptedChat(f"{label}吾十有五而志于学。"))[0] == "吾十有五而志于学。"


OTHER_LABELS = [
    *(
        "老子：",
        "老子 :",
        "**老子**：",
        "**老子：**",
        "【苏格拉底】",
        "【老子】：",
        "[老子] ",
        "<老子>",
        "（老子）：",
        "“老子”：",
        '"老子:"',
    ),
    *(
        "老子（笑）：",
        "老子（楚国人，周守藏室之史）：",
        "  老子：",
        "\u3000\u3000老子：",
        "\n老子：",
        "> 老子：",
        "### 老子\n",
        "**老子**\n",
    ),
    *("老聃：", "Socrates: ", "SOCRATES：", "用户：", "User: ", "Human: ", "来客：", "旁白：", "system: "),
]


@pytest.mark.parametrize("label", OTHER_LABELS)
def test_where_the_model_speaks_for_somebody_else_the_utterance_ends(label: str) -> None:
    heard, _ = speak(ScriptedChat(f"吾以为然。\n{label}我不同意。\n孔子：那就再说。"))
    assert heard == "吾以为然。"


TALK = [
    "吾问礼于老聃，老子：此人如龙。吾曾对弟子说：老子不可测。",
    "子曰：“学而时习之，不亦说乎？”此吾弟子所记。",
    "吾尝言。\n子曰：“学而时习之。”\n诗云：“如切如磋。”",
    "老子有言：“道可道。”\n老子曰：“上善若水。”\n老子说：“大音希声。”吾皆闻之。",
    "吾有三友：老子、苏格拉底、颜回。",
    "吾有二友：\n1. 老子：知礼。\n- 苏格拉底：善问。",
    "吾言有三：\n一曰仁：爱人。\n二曰义：宜也。",
    "老子，请坐：此处可观流水。\n老子之道：无为而已。\n老子也好，苏格拉底也好：都是贤人。",
    "聃：此字何解？",
]


@pytest.mark.parametrize("text", TALK)
def test_quotations_and_lists_and_names_inside_a_line_are_talk(text: str) -> None:
    assert speak(ScriptedChat(text))[0] == text


@pytest.mark.parametrize(
    ("marks", "numbers"),
    [
        *[
            (mark, [1])
            for mark in (
                "[1]",
                "［1］",
                "【1】",
                "〔1〕",
                "[ 1 ]",
                "［１］",
                "[[1]]",
                "[^1]",
                "[编号1]",
                "【1†出处】",
                " [1] ",
            )
        ],
        *[
            (mark, [1, 2])
            for mark in ("[1][2]", "[1] [2]", "[1,2]", "【1，2】", "[1、2]", "[1 2]", "[1]、[2]", "[1-2]", "[1–2]")
        ],
        *[(mark, [1, 2]) for mark in ("[1~2]", "[1至2]", "[1-9]", "[1,2,7]", "[1][9][2]")],
        *[(mark, []) for mark in ("[9]", "[0]", "【3】", "[3-9]")],
    ],
)
def test_citations_in_all_their_forms_are_read(marks: str, numbers: list[int]) -> None:
    heard, spoken = speak(ScriptedChat(f"吾遂行{marks}。"))
    assert heard == spoken.text == "吾遂行。"
    assert list(spoken.passages) == [PASSAGES[number - 1].id for number in numbers]
    kept = "".join(f"[{number}]" for number in numbers)
    assert speak(ScriptedChat(f"吾遂行{marks}。"), manner=Manner(show_citations=True))[0] == f"吾遂行{kept}。"


@pytest.mark.parametrize("text", ["吾在位[四十]年。", "方程[a]无解。", "其一（1）也。", "吾见[1"])
def test_what_is_no_citation_stays(text: str) -> None:
    assert speak(ScriptedChat(text))[0] == text


def test_what_stands_around_a_memory_is_no_talk() -> None:
    for raw in (
        "（0.02）吾最爱颜回。（相关：孔子 弟子 颜回；孔子 离开 鲁国）",
        "[1]（.62）吾最爱颜回。（相关：孔子 弟子 颜回）",
    ):
        heard, spoken = speak(ScriptedChat(raw))
        assert heard == spoken.text == "吾最爱颜回。"
        assert len(spoken.passages) == raw.count("[1]")
    heard, _ = speak(ScriptedChat("吾爱颜回（字子渊），相关之事（相与问答）甚多。"))
    assert heard == "吾爱颜回（字子渊），相关之事（相与问答）甚多。"


def test_only_another_voice_is_asked_once_more() -> None:
    chat = ScriptedChat("老子：道可道。", "吾尝闻之。")
    assert speak(chat)[0] == "吾尝闻之。"
    first, second = chat.log
    assert "什么也没有说" in second.text
    assert second.ask.temperature is not None
    assert first.ask.temperature is not None
    assert second.ask.temperature > first.ask.temperature


def test_nothing_twice_is_a_named_error() -> None:
    with pytest.raises(BadModelReply, match="孔子"):
        speak(ScriptedChat("", "老子：道可道。"))


def test_a_near_copy_of_an_own_last_line_is_asked_once_more_and_the_first_try_is_void() -> None:
    before = "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？"
    chat = ScriptedChat("学而时习之，不亦说乎！有朋自远方来，不亦乐乎？", "温故而知新，可以为师矣。")
    heard, spoken = speak(chat, request(history=[Line("孔子", before), Line(USER, "还有呢？")]))
    assert heard == spoken.text == "温故而知新，可以为师矣。"
    assert "重复" in chat.log[1].text


ECHOES = ["您为什么离开鲁国？", "孔子，您为什么离开鲁国？", "这件事苏格拉底说得最好，我没有什么可补充的。"]
BEFORE = (Line("苏格拉底", "这件事苏格拉底说得最好，我没有什么可补充的。"),)


@pytest.mark.parametrize("echo", ECHOES)
def test_an_echo_of_others_is_asked_once_more(echo: str) -> None:
    chat = ScriptedChat(echo, "季桓子受女乐，三日不听政，吾乃行。")
    heard, spoken = speak(chat, request("孔子，您为什么离开鲁国？", BEFORE))
    assert heard == spoken.text == "季桓子受女乐，三日不听政，吾乃行。"
    assert "不要复述" in chat.log[1].text
    assert not spoken.note


def test_the_prompt_said_back_is_an_echo() -> None:
    asked = request("夫子，您怎么看作诗？")
    said_back = "在座的还有：老子、苏格拉底。\n现在轮到我接用户这句话：\n夫子，您怎么看作诗？"
    heard, _ = speak(ScriptedChat(said_back, "诗可以兴，可以观。"), asked)
    assert heard == "诗可以兴，可以观。"


OWN = Line("孔子", "诗三百，一言以蔽之，曰思无邪，这是吾读诗所得。")


@pytest.mark.parametrize("says", [*ECHOES, "", OWN.text])
def test_where_the_model_has_nothing_of_its_own_to_say_the_understudy_speaks(says: str) -> None:
    class Understudy:
        def speak(self, asked: SpeechRequest) -> Generator[str | Void, None, Spoken]:
            yield "吾周游列国。"
            return Spoken("吾周游列国。", (PASSAGES[0].id,))

    speaker = ModelSpeaker(ScriptedChat(says, says), understudy=Understudy())
    heard, spoken = listen(speaker.speak(request("孔子，您为什么离开鲁国？", (*BEFORE, OWN))))
    assert heard == spoken.text == "吾周游列国。"
    assert "摘自原文" in spoken.note
    assert spoken.passages == (PASSAGES[0].id,)


def test_what_lies_behind_the_horizon_is_asked_again_and_then_left_out() -> None:
    chat = ScriptedChat("1982年我在曲阜。", "唐玄宗开元二十七年我被追封。吾爱听韶乐。")
    heard, spoken = speak(chat)
    assert heard == spoken.text == "吾爱听韶乐。"
    assert "身后" in chat.log[1].text


def test_reasoning_is_kept_apart() -> None:
    heard, spoken = speak(ScriptedChat(Reply("吾不知也。", reasoning="用户问的是礼")))
    assert heard == "吾不知也。"
    assert spoken.reasoning == "用户问的是礼"


def test_a_cut_stream_keeps_its_text_and_is_not_asked_again() -> None:
    chat = ScriptedChat(Reply("吾十有五而志于", finish="cut"))
    heard, spoken = speak(chat)
    assert heard == "吾十有五而志于"
    assert spoken.cut
    assert len(chat.log) == 1


def test_an_answer_whose_tokens_ran_out_is_marked_as_cut() -> None:
    heard, spoken = speak(ScriptedChat(Reply("吾十有五而志于", finish="length")))
    assert heard == spoken.text == "吾十有五而志于"
    assert spoken.cut


def test_a_cut_stream_keeps_nothing_that_lies_behind_the_horizon() -> None:
    chat = ScriptedChat(Reply("吾爱听韶乐。1982年我在曲", finish="cut"))
    heard, spoken = speak(chat)
    assert heard == spoken.text == "吾爱听韶乐。"
    assert spoken.cut
    assert len(chat.log) == 1


@pytest.mark.parametrize("lost", ["1982年我在曲", "老子：道可道", "[1]"])
def test_a_cut_stream_of_which_nothing_may_be_heard_is_asked_again(lost: str) -> None:
    assert speak(ScriptedChat(Reply(lost, finish="cut"), "吾尝闻之。"))[0] == "吾尝闻之。"


@pytest.mark.parametrize(
    "raw",
    ["<think>用户问礼</think>吾不知也。", "用户问礼</think>吾不知也。", "吾不知也。<think>用户问礼", "<think>用户问礼"],
)
def test_reasoning_in_the_text_never_reaches_the_ear(raw: str) -> None:
    heard, spoken = speak(ScriptedChat(raw, "吾不知也。"))
    assert heard == spoken.text == "吾不知也。"
    assert raw == "<think>用户问礼" or spoken.reasoning == "用户问礼"


def test_a_models_own_error_is_passed_on() -> None:
    with pytest.raises(ModelTimeout):
        speak(ScriptedChat(ModelTimeout("没有回答。")))


def test_an_endless_talker_is_stopped_with_the_last_sentence_that_fits() -> None:
    heard, _ = speak(ScriptedChat("吾日三省吾身。" * 100), request(max_chars=30))
    assert heard == "吾日三省吾身。" * 4


def test_a_citation_of_a_sentence_that_is_not_heard_does_not_count() -> None:
    text = "吾日三省吾身[1]。" * 4 + "吾尝问礼于老聃[2]。"
    assert speak(ScriptedChat(text), request(max_chars=30))[1].passages == (PASSAGES[0].id,)
    text = "吾日三省吾身。" * 3 + "善哉[2]。吾尝问礼于老聃[1]，而后知之。"
    assert speak(ScriptedChat(text), request(max_chars=30))[1].passages == (PASSAGES[1].id,)


def test_what_fits_is_heard_to_its_end_and_a_long_first_sentence_too() -> None:
    fits = "吾日三省吾身。" * 4 + "“善。”"
    assert speak(ScriptedChat(fits), request(max_chars=len(fits)))[0] == fits
    assert (
        speak(ScriptedChat("三人行，" * 9 + "必有我师。吾从之。"), request(max_chars=30))[0]
        == "三人行，" * 9 + "必有我师。"
    )
    assert speak(ScriptedChat("吾日三省。\n" * 9), request(max_chars=30))[0] == "\n".join(["吾日三省。"] * 5)
    held = "吾日三省吾身。吾十有五而志于学，三十而立。"
    assert speak(ScriptedChat(Reply(held[:-4], finish="cut")), request(max_chars=30))[0] == held[:-4]
    assert speak(ScriptedChat(f"{held}\n老子：你"), request(max_chars=30))[0] == held


def test_a_talker_without_full_stops_is_stopped_too() -> None:
    assert len(speak(ScriptedChat("之乎者也" * 100), request(max_chars=30))[0]) == 60


def test_closing_the_stream_stops_the_model() -> None:
    closed = []

    class Watched(ScriptedChat):
        def stream(self, *args, **more):  # type: ignore[no-untyped-def]
            try:
                yield from super().stream(*args, **more)
            finally:
                closed.append(True)

    stream = ModelSpeaker(Watched("吾十有五而志于学。")).speak(request())
    assert next(stream)
    stream.close()
    assert closed == [True]


def test_the_prompt_says_who_when_how_and_what_is_remembered() -> None:
    ask = request(history=[Line(USER, "您好。"), Line("孔子", "幸会。")], summary="用户问过礼。")
    system, user = messages_for(ask, Manner(temper="针锋相对"))
    assert system.role == "system"
    for part in ("孔子", "仲尼", "前479年", "150", "吾", "寸步不让"):
        assert part in system.text
    for part in ("[1]（0.90）孔子离开鲁国", "[2]", "用户问过礼", "孔子：幸会。", "老子、苏格拉底", "您为什么离开鲁国"):
        assert part in user.text
    assert "唐玄宗" not in user.text
    assert "爱听韶乐" in user.text


def test_a_question_about_a_later_thing_is_pointed_out() -> None:
    assert "手机" in messages_for(request("您用手机吗？"), Manner())[1].text.splitlines()[-1]


@pytest.mark.parametrize(("style", "wanted"), [("auto", "浅近的文言"), ("白话", "现代白话"), ("文言", "通篇")])
def test_the_manner_goes_by_figure_or_by_setting(style: Any, wanted: str) -> None:
    assert wanted in messages_for(request(), Manner(style=style))[0].text


def test_a_westerner_talks_like_a_translation() -> None:
    figure = Figure("苏格拉底", ("Socrates",), None, Year(-399, "前399年"), (("国籍", "雅典"),))
    ask = SpeechRequest(figure, Line(USER, "您好"), (), Recall((), False))
    system, user = messages_for(ask, Manner())
    assert "译文" in system.text
    assert "想不起" in user.text


def test_the_newest_lines_that_fit_are_kept_whole() -> None:
    lines = [Line(USER, f"第{n}句" + "话" * 40) for n in range(20)]
    kept = within_budget(lines, 200)
    assert kept == tuple(lines[-len(kept) :])
    assert 3 <= len(kept) <= 8
    assert within_budget(lines, 1) == (lines[-1],)


def test_likeness_of_lines() -> None:
    assert alike("学而时习之，不亦说乎", "学而时习之，不亦说乎") == 1
    assert alike("学而时习之，不亦说乎", "道可道，非常道也哉") < 0.2
    assert alike("然。", "然。") == 1
    assert alike("然。", "否。") == 0
    assert alike("学而时习之 不亦说乎！", "学而时习之，不亦说乎？") == 1
    assert alike("学而时习之，不亦说乎", "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？") == 1
    assert alike("学而时习之，不亦说乎？有朋自远方来，不亦乐乎？", "学而时习之，不亦说乎") < 0.8


@given(
    st.text(alphabet="孔老子：:[]【】1 9\n。，、-我说*#（）<>“”", max_size=80), st.lists(st.integers(1, 9), max_size=30)
)
def test_how_a_text_is_cut_into_pieces_changes_nothing(text: str, cuts: list[int]) -> None:
    def run(pieces: Sequence[str]) -> tuple[str, list[int]]:
        trimmer = Trimmer(["孔子"], ["老子"], 50, known=3)
        heard = "".join(trimmer.feed(piece) for piece in pieces) + trimmer.end()
        return heard.strip(), trimmer.cited

    pieces, at = [], 0
    for size in cuts:
        pieces.append(text[at : at + size])
        at += size
    pieces.append(text[at:])
    assert run(pieces) == run([text])
