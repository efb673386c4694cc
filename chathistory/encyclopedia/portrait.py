"""A portrait from the web as a small square PNG: allowed hosts, real images, nothing huge."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from urllib.parse import urlsplit

from PIL import Image, ImageOps, UnidentifiedImageError

from chathistory.encyclopedia.client import MAX_IMAGE, WebClient
from chathistory.errors import NetworkError, NotFound, UnreadableFile

SIZE = 512
"""The longest edge of an avatar in pixels."""
_SMALLEST = 32
_MOST_PIXELS = 60_000_000
_HOSTS = ("wikimedia.org", "wikipedia.org", "bcebos.com", "bdimg.com", "bdstatic.com", "baidu.com")
_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_HEAD_ROOM = 0.18
"""Of what a tall picture loses, the share that is cut off above: faces are near the top."""


def is_portrait_host(host: str) -> bool:
    """Whether pictures may be loaded from a host: the encyclopedias' own picture servers."""
    return any(host == known or host.endswith("." + known) for known in _HOSTS)


def portrait_png(url: str, client: WebClient, *, hosts: Callable[[str], bool] = is_portrait_host) -> bytes:
    """Return a portrait as a square PNG of at most 512 x 512 pixels.

    Raises
    ------
    NetworkError
        The host is not an encyclopedia's, or did not give the picture.
    NotFound
        There is no such picture.
    UnreadableFile
        What came is no PNG, JPEG, GIF or WebP, or too small or too large to be a portrait.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not hosts(host):
        raise NetworkError(f"头像地址“{host or url[:60]}”不在允许的网站之内，没有下载。将使用绘制的印章头像。")
    answer = client.get(
        url, hosts=hosts, max_bytes=MAX_IMAGE, accept="image/png,image/jpeg,image/webp;q=0.9,image/gif;q=0.8"
    )
    if answer.status != 200:
        raise NotFound("头像图片已经不在了。将使用绘制的印章头像。")
    if not answer.content_type.lower().startswith("image/") or "svg" in answer.content_type.lower():
        raise UnreadableFile("头像地址给出的不是图片。将使用绘制的印章头像。")
    return square_png(answer.body)


def square_png(body: bytes) -> bytes:
    """Return a picture cut to a square about its upper middle, at most 512 pixels wide, re-encoded as PNG.

    Raises
    ------
    UnreadableFile
        The bytes are no picture of a known kind, or its size is out of all proportion.
    """
    if not (body.startswith(_MAGIC) or (body[:4] == b"RIFF" and body[8:12] == b"WEBP")):
        raise UnreadableFile("这不是 PNG、JPEG、GIF 或 WebP 图片。将使用绘制的印章头像。")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(body)) as opened:
                if opened.width * opened.height > _MOST_PIXELS or min(opened.size) < _SMALLEST:
                    raise UnreadableFile(
                        f"图片尺寸 {opened.width}×{opened.height} 不适合作头像。将使用绘制的印章头像。"
                    )
                picture = _flat(ImageOps.exif_transpose(opened))
    except (UnidentifiedImageError, Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise UnreadableFile("图片读不出来或过大。将使用绘制的印章头像。") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise UnreadableFile("图片已损坏。将使用绘制的印章头像。") from error
    edge = min(picture.size)
    left = (picture.width - edge) // 2
    top = int((picture.height - edge) * _HEAD_ROOM)
    square = picture.crop((left, top, left + edge, top + edge))
    if edge > SIZE:
        square = square.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    square.save(out, "PNG", optimize=True)
    return out.getvalue()


def _flat(picture: Image.Image) -> Image.Image:
    """The picture in RGB, what is transparent on white."""
    layered = picture.convert("RGBA")
    ground = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(ground, layered).convert("RGB")
