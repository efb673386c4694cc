"""One door for every source: the shipped samples, then Wikipedia, then Baidu Baike, or the one asked for."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chathistory.domain import Article
from chathistory.errors import Ambiguous, Blocked, NetworkError, NotFound, SourceError
from chathistory.text import check_name

if TYPE_CHECKING:
    from chathistory.encyclopedia.client import WebClient

_LOG = logging.getLogger(__name__)
SOURCES = ("auto", "sample", "file", "wikipedia", "baike")


@dataclass(frozen=True, slots=True)
class Sites:
    """Where the encyclopedias are; tests put a local server here."""

    wikipedia: str = "https://{lang}.wikipedia.org"
    baike: str = "https://baike.baidu.com"


def fetch(
    name: str,
    source: str | None = None,
    *,
    client: WebClient | None = None,
    lang: str = "zh",
    sense: str = "",
    sites: Sites | None = None,
) -> Article:
    """Return the article of a name.

    Parameters
    ----------
    name
        Whom to look up. A sense may stand behind it in brackets (``刘备（游戏角色）``): what ``Ambiguous.candidates``
        holds is a name in this form, or a page's own title, and can be given here as it is.
    source
        ``auto`` (or None): the shipped samples, then Wikipedia, then Baidu Baike; ``sample``, ``wikipedia``, ``baike``;
        ``file``: ``name`` is a path; anything else is itself the path of a file or of a seed's folder.
    client
        The web client; one without a cache where None.
    lang
        Wikipedia's edition, ``zh`` or ``en``.
    sense
        Which sense of an ambiguous name: its description, a part of it, or Baidu's lemma id.

    Raises
    ------
    BadName
        No name at all (see ``text.check_name``).
    NotFound, Ambiguous, Blocked, NetworkError, EmptyArticle, UnreadableFile
        As the sources do; under ``auto`` the error of the last source names those of the sources before it.
    """
    kind = source or "auto"
    if kind not in SOURCES:
        from chathistory.encyclopedia.file import read_file

        return read_file(kind, None if name.strip() in {"", kind} else name.strip())
    if kind == "file":
        from chathistory.encyclopedia.file import read_file

        return read_file(name)
    asked = check_name(name)
    places = sites or Sites()
    if kind == "auto":
        return _first_of(asked, client, lang, sense, places)
    if kind == "sample":
        return _sample(asked)
    return _online(kind, asked, client, lang, sense, places)


def _sample(name: str) -> Article:
    from chathistory.encyclopedia.sample import read_sample, sample_names

    article = read_sample(name)
    if article is None:
        names = sample_names()
        raise NotFound(
            f"内置人物里没有“{name}”。可用的有：{'、'.join(names)}；其他人物请换来源 wikipedia 或 baike。", names
        )
    return article


def _online(kind: str, name: str, client: WebClient | None, lang: str, sense: str, sites: Sites) -> Article:
    if client is None:
        from chathistory.encyclopedia.client import WebClient

        with WebClient() as own:
            return _online(kind, name, own, lang, sense, sites)
    if kind == "wikipedia":
        from chathistory.encyclopedia.wikipedia import fetch_wikipedia

        return fetch_wikipedia(name, client, sites.wikipedia, lang, sense)
    from chathistory.encyclopedia.baike import fetch_baike

    return fetch_baike(name, client, sites.baike, sense)


def _first_of(name: str, client: WebClient | None, lang: str, sense: str, sites: Sites) -> Article:
    """The first source that has the article; an ambiguous name is asked back at once."""
    from chathistory.encyclopedia.sample import read_sample

    article = None if sense else read_sample(name)
    if article is not None:
        return article
    failed: list[tuple[str, SourceError]] = []
    for kind, label in (("wikipedia", "维基百科"), ("baike", "百度百科")):
        try:
            return _online(kind, name, client, lang, sense, sites)
        except Ambiguous:
            raise
        except SourceError as error:
            _LOG.info("%s: %s", kind, error)
            failed.append((label, error))
    candidates = tuple(dict.fromkeys(one for _, error in failed for one in error.candidates))
    told = "；".join(f"{label}：{str(error).rstrip('。')}" for label, error in failed)
    raise _worst(failed)(f"没有取到“{name}”。{told}。", candidates) from failed[-1][1]


def _worst(failed: list[tuple[str, SourceError]]) -> type[SourceError]:
    """The class that says most about what to do: a challenge, then the network, then what the last source said."""
    for kind in (Blocked, NetworkError):
        if any(isinstance(error, kind) for _, error in failed):
            return kind
    return type(failed[-1][1])
