"""A file or folder as an article: saved pages, API answers, the seed's import.json, plain text and Markdown."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from chathistory.domain import Article
from chathistory.encyclopedia.decode import decode, looks_binary
from chathistory.errors import EmptyArticle, NotFound, UnreadableFile

_LOG = logging.getLogger(__name__)
_LARGEST = 32 * 1024 * 1024
_HTML = frozenset({".html", ".htm", ".xhtml", ".shtml", ".mhtml", ".mht"})
_TEXT = frozenset({".txt", ".text", ".md", ".markdown", ".json", ""})


def read_file(path: Path | str, requested: str | None = None) -> Article:
    """Return the article in a file, or in a folder of the seed (the one that holds ``import.json``).

    Parameters
    ----------
    path
        ``.html``/``.htm`` (a saved page of Baidu Baike or Wikipedia, or HTML out of their APIs; told by content),
        ``.json`` (MediaWiki API answers, the seed's list of strings, an exported article), ``.txt``, ``.md``.
    requested
        The name the user asked for; the page's own title where None.

    Raises
    ------
    NotFound
        There is no such file.
    UnreadableFile
        The file is no text, too large, or of an unknown kind.
    EmptyArticle, Blocked, Ambiguous
        The page holds no text, is a challenge page, or is a list of senses.
    """
    place = Path(path)
    if place.is_dir():
        return _read_folder(place, requested)
    body = _body(place)
    suffix = place.suffix.lower()
    if suffix in {".mhtml", ".mht"}:
        body = _page_in_archive(body, place)
    if suffix not in _HTML | _TEXT and looks_binary(body):
        raise UnreadableFile(f"“{place.name}”不是文本文件。请改用 .html、.txt、.md 或 .json 文件。")
    try:
        text = decode(body)
    except UnreadableFile as error:
        raise UnreadableFile(f"读不了“{place.name}”：{error}") from error
    if not text.strip():
        raise EmptyArticle(f"“{place.name}”是空文件。请换一个文件，或重新保存。")
    article = _read_text(text, suffix, place, requested)
    return replace(article, source="file", source_url=article.source_url or place.resolve().as_uri())


def _read_text(text: str, suffix: str, place: Path, requested: str | None) -> Article:
    name = requested or _stem(place)
    if suffix in _HTML or (suffix not in {".md", ".markdown", ".json"} and _looks_html(text)):
        from chathistory.encyclopedia.html import read_html

        return read_html(text, requested or "", fallback_title=name)
    if suffix == ".json" or (suffix not in {".md", ".markdown", ".txt"} and text.lstrip()[:1] in "{["):
        from chathistory.encyclopedia.json_file import read_json

        return read_json(text, requested or "", fallback_title=name)
    from chathistory.encyclopedia.markdown import read_markdown, read_text

    if suffix in {".md", ".markdown"} or text.lstrip().startswith("+++"):
        article = read_markdown(text, requested or "")
        return article if article.title else replace(article, title=name, requested=name)
    return read_text(text, name)


def _stem(place: Path) -> str:
    """The name that a file's name tells; the folder's for the seed's import.json."""
    if place.name.lower() == "import.json":
        return unquote(place.resolve().parent.name)
    return unquote(place.stem)


def _looks_html(text: str) -> bool:
    head = text.lstrip()[:4000].lower()
    return re.match(r"<(?:[a-z]|!doctype|!--|\?xml)", head) is not None and "</" in head


def _page_in_archive(body: bytes, place: Path) -> bytes:
    """The page itself out of a web archive (MHTML), as browsers save one."""
    from email import message_from_bytes

    for part in message_from_bytes(body).walk():
        if part.get_content_type() in {"text/html", "application/xhtml+xml"}:
            page = part.get_payload(decode=True)
            if isinstance(page, bytes) and page.strip():
                origin = str(part.get("Content-Location") or "").encode("ascii", "ignore")
                return b"<!-- saved from url=(0000)" + origin + b" -->\n" + page
    raise UnreadableFile(f"“{place.name}”里没有网页。请在浏览器里重新保存为“网页，全部”或“单个文件”。")


def _body(place: Path) -> bytes:
    try:
        if place.stat().st_size > _LARGEST:
            raise UnreadableFile(f"“{place.name}”超过 32 MB，太大了。请只保存词条页面本身。")
        return place.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"找不到文件“{place}”。请检查路径。") from error
    except OSError as error:
        raise UnreadableFile(f"打不开“{place}”：{error.strerror or error}。请检查文件和权限。") from error
    except ValueError as error:
        raise NotFound(f"“{place}”不是可用的路径。请检查路径。") from error


def _read_folder(place: Path, requested: str | None) -> Article:
    """The seed's folder: its import.json, named by the percent-encoded folder name or by data/list.json beside it."""
    source = place / "import.json"
    if not source.is_file():
        raise UnreadableFile(f"文件夹“{place.name}”里没有 import.json。请指定一个文件，或旧版数据里的人物文件夹。")
    return read_file(source, requested or _listed_name(place) or unquote(place.resolve().name))


def _listed_name(place: Path) -> str:
    import json

    listing = place.resolve().parent / "list.json"
    try:
        names = json.loads(listing.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(names.get(place.resolve().name) or "") if isinstance(names, dict) else ""
