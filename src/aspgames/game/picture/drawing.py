"""A position as an SVG picture. A square is 100 units wide; y goes down from the upper edge."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...runtime.arguments import quote
from ...runtime.errors import BadRequest
from ..board import Board, Square, parse_square, square_name
from .markup import FONT, Groups, label, number, text
from .placement import Placement
from .scene import Scene
from .shapes import definitions
from .themes import THEMES, Theme

Arrow = tuple[str, str] | tuple[str, str, str]
"""Two squares by name, and perhaps a colour as CSS writes it: ``("d1", "d7", "#c00")``."""

Box = tuple[float, float, float, float]
"""Left, top, width and height."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+")
_SIZES = range(16, 10_001)
_FAINT = ' opacity="0.75"'
_RING = ' stroke-width="6"'
_PIECE = ' stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"'
_HATCH = "M0 25L25 0M0 50L50 0M0 75L75 0M0 100L100 0M25 100L100 25M50 100L100 50M75 100L100 75"
_DOT = "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0"
_MOST_LINES = 60  # of facts and chances, in the picture of a game without a board


def draw(
    scene: Scene,
    *,
    last: Sequence[Square] = (),
    arrows: Iterable[Arrow] = (),
    marked: Iterable[str] = (),
    coordinates: bool = True,
    theme: str | Theme = "light",
    size: int = 480,
    bottom: str | None = None,
) -> str:
    """The picture of a scene: see ``State.svg`` for the arguments."""
    if type(size) is not int or size not in _SIZES:
        raise BadRequest(f"the size must be from {_SIZES[0]} to {_SIZES[-1]} pixels, not {size!r}")
    for name, several in (("arrows", arrows), ("marked", marked)):
        if not isinstance(several, Iterable):
            raise BadRequest(f"{name} are given in a list, not as {quote(several)}")
    groups = Groups(_themes(theme))
    turned = scene.turned(bottom)
    board = scene.vocabulary.board
    if board is None:
        if last or any(True for _ in arrows) or any(True for _ in marked):
            raise BadRequest("arrows and marks are for games with a board")
        return _page(scene, groups, size, *_facts(scene, groups))
    picture = _Picture(scene, board, groups, Placement(board, turned))
    shown = picture.squares() + picture.off_limits() + picture.tints(last) + picture.frame()
    shown += picture.rings([_square(board, name) for name in marked]) + picture.pieces()
    shown += "".join(picture.arrow(arrow) for arrow in arrows)
    if coordinates:
        shown += picture.coordinates() + picture.side_on_move()
    return _page(scene, groups, size, picture.definitions() + shown, picture.box(coordinates))


def empty_board(scene: Scene, contents: Sequence[str]) -> tuple[str, str]:
    """An empty board for pages that draw pieces on it, and the style for dark pages.

    A page draws the content number N with ``<use href="#piece-N">`` in the layer (``g``) of its
    owner's colour. There are also layers for ``last``, ``marked`` and ``arrow``.
    """
    board = scene.vocabulary.board
    assert board is not None
    groups = Groups(THEMES["auto"])
    picture = _Picture(replace(scene, facts=()), board, groups, Placement(board))
    shapes = definitions(shape for content in contents if (shape := scene.shape(content)))
    pieces = "".join(
        f'<g id="piece-{place}">{picture.piece(0, 0, content)}</g>'
        for place, content in enumerate(contents)
    )
    colours = dict.fromkeys(scene.owners_colour(content) for content in contents)
    layers = [groups.layer("last", _FAINT), picture.frame(), groups.layer("marked", _RING)]
    layers += [groups.layer(colour, _PIECE) for colour in colours]
    layers.append(groups.layer("arrow", _FAINT))
    shown = (
        f"<defs>{shapes}{pieces}</defs>{picture.squares()}{picture.off_limits()}{''.join(layers)}"
    )
    svg = _svg(groups, 480, "", shown + picture.coordinates(), picture.box(coordinates=True))
    # The page names its board, and says what is on it.
    return svg.replace('role="img"', 'aria-hidden="true"', 1), groups.style


def _themes(theme: str | Theme) -> Sequence[Theme]:
    if isinstance(theme, Theme):
        return (theme,)
    if not isinstance(theme, str) or theme not in THEMES:
        raise BadRequest(f"the theme must be {' or '.join(THEMES)}, not {theme!r}")
    return THEMES[theme]


def _square(board: Board, name: str) -> Square:
    """The square with a name. Raises ``BadRequest`` if the board has none."""
    square = parse_square(name) if isinstance(name, str) else None
    if square is None or not board.has(square):
        raise BadRequest(f"{name!r} is no square of the board, which is {board.size}")
    return square


def _page(scene: Scene, groups: Groups, size: int, content: str, box: Box) -> str:
    """An SVG document with title and description around the content of a box."""
    style = f"<style>{groups.style}</style>" if groups.style else ""
    said = (
        f"<title>{text(scene.vocabulary.title)}: {text(scene.status)}</title>"
        f"<desc>{text(scene.words())}</desc>"
    )
    return _svg(groups, size, said + style, content, box) + "\n"


def _svg(groups: Groups, size: int, head: str, content: str, box: Box) -> str:
    left, top, width, height = box
    scale = size / max(width, height)
    around = f'x="{left - 9:g}" y="{top - 9:g}" width="{width + 18:g}" height="{height + 18:g}"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f'{groups.of_picture} width="{round(width * scale)}" height="{round(height * scale)}" '
        f'viewBox="{" ".join(map(number, box))}" font-family="{text(FONT)}">'
        f"{head}{groups('background', f'<rect {around}/>')}{content}</svg>"
    )


def _facts(scene: Scene, groups: Groups) -> tuple[str, Box]:
    """The content for a game without a board, one fact or chance a line, and its box."""
    every = (*scene.facts, *(f"chance: {each}" for each in scene.chances))
    lines = list(every[:_MOST_LINES])
    if len(every) > len(lines):
        lines.append(f"and {len(every) - len(lines)} more")
    head = (
        f'<text font-size="22" font-weight="bold">{text(scene.vocabulary.title)}</text>'
        f'<text y="30" font-size="18">{text(scene.status)}</text>'
    )
    facts = "".join(
        f'<text y="{66 + 24 * row}" font-size="16" font-family="monospace">{text(line)}</text>'
        for row, line in enumerate(lines)
    )
    width = max(320, 13 * len(scene.vocabulary.title), *(10 * len(line) for line in lines or [""]))
    return groups("text", head + facts), (-24, -40, width + 48, 24 * len(lines) + 100)


@dataclass(frozen=True)
class _Picture:
    """The parts of a board's picture, each as SVG, from bottom to top."""

    scene: Scene
    board: Board
    groups: Groups
    places: Placement

    @property
    def ink(self) -> float:
        """The height of letters beside the board, which is independent of the size of squares."""
        return min(60, 0.034 * max(self.places.size))

    def box(self, coordinates: bool) -> Box:
        """The board and the space beside it."""
        margin = self.ink * (1.9 if coordinates else 0.5)
        top = self.ink * (0.9 if coordinates else 0.5)
        width, height = self.places.size
        return -margin, -top, width + 2 * margin, height + margin + top

    def definitions(self) -> str:
        """The shapes of the pieces on the board."""
        shapes = {self.scene.shape(content) for content in self.scene.occupied.values()}
        found = definitions(shape for shape in shapes if shape)
        return f"<defs>{found}</defs>" if found else ""

    def squares(self) -> str:
        """The squares, those off limits hatched, and the coloured edges under them."""
        board, groups, places = self.board, self.groups, self.places
        width, height = map(number, places.size)
        whole = f'<rect width="{width}" height="{height}"/>'
        if places.apart:
            whole = f'<path d="{self._blocks(places.middles)}"/>'
        if places.shape != "chequered":
            return self._borders() + groups("light", whole)
        files, ranks = range(1, board.width + 1), range(1, board.height + 1)
        dark = self._blocks((x, y) for x in files for y in ranks if (x + y) % 2 == 0)
        return self._borders() + groups("light", whole) + groups("dark", f'<path d="{dark}"/>')

    def off_limits(self) -> str:
        """The squares off limits, hatched, if the board has a place for them."""
        holes = sorted(self.board.holes & set(self.places.middles))
        corners = ((number(x - 50), number(y - 50)) for x, y in map(self.places.middle, holes))
        hatches = "".join(
            f'<path transform="translate({x} {y})" d="{_HATCH}"/>' for x, y in corners
        )
        shown = "".join(f'<path d="{self.places.path(hole)}"/>' for hole in holes)
        return self.groups("hole", shown) + self.groups("hatch", hatches, ' stroke-width="3"')

    def _borders(self) -> str:
        """Bands along edges, framed: outlines first, so that neighbouring bands become one."""
        bands: dict[str, str] = {}
        for role, band in self.places.borders():
            bands[role] = bands.get(role, "") + band
        framed = "".join(f'<path d="{band}" stroke-width="12"/>' for band in bands.values())
        return self.groups("frame", framed) + "".join(
            self.groups(
                self.scene.colour(role),
                f'<path d="{band}" stroke-width="6"/><path d="{band}" stroke="none"/>',
            )
            for role, band in bands.items()
        )

    def frame(self) -> str:
        """The line around the board, and the lines between squares or points."""
        places = self.places
        width, height = map(number, places.size)
        frame = "" if places.apart else f'<rect width="{width}" height="{height}"/>'
        lines = ""
        if places.shape == "point":
            for (x, y), (u, v) in places.lines():
                start, step = f"M{number(x)} {number(y)}", f"{number(u - x)} {number(v - y)}"
                lines += f"{start}l{step}" if (x, y) != (u, v) else f"{start}{_DOT}"
        elif places.shape != "chequered":
            lines = self._blocks(places.middles)
        drawn = self.groups("line", f'<path d="{lines}"/>' if lines else "", ' stroke-width="3"')
        thick = number(max(2.5, 0.1 * self.ink))
        return drawn + self.groups("frame", frame, f' stroke-width="{thick}"')

    def _blocks(self, squares: Iterable[Square]) -> str:
        return "".join(map(self.places.path, squares))

    def tints(self, squares: Iterable[Square]) -> str:
        """The squares of the last move."""
        blocks = self._blocks(dict.fromkeys(squares))
        return self.groups("last", f'<path d="{blocks}"/>' if blocks else "", _FAINT)

    def rings(self, squares: Iterable[Square]) -> str:
        """Rings around some squares, and around those that facts mark."""
        more = [s for fact in self.scene.facts for s in self.board.marks.get(fact, ())]
        shown = (s for s in dict.fromkeys([*squares, *more]) if self.board.has(s))
        middles = (map(number, self.places.middle(square)) for square in shown)
        rings = "".join(f'<circle cx="{x}" cy="{y}" r="45"/>' for x, y in middles)
        return self.groups("marked", rings, _RING)

    def pieces(self) -> str:
        """The pieces, in the colours of their owners."""
        drawn: dict[str, str] = {}
        for square, content in sorted(self.scene.occupied.items()):
            colour = self.scene.owners_colour(content)
            x, y = self.places.middle(square)
            drawn[colour] = drawn.get(colour, "") + self.piece(x - 50, y - 50, content)
        return "".join(self.groups(colour, shapes, _PIECE) for colour, shapes in drawn.items())

    def piece(self, x: float, y: float, content: str) -> str:
        """A piece in the square at a corner: its shape and label, or else its glyph."""
        shape = self.scene.shape(content)
        shown = self.board.labels.get(content, "")
        drawn = ""
        if shape:
            drawn = f'<use href="#shape-{shape}" x="{number(x)}" y="{number(y)}"/>'
            if not shown:
                return drawn
        shown = shown or self.board.glyphs.get(content, "?")
        size = min(68, 84 / max(1, len(shown))) * (0.7 if shape else 1)
        inner = ' fill="currentColor" stroke="none"' if shape else ""
        return drawn + label(shown, x + 50, y + 50, size, f' font-weight="bold"{inner}')

    def arrow(self, arrow: Arrow) -> str:
        """An arrow from the middle of a square to that of another."""
        if not isinstance(arrow, tuple | list) or len(arrow) not in (2, 3):
            raise BadRequest(f"an arrow has two squares and perhaps a colour, not {arrow!r}")
        start, end, *colours = arrow
        (x, y), (u, v) = (self.places.middle(_square(self.board, name)) for name in (start, end))
        length = math.hypot(u - x, v - y)
        if not length:
            raise BadRequest(f"an arrow must lead to another square: {start}")
        for colour in colours:
            if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
                raise BadRequest(f"{colour!r} is no colour: give a name or #rrggbb")
        angle = number(math.degrees(math.atan2(v - y, u - x)))
        neck, tip = number(length - 42), number(length - 6)
        path = f"M18 -7H{neck}V-22L{tip} 0L{neck} 22V7H18Z"
        fill = f' fill="{colours[0]}"' if colours else ""
        place = f"translate({number(x)} {number(y)}) rotate({angle})"
        drawn = f'<path transform="{place}" d="{path}"{fill}/>'
        return self.groups("arrow", drawn, ' opacity="0.85"')

    def coordinates(self) -> str:
        """The files' letters under the board, and the ranks' numbers beside it.

        Where squares aren't in files and ranks, they are beside the last square of each.
        """
        ink, places = self.ink, self.places
        grid, (_, height) = places.is_grid, places.size
        low: dict[int, tuple[float, float]] = {}
        left: dict[int, tuple[float, float]] = {}
        for (x, y), (across, down) in places.middles.items():
            low[x] = max(low.get(x, (0, 0)), (down, across))
            left[y] = min(left.get(y, (math.inf, 0)), (across, down))
        beside = 64 + 0.8 * ink
        letters = "".join(
            label(square_name((x, 1))[:-1], across, height + ink if grid else down + beside, ink)
            for x, (down, across) in sorted(low.items())
        )
        numbers = "".join(
            label(str(y), -ink if grid else across - beside, down, ink)
            for y, (across, down) in sorted(left.items())
        )
        return self.groups("text", letters + numbers)

    def side_on_move(self) -> str:
        """A stone in the mover's colour, on its side of the board."""
        mover, roles = self.scene.mover, self.scene.vocabulary.roles
        if mover is None:
            return ""
        above = (mover != roles[0]) != self.places.turned
        width, height = self.places.size
        y = 0.5 * self.ink if above else height - 0.5 * self.ink
        x, r = width + self.ink, 0.42 * self.ink
        middle = f'cx="{number(x)}" cy="{number(y)}"'
        line = max(1.5, 0.09 * self.ink)
        around = f' stroke-width="{number(line)}"'
        # A ground like a square's makes the stone visible on any page.
        ground = self.groups("light", f'<circle {middle} r="{number(r + 2.5 * line)}"/>')
        stone = self.groups(self.scene.colour(mover), f'<circle {middle} r="{number(r)}"/>', around)
        ring = f'<circle {middle} r="{number(r + 2.5 * line)}"/>'
        return ground + stone + self.groups("frame", ring, around)
