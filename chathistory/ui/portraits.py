"""The face of a persona: the picture in its data folder, or a seal drawn from its name."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from chathistory.encyclopedia import seal_png

USER_ICON = ":material/person:"
_SIDE = 192


def portrait(name: str, picture: Path | None = None) -> bytes:
    """Return a PNG of at most 192 px; the seal where there is no picture or it cannot be read."""
    if picture is not None:
        try:
            return _thumbnail(str(picture), picture.stat().st_mtime_ns)
        except OSError:
            pass
    return _seal(name)


@lru_cache(maxsize=256)
def _thumbnail(path: str, _changed: int) -> bytes:
    try:
        with Image.open(path) as image:
            image.thumbnail((_SIDE, _SIDE))
            out = BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return out.getvalue()
    except (UnidentifiedImageError, Image.DecompressionBombError, ValueError, SyntaxError) as error:
        raise OSError(f"not a picture: {path}") from error


@lru_cache(maxsize=256)
def _seal(name: str) -> bytes:
    return seal_png(name)
