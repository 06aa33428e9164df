"""``aspgames equilibrium``: what each player of a small game can be sure of."""

from collections.abc import Iterator

from ..puzzle.verdict_text import interval_text
from ..runtime.arguments import counted
from ..runtime.budget import Budget
from ..runtime.process_messages import if_killed
from ..solver.equilibrium.equilibrium import (
    Equilibrium,
    equilibrium,
    equilibrium_report,
    trivial_value,
)
from .exit_codes import YES
from .output import in_columns, print_answer, status_line
from .parameters import TIME, PositionParameters
from .verb import verb
from .work_options import stoppable

_MOST_VIEWS = 40
"""The most views whose moves are printed."""


class _Options(PositionParameters):
    seconds: float | None = TIME


@verb(example="aspgames equilibrium kuhn_poker")
def command(wanted: _Options, as_json: bool) -> int:
    """Compute the value of a small zero-sum game, and optimal strategies.

    The game has two players. Chance, hidden information and simultaneous moves may be in it. For
    each player, the value is an interval with proven ends: what its strategy guarantees, and what
    the other one's allows. Where the two are equal, the value is exact.
    """
    budget = Budget(wanted.seconds)
    state = wanted.state
    known = "" if as_json or len(state.game.players) != 2 else trivial_value(state.game)
    with status_line() as show, stoppable(), if_killed(known, known):
        found = equilibrium(
            state, budget=budget, progress=lambda number: show(f"{number:,} histories")
        )
    print_answer(equilibrium_report(found), "\n".join(_lines(found)), as_json)
    return YES


def _lines(found: Equilibrium) -> Iterator[str]:
    for role, (low, high) in found.value.items():
        yield f"{role}: {interval_text(low, high)}"
    views = sum(map(len, found.strategies.values()))
    if views > _MOST_VIEWS:
        yield f"The strategies for {counted(views, 'view')} are in the output of --json."
        return
    for role, strategy in found.strategies.items():
        yield f"\n{role} sees, and plays"
        width = max(map(len, strategy), default=0)
        for view, moves in strategy.items():
            played = in_columns(f"{move} {chance}" for move, chance in moves.items() if chance)
            yield f"  {view:{width}}  {played}"
