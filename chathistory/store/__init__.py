"""The truth: one database, named migrations, small repositories, and the folder that the seed's readers expect."""

from chathistory.store.database import FILE_NAME, Database
from chathistory.store.folders import DataFolder, folder_of, read_json, write_atomically, write_json
from chathistory.store.ids import UlidMaker
from chathistory.store.leases import LeaseRepository
from chathistory.store.ledger import CallRepository, TraitRepository, UsageRow
from chathistory.store.personas import ExtractionRepository, PersonaRepository, PersonaRow
from chathistory.store.set_aside import SetAside, SetAsideRepository
from chathistory.store.summaries import SummaryRepository, TalkSummary
from chathistory.store.talks import TalkRepository, TalkRow
from chathistory.store.traces import TraceRepository, UtteranceTrace
from chathistory.store.vectors import VectorRepository

__all__ = [
    "FILE_NAME",
    "CallRepository",
    "DataFolder",
    "Database",
    "ExtractionRepository",
    "LeaseRepository",
    "PersonaRepository",
    "PersonaRow",
    "SetAside",
    "SetAsideRepository",
    "SummaryRepository",
    "TalkRepository",
    "TalkRow",
    "TalkSummary",
    "TraceRepository",
    "TraitRepository",
    "UlidMaker",
    "UsageRow",
    "UtteranceTrace",
    "VectorRepository",
    "folder_of",
    "read_json",
    "write_atomically",
    "write_json",
]
