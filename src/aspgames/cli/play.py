"""``aspgames play``: the position after some moves."""

from ..game.chance import Percepts, refuse_stuck_chance
from ..game.notation.notations import unknown_moves
from ..game.reports import followed, play_report
from ..runtime.errors import BadMove, IllegalMove
from .output import print_json, print_state, print_text, print_view
from .parameters import ViewParameters, warn_of_mistakes
from .verb import argument, verb


class _PlayOptions(ViewParameters):
    position: str = argument()
    moves: tuple[str, ...] = argument(nargs=-1, metavar="MOVE...")


@verb(example="aspgames play amazons startpos d1-d7/g7 g10-g8/d8")
def command(wanted: _PlayOptions, as_json: bool) -> None:
    """Play moves and show the position that follows.

    A move is written as people do (a2-a3, a2xb3, d1-d7/g7, d1-d7 and /g7) or as a term. Where
    several roles move at once, write white=rock,black=paper; a role with one move may be left out.
    """
    state, written = wanted.state, wanted.written
    sees: Percepts = {}
    view = wanted.view
    for number, move in enumerate(wanted.moves, start=1):
        refuse_stuck_chance(state)
        try:
            with unknown_moves(state, written):
                played = written.played(move)
                sees = state.sees(played) if state.game.hidden else {}
                view = followed(view, state, played)
                state = state.play(played)
        except (BadMove, IllegalMove) as error:
            raise type(error)(f"move {number}: {error}") from None
    if view:
        print_view(view, written, as_json)
        return
    if as_json:
        print_json(written.report(play_report(state, sees)))
    else:
        print_state(state, written)
        for role, percepts in sees.items():
            print_text(
                f"{written.text(role)} sees: {', '.join(map(written.text, percepts)) or '-'}"
            )
    if not as_json and state.fen and written.has_boards:
        print_text(f"FEN: {state.fen}")
    warn_of_mistakes(state.game)
