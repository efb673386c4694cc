"""Baidu Baike: the page of /item/<title>[/<id>], its senses, and the card as a last, partial resort."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

from chathistory.domain import Article
from chathistory.encyclopedia.baidu_senses import Sense, senses
from chathistory.encyclopedia.baike_card import page_of_card
from chathistory.encyclopedia.client import WebClient
from chathistory.encyclopedia.dom import parse
from chathistory.encyclopedia.html import read_html
from chathistory.encyclopedia.page import article_of
from chathistory.errors import Ambiguous, Blocked, EmptyArticle, NotFound, SourceError

_LOG = logging.getLogger(__name__)
_SENSE = re.compile(r"^(.+?)\s*[（(]([^（）()]+(?:[（(][^（）()]*[）)][^（）()]*)*)[）)]\s*$")


def split_sense(name: str) -> tuple[str, str]:
    """Return (title, sense) of ``刘备（三国时期蜀汉开国皇帝）``; the sense is '' where the name carries none."""
    match = _SENSE.match(name.strip())
    return (match.group(1), match.group(2).strip()) if match else (name.strip(), "")


def fetch_baike(name: str, client: WebClient, base: str, sense: str = "") -> Article:
    """Return Baidu Baike's article of a name.

    Parameters
    ----------
    name
        A title, or a title with its sense in brackets, as ``Ambiguous.candidates`` gives it.
    sense
        The sense's description, a part of it, or its number (the lemma id).

    Raises
    ------
    Ambiguous
        The title is only a list of senses, or the asked sense is none of the page's; ``candidates`` can be summoned.
    Blocked
        Baidu asks for a proof of being human, and the card is not to be had either.
    NotFound, EmptyArticle, NetworkError
    """
    title, own = split_sense(name)
    wanted = sense or own
    number = wanted if wanted.isdigit() and len(wanted) > 3 else ""
    try:
        return _read(name, title, client, base, "" if number else wanted, number)
    except Blocked as block:
        card = None if number or wanted else _card(name, title, client, base)
        if card is None:
            raise block
        return card


def _read(name: str, title: str, client: WebClient, base: str, wanted: str, number: str) -> Article:
    url = _url(base, title, number)
    text, final = _page(url, name, client, base)
    found = senses(parse(text), text)
    if wanted and found:
        chosen = _chosen(found, wanted)
        if chosen is None:
            raise Ambiguous(
                f"“{title}”没有义项“{wanted}”。可选：{'、'.join(one.name for one in found[:12])}。",
                tuple(one.name for one in found),
            )
        if chosen.lemma_id and not chosen.current and chosen.lemma_id != number:
            url = _url(base, chosen.title or title, chosen.lemma_id)
            text, final = _page(url, name, client, base)
    article = read_html(text, name, fallback_title=title, url=final)
    return replace(article, source="baike", fetched_at=datetime.now(UTC).isoformat(timespec="seconds"))


def _chosen(found: tuple[Sense, ...], wanted: str) -> Sense | None:
    exact = next((one for one in found if one.description == wanted), None)
    return exact or next((one for one in found if wanted in one.description), None)


def _url(base: str, title: str, number: str) -> str:
    return f"{base.rstrip('/')}/item/{quote(title, safe='')}" + (f"/{number}" if number else "")


def _page(url: str, name: str, client: WebClient, base: str) -> tuple[str, str]:
    answer = client.get(url, name=name, hosts=_is_baidu)
    if answer.status != 200 or re.search(r"/error\.html|/notexists|/search/none", answer.url):
        raise NotFound(f"百度百科没有“{name}”这个词条。请检查写法，或换一个来源。")
    if not answer.body.strip():
        raise EmptyArticle(f"百度百科给“{name}”的页面是空的。请稍后再试，或换一个来源。")
    return answer.text, answer.url


def _is_baidu(host: str) -> bool:
    return host == "baike.baidu.com" or host.endswith(".baike.baidu.com")


def _card(name: str, title: str, client: WebClient, base: str) -> Article | None:
    """The lemma's card as a partial article, None when it is not to be had."""
    params = {"scope": "103", "format": "json", "appid": "379020", "bk_key": title, "bk_length": "600"}
    try:
        answer = client.get(f"{base.rstrip('/')}/api/openapi/BaikeLemmaCardApi", params, name=name, hosts=_is_baidu)
        card = json.loads(answer.text) if answer.status == 200 else None
        if not isinstance(card, dict) or not card.get("abstract"):
            return None
        return replace(article_of(page_of_card(card), name), fetched_at=datetime.now(UTC).isoformat(timespec="seconds"))
    except (SourceError, TypeError, AttributeError, ValueError) as error:
        _LOG.info("no card: %s", error)
        return None
