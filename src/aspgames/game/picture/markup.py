"""Writing SVG: text that can't break out, numbers, and groups in the colours of a theme."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape

from ...runtime.call_arguments import optional_package
from .themes import Ink, Theme

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PREFIX = "aspgames-"
_STROKED = ("frame", "line", "hatch", "marked")


def text(value: str) -> str:
    """A text escaped for XML; invalid characters are replaced."""
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", value))


def number(value: float) -> str:
    """A length with at most two decimals."""
    return f"{round(value, 2):g}"


def label(content: str, x: float, y: float, size: float, more: str = "") -> str:
    """A text centred at a point."""
    place = f'x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{number(size)}"'
    return f'<text {place} text-anchor="middle"{more}>{text(content)}</text>'


def png_of(svg: str) -> bytes:
    """The PNG of an SVG picture, in the size of the SVG.

    Letters need a font on the system. Raises ``BadRequest`` if the package ``resvg-py`` is missing.
    """
    resvg = optional_package("resvg_py", "PNG", "aspgames[png]")
    return bytes(resvg.svg_to_bytes(svg_string=svg))


class Groups:
    """Writes groups in the colours of one theme, or of a light and a dark one."""

    def __init__(self, themes: Sequence[Theme]) -> None:
        self._colours, *self._night = [
            {field.name: _of(field.name, getattr(theme, field.name)) for field in fields(Theme)}
            for theme in themes
        ]

    def __call__(self, name: str, content: str, more: str = "") -> str:
        """A group with the colours of a name; an empty text if it has no content."""
        if not content:
            return ""
        attributes = "".join(f' {key}="{text(v)}"' for key, v in self._colours[name].items())
        return f'<g class="{_PREFIX}{name}"{attributes}{more}>{content}</g>'

    def layer(self, name: str, more: str = "") -> str:
        """An empty group, for a page that draws into it."""
        return self(name, "<!-- -->", more)

    @property
    def style(self) -> str:
        """The CSS of the dark theme; printed pages keep the light one."""
        rules = "".join(
            f".{_PREFIX}auto .{_PREFIX}{name}"
            f"{{{';'.join(f'{key}:{value}' for key, value in attributes.items())}}}"
            for night in self._night
            for name, attributes in night.items()
        )
        return f"@media screen and (prefers-color-scheme:dark){{{rules}}}" if rules else ""

    @property
    def of_picture(self) -> str:
        """The class attribute of the picture."""
        return f' class="{_PREFIX}auto"' if self._night else ""


def _of(name: str, colour: str | Ink) -> Mapping[str, str]:
    if isinstance(colour, Ink):
        return {"fill": colour.fill, "stroke": colour.outline, "color": colour.lines}
    return {"fill": "none", "stroke": colour} if name in _STROKED else {"fill": colour}
