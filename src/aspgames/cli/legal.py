"""``aspgames legal``: the legal moves of a position."""

from ..game.notation.notations import status
from ..game.reports import state_report
from ..runtime.arguments import counted
from .output import in_columns, print_chances, print_choices, print_json, print_text, print_view
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
    elif others or state.is_terminal:
        print_text(status(state, written))
        print_chances(state, written)
        print_choices(state, written)
    else:
        moves = state.legal[mover]
        print_text(f"{status(state, written)}, {counted(len(moves), 'legal move')}")
        print_text(in_columns(map(written.move_text, moves)))
        print_chances(state, written)
    warn_of_mistakes(state.game)
