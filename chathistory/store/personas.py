"""Personas: who was summoned, from what, and what was read out of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from chathistory.collector import paused_collection
from chathistory.domain import Article, Extraction, Fact, Passage, Section, Year
from chathistory.store.database import Database, insert_new, plain_rows
from chathistory.store.ids import UlidMaker
from chathistory.store.schema import entity, extraction, fact, passage, persona

State = Literal["summoning", "ready"]


@dataclass(frozen=True, slots=True)
class PersonaRow:
    """One persona as it is stored. ``state`` is 'ready' once the whole way of the data was gone."""

    id: str
    name: str
    folder: str
    state: State
    source: str
    article: Article
    updated_at: str = ""
    passages: int = 0
    facts: int = 0


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class PersonaRepository:
    """Reads and writes personas; every write is one transaction."""

    def __init__(self, database: Database, new_id: Callable[[], str] | None = None) -> None:
        self._database = database
        self._new_id = new_id or UlidMaker()

    def all(self) -> list[PersonaRow]:
        """Return every persona, in the order of summoning."""
        passages = select(passage.c.persona_id, func.count().label("n")).group_by(passage.c.persona_id).subquery()
        facts = select(fact.c.persona_id, func.count().label("n")).group_by(fact.c.persona_id).subquery()
        with self._database.read() as connection:
            rows = connection.execute(
                select(persona, passages.c.n.label("passages"), facts.c.n.label("facts"))
                .outerjoin(passages, passages.c.persona_id == persona.c.id)
                .outerjoin(facts, facts.c.persona_id == persona.c.id)
                .order_by(persona.c.id)
            ).mappings()
            return [_row(row, row["passages"] or 0, row["facts"] or 0) for row in rows]

    def find(self, name: str) -> PersonaRow | None:
        """Return the persona of exactly that canonical name."""
        with self._database.read() as connection:
            row = connection.execute(select(persona).where(persona.c.name == name)).mappings().first()
        return None if row is None else _row(row)

    def begin(self, article: Article, folder: str) -> PersonaRow:
        """Store an article under its persona, new or known; the state becomes 'summoning' only where it is new.

        A known persona keeps its passages until ``finish`` replaces them, so that it stays usable meanwhile.
        """
        text = json.dumps(asdict(article), ensure_ascii=False)
        now = _now()
        with self._database.write() as connection:
            found = connection.execute(select(persona.c.id).where(persona.c.name == article.title)).scalar()
            if found is None:
                row = {"id": self._new_id(), "name": article.title, "folder": folder, "state": "summoning"}
                row |= {"source": article.source, "article": text, "created_at": now, "updated_at": now}
                connection.execute(insert(persona), [row])
            else:
                changed = {"source": article.source, "article": text, "updated_at": now}
                connection.execute(update(persona).where(persona.c.id == found).values(**changed))
        row_after = self.find(article.title)
        assert row_after is not None
        return row_after

    def finish(self, persona_id: str, passages: Sequence[Passage], extractions: Sequence[Extraction]) -> None:
        """Replace a persona's passages, entities and facts in one transaction and mark it ready."""
        with self._database.write() as connection:
            for table in (entity, fact, passage):
                connection.execute(delete(table).where(table.c.persona_id == persona_id))
            _insert_contents(connection, persona_id, passages, extractions)
            ready = {"state": "ready", "updated_at": _now()}
            connection.execute(update(persona).where(persona.c.id == persona_id).values(**ready))

    def passages(self, persona_id: str) -> list[Passage]:
        """Return a persona's passages in reading order."""
        with self._database.read() as connection:
            kept = (
                select(passage.c.text, passage.c.section, passage.c.position, passage.c.passage_id)
                .where(passage.c.persona_id == persona_id)
                .order_by(passage.c.position)
            )
            return [Passage(*row) for part in plain_rows(connection, kept) for row in part]

    def extractions(self, persona_id: str) -> list[Extraction]:
        """Return a persona's entities and facts, a record a passage, in the order of the passages."""
        entities: dict[str, list[str]] = {}
        facts: dict[str, list[Fact]] = {}
        with paused_collection(), self._database.read() as connection:
            named = (
                select(entity.c.passage_id, entity.c.name)
                .where(entity.c.persona_id == persona_id)
                .order_by(entity.c.passage_id, entity.c.ordinal)
            )
            for names_part in plain_rows(connection, named):
                for passage_id, name in names_part:
                    entities.setdefault(passage_id, []).append(name)
            told = (
                select(fact.c.passage_id, fact.c.subject, fact.c.predicate, fact.c.object)
                .where(fact.c.persona_id == persona_id)
                .order_by(fact.c.passage_id, fact.c.ordinal)
            )
            for facts_part in plain_rows(connection, told):
                for passage_id, subject, predicate, object_ in facts_part:
                    facts.setdefault(passage_id, []).append(Fact(subject, predicate, object_))
            order = connection.scalars(
                select(passage.c.passage_id).where(passage.c.persona_id == persona_id).order_by(passage.c.position)
            ).all()
            return [Extraction(key, tuple(entities.get(key, ())), tuple(facts.get(key, ()))) for key in order]

    def remove(self, persona_id: str) -> None:
        """Forget a persona; extractions and vectors stay cached, so that summoning anew costs nothing."""
        with self._database.write() as connection:
            connection.execute(delete(persona).where(persona.c.id == persona_id))


class ExtractionRepository:
    """What OpenIE read out of a passage, by passage, figure, maker and version: never paid for twice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_many(self, ids: Iterable[str], figure: str, maker: str, version: str) -> dict[str, Extraction]:
        """Return the stored extractions among passage ids."""
        wanted = set(ids)
        with self._database.read() as connection:
            rows = connection.execute(
                select(extraction.c.passage_id, extraction.c.entities, extraction.c.facts).where(
                    extraction.c.figure == figure, extraction.c.maker == maker, extraction.c.version == version
                )
            )
            return {
                key: Extraction(key, tuple(json.loads(entities)), tuple(Fact(*parts) for parts in json.loads(facts)))
                for key, entities, facts in rows
                if key in wanted
            }

    def put_many(self, items: Sequence[Extraction], figure: str, maker: str, version: str) -> None:
        """Store extractions that are not there yet, all or none."""
        now = _now()
        rows = [
            {
                "passage_id": item.passage_id,
                "figure": figure,
                "maker": maker,
                "version": version,
                "entities": json.dumps(item.entities, ensure_ascii=False),
                "facts": json.dumps([one.parts() for one in item.facts], ensure_ascii=False),
                "created_at": now,
            }
            for item in items
        ]
        if rows:
            with self._database.write() as connection:
                connection.execute(insert_new(extraction, connection), rows)


def _insert_contents(
    connection: Connection, persona_id: str, passages: Sequence[Passage], extractions: Sequence[Extraction]
) -> None:
    rows = [
        {"persona_id": persona_id, "passage_id": p.id, "position": n, "section": p.section, "text": p.text}
        for n, p in enumerate(passages)
    ]
    entities = [
        {"persona_id": persona_id, "passage_id": item.passage_id, "ordinal": n, "name": name}
        for item in extractions
        for n, name in enumerate(item.entities)
    ]
    facts = [
        {"persona_id": persona_id, "passage_id": item.passage_id, "ordinal": n}
        | {"subject": one.subject, "predicate": one.predicate, "object": one.object}
        for item in extractions
        for n, one in enumerate(item.facts)
    ]
    for table, values in ((passage, rows), (entity, entities), (fact, facts)):
        if values:
            connection.execute(insert(table), values)


def _row(row: Any, passages: int = 0, facts: int = 0) -> PersonaRow:
    return PersonaRow(
        id=row["id"],
        name=row["name"],
        folder=row["folder"],
        state=row["state"],
        source=row["source"],
        article=article_from_json(row["article"]),
        updated_at=row["updated_at"],
        passages=passages,
        facts=facts,
    )


@lru_cache(maxsize=256)
def article_from_json(text: str) -> Article:
    """Return the Article that ``asdict`` and ``json.dumps`` wrote."""
    data = json.loads(text)
    data["sections"] = tuple(Section(s["title"], s["level"], tuple(s["paragraphs"])) for s in data["sections"])
    data["aliases"] = tuple(data["aliases"])
    data["infobox"] = tuple((key, value) for key, value in data["infobox"])
    for key in ("birth", "death"):
        data[key] = None if data[key] is None else Year(**data[key])
    return Article(**data)
