"""Wikipedia's Action API: one call resolves a title, a second fetches the text, a third the portrait's licence."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from chathistory.domain import Article
from chathistory.encyclopedia.client import Answer, WebClient
from chathistory.encyclopedia.dom import Element, has_class, parse
from chathistory.encyclopedia.inline import text_of
from chathistory.encyclopedia.mediawiki import (
    is_disambiguation,
    is_missing,
    missing,
    page_of_answer,
    pages_of,
    redirects_of,
)
from chathistory.encyclopedia.names import clean_name
from chathistory.encyclopedia.page import article_of
from chathistory.encyclopedia.tidy import one_line
from chathistory.encyclopedia.wiki_page import content_of
from chathistory.encyclopedia.wiki_portrait import allowed_width
from chathistory.errors import Ambiguous, BadName, NetworkError, SourceError, UnreadableFile

_LOG = logging.getLogger(__name__)
_LANG = re.compile(r"^[a-z]{2,3}(?:-[a-z]{2,10})?$")
_MOST_SENSES = 40


def fetch_wikipedia(name: str, client: WebClient, base: str, lang: str = "zh", sense: str = "") -> Article:
    """Return Wikipedia's article of a name.

    Parameters
    ----------
    base
        ``https://{lang}.wikipedia.org``, with or without the place for the language.
    lang
        The edition; the zh one is asked for its mainland variant (zh-cn).
    sense
        Which of an ambiguous name's pages: a part of its title, or of its line on the disambiguation page.

    Raises
    ------
    NotFound
        There is no such page; ``candidates`` are near titles.
    Ambiguous
        The name is a disambiguation page; ``candidates`` are the titles on it, each usable as a name.
    NetworkError
        No answer in the bounded tries, or none that can be read.
    """
    if not _LANG.match(lang):
        raise BadName(f"“{lang}”不是维基百科的语言代码。请用 zh 或 en。")
    try:
        return _fetched(name, client, base, lang, sense)
    except (UnreadableFile, TypeError, AttributeError, KeyError, ValueError) as error:
        raise NetworkError(f"维基百科的回答结构不对（{error}）。请稍后再试，或换一个来源。") from error


def _fetched(name: str, client: WebClient, base: str, lang: str, sense: str) -> Article:
    api = base.format(lang=lang).rstrip("/") + "/w/api.php"
    ask = _Api(client, api, lang, name)
    title = re.sub(r"\s*[（(](.+)[）)]\s*$", r" (\1)", name.strip())
    resolved = ask.query(
        titles=title,
        redirects="1",
        converttitles="1",
        prop="pageprops|info|pageimages|redirects",
        ppprop="disambiguation",
        inprop="url",
        piprop="thumbnail|name",
        pithumbsize="500",
        rdlimit="50",
        rdnamespace="0",
    )
    found = pages_of(resolved)
    if not found:
        raise missing(name, ask.near(name))
    page = found[0]
    if is_missing(page):
        raise missing(name, ask.near(name))
    if is_disambiguation(page):
        choices = ask.senses(str(page["title"]))
        chosen = _chosen(choices, sense)
        if chosen:
            return replace(fetch_wikipedia(chosen, client, base, lang), requested=name, sense=sense)
        titles = tuple(choices)
        raise Ambiguous(f"“{name}”有多个含义，请选一个：{'、'.join(titles[:12])}。", titles)
    answer = ask.parse(str(page["title"]))
    read = page_of_answer(answer, name)
    thumb = page.get("thumbnail") or {}
    portrait = read.portrait_url or _photograph(str(thumb.get("source") or ""))
    read = replace(
        read,
        also=tuple(filter(None, (*read.also, *redirects_of(resolved), *_redirected(page)))),
        portrait_url=portrait,
        portrait_licence=ask.licence(portrait) if portrait else "",
        source_url=read.source_url or str(page.get("canonicalurl") or page.get("fullurl") or ""),
        revision=read.revision or str(page.get("lastrevid") or ""),
        variant="zh-cn" if lang == "zh" else lang,
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return article_of(read, name)


class _Api:
    """The API of one edition."""

    def __init__(self, client: WebClient, url: str, lang: str, name: str) -> None:
        self._client, self._url, self._lang, self._name = client, url, lang, name

    def ask(self, **params: str) -> dict[str, Any]:
        given = {"format": "json", "formatversion": "2", "utf8": "1", **params}
        if self._lang == "zh":
            given["variant"] = "zh-cn"
        answer: Answer = self._client.get(self._url, given, name=self._name, accept="application/json")
        if answer.status != 200:
            raise NetworkError(f"维基百科的接口没有回答（HTTP {answer.status}）。请稍后再试，或换一个来源。")
        try:
            value = json.loads(answer.text)
        except ValueError as error:
            raise NetworkError("维基百科的回答读不懂，可能被网络设备改过。请检查网络，或换一个来源。") from error
        if not isinstance(value, dict):
            raise NetworkError("维基百科的回答读不懂。请稍后再试，或换一个来源。")
        fault = value.get("error")
        if isinstance(fault, dict) and str(fault.get("code")) not in {"missingtitle", "invalidtitle", "nosuchpageid"}:
            told = fault.get("info") or fault.get("code")
            raise NetworkError(f"维基百科的接口回答了一个错误：{told}。请稍后再试，或换一个来源。")
        return value

    def query(self, **params: str) -> dict[str, Any]:
        return self.ask(action="query", **params)

    def parse(self, title: str) -> dict[str, Any]:
        return self.ask(
            action="parse",
            page=title,
            redirects="1",
            prop="text|sections|revid|categories",
            disableeditsection="1",
            disabletoc="1",
        )

    def near(self, name: str) -> tuple[str, ...]:
        """Titles near a name that has no page; none when the search itself fails."""
        try:
            value = self.query(list="search", srsearch=name, srlimit="8", srprop="")
        except SourceError as error:
            _LOG.info("no near titles: %s", error)
            return ()
        hits = (value.get("query") or {}).get("search")
        return (
            tuple(str(hit["title"]) for hit in hits if isinstance(hit, dict) and hit.get("title"))
            if isinstance(hits, list)
            else ()
        )

    def senses(self, title: str) -> dict[str, str]:
        """The titles on a disambiguation page, each with its line."""
        value = self.parse(title).get("parse") or {}
        text = value.get("text")
        html = text.get("*") if isinstance(text, dict) else text
        return senses_of(parse(str(html))) if html else {}

    def licence(self, portrait: str) -> str:
        """The licence of a picture, '' where it cannot be had."""
        match = re.search(r"/(?:thumb/)?[0-9a-f]/[0-9a-f]{2}/([^/]+)", portrait)
        if not match:
            return ""
        try:
            value = self.query(
                titles="File:" + unquote(match.group(1)),
                prop="imageinfo",
                iiprop="extmetadata",
                iiextmetadatafilter="LicenseShortName",
            )
        except SourceError as error:
            _LOG.info("no licence: %s", error)
            return ""
        for page in pages_of(value):
            for info in page.get("imageinfo") or ():
                name = ((info.get("extmetadata") or {}).get("LicenseShortName") or {}).get("value")
                if name:
                    return str(name)
        return ""


def senses_of(root: Element) -> dict[str, str]:
    """Return the titles that a disambiguation page lists, each with its whole line; red links are left out."""
    found: dict[str, str] = {}
    for item in content_of(root).iter("li"):
        if any(has_class(parent, "navbox", "toc", "hatnote", "metadata") for parent in item.iterancestors()):
            continue
        link = next((a for a in item.iter("a") if not has_class(a, "new", "external") and _is_article(a)), None)
        if link is not None and len(found) < _MOST_SENSES:
            title = link.get("title") or one_line(text_of(link))
            found.setdefault(title, one_line(text_of(item)))
    return found


def _is_article(link: Element) -> bool:
    href = link.get("href") or ""
    title = link.get("title") or ""
    return (
        not href.startswith("#")
        and bool(title)
        and not re.match(
            r"^(?:Special|Help|Wikipedia|Category|File|Talk|特殊|分类|分類|文件|模板|帮助|wikt?|en|zh)\s*:", title, re.I
        )
    )


def _chosen(choices: dict[str, str], sense: str) -> str:
    if not sense:
        return ""
    exact = next((title for title in choices if title == sense), "")
    return exact or next((title for title, line in choices.items() if sense in title or sense in line), "")


def _redirected(page: dict[str, Any]) -> list[str]:
    """The titles that redirect to the page, where they can be names."""
    names: list[str] = []
    for step in page.get("redirects") or ():
        title = str(step.get("title") or "") if isinstance(step, dict) else ""
        if not title or re.search(r"[()（）/:,，、《》的]|\b(?:of|and|the|discography|list)\b", title, re.I):
            continue
        han = all("\u3400" <= char <= "\u9fff" or char == "·" for char in title)
        if (han and len(title) <= 8) or (not han and 1 < len(title.split()) <= 4 and title.istitle()):
            names.append(clean_name(title))
    return names


def _photograph(url: str) -> str:
    return "" if ".svg" in url.lower() else allowed_width(url)
