"""``aspgames show``: a position as a board."""

from __future__ import annotations

import click

from ..report import state_report
from .output import print_board, print_json
from .parameters import (
    example,
    game_argument,
    json_option,
    position_argument,
    read_game,
    read_state,
)


@click.command("show", epilog=example("aspgames show skirmish"))
@game_argument()
@position_argument()
@json_option
def command(game: str, constants: tuple[str, ...], position: str, as_json: bool) -> None:
    """Draw a position, with coordinates and the side on move (in colour on a terminal)."""
    state = read_state(read_game(game, constants), position)
    if as_json:
        print_json(state_report(state))
    else:
        print_board(state)
