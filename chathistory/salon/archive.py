"""What all talks on one data folder share: the database, the makers, and the memories that are loaded just now."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

from chathistory import overlay
from chathistory.config import EMBEDDED, Config
from chathistory.domain import Figure, Member, Recall, SpeechRequest, Spoken, Void
from chathistory.encyclopedia import figure
from chathistory.errors import ConfigError, UnknownPersona
from chathistory.guard import Blacklist
from chathistory.knowledge import KnowledgeIndex, recall
from chathistory.models.protocols import Embedder, Speaker
from chathistory.persona import Persona
from chathistory.salon.makers import Makers, ModelStores, make
from chathistory.salon.memory_index import remembered
from chathistory.store import (
    CallRepository,
    Database,
    DataFolder,
    ExtractionRepository,
    LeaseRepository,
    PersonaRepository,
    PersonaRow,
    SetAsideRepository,
    SummaryRepository,
    TalkRepository,
    TraceRepository,
    TraitRepository,
    UlidMaker,
    VectorRepository,
)
from chathistory.text import NameReader

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class LoadedPersona:
    """A persona whose memory is in RAM; it is freed when the last talk lets go of it."""

    row: PersonaRow
    figure: Figure
    index: KnowledgeIndex
    persona: Persona
    updated_at: str
    note: str = ""
    """What the user should know of this memory: made with an older model, or without one."""
    answers: dict[str, bool] = field(default_factory=dict)
    """Questions that were tried, and whether there was an answer."""


class _SpeakerOfToday:
    """The archive's speaker, whichever it is by then: personas that are loaded speak through a new one at once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def speak(self, request: SpeechRequest) -> Generator[str | Void, None, Spoken]:
        """Speak as today's speaker does."""
        return (yield from self._archive.makers.speaker.speak(request))


class Archive:
    """One data folder, opened. Safe to share between threads and talks.

    ``config`` is the given one with the folder's settings.toml laid over it; a settings.toml that cannot be used is
    left out, and ``settings_error`` says what is wrong with it.
    """

    def __init__(self, config: Config, data_dir: Path | None = None, makers: Makers | None = None) -> None:
        self.data_dir = (data_dir or config.data_dir).resolve()
        self.base = config
        self.config, self.settings_error = self._laid_over()
        self.database = Database.open(self.data_dir)
        self.new_id = UlidMaker()
        self.personas = PersonaRepository(self.database, self.new_id)
        self.extractions = ExtractionRepository(self.database)
        self.vectors = VectorRepository(self.database)
        self.calls = CallRepository(self.database)
        self.set_aside = SetAsideRepository(self.database)
        self._stores = ModelStores(self.calls, TraitRepository(self.database), self.extractions, self.vectors)
        self.talks = TalkRepository(self.database, self.new_id)
        self.traces = TraceRepository(self.database)
        self.summaries = SummaryRepository(self.database)
        self.leases = LeaseRepository(self.database, self.new_id)
        paths = config.tables.persistence
        self.folder = DataFolder(self.data_dir, paths.raw_data_path, paths.openie_data_path)
        self.blacklist = Blacklist.load(config.root / "blacklist")
        self._makers = makers
        self._retired: list[Makers] = []
        self._speaker: Speaker = _SpeakerOfToday(self)
        self._loaded: WeakValueDictionary[str, LoadedPersona] = WeakValueDictionary()
        self._lock = threading.RLock()

    @property
    def settings_path(self) -> Path:
        """Where the settings page keeps what it sets."""
        return self.data_dir / overlay.FILE_NAME

    def _laid_over(self) -> tuple[Config, ConfigError | None]:
        try:
            return overlay.overlay(self.base, self.settings_path), None
        except ConfigError as error:
            _log.warning("settings.toml is left out: %s", error)
            return self.base, error

    def remake(self) -> None:
        """Read settings.toml again and make the makers anew; talks that are open go on with the new ones.

        An utterance that is being spoken ends with the makers it began with, so these are let go of only at the end.
        The embedder stays: settings.toml has no say in it.

        Raises
        ------
        ConfigError
            settings.toml cannot be used, or the makers cannot be made; configuration and makers stay as they were.
        """
        config = overlay.overlay(self.base, self.settings_path)
        with self._lock:
            embedder = self._makers.embedder if self._makers is not None else None
            made = make(config, random.Random(), self._stores, embedder)
            if self._makers is not None:
                self._retired.append(self._makers)
            self._makers = made
            self.config, self.settings_error = config, None
        _log.info("makers made anew: %s", "、".join(overlay.in_force(config, self.base)) or "config.toml alone")

    @property
    def makers(self) -> Makers:
        """The makers, made at first use: opening an archive loads no model."""
        with self._lock:
            if self._makers is None:
                self._makers = make(self.config, random.Random(), self._stores)
            return self._makers

    @property
    def embedder(self) -> Embedder:
        """The configured embedder."""
        return self.makers.embedder

    @property
    def extractive(self) -> bool:
        """Whether answers are picked from passages rather than written by a model; the interfaces say so."""
        return self.config.tables.qa.llm.provider == EMBEDDED

    def seed(self, number: int) -> None:
        """Make every choice by chance repeatable: the makers are made anew on a seeded generator."""
        with self._lock:
            if self._makers is not None:
                self._makers.close()
            self._makers = make(self.config, random.Random(number), self._stores)

    def rows(self) -> list[PersonaRow]:
        """Return every persona, ready or not, in the order of summoning."""
        return self.personas.all()

    def reader(self, rows: Sequence[PersonaRow] | None = None) -> NameReader:
        """Return the reader of all personas' names and aliases."""
        return NameReader([member_of(row) for row in (self.rows() if rows is None else rows)])

    def find(self, name: str) -> PersonaRow | None:
        """Return the persona a user means by a name or alias, or None."""
        rows = self.rows()
        canonical = next((row.name for row in rows if row.name == name), None) or self.reader(rows).resolve(name)
        return next((row for row in rows if row.name == canonical), None)

    def get(self, name: str) -> PersonaRow:
        """Return the ready persona of that name or alias.

        Raises
        ------
        UnknownPersona
            Nobody of that name was summoned, or the summons never came to its end.
        """
        row = self.find(name)
        if row is None:
            known = "、".join(r.name for r in self.rows()) or "（还没有人）"
            raise UnknownPersona(f"还没有召唤过“{name}”。已有：{known}。先 summon {name}。")
        if row.state != "ready":
            raise UnknownPersona(f"“{row.name}”的召唤没有做完。再运行一次 summon {row.name}，会从停下的地方接着做。")
        return row

    def load(self, name: str) -> LoadedPersona:
        """Return a persona with its memory in RAM, loaded from the database when no talk holds it yet."""
        row = self.get(name)
        with self._lock:
            loaded = self._loaded.get(row.id)
            if loaded is None or loaded.updated_at != row.updated_at:
                loaded = self._login(row)
                self._loaded[row.id] = loaded
            return loaded

    def _login(self, row: PersonaRow) -> LoadedPersona:
        passages = self.personas.passages(row.id)
        extractions = self.personas.extractions(row.id)
        memory = remembered(row.name, passages, extractions, self.makers, self.vectors)
        index, embedder = memory.index, memory.embedder
        who = figure(row.article)

        def remember(query: str, k: int) -> Recall:
            return recall(index, query, k, embedder=embedder, fact_filter=self.makers.fact_filter, figure=who)

        lead = next((passage for passage in passages if not passage.section), None)
        persona = Persona(who, remember, self._speaker, lead)
        _log.info("login %s: %d passages", row.name, len(passages))
        return LoadedPersona(row, who, index, persona, row.updated_at, memory.note)

    def close(self) -> None:
        """Let go of the database and of the models."""
        with self._lock:
            for makers in (*self._retired, *([self._makers] if self._makers is not None else [])):
                makers.close()
            self._retired.clear()
        self.database.close()


def member_of(row: PersonaRow, *, online: bool = True) -> Member:
    """Return a persona as the director's roster shows it."""
    who = figure(row.article)
    return Member(who.name, who.aliases, online=online)
