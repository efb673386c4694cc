"""Summoning: name -> article -> passages -> entities and facts -> vectors -> graph, resumable at every step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from chathistory.domain import Article, Extraction, Figure, Passage, Progress, Section
from chathistory.encyclopedia import WebClient, fetch, figure, passages, portrait_png, seal_png
from chathistory.encyclopedia.fetching import SOURCES
from chathistory.errors import Blacklisted, Cancelled, ChatHistoryError, EmptyArticle, SourceError
from chathistory.openie import from_seed, to_seed
from chathistory.salon import embedding, extracting
from chathistory.salon.archive import Archive
from chathistory.salon.terms import Terms, told, with_budgets
from chathistory.store import PersonaRow, folder_of, read_json, write_json
from chathistory.text import check_name

R = TypeVar("R")
_log = logging.getLogger(__name__)
SEED = "seed"
"""The source of a persona that was summoned from a folder of the seed, and the maker of its extractions."""


def summon_for(
    archive: Archive, name: str, source: str | None = None, address: str = "", terms: Terms | None = None
) -> Generator[Progress, None, None]:
    """Summon as ``summon`` does; a blacklisted name is logged with the client's address. Any thread may run it."""
    try:
        yield from summon(archive, name, source, terms)
    except Blacklisted:
        _log.warning("blacklisted name asked for: %r from %s", name, address or "an unknown address")
        raise


def summon(
    archive: Archive, name: str, source: str | None = None, terms: Terms | None = None
) -> Generator[Progress, None, None]:
    """Summon a figure; every finished step is stored, and a second run goes on from there.

    Parameters
    ----------
    name
        A figure's name, or an alias of one who is there already.
    source
        None or 'auto' (what is stored, a folder of the seed, then sample, wikipedia, baike), 'sample', 'wikipedia',
        'baike', or the path of a file or of a folder of the seed. Naming a source reads it anew.
    terms
        On what terms a model may be called; None goes on without asking and leaves alone what was set aside.

    Yields
    ------
    Progress
        Stages article, passages, extract, embed, graph, done; ``total`` 0 means that it is not known yet.

    Raises
    ------
    BadName, Blacklisted, SourceError, ExtractionError, ModelError, Cancelled, StoreError, Locked
        What went wrong; what was stored before is still there.
    """
    name = check_name(name)
    archive.blacklist.check(name)
    terms = terms or Terms()
    source = None if source in (None, "auto") else source
    known = archive.find(name)
    if known is not None and known.state == "ready" and source is None and _complete(archive, known, terms):
        yield Progress("done", known.passages, known.passages, f"{known.name}早已召来，不必再召。", known.name)
        return
    lease = f"summon:{known.name if known else name}"
    with archive.leases.hold(lease) as renew:
        read = yield from _renewing(_read(archive, name, source, known), renew)
    yield from _agree(archive, read, terms)
    with archive.leases.hold(lease) as renew:
        yield from _renewing(_make(archive, read, terms), renew)


@dataclass(frozen=True, slots=True)
class _Read:
    """A figure whose article and passages are stored; ``given_by`` is the maker of the extractions that are there."""

    row: PersonaRow
    article: Article
    who: Figure
    found: list[Passage]
    given_by: tuple[str, str]


def _renewing(steps: Generator[Progress, None, R], renew: Callable[[], None]) -> Generator[Progress, None, R]:
    """Yield the steps, the lease renewed at each; returns what they return."""
    with closing(steps):
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                result: R = end.value
                return result
            renew()
            yield progress


def _agree(archive: Archive, read: _Read, terms: Terms) -> Generator[Progress, None, None]:
    """Tell what models will be asked and have it agreed to. No lease is held: who is asked may take his time."""
    estimate = extracting.estimate(archive, read.found, read.who, read.given_by, terms)
    estimate += embedding.estimate(archive, embedding.unembedded(archive, read.found))
    if not estimate.calls:
        return
    estimate = with_budgets(estimate, archive)
    total = len(read.found)
    yield Progress("extract" if estimate.passages else "embed", 0, total, told(estimate))
    if estimate.to_pay and terms.confirm is not None and not terms.confirm(estimate):
        raise Cancelled("没有开始：没有得到同意。什么也没有花；段落已经存好，想好了再运行一次。")


def _complete(archive: Archive, row: PersonaRow, terms: Terms) -> bool:
    """Whether a ready persona was made by the makers of today's configuration, so that nothing is left to do."""
    ids = [passage.id for passage in archive.personas.passages(row.id)]
    maker, version = _maker(archive, row.source)
    done = set(archive.extractions.get_many(ids, row.name, maker, version))
    if not terms.retry_failed:
        done |= archive.set_aside.ids(row.name, maker, version).intersection(ids)
    return len(done) == len(ids) and not embedding.unembedded(archive, archive.personas.passages(row.id))


def _maker(archive: Archive, source: str) -> tuple[str, str]:
    extractor = archive.makers.extractor
    return (SEED, "1") if source == SEED else (extractor.maker, extractor.version)


def _read(
    archive: Archive, name: str, source: str | None, known: PersonaRow | None
) -> Generator[Progress, None, _Read]:
    yield Progress("article", 0, 1, f"正在寻找{name}的生平……")
    given: list[tuple[Passage, Extraction]] = []
    if known is not None and source is None:
        article = known.article
        if known.source == SEED:
            given = _seed_openie(archive.data_dir / known.folder, archive)
    else:
        article, given = _article(archive, name, source)
    who = figure(article)
    archive.blacklist.check(article.title, who.aliases)
    found = [passage for passage, _ in given] or passages(article)
    if not found:
        raise EmptyArticle(f"“{article.title}”的条目里没有正文。请换一个来源，或给出一个文件（--source 路径）。")
    row = archive.personas.begin(article, folder_of(article.title))
    yield Progress("article", 1, 1, f"找到了：{article.title}（{_where(article)}）")
    write_json(archive.folder.raw(row.folder), [passage.text for passage in found])
    yield Progress("passages", len(found), len(found), f"整理出 {len(found)} 段")

    maker, version = _maker(archive, article.source)
    archive.extractions.put_many([extraction for _, extraction in given], article.title, maker, version)
    return _Read(row, article, who, found, (maker, version))


def _make(archive: Archive, read: _Read, terms: Terms) -> Generator[Progress, None, None]:
    row, article, found = read.row, read.article, read.found
    account = f"summon:{read.who.name}:{archive.new_id()}"
    extracted = yield from extracting.extract(archive, found, read.who, read.given_by, terms, account)
    extractions = list(extracted.extractions)
    yield from embedding.embed(archive, embedding.unembedded(archive, found), account, terms.cancel)

    yield Progress("graph", 0, 1, "正在织成记忆……")
    archive.personas.finish(row.id, found, extractions)
    write_json(archive.folder.openie(row.folder), to_seed(extractions, found))
    _picture(archive, row, article)
    archive.folder.list_names({one.folder: one.name for one in archive.rows()})
    loaded = archive.load(article.title)
    yield Progress("graph", 1, 1, f"{len(loaded.index.entities)} 个实体，{len(loaded.index.facts)} 条事实")
    yield Progress("done", len(found), len(found), f"{article.title}来了。{extracted.note}", article.title)


def _article(archive: Archive, name: str, source: str | None) -> tuple[Article, list[tuple[Passage, Extraction]]]:
    """Return the article, and the seed's own extraction where a folder of the seed is the source."""
    home = Path(source) if source is not None else archive.data_dir / folder_of(name)
    if source not in SOURCES and home.is_dir():
        if (home / archive.folder.raw_name).is_file() or (home / archive.folder.openie_name).is_file():
            return _seed_article(home, name, archive), _seed_openie(home, archive)
        if source is not None:
            raise SourceError(f"目录 {source} 里没有 import.json 或 openie.json，不是一个人物的目录。")
    with web_client(archive) as client:
        return fetch(name, source, client=client, lang=archive.config.tables.encyclopedia.lang), []


def web_client(archive: Archive) -> WebClient:
    """Return the polite client that fetches pages and pictures, its cache in the data folder."""
    return WebClient(archive.data_dir / "cache", project_url=archive.config.tables.encyclopedia.project_url)


def _picture(archive: Archive, row: PersonaRow, article: Article) -> None:
    """Store the portrait, or draw a seal where there is none; a failed portrait never fails a summons."""
    if archive.folder.avatar(row.folder) is not None:
        return
    png = None
    if article.portrait_url and article.source in ("wikipedia", "baike"):
        try:
            with web_client(archive) as client:
                png = portrait_png(article.portrait_url, client)
        except ChatHistoryError as error:
            _log.warning("no portrait of %s: %s", row.name, error)
    archive.folder.write_avatar(row.folder, png or seal_png(row.name))


def _seed_article(home: Path, name: str, archive: Archive) -> Article:
    raw = home / archive.folder.raw_name
    if raw.is_file():
        article = fetch(name, str(raw))
    else:
        paragraphs = tuple(passage.text for passage, _ in _seed_openie(home, archive))
        article = Article(name, name, (Section("", 1, paragraphs),))
    return replace(article, title=name, source=SEED, source_url=str(home))


def _seed_openie(home: Path, archive: Archive) -> list[tuple[Passage, Extraction]]:
    path = home / archive.folder.openie_name
    return from_seed(read_json(path)) if path.is_file() else []


def _where(article: Article) -> str:
    names = {"sample": "自带样本", "wikipedia": "维基百科", "baike": "百度百科", "file": "文件", SEED: "已有的目录"}
    return names.get(article.source, article.source) + ("，只有摘要" if article.partial else "")
