"""``aspgames record``: games as a table, in a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..game.notation.joint_moves import is_joint, parse_joint
from ..runtime.budget import Budget
from ..runtime.errors import OutOfTime
from ..runtime.json_lines import JsonObject
from .executors import executor_options, way_of
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    position_argument,
    read_game,
    read_state,
    reasoner_option,
    seconds_option,
    threads_option,
    time_option,
)
from .signals import stoppable
from .verb import Verb

if TYPE_CHECKING:
    from ..rl.data.recording import Made

_LATE = 10.0  # seconds until a block that the time limit finds under way has ended


@click.command(
    "record",
    cls=Verb,
    spare=_LATE,
    epilog=example("aspgames record breakthrough -n 1000 -o games.parquet --seed 1"),
)
@game_argument()
@position_argument()
@click.option("-n", "--games", type=int, default=1000, show_default=True, help="How many games.")
@click.option("-o", "--output", metavar="FILE", required=True, help="The file.")
@click.option(
    "--players",
    metavar="NAME",
    default="random",
    show_default=True,
    help="Who plays: random, solver or engine, or a name for each role: white=solver,black=random.",
)
@seconds_option("--move-time", "move_seconds", "The time for a move of who searches.", 0.1)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same games, those of 'playout'.",
)
@reasoner_option
@threads_option
@executor_options
@time_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    games: int,
    output: str,
    players: str,
    move_seconds: float,
    seed: int,
    reasoner: str | None,
    threads: int | None,
    workers: int | None,
    dask: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Play games from a position to their ends, and write them to a Parquet file, a row a state.

    A row has the position, the move that was played there, how many were legal, and how the game
    ended; pandas, polars and DuckDB read it (docs/data.md has the columns).

    After Ctrl-C, or when the time is over, and also if it is killed, the same command goes on where
    it stopped; what is unfinished is in a folder beside FILE.

    Exit codes: 0 done, 2 bad input, 3 not finished within the limits, 130 interrupted.
    """
    from ..rl.data.recording import record_games, record_through  # loaded only where it is needed

    budget = Budget(seconds)
    state = read_state(read_game(game, constants), position)
    named = parse_joint(players) if is_joint(players) else players
    try:
        with (
            status_line() as show,
            stoppable(),
            way_of(workers, dask, None, "blocks of games", show, budget) as way,
        ):
            if way is None:
                made = record_games(
                    state,
                    games,
                    output,
                    seed,
                    players=named,
                    move_seconds=move_seconds,
                    reasoner=reasoner,
                    threads=threads,
                    budget=budget,
                    progress=show,
                )
            else:
                made = record_through(
                    way, state, games, output, seed, named, move_seconds, reasoner, threads
                )
    except OutOfTime:
        raise OutOfTime(
            f"not finished within {seconds:g} seconds: the same command goes on from here"
        ) from None
    if as_json:
        print_json(_report(state.game.name, made))
    else:
        speed = f", {made.new_rows / made.seconds:,.0f} rows a second" if made.new_rows else ""
        print_text(
            f"{made.path}: {made.about.games:,} games, {made.rows:,} rows in "
            f"{made.seconds:.2f} s{speed}"
        )


def _report(name: str, made: Made) -> JsonObject:
    return {
        "game": name,
        "const": dict(made.about.const),
        "output": made.path,
        "games": made.about.games,
        "seed": made.about.seed,
        "players": dict(made.about.players or {}),
        "rows": made.rows,
        "seconds": made.seconds,
    }
