"""What a model reads in a passage is held against the passage; what it cannot read is a failure, not a result."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from chathistory.domain import Extraction, Fact, Figure, Passage
from chathistory.errors import BadModelReply, BudgetSpent, ExtractionError, ModelRefused, ModelTimeout
from chathistory.models.chat import Reply
from chathistory.models.ledger import Price
from chathistory.openie import RuleExtractor
from chathistory.openie.cleaning import Reading, cleaned
from chathistory.openie.llm import ModelExtractor
from chathistory.openie.many import read_many
from chathistory.openie.said import Said
from chathistory.testing import ScriptedChat

LIBAI = Figure("李白", ("李太白", "太白", "青莲居士"))
PASSAGE = Passage("天宝元年，李白奉诏入长安，玄宗召见他于金銮殿，任为翰林供奉。他与贺知章在紫极宫相识。")


def said(entities: list[Any] | None = None, triples: list[Any] | None = None) -> str:
    return json.dumps({"entities": entities or [], "triples": triples or []}, ensure_ascii=False)


GOOD = said(["李白", "长安", "玄宗", "贺知章"], [["李白", "相识", "贺知章"], ["玄宗", "召见", "李白"]])


def joint(*answers: Any, **options: Any) -> tuple[ModelExtractor, ScriptedChat]:
    chat = ScriptedChat(*answers, **options)
    return ModelExtractor(chat, chat), chat


def test_one_model_for_both_tasks_is_asked_once() -> None:
    extractor, chat = joint(GOOD)
    found = extractor.extract(PASSAGE, LIBAI)
    assert found == Extraction(
        PASSAGE.id,
        ("李白", "长安", "玄宗", "贺知章"),
        (Fact("李白", "相识", "贺知章"), Fact("玄宗", "召见", "李白")),
    )
    [heard] = chat.log
    assert (heard.ask.task, heard.ask.think, heard.ask.temperature, heard.ask.hurry) == ("extract", False, 0.0, True)
    assert PASSAGE.text in heard.text
    assert "李太白" in heard.text


def test_two_models_are_asked_one_after_the_other() -> None:
    entities = ScriptedChat(said(["李白", "长安", "洛阳"]), model="a")
    facts = ScriptedChat(said(triples=[["李白", "入", "长安"]]), model="b")
    found = ModelExtractor(entities, facts).extract(PASSAGE, LIBAI)
    assert found.entities == ("李白", "长安")
    assert found.facts == (Fact("李白", "入", "长安"),)
    assert "李白、长安" in facts.log[0].text
    assert "洛阳" not in facts.log[0].text


def test_a_stop_between_two_models_costs_the_first_nothing() -> None:
    class Store:
        def __init__(self) -> None:
            self.rows: dict[tuple[str, ...], Extraction] = {}

        def get_many(self, ids: Any, *key: str) -> dict[str, Extraction]:
            return {i: self.rows[i, *key] for i in ids if (i, *key) in self.rows}

        def put_many(self, items: Any, *key: str) -> None:
            self.rows |= {(item.passage_id, *key): item for item in items}

    entities = ScriptedChat(said(["李白"]), model="a")
    facts = ScriptedChat(ModelTimeout("slow"), said(triples=[["李白", "入", "长安"]]), model="b")
    extractor = ModelExtractor(entities, facts, Store())
    with pytest.raises(ModelTimeout):
        extractor.extract(PASSAGE, LIBAI)
    assert extractor.extract(PASSAGE, LIBAI).facts == (Fact("李白", "入", "长安"),)
    assert len(entities.log) == 1


def test_either_task_may_be_done_by_rules() -> None:
    rules = RuleExtractor()
    by_rules = rules.extract(PASSAGE, LIBAI)
    entities = ModelExtractor(ScriptedChat(said(["紫极宫"])), rules).extract(PASSAGE, LIBAI)
    assert entities.facts == by_rules.facts
    assert "紫极宫" in entities.entities
    assert set(by_rules.entities) <= set(entities.entities)
    facts = ModelExtractor(rules, ScriptedChat(said(triples=[["李白", "入", "长安"]]))).extract(PASSAGE, LIBAI)
    assert facts.facts == (Fact("李白", "入", "长安"),)
    with pytest.raises(ValueError, match="rule-based"):
        ModelExtractor(rules, rules)


def test_the_makers_name_tells_models_and_prompts_apart() -> None:
    a, b = ScriptedChat(model="a"), ScriptedChat(model="b")
    makers = [
        ModelExtractor(a, a),
        ModelExtractor(b, b),
        ModelExtractor(a, b),
        ModelExtractor(a, RuleExtractor()),
        ModelExtractor(RuleExtractor(), a),
    ]
    keys = {(maker.maker, maker.version) for maker in makers}
    assert len(keys) == 5
    assert all(len(version) <= 32 for _, version in keys)
    long = ScriptedChat(model="m" * 300)
    assert len(ModelExtractor(long, long).maker) <= 128


@pytest.mark.parametrize(
    ("triple", "reason"),
    [
        (["李白", "入"], "wrong_length"),
        (["李白", "入", "长安", "城"], "wrong_length"),
        (["李白", "", "长安"], "empty"),
        (["李白", "入", None], "empty"),
        (["他", "入", "长安"], "pronoun"),
        (["李白", "见", "自己"], "pronoun"),
        (["李白", "生于", "碎叶城"], "foreign"),
        (["杜甫", "入", "长安"], "foreign"),
        (["李白", "entered", "长安"], "language"),
        (["李白", "是", "李太白"], "same"),
        (["李白", "奉诏", "天" * 60], "too_long"),
    ],
)
def test_a_bad_triple_is_dropped_and_counted(triple: list[Any], reason: str) -> None:
    reading = cleaned(PASSAGE, LIBAI, [], [triple])
    assert reading.extraction.facts == ()
    assert reading.dropped == {reason: 1}


@pytest.mark.parametrize(
    ("entity", "reason"),
    [("他", "pronoun"), ("", "empty"), ("火星", "foreign"), ("Chang'an", "foreign"), (3.5, "foreign")],
)
def test_a_bad_entity_is_dropped_and_counted(entity: Any, reason: str) -> None:
    reading = cleaned(PASSAGE, LIBAI, [entity], [])
    assert (reading.extraction.entities, reading.dropped) == ((), {reason: 1})


def test_a_predicate_does_not_say_its_ends_again() -> None:
    reading = cleaned(PASSAGE, LIBAI, [], [["李白", "李白奉诏入长安", "长安"], ["玄宗", "召见", "李白"]])
    assert [fact.predicate for fact in reading.extraction.facts] == ["奉诏入", "召见"]


def test_names_of_the_figure_become_his_canonical_name() -> None:
    reading = cleaned(PASSAGE, LIBAI, ["李太白", "李白"], [["太白", "入", "长安"]])
    assert reading.extraction.entities == ("李白", "长安")
    assert reading.extraction.facts == (Fact("李白", "入", "长安"),)


def test_a_phrase_made_of_the_passages_words_is_no_invention() -> None:
    assert cleaned(PASSAGE, LIBAI, [], [["玄宗", "召见李白于", "长安金銮殿"]]).extraction.facts


def test_an_english_passage_keeps_english_and_drops_chinese() -> None:
    newton = Figure("Isaac Newton", ("牛顿",))
    passage = Passage("Newton was born at Woolsthorpe in 1642 and later studied at Trinity College, Cambridge.")
    reading = cleaned(
        passage,
        newton,
        ["Woolsthorpe", "trinity college"],
        [["Isaac Newton", "born at", "Woolsthorpe"], ["Isaac Newton", "生于", "Woolsthorpe"]],
    )
    assert reading.extraction.facts == (Fact("Isaac Newton", "born at", "Woolsthorpe"),)
    assert reading.dropped == {"language": 1}


@pytest.mark.parametrize(
    "value",
    [
        {"entities": ["李白"], "triples": [["李白", "入", "长安"]]},
        {"named_entities": ["李白"], "facts": [{"subject": "李白", "predicate": "入", "object": "长安"}]},
        {"实体": [{"name": "李白"}], "三元组": [{"主语": "李白", "谓语": "入", "宾语": "长安"}]},
        {"Entities": {"人物": ["李白"]}, "Triples": ["李白", "入", "长安"]},
        {"entities": "李白", "triples": [{"head": "李白", "relation": "入", "tail": "长安"}]},
        ["李白", ["李白", "入", "长安"]],
        [{"entities": ["李白"], "triples": [["李白", "入", "长安"]]}],
        [{"entities": ["李白"]}, {"triples": [["李白", "入", "长安"]]}],
        {"result": {"entities": ["李白"], "triples": [["李白", "入", "长安"]]}},
        {"data": [{"entities": ["李白"], "triples": [["李白", "入", "长安"]]}]},
        {"entities": ["李白"], "triples": ["李白, 入, 长安"]},
        {"entities": ["李白"], "triples": ["(李白，入，长安)"]},
        {"entities": ["李白"], "triples": [["李白 | 入 | 长安"]]},
        {"entities": ["李白"], "triples": {"1": ["李白", "入", "长安"]}},
        {"entities": ["李白"], "triples": {"subject": "李白", "predicate": "入", "object": "长安"}},
        {"entities": ["李白"], "triples": [{"甲": "李白", "乙": "入", "丙": "长安"}]},
    ],
)
def test_other_keys_and_shapes_are_understood(value: Any) -> None:
    found = Said.model_validate(value)
    assert (found.entities, found.triples) == (["李白"], [["李白", "入", "长安"]])


def test_names_in_one_string_are_names() -> None:
    assert Said.model_validate({"entities": "李白、长安，玄宗"}).entities == ["李白", "长安", "玄宗"]


def test_a_name_that_was_cut_off_is_no_name() -> None:
    extractor, _ = joint('{"entities": ["李白", "贺知章"], "triples": [["李白", "相识", "贺知章"], ["李白", "任", "翰')
    reading = extractor.read(PASSAGE, LIBAI)
    assert reading.extraction.facts == (Fact("李白", "相识", "贺知章"),)
    assert reading.dropped == {"wrong_length": 1}


def test_nothing_from_real_text_is_asked_for_again_and_then_a_failure() -> None:
    extractor, chat = joint(said(), said(["火星"]))
    with pytest.raises(BadModelReply, match="没有读出") as error:
        extractor.read(PASSAGE, LIBAI)
    assert "火星" in error.value.raw
    assert len(chat.log) == 2
    extractor, _ = joint("无", "无")
    with pytest.raises(ExtractionError):
        extractor.extract(PASSAGE, LIBAI)


def test_reasoning_alone_is_no_extraction() -> None:
    extractor, _ = joint(Reply("", reasoning="想"), GOOD)
    assert extractor.extract(PASSAGE, LIBAI).facts


def test_a_passage_without_words_costs_nothing() -> None:
    extractor, chat = joint()
    assert extractor.read(Passage("——1234——"), LIBAI).extraction.entities == ()
    assert chat.log == []


def test_the_estimate_counts_calls_tokens_and_money() -> None:
    extractor, _ = joint(price=Price(2.0, 8.0))
    passages = [Passage(PASSAGE.text + str(n)) for n in range(10)]
    found = extractor.estimate([*passages, Passage("——")], LIBAI)
    assert (found.passages, found.calls) == (10, 10)
    assert found.tokens_in > 10 * 200
    assert found.cost == pytest.approx((found.tokens_in * 2 + found.tokens_out * 8) / 1e6)
    two = ModelExtractor(ScriptedChat(model="a", price=Price(1, 1)), ScriptedChat(model="b"))
    found = two.estimate(passages, LIBAI)
    assert (found.calls, found.unpriced) == (20, True)


# --- many passages ---

MANY = [Passage(f"李白在第{n}年来到江城{n}。") for n in range(40)]


def read_all(chat: ScriptedChat, passages: list[Passage] = MANY) -> tuple[list[str], dict[str, Exception]]:
    kept: list[str] = []
    lock = threading.Lock()

    def keep(passage: Passage, _reading: Reading) -> None:
        with lock:
            kept.append(passage.id)

    failed = {}
    for result in read_many(ModelExtractor(chat, chat), passages, LIBAI, keep):
        if result is not None and isinstance(result[1], Exception):
            failed[result[0].id] = result[1]
    return kept, failed


def test_many_passages_are_each_kept_once() -> None:
    kept, failed = read_all(ScriptedChat(otherwise=said(["李白"])))
    assert sorted(kept) == sorted(passage.id for passage in MANY)
    assert failed == {}


def test_a_slip_gets_a_second_chance() -> None:
    kept, failed = read_all(ScriptedChat("无", "无", "无", "无", otherwise=said(["李白"]), concurrency=1))
    assert len(kept) == len(MANY)
    assert failed == {}


def test_a_passage_that_fails_again_and_again_is_reported_with_the_answer() -> None:
    def answer(messages: Any, _ask: Any) -> str:
        return "我不会" if any("江城7。" in message.text for message in messages) else said(["李白"])

    chat = ScriptedChat(otherwise=answer)
    kept, failed = read_all(chat)
    assert len(kept) == len(MANY) - 1
    [error] = failed.values()
    assert isinstance(error, BadModelReply)
    assert error.raw == "我不会"


def test_a_model_not_up_to_its_task_is_not_asked_for_ever() -> None:
    chat = ScriptedChat(otherwise="我不会")
    _, failed = read_all(chat)
    assert len(failed) == len(MANY)
    assert len(chat.log) <= 2 * (len(MANY) + 2)


def test_a_refusal_ends_it_at_once() -> None:
    chat = ScriptedChat(otherwise=ModelRefused("no key"))
    with pytest.raises(ModelRefused):
        read_all(chat)
    assert len(chat.log) < len(MANY)


def test_a_provider_that_is_gone_is_not_asked_two_hundred_times() -> None:
    chat = ScriptedChat(otherwise=ModelTimeout("slow"))
    with pytest.raises(ModelTimeout):
        read_all(chat)
    assert len(chat.log) < 20


def test_a_spent_budget_lets_what_is_under_way_come_in() -> None:
    answers: list[Any] = [said(["李白"])] * 10
    chat = ScriptedChat(*answers, otherwise=BudgetSpent("spent"))
    kept: list[str] = []
    with pytest.raises(BudgetSpent):
        for _ in read_many(ModelExtractor(chat, chat), MANY, LIBAI, lambda p, r: kept.append(p.id)):
            pass
    assert len(kept) == 10


def test_leaving_in_the_middle_stops_the_rest() -> None:
    chat = ScriptedChat(otherwise=said(["李白"]), concurrency=1)
    results = read_many(ModelExtractor(chat, chat), MANY, LIBAI, lambda p, r: None)
    next(results)
    results.close()
    assert len(chat.log) < 10
