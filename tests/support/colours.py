"""Colours drawn by browsers, and their contrast ratio (WCAG)."""

import re
import struct
import zlib
from typing import Any

Colour = tuple[int, int, int]


def colour(css: str) -> Colour:
    """The parts of ``#rrggbb`` or ``rgb(r, g, b)``."""
    if css.startswith("#"):
        return int(css[1:3], 16), int(css[3:5], 16), int(css[5:7], 16)
    red, green, blue = re.findall(r"\d+", css)[:3]
    return int(red), int(green), int(blue)


def contrast(one: str, other: str) -> float:
    """The contrast, from 1 (equal) to 21 (black and white). Shapes need 3, letters 4.5."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(css: str) -> float:
    parts = [part / 255 for part in colour(css)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def corner(element: Any) -> Colour:
    """The drawn colour near the upper left corner of an element."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    clip = {"x": box["x"] + 4, "y": box["y"] + 4, "width": 1, "height": 1}
    return pixel(element.page.screenshot(clip=clip))


def pixel(png: bytes) -> Colour:
    place, packed = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"IHDR":
            assert struct.unpack(">II", png[place + 8 : place + 16]) == (1, 1)
        if kind == b"IDAT":
            packed += png[place + 8 : place + 8 + length]
        place += 12 + length
    _, red, green, blue, *_ = zlib.decompress(packed)  # the first is the row's filter
    return red, green, blue
