"""The colours of pictures."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


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
    line: str
    """Lines between squares or points."""
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


_PAIRS: Mapping[str, tuple[Any, Any]] = {
    "background": ("#ffffff", "#16181b"),
    "text": ("#4d463c", "#b9bec5"),
    "frame": ("#5d5346", "#8a929c"),
    "line": ("#6b5d46", "#3d4752"),
    "light": ("#f4ecdb", "#a9b5c2"),
    "dark": ("#cdb893", "#8694a3"),
    "hole": ("#5d5346", "#16181b"),
    "hatch": ("#cdb893", "#8a929c"),
    "last": ("#e3b23c", "#d8a531"),
    "marked": ("#1c6339", "#0a4a2a"),
    "arrow": ("#a83a23", "#7d1d0d"),
    "white": (Ink("#ffffff", "#26221d", "#26221d"), Ink("#fdfdfb", "#1b1d20", "#1b1d20")),
    "black": (Ink("#2d2a26", "#14120f", "#efe9dd"), Ink("#202327", "#0b0c0e", "#c9d0d8")),
    "red": (Ink("#c8442f", "#5c160c", "#ffe9e2"), Ink("#d9543d", "#4a0f07", "#ffe9e2")),
    "blue": (Ink("#3569b5", "#12294f", "#e4eefc"), Ink("#3f78cc", "#0d2145", "#e4eefc")),
    "green": (Ink("#3c8a4e", "#123d1d", "#e3f5e6"), Ink("#2f8a47", "#0d3317", "#e3f5e6")),
    "yellow": (Ink("#f0c43a", "#5f4700", "#5f4700"), Ink("#f4cb4a", "#332600", "#332600")),
    "nobody": (Ink("#54463a", "#33291f", "#e6d9c4"), Ink("#2f3841", "#14181c", "#c3ccd5")),
}

LIGHT = Theme(**{name: light for name, (light, _) in _PAIRS.items()})
DARK = Theme(**{name: dark for name, (_, dark) in _PAIRS.items()})

THEMES = {"light": (LIGHT,), "dark": (DARK,), "auto": (LIGHT, DARK)}
"""Names of themes, each with a theme, and perhaps another one for readers of dark pages."""

THEME_LIST = ", ".join(
    f"{name} (as the reader's browser asks)" if others else name
    for name, (_, *others) in THEMES.items()
)
"""The names in one phrase, for ``--help``."""

COLOURS = tuple(f.name for f in fields(Theme) if isinstance(getattr(LIGHT, f.name), Ink))[:-1]
"""The colours of roles, in the order in which roles get them."""
