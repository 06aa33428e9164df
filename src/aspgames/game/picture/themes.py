"""The colours of pictures."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours of a piece: surface, outline, and inner lines."""

    fill: str
    outline: str
    lines: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, each as CSS and SVG write colours (``#f3ead9``, ``none``)."""

    background: str
    text: str
    frame: str
    light: str
    """Light squares."""
    dark: str
    """Dark squares, such as a1."""
    hole: str
    """Squares off limits."""
    hatch: str
    """The hatching of squares off limits."""
    last: str
    """The squares of the last move."""
    marked: str
    """Rings around squares."""
    arrow: str
    white: Ink
    """Pieces, by the colours that an encoding can give to roles."""
    black: Ink
    red: Ink
    blue: Ink
    green: Ink
    yellow: Ink
    nobody: Ink
    """Pieces without an owner."""


LIGHT = Theme(
    background="#ffffff",
    text="#4d463c",
    frame="#5d5346",
    light="#f4ecdb",
    dark="#cdb893",
    hole="#5d5346",
    hatch="#cdb893",
    last="#e3b23c",
    marked="#2f7d4f",
    arrow="#b5442c",
    white=Ink("#ffffff", "#26221d", "#26221d"),
    black=Ink("#2d2a26", "#14120f", "#efe9dd"),
    red=Ink("#c8442f", "#5c160c", "#ffe9e2"),
    blue=Ink("#3569b5", "#12294f", "#e4eefc"),
    green=Ink("#3c8a4e", "#123d1d", "#e3f5e6"),
    yellow=Ink("#f0c43a", "#5f4700", "#5f4700"),
    nobody=Ink("#7d6b58", "#5b4c3d", "#cbb9a2"),
)

DARK = Theme(
    background="#16181b",
    text="#b9bec5",
    frame="#8a929c",
    light="#8391a0",
    dark="#647282",
    hole="#16181b",
    hatch="#8a929c",
    last="#d8a531",
    marked="#7fe0a3",
    arrow="#f08a6c",
    white=Ink("#fdfdfb", "#1b1d20", "#1b1d20"),
    black=Ink("#202327", "#0b0c0e", "#c9d0d8"),
    red=Ink("#d9543d", "#4a0f07", "#ffe9e2"),
    blue=Ink("#3f78cc", "#0d2145", "#e4eefc"),
    green=Ink("#43a05a", "#0d3317", "#e3f5e6"),
    yellow=Ink("#f4cb4a", "#4d3a00", "#4d3a00"),
    nobody=Ink("#39424c", "#262d35", "#7e8b99"),
)

THEMES = {"light": (LIGHT,), "dark": (DARK,), "auto": (LIGHT, DARK)}
"""Names of themes, each with a theme, and perhaps another one for readers of dark pages."""

COLOURS = tuple(field.name for field in fields(Theme) if field.type == "Ink")[:-1]
"""The colours of roles, in the order in which roles get them."""
