"""The shapes that an encoding's ``picture/2`` can name, as SVG in a square of 100 by 100.

A shape takes fill and outline from the group around it, and draws its inner lines in
``currentColor``. So one shape serves all owners, themes and pages.
"""

from collections.abc import Iterable, Mapping

_FOOT = '<path d="M25 84V79q0-5 5-5H70q5 0 5 5V84Z"/>'
_LINE = 'fill="none" stroke="currentColor" stroke-width="3"'

_SHAPES = {
    "disc": ("○●", f'<circle cx="50" cy="50" r="35"/><circle cx="50" cy="50" r="25" {_LINE}/>'),
    "stone": ("○●", '<circle cx="50" cy="50" r="41"/>'),
    "crowned": (
        "⛁⛃",
        f'<circle cx="50" cy="50" r="35"/><circle cx="50" cy="50" r="29" {_LINE}/>'
        '<path d="M33 62L30 38L41 48L50 33L59 48L70 38L67 62Z" fill="currentColor" stroke="none"/>',
    ),
    "tile": ("□■", '<rect x="6" y="6" width="88" height="88" rx="9"/>'),
    "box": (
        "▣▣",
        '<rect x="14" y="14" width="72" height="72" rx="4"/>'
        f'<path d="M14 34H86M14 66H86M38 34V66M62 34V66" {_LINE}/>',
    ),
    "bar": ("──", '<rect x="2" y="32" width="96" height="36" rx="10"/>'),
    "post": ("││", '<rect x="32" y="2" width="36" height="96" rx="10"/>'),
    "ring": (
        "◎◉",
        '<path d="M50 16a34 34 0 1 0 0 68a34 34 0 1 0 0-68Z'
        'm0 15a19 19 0 1 1 0 38a19 19 0 1 1 0-38Z"/>',
    ),
    "cross": (
        "✕✕",
        '<path d="M28 17L50 39L72 17L83 28L61 50L83 72L72 83L50 61L28 83L17 72L39 50L17 28Z"/>',
    ),
    "pawn": (
        "♙♟",
        '<path d="M34 74C42 67 44 58 44 50H37Q37 45 43 42.5A14 14 0 1 1 57 42.5Q63 45 63 50H56'
        'C56 58 58 67 66 74Z"/>' + _FOOT,
    ),
    "rook": (
        "♖♜",
        '<path d="M27 18H37V25H45V18H55V25H63V18H73V35L66 41V63L70 74H30L34 63V41L27 35Z"/>'
        f'<path d="M34 41H66M34 63H66" {_LINE}/>' + _FOOT,
    ),
    "knight": (
        "♘♞",
        '<path d="M33 74C33 60 44 55 47 46C42 50 37 49 33 54L27 59L20 54L21 47L32 32'
        'C34 25 38 22 42 20L41 12L50 18C66 20 73 36 71 74Z"/>'
        f'<path d="M55 24C65 33 66 52 63 72M22 51L25 50" {_LINE}/>'
        '<circle cx="41" cy="31" r="3" fill="currentColor" stroke="none"/>' + _FOOT,
    ),
    "bishop": (
        "♗♝",
        '<path d="M37 74C39 68 42 65 41 60C30 52 31 37 50 22C69 37 70 52 59 60'
        'C58 65 61 68 63 74Z"/>'
        '<circle cx="50" cy="17" r="5.5"/>'
        f'<path d="M41 60H59M50 34V50M42 42H58" {_LINE}/>' + _FOOT,
    ),
    "queen": (
        "♕♛",
        '<path d="M32 74L30 60L18 32L34 46L35 24L45 44L50 20L55 44L65 24L66 46L82 32'
        'L70 60L68 74Z"/>'
        '<circle cx="17" cy="28" r="5"/><circle cx="34.5" cy="20" r="5"/>'
        '<circle cx="50" cy="16" r="5"/><circle cx="65.5" cy="20" r="5"/>'
        '<circle cx="83" cy="28" r="5"/>'
        f'<path d="M30 60Q50 54 70 60" {_LINE}/>' + _FOOT,
    ),
    "king": (
        "♔♚",
        '<path d="M46 12H54V19H61V27H54V34H46V27H39V19H46Z"/>'
        '<path d="M33 74L31 62C14 54 14 36 32 36C41 36 47 40 50 46C53 40 59 36 68 36'
        'C86 36 86 54 69 62L67 74Z"/>'
        f'<path d="M31 62Q50 56 69 62M50 46V58" {_LINE}/>' + _FOOT,
    ),
    "burnt": (
        "▨▨",
        '<rect x="9" y="9" width="82" height="82" rx="7"/>'
        '<path d="M33 33L67 67M67 33L33 67" fill="none" stroke="currentColor" stroke-width="6"/>',
    ),
}
_CHESS = ("king", "queen", "rook", "bishop", "knight", "pawn")
SHAPES: Mapping[str, tuple[str, str]] = _SHAPES | {
    f"{name}_{degrees}": ("", f'<g transform="rotate({degrees} 50 50)">{_SHAPES[name][1]}</g>')
    for name in _CHESS
    for degrees in (90, 180, 270)
}
"""Shapes by name: the characters for terminals, in outline and filled, and the SVG.

Pieces of chess are also turned, clockwise; terminals have no characters for those.
"""


def definitions(names: Iterable[str]) -> str:
    """The shapes with some names, for ``<use href="#shape-NAME">``."""
    return "".join(f'<g id="shape-{name}">{SHAPES[name][1]}</g>' for name in sorted(set(names)))
