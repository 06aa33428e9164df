"""``aspgames legal``: the legal moves of a position."""

from ..game.notation.notations import status
from ..game.reports import state_report
from ..runtime.arguments import counted
from .output import chances_text, in_columns, print_choices, print_json, print_text, print_view
from .parameters import ViewParameters, warn_of_mistakes
from .verb import verb


@verb(example="aspgames legal breakthrough -c width=4 -c height=5")
def command(asked: ViewParameters, as_json: bool) -> None:
    """List the legal moves of a position."""
    state, written = asked.state, asked.written
    if asked.view:
        print_view(asked.view, written, as_json)
        return
    mover, *others = state.consequences.movers
    if as_json:
        print_json(written.report(state_report(state)))
    else:
        chances, whose, moves = chances_text(state, written), status(state, written), ""
        if not others and not state.is_terminal:
            legal = state.legal[mover]
            whose += f", {counted(len(legal), 'legal move')}"
            moves = in_columns(map(written.move_text, legal))
        print_text("\n".join(filter(None, (whose, moves, chances))))
        if not moves:
            print_choices(state, written)
    warn_of_mistakes(state.game)
