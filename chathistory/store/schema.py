"""The tables, and the named migrations that bring an older file up to them. Portable SQL only."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    select,
)

metadata = MetaData()

migration = Table(
    "migration",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("applied_at", String(32), nullable=False),
)

persona = Table(
    "persona",
    metadata,
    Column("id", String(26), primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("folder", Text, nullable=False, unique=True),
    Column("state", String(16), nullable=False),
    Column("source", Text, nullable=False),
    Column("article", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("updated_at", String(32), nullable=False),
)

passage = Table(
    "passage",
    metadata,
    Column("persona_id", ForeignKey("persona.id", ondelete="CASCADE"), primary_key=True),
    Column("passage_id", String(64), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("section", Text, nullable=False),
    Column("text", Text, nullable=False),
)

entity = Table(
    "entity",
    metadata,
    Column("persona_id", ForeignKey("persona.id", ondelete="CASCADE"), primary_key=True),
    Column("passage_id", String(64), primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("name", Text, nullable=False),
)

fact = Table(
    "fact",
    metadata,
    Column("persona_id", ForeignKey("persona.id", ondelete="CASCADE"), primary_key=True),
    Column("passage_id", String(64), primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("predicate", Text, nullable=False),
    Column("object", Text, nullable=False),
)

extraction = Table(
    "extraction",
    metadata,
    Column("passage_id", String(64), primary_key=True),
    Column("figure", Text, primary_key=True),
    Column("maker", String(128), primary_key=True),
    Column("version", String(32), primary_key=True),
    Column("entities", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
)

embedding_model = Table(
    "embedding_model",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False, unique=True),
    Column("dimension", Integer, nullable=False),
)

vector = Table(
    "vector",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("model", ForeignKey("embedding_model.id", ondelete="CASCADE"), nullable=False),
    Column("text_id", LargeBinary(32), nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("model", "text_id", name="vector_key"),
)

lease = Table(
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("expires_at", Float, nullable=False),
)

talk = Table(
    "talk",
    metadata,
    Column("id", String(26), primary_key=True),
    Column("circle", Text, nullable=False),
    Column("members", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
)

utterance = Table(
    "utterance",
    metadata,
    Column("id", String(26), primary_key=True),
    Column("talk_id", ForeignKey("talk.id", ondelete="CASCADE"), nullable=False),
    Column("speaker", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("passages", Text, nullable=False),
    Column("cut", Boolean, nullable=False),
    Column("at", String(32), nullable=False),
)
Index("utterance_talk", utterance.c.talk_id, utterance.c.id)

model_call = Table(
    "model_call",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", String(40), nullable=False),
    Column("day", String(10), nullable=False),
    Column("task", String(32), nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("seconds", Float, nullable=False),
    Column("tokens_in", Integer, nullable=False),
    Column("tokens_out", Integer, nullable=False),
    Column("estimated", Boolean, nullable=False),
    Column("cost", Float, nullable=True),
    Column("currency", String(8), nullable=False),
)
Index("model_call_day", model_call.c.day)
Index("model_call_account", model_call.c.account)

model_trait = Table(
    "model_trait",
    metadata,
    Column("base_url", String(255), primary_key=True),
    Column("model", String(255), primary_key=True),
    Column("trait", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

set_aside = Table(
    "set_aside",
    metadata,
    Column("passage_id", String(64), primary_key=True),
    Column("figure", String(255), primary_key=True),
    Column("maker", String(128), primary_key=True),
    Column("version", String(32), primary_key=True),
    Column("error", String(64), nullable=False),
    Column("message", Text, nullable=False),
    Column("raw", Text, nullable=False),
    Column("at", String(40), nullable=False),
)

talk_summary = Table(
    "talk_summary",
    metadata,
    Column("talk_id", ForeignKey("talk.id", ondelete="CASCADE"), primary_key=True),
    Column("covered", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("text", Text, nullable=False),
)

utterance_trace = Table(
    "utterance_trace",
    metadata,
    Column("utterance_id", ForeignKey("utterance.id", ondelete="CASCADE"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("reasoning", Text, nullable=False),
)

_FIRST = (
    persona,
    passage,
    entity,
    fact,
    extraction,
    embedding_model,
    vector,
    lease,
    talk,
    utterance,
)


def m001_first_tables(connection: Connection) -> None:
    """Personas, their passages, entities and facts, the caches of extractions and vectors, talks."""
    metadata.create_all(connection, tables=list(_FIRST))


def m002_models(connection: Connection) -> None:
    """The ledger of model calls, what models were seen to take, and the passages that models could not read."""
    metadata.create_all(connection, tables=[model_call, model_trait, set_aside])


def m003_talk_summary(connection: Connection) -> None:
    """What was said in a talk before the lines that still fit a prompt."""
    metadata.create_all(connection, tables=[talk_summary])


def m004_utterance_trace(connection: Connection) -> None:
    """Why a persona spoke and what came to its mind, so that a page opened later can still tell."""
    metadata.create_all(connection, tables=[utterance_trace])


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    m001_first_tables,
    m002_models,
    m003_talk_summary,
    m004_utterance_trace,
)


def migrate(connection: Connection, now: str) -> list[str]:
    """Apply what is missing, in order; return the names applied. ``now`` is an ISO time."""
    metadata.create_all(connection, tables=[migration])
    done = set(connection.scalars(select(migration.c.name)))
    applied = []
    for step in MIGRATIONS:
        if step.__name__ not in done:
            step(connection)
            connection.execute(insert(migration).values(name=step.__name__, applied_at=now))
            applied.append(step.__name__)
    return applied


def unknown_migrations(connection: Connection) -> set[str]:
    """Return the names a newer program applied and this one does not know."""
    return set(connection.scalars(select(migration.c.name))) - {step.__name__ for step in MIGRATIONS}
