"""``aspgames compose``: puzzles from the rules alone."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import ExitStack

import click

from ..compose.collection import Collection, compose
from ..compose.specification import FORCED, NOT_FORCED, TOGETHER, Order
from ..game.game import Game
from ..game.loading import load_game
from ..gdl.reasoner import Facts
from ..puzzle.goal import GOAL_LIST
from ..puzzle.puzzle_request import puzzle_of
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject, decode, encode, read_lines
from .executors import executor_of, executor_options, threads_for
from .exit_codes import INTERRUPTED, NO, UNDECIDED, YES
from .files import opened, refuse_unwritable, write_file
from .output import print_text, status_line
from .parameters import example, game_argument, json_option, read_game, threads_option, time_option
from .signals import stoppable
from .verb import MEMORY, Verb

_ENDED = {
    "time": "the time is over",
    "interrupted": "interrupted",
    "in vain": "nothing new was found for a long time",
}
_CODES = {"": YES, "time": UNDECIDED, "interrupted": INTERRUPTED, "in vain": UNDECIDED}


@click.command(
    "compose",
    cls=Verb,
    epilog=example(
        "aspgames compose breakthrough -c width=4 -c height=6 --goal win --within 2 -n 2"
    ),
)
@game_argument()
@click.option("--goal", required=True, help=f"{GOAL_LIST} (also score:N).")
@click.option("--within", type=int, required=True, metavar="K", help="The attacker's own turns.")
@click.option("--at-least", type=int, metavar="K", help="Fewer turns will do, but so many.")
@click.option("-n", "--number", type=int, default=10, show_default=True, help="How many puzzles.")
@click.option("-o", "--output", metavar="FILE", help="Write them to FILE, a JSON object a line.")
@click.option("--attacker", metavar="ROLE", help="Who is to force the goal; default: either.")
@click.option("--to-move", "mover", metavar="ROLE", help="Who is on move; default: either.")
@click.option("--not-forced", is_flag=True, help="The defender's only move that keeps it away.")
@click.option("--together", "helped", is_flag=True, help="Both sides help: the only shortest line.")
@click.option("--pieces", "most_pieces", type=int, metavar="N", help="No more pieces than so many.")
@click.option("--like", metavar="FILE", help="Variations of the puzzles in FILE.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same gives the same.")
@click.option(
    "--among",
    type=int,
    default=2,
    show_default=True,
    metavar="N",
    help="Keep the best of N times as many.",
)
@time_option
@threads_option
@executor_options
@click.option(
    "--resume", metavar="FILE", help="Keep what is found in FILE, and go on with what it holds."
)
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    goal: str,
    within: int,
    at_least: int | None,
    number: int,
    output: str | None,
    attacker: str | None,
    mover: str | None,
    not_forced: bool,
    helped: bool,
    most_pieces: int | None,
    like: str | None,
    seed: int,
    among: int,
    seconds: float | None,
    threads: int | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    as_json: bool,
) -> int:
    """Compose puzzles that have exactly one key and take exactly so many turns.

    Candidates come from random games near their ends, and from changing what is nearly a puzzle.
    What is sound is judged as 'aspgames judge' does; no two are alike up to the symmetries of the
    rules, and the best are told of; with --json and in FILE, they are what 'aspgames solve
    --puzzles' reads.

    Ctrl-C, and the end of the time, keep what was found by then.

    Exit codes: 0 done, 1 no puzzle was found, 2 bad input, 3 fewer than were asked for, 130
    interrupted.
    """
    if not_forced and helped:
        raise BadRequest("--not-forced and --together don't go together")
    for name, value in (("-n", number), ("--among", among)):
        if not 1 <= value <= 100_000:
            raise BadRequest(f"{name} must be a whole number from 1 to 100,000, not {value}")
    played = read_game(game, constants)
    stipulation = NOT_FORCED if not_forced else TOGETHER if helped else FORCED
    order = Order.of(
        played.roles, goal, within, at_least, stipulation, attacker, mover, most_pieces
    )
    variations = [] if like is None else _positions(like, played)
    if output is not None:
        refuse_unwritable(output)
    budget = Budget(seconds)
    most_bytes = click.get_current_context().meta.get(MEMORY)
    with ExitStack() as work:
        show = work.enter_context(status_line())
        work.enter_context(stoppable())
        executor: Executor | None = work.enter_context(executor_of(workers, dask, most_bytes))
        found = compose(
            played,
            order,
            number,
            seed,
            among=among,
            called=game,
            like=variations,
            threads=threads_for(threads, workers, dask),
            budget=budget,
            executor=executor,
            resume=resume,
            show=show,
        )
    _write(found, output, as_json)
    return _CODES[found.ended] if found.puzzles or found.ended == "interrupted" else NO


def _write(found: Collection, output: str | None, as_json: bool) -> None:
    if output is not None:
        write_file(output, "".join(f"{encode(puzzle)}\n" for puzzle in found.best))
    for place, puzzle in enumerate(found.best, start=1):
        if as_json:
            click.echo(encode(puzzle))
        else:
            print_text(f"{row(place, puzzle)}\n       {puzzle['position']}")
    ended = f" ({_ENDED[found.ended]})" if found.ended else ""
    if not as_json or ended:
        click.echo(f"{found}, {len(found.best):,} written{ended}", err=as_json)


def row(place: int, puzzle: JsonObject) -> str:
    """A judged puzzle in a line of a table."""
    judged = puzzle["judged"]
    turns = "" if judged["distance"] is None else f"in {judged['distance']}"
    marks = f"difficulty {judged['difficulty']:4.1f}  score {judged['score']:4.1f}"
    what = f"{puzzle['attacker']} {puzzle['goal']} {turns}"
    return f"{place:>5}  {what:<22} {marks}  {', '.join(judged['keys_text'])}"


def _positions(name: str, game: Game) -> list[Facts]:
    """The positions of the puzzles in a file, which are of one game. Raises ``BadRequest``."""
    found = []
    with opened(name, "rb") as stream:
        for number, line in enumerate(read_lines(stream), start=1):
            if line is not None and not line.strip():
                continue
            try:
                puzzle = puzzle_of(decode(line), load_game)
            except AspgamesError as error:
                raise BadRequest(f"{name}, line {number}: {error}") from None
            if puzzle.state.game != game:
                raise BadRequest(f"{name}, line {number}: the puzzle is of another game")
            found.append(puzzle.state.facts)
    if not found:
        raise BadRequest(f"{name}: there is no puzzle in it")
    return list(dict.fromkeys(found))
