"""A drawn seal for those without a portrait: red on paper or paper on red, cut anew for every name, always the same."""

from __future__ import annotations

import hashlib
import io
import math
import random
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from chathistory.encyclopedia import fonts

SIZE = 384
"""The edge of a seal in pixels."""
_SCALE = 2
_PAPER = (249, 245, 236)
_REDS = ((178, 34, 34), (163, 28, 32), (186, 45, 36), (150, 30, 38))


@lru_cache(maxsize=256)
def seal_png(name: str, *, font_file: str | None = None) -> bytes:
    """Return the seal of a name as a square PNG of 384 x 384 pixels.

    The same name gives the same bytes on the same computer; different names give different seals, also where no
    Chinese font is installed: then a pattern that belongs to the name is cut instead of its characters.

    Parameters
    ----------
    font_file
        The font to cut with, '' for Pillow's own; searched for on this computer where None.
    """
    rng = random.Random(hashlib.sha256(name.encode("utf-8", "replace")).digest())
    path = fonts.chinese_font_file() if font_file is None else font_file
    relief = rng.random() < 0.5
    edge = SIZE * _SCALE
    shape = _stone(edge, rng)
    figure = _figure(name, edge, path, rng)
    if relief:
        ink = ImageChops.lighter(ImageChops.multiply(_frame(edge, rng), shape), ImageChops.multiply(figure, shape))
    else:
        ink = ImageChops.multiply(shape, ImageChops.invert(figure))
    ink = ImageChops.multiply(ink, _wear(edge, rng))
    ink = ink.filter(ImageFilter.GaussianBlur(_SCALE * 0.5)).resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    picture = Image.new("RGB", (SIZE, SIZE), _PAPER)
    picture.paste(Image.new("RGB", (SIZE, SIZE), rng.choice(_REDS)), (0, 0), ink)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _stone(edge: int, rng: random.Random) -> Image.Image:
    """The stone's face: a square with soft, slightly uneven edges; 255 where it prints."""
    mask = Image.new("L", (edge, edge), 0)
    margin = edge * 0.08
    points: list[tuple[float, float]] = []
    corners = [(margin, margin), (edge - margin, margin), (edge - margin, edge - margin), (margin, edge - margin)]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        for step in range(24):
            t = step / 24
            points.append(
                (x0 + (x1 - x0) * t + rng.gauss(0, edge * 0.0022), y0 + (y1 - y0) * t + rng.gauss(0, edge * 0.0022))
            )
    draw = ImageDraw.Draw(mask)
    draw.polygon(points, fill=255)
    for _ in range(rng.randint(3, 6)):  # chips at the rim
        side, along, depth = rng.randrange(4), rng.uniform(margin, edge - margin), rng.uniform(0.006, 0.02) * edge
        x, y = ((along, margin), (edge - margin, along), (along, edge - margin), (margin, along))[side]
        draw.ellipse((x - depth * 1.6, y - depth, x + depth * 1.6, y + depth), fill=0)
    return mask.filter(ImageFilter.GaussianBlur(edge * 0.008)).point(lambda value: 255 if value > 128 else 0)


def _frame(edge: int, rng: random.Random) -> Image.Image:
    """The rim of a seal in relief, its inner edge a little uneven."""
    mask = Image.new("L", (edge, edge), 255)
    inner = edge * 0.118
    points = []
    corners = [(inner, inner), (edge - inner, inner), (edge - inner, edge - inner), (inner, edge - inner)]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        for step in range(16):
            t = step / 16
            points.append(
                (x0 + (x1 - x0) * t + rng.gauss(0, edge * 0.002), y0 + (y1 - y0) * t + rng.gauss(0, edge * 0.002))
            )
    ImageDraw.Draw(mask).polygon(points, fill=0)
    return mask


def _wear(edge: int, rng: random.Random) -> Image.Image:
    """Where the ink took badly: fine specks and a few larger ones; 255 where it took well."""
    small = Image.new("L", (edge // 3, edge // 3), 255)
    draw = ImageDraw.Draw(small)
    for _ in range(150):
        x, y, r = rng.uniform(0, small.width), rng.uniform(0, small.height), abs(rng.gauss(0, 0.7))
        draw.ellipse((x - r, y - r, x + r, y + r), fill=rng.randint(30, 150))
    return small.resize((edge, edge), Image.Resampling.BICUBIC)


def _figure(name: str, edge: int, path: str, rng: random.Random) -> Image.Image:
    """What is cut into the stone: the name's characters, its initials, or a pattern; 255 where the figure is."""
    text = _shown(name)
    if _is_han(text):
        return _characters(text, edge, path) if path else _pattern(edge, rng)
    letters = _initials(name)
    if letters and (path or letters.isascii()):
        return _letters(letters, edge, path if not letters.isascii() else "")
    return _pattern(edge, rng)


def _shown(name: str) -> str:
    """At most four characters of the name: blanks, dots and brackets left out."""
    bare = name.split("（")[0].split("(")[0]
    return (
        "".join(char for char in bare if char.isalnum())[:4]
        if _is_han("".join(c for c in bare if c.isalnum()))
        else bare
    )


def _is_han(text: str) -> bool:
    return bool(text) and all("\u3400" <= char <= "\u9fff" or "\U00020000" <= char <= "\U000323af" for char in text)


def _initials(name: str) -> str:
    words = [word for word in "".join(c if c.isalnum() else " " for c in name).split() if word]
    return "".join(word[0] for word in words[:2]).upper()


_PLACES = {
    1: ((0.06, 0.06, 0.94, 0.94),),
    2: ((0.14, 0.0, 0.86, 0.5), (0.14, 0.5, 0.86, 1.0)),
    3: ((0.5, 0.0, 1.0, 1.0), (0.0, 0.0, 0.5, 0.5), (0.0, 0.5, 0.5, 1.0)),
    4: ((0.5, 0.0, 1.0, 0.5), (0.5, 0.5, 1.0, 1.0), (0.0, 0.0, 0.5, 0.5), (0.0, 0.5, 0.5, 1.0)),
}
"""Where the characters stand, as shares of the field (left, top, right, bottom): read from the right, from the top."""


def _characters(text: str, edge: int, path: str) -> Image.Image:
    """The characters, each stretched to fill its place as on a carved seal."""
    mask = Image.new("L", (edge, edge), 0)
    start, field = edge * 0.155, edge * 0.69
    gap = edge * 0.018
    for char, (left, top, right, bottom) in zip(text, _PLACES[len(text)], strict=True):
        box = (
            start + field * left + gap,
            start + field * top + gap,
            start + field * right - gap,
            start + field * bottom - gap,
        )
        glyph = _glyph(char, path, edge)
        width, height = int(box[2] - box[0]), int(box[3] - box[1])
        mask.paste(glyph.resize((width, height), Image.Resampling.LANCZOS), (int(box[0]), int(box[1])))
    return mask.filter(ImageFilter.MaxFilter(7)).point(lambda value: 255 if value > 110 else 0)


def _glyph(char: str, path: str, edge: int) -> Image.Image:
    """One character cut close."""
    font = fonts.load(path, edge // 2)
    canvas = Image.new("L", (edge, edge), 0)
    ImageDraw.Draw(canvas).text((edge // 4, edge // 8), char, font=font, fill=255)
    box = canvas.getbbox()
    return canvas.crop(box) if box else canvas


def _letters(letters: str, edge: int, path: str) -> Image.Image:
    """Initials side by side between two fine rules."""
    mask = Image.new("L", (edge, edge), 0)
    draw = ImageDraw.Draw(mask)
    field = edge * 0.6
    glyphs = [_glyph(letter, path, edge) for letter in letters]
    width = field / len(glyphs)
    scale = min([edge * 0.42 / glyph.height for glyph in glyphs] + [width * 0.86 / glyph.width for glyph in glyphs])
    for i, glyph in enumerate(glyphs):
        drawn = glyph.resize(
            (max(1, int(glyph.width * scale)), max(1, int(glyph.height * scale))), Image.Resampling.LANCZOS
        )
        x = edge * 0.2 + width * i + (width - drawn.width) / 2
        mask.paste(drawn, (int(x), int(edge * 0.5 - drawn.height / 2)))
    for y in (0.215, 0.765):
        draw.rectangle((edge * 0.2, edge * y, edge * 0.8, edge * (y + 0.022)), fill=255)
    return mask.filter(ImageFilter.MaxFilter(9)).point(lambda value: 255 if value > 110 else 0)


def _pattern(edge: int, rng: random.Random) -> Image.Image:
    """A figure that belongs to the name: a mirrored lattice of strokes about a round heart, as on old tile ends."""
    mask = Image.new("L", (edge, edge), 0)
    draw = ImageDraw.Draw(mask)
    centre, width = edge / 2, int(edge * 0.03)
    spokes = rng.choice((4, 5, 6, 8))
    turn = rng.uniform(0, math.pi)
    inner, middle, outer = edge * 0.07, edge * rng.uniform(0.17, 0.21), edge * 0.33
    draw.ellipse((centre - outer, centre - outer, centre + outer, centre + outer), outline=255, width=width)
    draw.ellipse((centre - inner, centre - inner, centre + inner, centre + inner), fill=255)
    draw.ellipse((centre - middle, centre - middle, centre + middle, centre + middle), outline=255, width=width)
    curl = rng.uniform(0.18, 0.42)
    for k in range(spokes):
        angle = turn + 2 * math.pi * k / spokes
        x0, y0 = centre + middle * math.cos(angle), centre + middle * math.sin(angle)
        x1, y1 = centre + outer * math.cos(angle), centre + outer * math.sin(angle)
        draw.line((x0, y0, x1, y1), fill=255, width=width)
        bud = angle + math.pi / spokes
        r = (outer - middle) * curl
        x, y = centre + (middle + outer) / 2 * math.cos(bud), centre + (middle + outer) / 2 * math.sin(bud)
        draw.ellipse((x - r, y - r, x + r, y + r), outline=255, width=int(width * 0.8))
        if rng.random() < 0.5:
            draw.ellipse((x - r / 3, y - r / 3, x + r / 3, y + r / 3), fill=255)
    return mask
