"""``aspgames table``: a game with few enough states, solved outright."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ..game.loading import load_game
from ..propnet.threads import number_of
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest, OutOfTime, Rejected, one_line
from ..runtime.json_lines import JsonObject
from .exit_codes import NO, YES
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    memory_bytes,
    position_argument,
    read_game,
    read_state,
    threads_option,
    time_option,
)
from .signals import stoppable
from .verb import Verb

if TYPE_CHECKING:
    from ..game.game import Game, State
    from ..solver.table.lookup import Table, Value
    from ..solver.table.table_maker import MadeTable

_SAMPLES = 200
_LATE = 10.0  # seconds until a step that the time limit finds under way has ended


@click.command(
    "table",
    cls=Verb,
    spare=_LATE,
    epilog=example(
        "aspgames table breakthrough -c width=2 -c height=5 -o small.arrow && "
        "aspgames table --verify small.arrow"
    ),
)
@game_argument(required=False)
@position_argument()
@click.option("-o", "--output", metavar="FILE", help="The table's file.")
@click.option("--verify", "checked", metavar="FILE", help="Check a table instead of making one.")
@click.option("--whole", is_flag=True, help="With --verify: check all states, with the net.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"With --verify: check so many states, with clingo alone ({_SAMPLES}).",
)
@click.option("--seed", type=click.IntRange(min=0), help="With --verify: which states (0).")
@click.option(
    "--no-symmetries",
    is_flag=True,
    help="Keep states apart that are each other's mirror images by the rules.",
)
@threads_option
@time_option
@click.option(
    "--memory",
    type=float,
    metavar="MIB",
    help="The memory for states; default: half of the machine's. What has no room goes to disk.",
)
@json_option
def command(
    game: str | None,
    constants: tuple[str, ...],
    position: str,
    output: str | None,
    checked: str | None,
    whole: bool,
    samples: int | None,
    seed: int | None,
    no_symmetries: bool,
    threads: int | None,
    seconds: float | None,
    memory: float | None,
    as_json: bool,
) -> int:
    """Solve a game with few states outright: the outcome and the distance of each state.

    All states that play leads to from POSITION are found, and of each the outcome of best play and
    the plies until then: a side that is ahead takes the shortest way, one that is behind the
    longest. They are written to FILE, which 'solve --table' and 'match --table' ask. After Ctrl-C,
    or when the time or the disk's room is over, the same command goes on where it stopped.

    With --verify, states are drawn at random, and held against those that their moves lead to. GAME
    is needed only if the rules are elsewhere now.

    Exit codes: 0 done, 1 a wrong state was found, 2 bad input, 3 not finished within the limits,
    130 interrupted.
    """
    budget = Budget(seconds)
    if checked is not None:
        if output is not None or position != "startpos":
            raise BadRequest("--verify takes a table, and neither POSITION nor -o")
        return _verify(
            checked, game, constants, whole, samples, seed, number_of(threads), budget, as_json
        )
    if whole or samples is not None or seed is not None:
        raise BadRequest("--whole, --samples and --seed go with --verify FILE")
    if game is None or output is None:
        raise BadRequest("give GAME and -o FILE, or --verify FILE")
    from ..solver.table.table_maker import make_table

    state = read_state(read_game(game, constants), position)
    try:
        with status_line() as show, stoppable():
            made = make_table(
                state,
                output,
                threads=threads,
                most_bytes=memory_bytes(memory),
                with_symmetries=not no_symmetries,
                budget=budget,
                progress=show,
            )
    except OutOfTime:
        raise OutOfTime(
            f"not finished within {seconds:g} seconds: the same command goes on from here"
        ) from None
    if as_json:
        print_json(_report(state, output, made))
    else:
        _print(state, output, made)
    return YES


def _report(state: State, output: str, made: MadeTable) -> JsonObject:
    table, value = made.table, made.table.value(state)
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "position": list(state.facts),
        "file": output,
        "states": len(table),
        "moves": made.edges,
        "plies": list(table.about.plies),
        "outcomes": [_goals(table, outcome) for outcome in table.about.outcomes],
        "symmetries": len(table.about.symmetries) + 1,
        "goals": None if value.goals is None else dict(value.goals),
        "distance": value.distance,
        "best": [move.term for move in table.best(state)],
        "bytes": os.path.getsize(output),
        "enumeration_seconds": made.enumeration_seconds,
        "seconds": made.seconds,
    }


def _goals(table: Table, outcome: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(table.about.roles, outcome, strict=True))


def _print(state: State, output: str, made: MadeTable) -> None:
    table = made.table
    size = os.path.getsize(output)
    images = len(table.about.symmetries) + 1
    apart = f" that are no mirror images ({images} symmetries)" if images > 1 else ""
    print_text(f"{len(table):,} states{apart}, {made.edges:,} moves; best play from here:")
    print_text(value_text(table.value(state)))
    if best := table.best(state):
        print_text(f"best: {', '.join(move.text for move in best)}")
    print_text(f"{output}: {size:,} bytes, {size / len(table):.1f} a state ({made.seconds:.1f} s)")


def value_text(value: Value) -> str:
    """The outcome and the distance of a state, in words."""
    if value.goals is None:
        return "play need never end"
    goals = ", ".join(f"{role} {goal}" for role, goal in value.goals.items())
    return f"{goals} after {value.distance} plies"


def _verify(
    name: str,
    game_name: str | None,
    constants: tuple[str, ...],
    whole: bool,
    samples: int | None,
    seed: int | None,
    threads: int,
    budget: Budget,
    as_json: bool,
) -> int:
    """Check a table; returns the exit code."""
    from ..solver.table.lookup import Table
    from ..solver.table.table_check import verify_samples, verify_whole

    if whole and (samples is not None or seed is not None):
        raise BadRequest("--whole checks all states: it takes neither --samples nor --seed")
    table = Table(name)
    begun = time.monotonic()
    game = _game_of(table, game_name, constants)
    try:
        with status_line() as show, stoppable():

            def progress(checked: int) -> None:
                show(f"{checked:,} states checked")

            if whole:
                checked = verify_whole(table, game, threads, budget, progress)
            else:
                drawn = _SAMPLES if samples is None else samples
                checked = verify_samples(table, game, drawn, seed or 0, budget, progress)
    except Rejected as error:
        reason = one_line(str(error))
        if as_json:
            print_json({"verified": False, "reason": reason})
        else:
            print_text(f"Rejected: {reason}")
        return NO
    if as_json:
        seconds = time.monotonic() - begun
        print_json({"verified": True, "checked": checked, "states": len(table), "seconds": seconds})
    else:
        print_text(f"Verified: {checked:,} of {len(table):,} states are right")
    return YES


def _game_of(table: Table, name: str | None, constants: tuple[str, ...]) -> Game:
    """The game of a table, by its own word unless given."""
    if name is not None and constants:
        return read_game(name, constants)
    own: Mapping[str, Any] = table.about.constants
    return load_game(name or table.about.game, own)
