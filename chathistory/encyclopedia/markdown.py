"""Plain text and Markdown as articles; Markdown may carry TOML (title, aliases, birth, …) between ``+++`` lines."""

from __future__ import annotations

import re
from typing import Any

from chathistory.domain import Article, Section, Year
from chathistory.encyclopedia.page import Page, article_of
from chathistory.encyclopedia.tidy import BULLET, tidy
from chathistory.encyclopedia.years import parse_year
from chathistory.errors import UnreadableFile

_FRONT = re.compile(r"\A\s*\+\+\+[ \t]*\r?\n(.*?)\r?\n\+\+\+[ \t]*(?:\r?\n|\Z)", re.S)
_ATX = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_LIST = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,2}[.)、]\s+)(.+)$")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_MARKS = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]+)\]\([^)\s]+(?:\s+\"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"\[\^[^\]]+\]:?"), ""),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
)


def read_markdown(text: str, requested: str, source_url: str = "") -> Article:
    """Return the article of a Markdown text.

    Raises
    ------
    UnreadableFile
        The front matter is no TOML, or a key in it has the wrong form.
    EmptyArticle
        There is no paragraph in it.
    """
    front, body = _front_matter(text)
    title, sections = _sections(body)
    title = str(front.get("title") or title or requested)
    page = Page(
        title=title,
        sections=sections,
        infobox=_pairs(front.get("infobox", [])),
        also=tuple(str(alias) for alias in _list(front.get("aliases", []), "aliases")),
        portrait_url=str(front.get("portrait_url") or ""),
        source="file",
        source_url=str(front.get("source_url") or source_url),
        sense=str(front.get("sense") or ""),
    )
    article = article_of(page, requested or title)
    return _with_front(article, front)


def _with_front(article: Article, front: dict[str, Any]) -> Article:
    """What the front matter says goes before what was read out of the text; its order of aliases is kept."""
    from dataclasses import replace

    names = tuple(str(alias) for alias in front.get("aliases", []) if str(alias) != article.title)
    return replace(
        article,
        aliases=tuple(dict.fromkeys((*names, *article.aliases))),
        birth=_year(front["birth"], "birth") if "birth" in front else article.birth,
        death=_year(front["death"], "death") if "death" in front else article.death,
    )


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    match = _FRONT.match(text)
    if not match:
        return {}, text
    import tomllib

    try:
        return tomllib.loads(match.group(1)), text[match.end() :]
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(f"文件开头 +++ 之间的 TOML 写错了：{error}。请改正后再试。") from error


def _list(value: object, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableFile(f'文件开头的 {key} 应当是列表，例如 {key} = ["…"]。')
    return value


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    rows = list(value.items()) if isinstance(value, dict) else _list(value, "infobox")
    pairs: list[tuple[str, str]] = []
    for row in rows:
        if not isinstance(row, list | tuple) or len(row) != 2:
            raise UnreadableFile('文件开头的 infobox 应当是成对的列表，例如 infobox = [["字", "仲尼"]]。')
        pairs.append((str(row[0]), str(row[1])))
    return tuple(pairs)


def _year(value: object, key: str) -> Year | None:
    if isinstance(value, bool) or value is None or value == "":
        return None
    if isinstance(value, int):
        return Year(value, f"前{-value}年" if value < 0 else f"{value}年")
    if isinstance(value, dict):
        year = value.get("year")
        text = str(value.get("text") or "")
        if year is None or isinstance(year, int):
            return Year(
                year, text or (f"{year}年" if year is not None else ""), "year" if year is not None else "unknown"
            )
    if hasattr(value, "year") and hasattr(value, "isoformat"):
        return parse_year(str(value.isoformat()))
    if isinstance(value, str):
        return parse_year(value) or Year(None, value, "unknown")
    raise UnreadableFile(f'文件开头的 {key} 应当是年份，例如 {key} = "前551年"。')


def _sections(body: str) -> tuple[str, tuple[Section, ...]]:
    """The document's title (its first #, when the text opens with it) and its sections."""
    title = ""
    heads: list[tuple[str, int]] = [("", 1)]
    texts: list[list[str]] = [[]]
    pending: list[str] = []

    def flush() -> None:
        text = tidy(_join(pending))
        pending.clear()
        if text and any(char.isalnum() for char in text):
            texts[-1].append(text)

    fenced = False
    for line in body.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        head = None if fenced else _ATX.match(line)
        item = None if fenced or head else _LIST.match(line)
        if not line.strip() or head or _RULE.match(line):
            flush()
            if head:
                name, level = tidy(_plain(head.group(2))), len(head.group(1))
                if level == 1 and not title and len(heads) == 1 and not texts[0]:
                    title = name
                else:
                    heads.append((name, max(level, 2)))
                    texts.append([])
        elif item:
            flush()
            text = tidy(_plain(item.group(1)))
            if text:
                texts[-1].append(BULLET + text)
        else:
            pending.append(_plain(line))
    flush()
    sections = tuple(Section(name, level, tuple(body)) for (name, level), body in zip(heads, texts, strict=True))
    return title, tuple(section for section in sections if section.paragraphs or section.level > 1)


def _plain(line: str) -> str:
    line = line.lstrip("> ").rstrip("\\") if line.lstrip().startswith(">") else line.rstrip("\\")
    for pattern, shown in _MARKS:
        line = pattern.sub(shown, line)
    return line


def _join(lines: list[str]) -> str:
    """Soft line breaks: Western words are kept apart, Chinese text closes up (``tidy`` sees to it)."""
    return " ".join(line.strip() for line in lines)


def read_text(text: str, requested: str) -> Article:
    """Return the article of a plain text: one paragraph a line; the title is the asked name.

    A first line that is only the title is taken off.
    """
    lines = [tidy(line) for line in re.split(r"\r\n|\r|\n|\u2028|\u2029", text)]
    paragraphs = [line for line in lines if line and any(char.isalnum() for char in line)]
    if len(paragraphs) > 1 and paragraphs[0].strip("《》【】# ") == requested:
        paragraphs = paragraphs[1:]
    page = Page(title=title_in(requested, paragraphs), sections=(Section("", 1, tuple(paragraphs)),), source="file")
    return article_of(page, requested)


def title_in(requested: str, paragraphs: list[str]) -> str:
    """Return the figure's name: the first words of the text where a long file name holds them, else the name itself."""
    if not paragraphs or not re.search(r"[_\-.\s]", requested):
        return requested
    parts = [part for part in re.split(r"[_\-.\s]+", requested) if part]
    starts = [part for part in parts if paragraphs[0].startswith(part) and not part.isdigit()]
    return max(starts, key=len) if starts else requested
