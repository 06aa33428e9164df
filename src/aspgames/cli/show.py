"""``aspgames show``: a position as a board, or as a picture."""

from typing import Any

from ..game.picture.markup import png_of
from ..game.picture.themes import THEME_LIST
from ..game.reports import state_report
from ..game.text_view import facts_text
from ..runtime.errors import BadRequest
from .output import print_json, print_or_write, print_state, print_text, print_view
from .parameters import ViewParameters, warn_of_mistakes
from .verb import option, verb


class _ShowOptions(ViewParameters):
    facts: bool = option(
        "--facts", "Print it as facts for answer-set programs, such as clingraph's."
    )
    svg: str | None = option("--svg FILE", "Draw it as an SVG picture ('-': standard output).")
    png: str | None = option("--png FILE", 'Draw it as PNG; needs pip install "aspgames[png]".')
    size: int | None = option("--size PIXELS", "The longer side (480).")
    theme: str | None = option("--theme", f"The colours: {THEME_LIST}.")
    bottom: str | None = option("--bottom ROLE", "The role at the bottom.")
    last_move: str | None = option(
        "--last-move MOVE", "Tint the squares of the last move, if some position allows it."
    )
    arrows: tuple[str, ...] = option("--arrow A-B[:COLOUR]", "Draw an arrow; may be repeated.")
    marked: tuple[str, ...] = option("--mark SQUARE", "Ring a square; may be repeated.")
    bare: bool = option("--no-coordinates", "Draw the board alone.")

    @property
    def settings(self) -> dict[str, Any]:
        last = self.last_move
        found = {
            "size": self.size,
            "theme": self.theme,
            "bottom": self.bottom,
            "last_move": last if last is None else self.written.term(last),
            "arrows": [_arrow(text) for text in self.arrows] or None,
            "marked": self.marked or None,
            "coordinates": False if self.bare else None,
        }
        return {name: value for name, value in found.items() if value is not None}


@verb(example="aspgames show skirmish --svg skirmish.svg --bottom black")
def command(wanted: _ShowOptions, as_json: bool) -> None:
    """Draw a position, with coordinates and the side on move.

    On a terminal the board is in colour, and with ASPGAMES_BOARD=unicode its pieces are symbols.
    --svg and --png draw a picture, too.
    """
    state, settings = wanted.state, wanted.settings
    names = [name for name in (wanted.svg, wanted.png) if name is not None]
    if settings and not names:
        raise BadRequest("pictures have these options: give --svg FILE or --png FILE, too")
    if names.count("-") + as_json + wanted.facts > 1:
        raise BadRequest("standard output takes one of --json, --facts, --svg - and --png -")
    if wanted.facts and wanted.notation != "lp":
        raise BadRequest("--facts are those of the encoding: leave --notation out")
    if names:
        svg = state.svg(**settings)
        if wanted.svg is not None:
            print_or_write(svg, wanted.svg)
        if wanted.png is not None:
            print_or_write(png_of(svg), wanted.png)
    if wanted.facts:
        print_text(facts_text(state.scene))
    elif "-" not in names:
        if wanted.view:
            print_view(wanted.view, wanted.written, as_json)
        elif as_json:
            print_json(wanted.written.report(state_report(state)))
        else:
            print_state(state, wanted.written)
        for name in names if not as_json else ():
            print_text(f"Picture: {name}")
    warn_of_mistakes(state.game)


def _arrow(text: str) -> tuple[str, ...]:
    squares, _, colour = text.partition(":")
    start, dash, end = squares.partition("-")
    if not dash:
        raise BadRequest(f"--arrow {text}: give two squares, such as d1-d7 or d1-d7:red")
    return (start, end, colour) if colour else (start, end)
