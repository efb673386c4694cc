"""The one tree of errors. Each names the thing and the remedy; entry points print it, exit code 1.

ChatHistoryError
  BadName                 a name that cannot be a figure's (empty, path-like, too long)
  Blacklisted             the name stands on the blacklist
  UnknownPersona          nobody of that name has been summoned
  AlreadySummoned         the persona is there already
  NotOnline               the persona has not joined this talk
  ConfigError             config.toml: broken syntax, unknown key, wrong type
    NoSuchProvider        a task names a provider that [[llm_providers]] does not define
  SourceError             the encyclopedia
    NotFound              no page of that name (``candidates``: near titles)
    Ambiguous             several senses (``candidates``: what to choose from)
    Blocked               a challenge page stands before the article
    EmptyArticle          the page was read and holds no text
    UnreadableFile        a file that is no text, or of an unknown kind
    NetworkError          the site did not answer in the bounded tries
  ExtractionError         a passage that gave no entities or facts
  ModelError              a model behind an API
    ModelTimeout  ModelRefused  ModelUnreachable  BadModelReply
    BudgetSpent           the tokens or the money allowed are used up
  StoreError              the database or the data folder
    Locked                another process writes to this data folder
    DiskFull              no room left; what was stored before is intact
    Corrupt               the database cannot be read as ours
  Cancelled               the user stopped the work
  ConsentNeeded           the work would cost something and nobody has agreed to it yet
"""

from __future__ import annotations


class ChatHistoryError(Exception):
    """Base of all; ``str(error)`` is a full sentence that says what to do."""


class BadName(ChatHistoryError):
    """A name that cannot be a figure's."""


class Blacklisted(ChatHistoryError):
    """The name, or one of its aliases, stands on the blacklist."""


class UnknownPersona(ChatHistoryError):
    """Nobody of that name has been summoned."""


class AlreadySummoned(ChatHistoryError):
    """The persona is there already."""


class NotOnline(ChatHistoryError):
    """The persona has not joined this talk."""


class ConfigError(ChatHistoryError):
    """config.toml cannot be used as it stands."""


class NoSuchProvider(ConfigError):
    """A task names a provider that is not defined."""


class SourceError(ChatHistoryError):
    """The article could not be had.

    ``candidates`` holds titles to try instead (near titles, or the senses of an ambiguous name).
    """

    def __init__(self, message: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.candidates = candidates


class NotFound(SourceError):
    """No page of that name."""


class Ambiguous(SourceError):
    """Several senses; ``candidates`` is what to choose from."""


class Blocked(SourceError):
    """A challenge page stands before the article."""


class EmptyArticle(SourceError):
    """The page was read and holds no text."""


class UnreadableFile(SourceError):
    """A file that is no text, or of an unknown kind."""


class NetworkError(SourceError):
    """The site did not answer in the bounded tries."""


class ExtractionError(ChatHistoryError):
    """A passage of real text gave no entities or facts."""


class ModelError(ChatHistoryError):
    """A model behind an API did not do its task."""


class ModelTimeout(ModelError):
    """No answer within the task's time limits."""


class ModelRefused(ModelError):
    """The provider refused: wrong key, no credit, unknown model."""


class ModelUnreachable(ModelError):
    """Nobody answers at the provider's address."""


class BudgetSpent(ModelError):
    """The tokens or the money that a summons or a day may take are used up; what was done is stored."""


class BadModelReply(ModelError):
    """The answer could not be read, even after the re-ask; ``raw`` keeps it."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class StoreError(ChatHistoryError):
    """The database or the data folder."""


class Locked(StoreError):
    """Another process writes to this data folder."""


class DiskFull(StoreError):
    """No room left on the disk; what was stored before is intact."""


class Corrupt(StoreError):
    """The database cannot be read as ours."""


class Cancelled(ChatHistoryError):
    """The user stopped the work; a second run goes on from there."""


class ConsentNeeded(ChatHistoryError):
    """The work would cost something; ``str(error)`` tells what. A second run goes on, once it was agreed to."""
