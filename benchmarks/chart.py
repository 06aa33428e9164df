"""Line charts as SVG, with the standard library only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 150, 40, 50
_COLOURS = ("#2a78b8", "#d0652c", "#3a8f5c", "#8a5fb0", "#b8923a", "#808080")
_STYLE = """\
text { font: 12px sans-serif; fill: #333 } .title { font-size: 14px; font-weight: bold }
.grid { stroke: #ddd } .axis { stroke: #888 }
@media (prefers-color-scheme: dark) {
  text { fill: #ccc } .grid { stroke: #444 } .axis { stroke: #999 }
}"""


def chart(
    title: str,
    across: str,
    up: str,
    lines: Mapping[str, Points],
    *,
    log_across: bool = False,
    log_up: bool = False,
) -> str:
    """A chart with a line for each name. ``across`` and ``up`` name the axes."""
    points = [point for line in lines.values() for point in line]
    horizontal = _Axis([x for x, _ in points], log_across, _LEFT, _WIDTH - _RIGHT)
    vertical = _Axis([y for _, y in points], log_up, _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        _text(_LEFT, 22, title, "start", "title"),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, across),
        f'<g transform="translate(16 {(_TOP + _HEIGHT - _BOTTOM) / 2}) rotate(-90)">'
        f"{_text(0, 0, up)}</g>",
    ]
    for value in horizontal.ticks:
        x = horizontal.place(value)
        parts.append(_line(x, _TOP, x, _HEIGHT - _BOTTOM, "grid"))
        parts.append(_text(x, _HEIGHT - _BOTTOM + 18, _shown(value)))
    for value in vertical.ticks:
        y = vertical.place(value)
        parts.append(_line(_LEFT, y, _WIDTH - _RIGHT, y, "grid"))
        parts.append(_text(_LEFT - 8, y + 4, _shown(value), "end"))
    parts.append(_line(_LEFT, _TOP, _LEFT, _HEIGHT - _BOTTOM, "axis"))
    parts.append(_line(_LEFT, _HEIGHT - _BOTTOM, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, "axis"))
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(horizontal.place(x), vertical.place(y)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        y = _TOP + 10 + 20 * number
        parts.append(f'<rect x="{_WIDTH - _RIGHT + 12}" y="{y}" width="12" height="4" '
                     f'fill="{colour}"/>')  # fmt: skip
        parts.append(_text(_WIDTH - _RIGHT + 30, y + 6, name, "start"))
    return "\n".join([*parts, "</svg>\n"])


class _Axis:
    """The places of values between two ends."""

    def __init__(self, values: Sequence[float], log: bool, first: float, last: float) -> None:
        self._log, self._first, self._last = log, first, last
        if log:
            self._low = math.floor(math.log10(min(values)))
            self._high = max(math.ceil(math.log10(max(values))), self._low + 1)
            self.ticks = [10.0**power for power in range(self._low, self._high + 1)]
        else:
            step = _step(max(values))
            count = max(1, math.ceil(max(values) / step))
            self._low, self._high = 0, count * step  # type: ignore[assignment]
            self.ticks = [step * number for number in range(count + 1)]

    def place(self, value: float) -> float:
        """The place of a value."""
        along = math.log10(value) if self._log else value
        part = (along - self._low) / (self._high - self._low)
        return self._first + part * (self._last - self._first)


def _step(most: float) -> float:
    """A round step, about a fifth of the largest value."""
    rough = max(most, 1e-9) / 5
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough)


def _shown(value: float) -> str:
    if value >= 1e6 or 0 < value < 1e-3:
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{value:,.10g}"


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'
