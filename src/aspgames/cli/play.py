"""``aspgames play``: the position after some moves."""

from __future__ import annotations

import click

from ..game.notation.notations import notation as written_in
from ..game.notation.notations import unknown_moves
from ..game.reports import state_report
from ..runtime.errors import BadMove, IllegalMove
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
    "play", cls=Verb, epilog=example("aspgames play amazons startpos d1-d7/g7 g10-g8/d8")
)
@game_argument()
@position_argument(required=True)
@click.argument("moves", nargs=-1, metavar="MOVE...")
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    moves: tuple[str, ...],
    notation: str,
    as_json: bool,
) -> None:
    """Play moves from a position and show where they lead.

    A move is written as people do (a2-a3, a2xb3, d1-d7/g7, d1-d7 and /g7) or as a term. Where
    several roles move at once, it is white=rock,black=paper; a role with one move may be left out.
    """
    state = read_state(read_game(game, constants), position, notation)
    written = written_in(state.game, notation)
    for number, move in enumerate(moves, start=1):
        try:
            with unknown_moves(state, written):
                state = state.play(written.played(move))
        except (BadMove, IllegalMove) as error:
            raise type(error)(f"move {number}: {error}") from None
    if as_json:
        print_json(written.report(state_report(state)))
    else:
        print_position(state, written)
        print_choices(state, written)
        if state.fen and written.has_boards:
            print_text(f"FEN: {state.fen}")
    warn_of_mistakes(state.game)
