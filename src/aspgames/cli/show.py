"""``aspgames show``: a position as a board, or as a picture."""

from __future__ import annotations

from typing import Any

import click

from ..game.game import State
from ..game.notation.notations import notation as written_in
from ..game.picture.png import png_of
from ..game.picture.themes import THEMES
from ..game.reports import state_report
from ..runtime.errors import BadRequest
from .files import write_file
from .output import print_choices, print_json, print_position, print_text
from .parameters import (
    example,
    game_argument,
    json_option,
    notation_option,
    position_argument,
    read_game,
    read_state,
    warn_of_mistakes,
)
from .verb import Verb


@click.command(
    "show", cls=Verb, epilog=example("aspgames show skirmish --svg skirmish.svg --bottom black")
)
@game_argument()
@position_argument()
@click.option("--svg", metavar="FILE", help="Draw it as an SVG picture ('-': standard output).")
@click.option("--png", metavar="FILE", help='Draw it as PNG; needs pip install "aspgames[png]".')
@click.option("--size", type=int, metavar="PIXELS", help="The picture's longer side (480).")
@click.option("--theme", help=f"Its colours: {', '.join(THEMES)} (as the reader's browser asks).")
@click.option("--bottom", metavar="ROLE", help="Who sits at the bottom.")
@click.option("--last-move", metavar="MOVE", help="Tint the squares of the last move.")
@click.option("--arrow", "arrows", metavar="A-B[:COLOUR]", multiple=True, help="Draw an arrow.")
@click.option("--mark", "marked", metavar="SQUARE", multiple=True, help="Ring a square.")
@click.option("--no-coordinates", "bare", is_flag=True, help="The board alone.")
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    svg: str | None,
    png: str | None,
    notation: str,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Draw a position, with coordinates and the side on move (in colour on a terminal).

    --svg and --png draw a picture, too; --arrow and --mark may be repeated.
    """
    options = _options(**wishes)
    state = read_state(read_game(game, constants), position, notation)
    written = written_in(state.game, notation)
    if options and svg is None and png is None:
        raise BadRequest("pictures have these options: give --svg FILE or --png FILE, too")
    if (svg, png).count("-") + as_json > 1:
        raise BadRequest("standard output takes one of --json, --svg - and --png -")
    if svg is not None or png is not None:
        _draw(state, svg, png, options)
    if as_json:
        print_json(written.report(state_report(state)))
    elif "-" not in (svg, png):
        print_position(state, written)
        print_choices(state, written)
        for name in filter(None, (svg, png)):
            print_text(f"Picture: {name}")
    warn_of_mistakes(state.game)


def _draw(state: State, svg: str | None, png: str | None, options: dict[str, Any]) -> None:
    picture = state.svg(**options)
    if svg is not None:
        _write(svg, picture)
    if png is not None:
        _write(png, png_of(picture))


def _write(name: str, content: str | bytes) -> None:
    if name == "-":
        click.echo(content, nl=False)
    else:
        write_file(name, content)


def _options(arrows: tuple[str, ...], bare: bool, **others: Any) -> dict[str, Any]:
    """What the command line says of the picture, as ``State.svg`` takes it."""
    found = {name: value for name, value in others.items() if value not in (None, ())}
    if arrows:
        found["arrows"] = [_arrow(text) for text in arrows]
    if bare:
        found["coordinates"] = False
    return found


def _arrow(text: str) -> tuple[str, ...]:
    squares, _, colour = text.partition(":")
    start, dash, end = squares.partition("-")
    if not dash:
        raise BadRequest(f"--arrow {text}: give two squares, such as d1-d7 or d1-d7:red")
    return (start, end, colour) if colour else (start, end)
