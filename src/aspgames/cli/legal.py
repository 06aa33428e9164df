"""``aspgames legal``: who is on move, and with what."""

from __future__ import annotations

import click

from ..game.game import State
from ..game.notation.notations import Notation, status
from ..game.notation.notations import notation as written_in
from ..game.reports import state_report
from .output import in_columns, print_choices, print_json, print_text
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
    "legal", cls=Verb, epilog=example("aspgames legal breakthrough -c width=4 -c height=5")
)
@game_argument()
@position_argument()
@notation_option
@json_option
def command(
    game: str, constants: tuple[str, ...], position: str, notation: str, as_json: bool
) -> None:
    """List the legal moves of a position (the start, if none is given)."""
    state = read_state(read_game(game, constants), position, notation)
    _print(state, written_in(state.game, notation), as_json)
    warn_of_mistakes(state.game)


def _print(state: State, written: Notation, as_json: bool) -> None:
    if as_json:
        print_json(written.report(state_report(state)))
        return
    mover, *others = state.consequences.movers
    if others or state.is_terminal:
        print_text(status(state, written))
        print_choices(state, written)
        return
    count = len(state.legal[mover])
    print_text(f"{status(state, written)}, {count} legal move{'s' * (count != 1)}")
    print_text(in_columns(map(written.move_text, state.legal[mover])))
