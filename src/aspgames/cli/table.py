"""``aspgames table``: small games, solved state by state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ..game.loading import load_game
from ..propnet.threads import number_of
from ..runtime.arguments import counted
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest, Rejected, one_line
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import if_killed
from .exit_codes import NO, YES
from .output import print_answer, print_json, print_text, status_line
from .parameters import COUNT, OPTIONAL_GAME, TIME, PositionParameters
from .verb import memory_bytes, option, verb
from .work_options import THREADS, continued_later, stoppable

if TYPE_CHECKING:
    from ..game.state import State
    from ..solver.table.table_maker import MadeTable

_SAMPLES = 200
_LATE_SECONDS = 10.0  # seconds for the current step to end after the time limit


class _TableOptions(PositionParameters):
    game: str = OPTIONAL_GAME
    output: str | None = option("-o, --output FILE", "Write the table to FILE.")
    no_symmetries: bool = option(
        "--no-symmetries", "Keep states apart that are mirror images by the rules."
    )
    memory: float | None = option(
        "--memory MIB",
        "Limit the memory for states; default: half of the machine's. The rest goes to disk.",
    )
    name: str | None = option("--verify FILE", "Check the table in FILE instead of making one.")
    whole: bool = option("--whole", "With --verify: check all states, with the net.")
    samples: int | None = option(
        "--samples N",
        f"With --verify: check N random states, with clingo alone ({_SAMPLES}).",
        type=click.IntRange(min=1),
    )
    seed: int | None = option("--seed N", "With --verify: which states (0).", type=COUNT)
    threads: int | None = THREADS
    seconds: float | None = TIME


@verb(
    spare=_LATE_SECONDS,
    example="aspgames table breakthrough -c width=2 -c height=5 -o small.arrow && "
    "aspgames table --verify small.arrow",
)
def command(wanted: _TableOptions, as_json: bool) -> int:
    """Solve all states of a small game, and write a table.

    The table has all states that are reachable from POSITION, each with the outcome of best play
    and the plies until then: the side ahead takes the shortest way, the side behind the longest.
    In a game with chance, it has the goal value that each player can expect, whatever the others
    do: exactly without loops, else as an interval with proven ends.

    'solve --table' and 'match --table' look states up in it. After Ctrl-C, the time limit or a full
    disk, the same command continues where it stopped.

    With --verify, random states are compared with their successors. GAME is needed only if the file
    of the rules has moved.

    Exit codes: 0 done, 1 a wrong state was found, 2 bad input, 3 not finished within the limits,
    130 interrupted.
    """
    if wanted.name is not None:
        if wanted.output is not None or wanted.position != "startpos":
            raise BadRequest("--verify takes a table, and neither POSITION nor -o")
        return _verify(wanted, wanted.name, as_json)
    if wanted.whole or wanted.samples is not None or wanted.seed is not None:
        raise BadRequest("--whole, --samples and --seed go with --verify FILE")
    if not wanted.game or wanted.output is None:
        raise BadRequest("give GAME and -o FILE, or --verify FILE")
    from ..solver.table.expected_values import ANY_GOAL
    from ..solver.table.table_maker import expected_goals, make_table

    budget = Budget(wanted.seconds)
    state = wanted.state
    known = ""
    if state.game.chance and not as_json:
        known = expected_goals(dict.fromkeys(state.game.players, ANY_GOAL))
    with (
        continued_later(wanted.seconds),
        status_line() as show,
        stoppable(),
        if_killed(known, known),
    ):
        made = make_table(
            state,
            wanted.output,
            threads=wanted.threads,
            most_bytes=memory_bytes(wanted.memory),
            with_symmetries=not wanted.no_symmetries,
            budget=budget,
            progress=show,
        )
    if as_json:
        print_json(_report(state, wanted.output, made))
    else:
        _print(state, wanted.output, made)
    return YES


def _report(state: State, output: str, made: MadeTable) -> JsonObject:
    table, value = made.table, made.table.value(state)
    bounds = value.expected or {}
    expected = {role: [str(bound) for bound in both] for role, both in bounds.items()}
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "position": list(state.facts),
        "file": output,
        "states": len(table),
        "moves": made.edges,
        "plies": list(table.about.plies),
        "outcomes": [
            dict(zip(table.about.roles, each, strict=True)) for each in table.about.outcomes
        ],
        "symmetries": len(table.about.symmetries) + 1,
        "goals": None if value.goals is None else dict(value.goals),
        "distance": value.distance,
        **({"expected": expected} if expected else {}),
        "best": [move.term for move in table.best(state)],
        "bytes": os.path.getsize(output),
        "enumeration_seconds": made.enumeration_seconds,
        "seconds": made.seconds,
    }


def _print(state: State, output: str, made: MadeTable) -> None:
    table = made.table
    size = os.path.getsize(output)
    images = len(table.about.symmetries) + 1
    apart = f" that are not mirror images ({images} symmetries)" if images > 1 else ""
    states, moves = counted(len(table), "state"), counted(made.edges, "move")
    print_text(f"{states}{apart}, {moves}; best play from here:")
    value = table.value(state)
    if value.expected is not None:
        from ..solver.table.table_maker import expected_goals

        print_text(expected_goals(value.expected))
    elif value.goals is None:
        print_text("play need never end")
    else:
        goals = ", ".join(f"{role} {goal}" for role, goal in value.goals.items())
        print_text(f"{goals} after {counted(value.distance or 0, 'ply', 'plies')}")
    if best := table.best(state):
        print_text(f"best: {', '.join(move.text for move in best)}")
    print_text(f"{output}: {size:,} bytes, {size / len(table):.1f} a state ({made.seconds:.1f} s)")


def _verify(wanted: _TableOptions, name: str, as_json: bool) -> int:
    from ..solver.table.lookup import Table
    from ..solver.table.table_check import verify_samples, verify_whole

    if wanted.whole and (wanted.samples is not None or wanted.seed is not None):
        raise BadRequest("--whole checks all states: it takes neither --samples nor --seed")
    budget = Budget(wanted.seconds)
    table = Table(name)
    game = (
        wanted.loaded
        if wanted.game and wanted.constants
        else load_game(wanted.game or table.about.game, table.about.constants)
    )
    try:
        with status_line() as show, stoppable():

            def progress(checked: int) -> None:
                show(f"{checked:,} states checked")

            if wanted.whole:
                threads = number_of(wanted.threads)
                checked = verify_whole(table, game, threads, budget, progress)
            else:
                drawn = wanted.samples or _SAMPLES
                checked = verify_samples(table, game, drawn, wanted.seed or 0, budget, progress)
    except Rejected as error:
        reason = one_line(str(error))
        print_answer({"verified": False, "reason": reason}, f"Rejected: {reason}", as_json)
        return NO
    checked = min(checked, len(table))  # the start may have been drawn, too
    report = {"checked": checked, "states": len(table), "seconds": budget.seconds}
    right = f"{counted(len(table), 'state')} {'is' if checked == 1 else 'are'} right"
    print_answer({"verified": True, **report}, f"Verified: {checked:,} of {right}", as_json)
    return YES
