"""``aspgames record``: games as a table, in a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game.notation.joint_moves import is_joint, parse_joint
from ..runtime.arguments import counted
from ..runtime.json_lines import JsonObject
from . import parameters
from .output import print_json, print_text, warn
from .parameters import PositionParameters
from .verb import option, verb
from .work_options import RunOptions, continued_later

if TYPE_CHECKING:
    from ..rl.data.recording import RecordedGames

_LATE_SECONDS = 10.0  # seconds for the current block to end after the time limit


class _RecordOptions(PositionParameters):
    games: int = parameters.games_option(1000)
    output: str = option("-o, --output FILE", "The file; its name ends in .parquet.", required=True)
    players: str = option(
        "--players NAME",
        "random, solver, engine, or a function of yours, MODULE:FUNCTION or FILE.py:FUNCTION. For "
        "each role: white=solver,black=random.",
        "random",
    )
    move_seconds: float = option(
        "--move-time SECONDS", "Thinking time per move for searching players.", 0.1
    )
    max_plies: int | None = parameters.MAX_PLIES
    seed: int = parameters.seed_option("The same seed gives the same games, those of 'playout'.")


@verb(spare=_LATE_SECONDS, example="aspgames record breakthrough -n 1000 -o games.parquet --seed 1")
def command(wanted: _RecordOptions, work: RunOptions, as_json: bool) -> None:
    """Play games to their ends and write them to a Parquet file.

    A row is a state: the position, the move played there, the number of legal moves, and the result
    of the game. pandas, polars and DuckDB read it (docs/data.md has the columns).

    After Ctrl-C, the time limit or a kill, the same command continues where it stopped. A folder
    beside FILE keeps unfinished work.

    Exit codes: 0 done, 2 bad input, 3 not finished within the limits, 130 interrupted.
    """
    from ..rl.data.recording import record_games  # loaded only if necessary

    state, output = wanted.state, wanted.output
    players = parse_joint(wanted.players) if is_joint(wanted.players) else wanted.players
    with continued_later(work.seconds), work.run("blocks of games") as (show, way, budget):
        made = record_games(
            state,
            wanted.games,
            output,
            wanted.seed,
            players=players,
            max_plies=wanted.max_plies,
            move_seconds=wanted.move_seconds,
            reasoner=work.reasoner,
            threads=work.threads,
            budget=budget,
            executor=way,
            progress=show,
        )
    if not output.lower().endswith(parameters.PARQUET):
        warn(f"warning: {output} is a Parquet file: its name should end in {parameters.PARQUET}")
    if as_json:
        print_json(_report(state.game.name, made))
    else:
        speed = f", {made.new_rows / made.seconds:,.0f} rows a second" if made.new_rows else ""
        games, rows = counted(made.about.games, "game"), counted(made.rows, "row")
        print_text(f"{made.path}: {games}, {rows} in {made.seconds:.2f} s{speed}")


def _report(name: str, made: RecordedGames) -> JsonObject:
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
