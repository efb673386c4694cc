"""Portraits made small and square, and the seal that is drawn where there is none."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from chathistory.encyclopedia import fonts, seal_png
from chathistory.encyclopedia.portrait import SIZE, is_portrait_host, square_png
from chathistory.encyclopedia.wiki_portrait import STEPS, allowed_width
from chathistory.errors import UnreadableFile


def picture(width: int, height: int, kind: str = "PNG", mode: str = "RGB") -> bytes:
    image = Image.new(mode, (width, height), 128 if mode in {"L", "P"} else "red")
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def opened(body: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(body))
    image.load()
    return image


@pytest.mark.parametrize(
    ("body", "edge"),
    [
        (picture(1200, 900, "JPEG"), SIZE),
        (picture(300, 700), 300),
        (picture(400, 400, "GIF", "P"), 400),
        (picture(600, 200, "WEBP"), 200),
        (picture(128, 128, "PNG", "L"), 128),
    ],
)
def test_a_portrait_becomes_a_square_png(body: bytes, edge: int) -> None:
    image = opened(square_png(body))
    assert (image.format, image.size, image.mode) == ("PNG", (edge, edge), "RGB")


def test_what_is_transparent_becomes_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (64, 64), (0, 0, 0, 0)).save(out, "PNG")
    assert opened(square_png(out.getvalue())).getpixel((5, 5)) == (255, 255, 255)


def test_a_tall_picture_keeps_its_upper_part() -> None:
    image = Image.new("RGB", (100, 300), "white")
    image.paste("blue", (0, 40, 100, 90))
    out = io.BytesIO()
    image.save(out, "PNG")
    assert opened(square_png(out.getvalue())).getpixel((50, 20)) == (0, 0, 255)


@pytest.mark.parametrize(
    "body",
    [b"", b"<svg/>", b"\x89PNG\r\n\x1a\nbroken", picture(200, 200)[:60], picture(20, 20), b"BM" + b"0" * 60],
)
def test_what_is_no_portrait_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableFile):
        square_png(body)


def test_a_picture_of_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chathistory.encyclopedia.portrait._MOST_PIXELS", 1000)
    with pytest.raises(UnreadableFile, match="不适合"):
        square_png(picture(100, 100))


def test_portraits_come_from_the_encyclopedias_own_hosts() -> None:
    for host in ("upload.wikimedia.org", "bkimg.cdn.bcebos.com", "gss3.bdstatic.com"):
        assert is_portrait_host(host)
    for host in ("", "evil.example", "upload.wikimedia.org.evil.example", "127.0.0.1", "notwikimedia.org"):
        assert not is_portrait_host(host)


def test_thumbnails_are_asked_for_at_widths_that_are_served() -> None:
    base = "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Bai.jpg"
    whole = "https://upload.wikimedia.org/wikipedia/commons/a/ab/Bai.jpg"
    assert allowed_width(f"{base}/220px-Bai.jpg", 4000) == f"{base}/500px-Bai.jpg"
    assert allowed_width(f"{base}/220px-Bai.jpg", 400) == f"{base}/330px-Bai.jpg"
    assert allowed_width(f"{base}/220px-Bai.jpg", 210) == whole
    assert allowed_width(f"{base}/220px-Bai.jpg") == f"{base}/500px-Bai.jpg"
    assert allowed_width("https://example.org/x.jpg", 10) == "https://example.org/x.jpg"
    assert 500 in STEPS


NAMES = ["孔子", "李白", "秦始皇", "司马相如", "苏格拉底", "Bob Dylan", "Σωκράτης", "😀", "", "a", "刘备（三国）"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("font", [None, ""])
def test_every_name_has_a_seal_always_the_same(name: str, font: str | None) -> None:
    body = seal_png(name, font_file=font)
    image = opened(body)
    assert (image.format, image.size) == ("PNG", (384, 384))
    assert body == seal_png(name, font_file=font)


@pytest.mark.parametrize("font", [None, ""])
def test_seals_differ_by_name_and_are_red_on_paper(font: str | None) -> None:
    bodies = [seal_png(name, font_file=font) for name in NAMES[:8]]
    assert len(set(bodies)) == len(bodies)
    for body in bodies:
        red, green, blue = _mean(opened(body))
        assert red > green + 20
        assert red > blue + 20


def _mean(image: Image.Image) -> tuple[float, float, float]:
    small = image.convert("RGB").resize((1, 1), Image.Resampling.BOX)
    red, green, blue = small.getpixel((0, 0))  # type: ignore[misc]
    return red, green, blue


def test_a_computer_without_chinese_fonts_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    find: Callable[[], str] = fonts.chinese_font_file.__wrapped__
    monkeypatch.setattr(fonts, "_folders", lambda: [])
    assert find() == ""


def test_a_broken_font_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "simsun.ttc").write_bytes(b"no font")
    monkeypatch.setattr(fonts, "_folders", lambda: [folder, folder / "none"])
    assert fonts.chinese_font_file.__wrapped__() == ""
