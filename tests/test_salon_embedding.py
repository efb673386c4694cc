"""Embedding over an API in a summons: estimated, agreed to, charged to the budgets, never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from embedding_support import embedded_texts, go, opened, write_config
from llm_server import Act, LlmServer, Seen

from chathistory.errors import BudgetSpent, Cancelled, ModelRefused
from chathistory.models.cancel import Cancel
from chathistory.models.estimate import Estimate
from chathistory.models.tokens import estimate_tokens
from chathistory.salon import Terms
from chathistory.salon.remembering_embedder import paid
from chathistory.salon.terms import told


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


class Asked:
    """Says yes or no, and keeps what it was asked."""

    def __init__(self, *, yes: bool = True) -> None:
        self.yes = yes
        self.estimates: list[Estimate] = []

    def __call__(self, estimate: Estimate) -> bool:
        self.estimates.append(estimate)
        return self.yes


def test_embedding_is_in_the_estimate_with_its_texts_tokens_and_money(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server)
    archive, asked = opened(config), Asked()
    go(archive, config, Terms(asked))
    [estimate] = asked.estimates
    sent = embedded_texts(server)
    assert (estimate.passages, estimate.texts) == (0, len(sent))
    assert estimate.calls == len(server.seen)
    assert estimate.tokens_in == sum(estimate_tokens(text) for text in sent)
    assert dict(estimate.costs) == {"CNY": pytest.approx(estimate.tokens_in * 2.0 / 1e6)}
    assert f"{len(sent)} 句转成向量" in told(estimate)
    assert "CNY" in told(estimate)
    archive.close()


def test_whether_an_embedder_is_paid_is_no_question_to_its_model(server: LlmServer, tmp_path: Path) -> None:
    archive = opened(write_config(tmp_path, server))
    assert paid(archive.embedder) is not None
    assert server.seen == []
    archive.close()


def test_a_no_embeds_nothing_and_loses_nothing(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server)
    archive = opened(config)
    with pytest.raises(Cancelled, match="同意"):
        go(archive, config, Terms(Asked(yes=False)))
    assert server.seen == []
    [row] = archive.rows()
    assert (row.name, row.state) == ("李白", "summoning")
    with archive.leases.hold("summon:李白"):
        pass  # the lease is free again
    archive.close()


def test_nothing_is_asked_where_nothing_is_to_pay(server: LlmServer, tmp_path: Path) -> None:
    never = Terms(confirm=lambda estimate: pytest.fail(told(estimate)))
    free = write_config(tmp_path, server, price="price = { input = 0.0, output = 0.0 }")
    archive = opened(free)
    go(archive, free, never)
    archive.close()
    before = len(server.seen)
    priced = write_config(tmp_path, server)
    archive = opened(priced)
    go(archive, priced, never)  # all is stored
    assert len(server.seen) == before
    archive.close()
    local = write_config(tmp_path, server, embedded=True)
    archive = opened(local)
    go(archive, local, never)
    assert len(server.seen) == before
    archive.close()


def test_an_unknown_price_is_asked_about(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, price="")
    archive, asked = opened(config), Asked()
    go(archive, config, Terms(asked))
    assert asked.estimates[0].unpriced
    assert "没有写价钱" in told(asked.estimates[0])
    archive.close()


def test_no_lease_is_held_while_somebody_thinks_it_over(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server)
    archive = opened(config)

    def thinks(_estimate: Estimate) -> bool:
        with archive.leases.hold("summon:李白"):
            return True

    assert go(archive, config, Terms(thinks))[-1].stage == "done"
    archive.close()


@pytest.mark.parametrize("kind", ["summon", "day"])
def test_embedding_counts_on_the_budgets_which_are_told_beforehand(
    server: LlmServer, tmp_path: Path, kind: str
) -> None:
    config = write_config(tmp_path, server, budget=f"[budget]\n{kind}_tokens = 600\n")
    archive, asked = opened(config), Asked()
    with pytest.raises(BudgetSpent, match=f"{kind}_tokens"):
        go(archive, config, Terms(asked))
    assert any(f"{kind}_tokens = 600" in one for one in asked.estimates[0].beyond)
    assert "超出预算" in told(asked.estimates[0])
    done = embedded_texts(server)
    assert 0 < len(done) < asked.estimates[0].texts
    archive.close()
    config = write_config(tmp_path, server)
    archive = opened(config)
    go(archive, config)
    assert set(embedded_texts(server).values()) == {1}
    archive.close()


def test_money_for_embedding_counts_on_a_summons_budget(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server, budget="[budget]\nsummon_cost = 0.0012\n")
    archive, asked = opened(config), Asked()
    with pytest.raises(BudgetSpent, match="summon_cost"):
        go(archive, config, Terms(asked))
    assert any("summon_cost = 0.0012" in one for one in asked.estimates[0].beyond)
    archive.close()


def test_the_embedding_calls_are_charged_to_the_summons(server: LlmServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server)
    archive = opened(config)
    go(archive, config)
    accounts = {row.key: row.spent.calls for row in archive.calls.usage("account")}
    assert all(key.startswith("summon:李白:") for key in accounts)
    assert sum(accounts.values()) == len(server.seen)
    archive.close()


def test_a_failing_batch_loses_no_other_and_the_second_run_pays_for_the_rest(server: LlmServer, tmp_path: Path) -> None:
    sick = True

    def decide(seen: Seen) -> Act | None:
        return Act(status=401) if sick and any("第5年" in text for text in seen.body["input"]) else Act(late=0.1)

    server.decide = decide
    config = write_config(tmp_path, server, concurrency=4)
    archive = opened(config)
    with pytest.raises(ModelRefused):
        go(archive, config)
    first = embedded_texts(server)
    assert len(first) >= 3 * 32
    sick = False
    go(archive, config)
    assert set(embedded_texts(server).values()) == {1}
    archive.close()


def test_embedding_can_be_stopped_and_goes_on_from_there(server: LlmServer, tmp_path: Path) -> None:
    hanging = False
    server.decide = lambda seen: Act(hang=True) if hanging else None
    config = write_config(tmp_path, server)
    archive, cancel = opened(config), Cancel()

    def stop_at_the_second_batch() -> None:
        nonlocal hanging
        from chathistory.salon.summoning import summon

        for step in summon(archive, "李白", str(tmp_path / "李白.md"), Terms(cancel=cancel)):
            if step.stage == "embed" and hanging:
                cancel.set()
            hanging = hanging or (step.stage == "embed" and step.done > 0)

    with pytest.raises(Cancelled):
        stop_at_the_second_batch()
    assert embedded_texts(server)
    hanging = False
    go(archive, config)
    assert set(embedded_texts(server).values()) == {1}
    archive.close()
