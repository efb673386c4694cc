"""Bytes to text: byte-order mark, header charset, meta charset, strict UTF-8, gb18030; never a guess by statistics."""

from __future__ import annotations

import codecs
import re

from chathistory.errors import UnreadableFile

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_GB_FAMILY = {"gb2312", "gbk", "gb_2312-80", "x-gbk", "cp936", "hz-gb-2312"}
_MUCH = 24
"""Bytes beyond ASCII from which on valid UTF-8 is no accident."""
_MAGIC = (
    b"%PDF",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"\x1f\x8b",
    b"\x7fELF",
    b"MZ\x90",
    b"SQLite format 3\x00",
    b"\xd0\xcf\x11\xe0",
    b"7z\xbc\xaf",
    b"BZh",
    b"ID3",
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def looks_binary(body: bytes) -> bool:
    """Whether the bytes are no text: a known magic number, or NULs without a UTF-16/32 byte-order mark."""
    if any(body.startswith(bom) for bom, _ in _BOMS):
        return False
    if body.startswith(_MAGIC):
        return True
    return b"\x00" in body[:4096]


def decode(body: bytes, content_type: str = "") -> str:
    """Return the text of a page or file.

    Parameters
    ----------
    body
        The raw bytes, already decompressed.
    content_type
        The Content-Type header, '' where there is none.

    Raises
    ------
    UnreadableFile
        The bytes are no text in any encoding that is tried.

    Notes
    -----
    A declared encoding counts only when it decodes the whole body without an error: servers and saved pages lie.
    Much text that is valid UTF-8 is UTF-8 whatever was declared, since that does not happen by accident.
    """
    for bom, marked in _BOMS:
        if body.startswith(bom):
            whole = _decoded(body, marked)
            return whole if whole is not None else _lossy(body, marked)
    if looks_binary(body):
        raise UnreadableFile("这不是文本文件。请改用 .html、.txt、.md 或 .json 文件。")
    declared = [*_HEADER_CHARSET.findall(content_type), *(m.decode("ascii", "ignore") for m in _meta(body))]
    first = ["utf-8"] if sum(byte > 127 for byte in body[:65536]) >= _MUCH else []
    for encoding in [*first, *(_known(name) for name in declared), "utf-8", "gb18030"]:
        text = _decoded(body, encoding) if encoding else None
        if text is not None:
            return text
    if _mostly(body, "utf-8"):  # one cut character must not spoil a whole page
        return _lossy(body, "utf-8")
    if _mostly(body, "gb18030"):
        return _lossy(body, "gb18030")
    raise UnreadableFile("认不出这个文件的文字编码。请用 UTF-8 另存一份再试。")


def _meta(body: bytes) -> list[bytes]:
    return _META_CHARSET.findall(body[:4096])


def _known(name: str) -> str | None:
    """The codec for a declared name; None for an unknown one and for latin-1, which decodes anything."""
    if name.lower() in _GB_FAMILY:
        return "gb18030"
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return None if found in {"iso8859-1", "ascii", "cp1252"} else found


def _decoded(body: bytes, encoding: str) -> str | None:
    try:
        text = body.decode(encoding)
    except (UnicodeError, LookupError, ValueError):
        return None
    if encoding not in {"utf-8", "utf-8-sig"} and len(_CONTROL.findall(text[:20000])) > 20:
        return None
    return text


def _mostly(body: bytes, encoding: str) -> bool:
    text = body.decode(encoding, "replace")
    return bool(text) and text.count("\ufffd") * 200 <= len(text)


def _lossy(body: bytes, encoding: str) -> str:
    return body.decode(encoding, "ignore")
