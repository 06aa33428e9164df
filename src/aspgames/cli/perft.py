"""``aspgames perft``: counting move sequences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from ..game.game import Game, State
from ..game.notation.notations import Notation
from ..game.notation.notations import notation as written_in
from ..play.perft import divide as divided
from ..play.perft import divide_through as shared
from ..play.perft import perft, perft_report
from ..play.perft_suite import read_suite, run_suite, suite_path, suite_report
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest, Interrupted, LimitReached
from ..runtime.workers.ordered_map import Through
from .executors import threads_for, way_of, way_options
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    notation_option,
    position_argument,
    read_game,
    read_state,
    reasoner_option,
    threads_option,
    time_option,
)
from .signals import stoppable
from .verb import Verb


@click.command(
    "perft", cls=Verb, epilog=example("aspgames perft skirmish --depth 3 --divide --threads 2")
)
@game_argument(required=False)
@position_argument()
@click.option("--depth", type=int, help="The number of plies to count.")
@click.option("--divide", is_flag=True, help="Print the count behind each first move, too.")
@click.option(
    "--suite",
    metavar="FILE",
    help="Check the counts of a file of lines 'position; depth: count ...' (or of a built-in "
    "suite: the name of its game), those deeper than --depth left out.",
)
@reasoner_option
@threads_option
@way_options
@time_option
@notation_option
@json_option
def command(
    game: str | None,
    constants: tuple[str, ...],
    position: str,
    depth: int | None,
    divide: bool,
    suite: str | None,
    reasoner: str | None,
    threads: int | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    seconds: float | None,
    notation: str,
    as_json: bool,
) -> int:
    """Count the sequences of exactly so many plies that can be played from a position.

    With --suite, GAME is what lines before any line 'game NAME [CONST=VALUE]...' are about. Exit
    code 1: a count is another; then the counts behind each first move are printed. After Ctrl-C,
    and when the time is over, --divide prints those of the first moves that are done.
    """
    if suite is not None:
        if position != "startpos" or divide:
            raise BadRequest("--suite takes its positions from the file, and divides by itself")
        given = None if game is None else read_game(game, constants)
        budget = Budget(seconds)
        with (
            status_line() as show,
            way_of(workers, dask, resume, "counts", show, budget) as way,
        ):
            threads = threads_for(threads, workers, dask)
            return _check(suite, given, depth, reasoner, threads, budget, way, show, as_json)
    if game is None or depth is None:
        raise BadRequest("give GAME and --depth, or --suite FILE")
    state = read_state(read_game(game, constants), position, notation)
    written = written_in(state.game, notation)
    split: dict[str, int] = {}
    budget = Budget(seconds)
    try:
        with (
            status_line() as show,
            stoppable(),
            way_of(workers, dask, resume, "pieces", show, budget) as way,
        ):
            if way is not None:
                threads = threads_for(threads, workers, dask)
                counted: dict[str, int] | int = shared(
                    way, state, depth, reasoner, threads, into=split
                )
            else:
                count = partial(divided, into=split) if divide else perft
                counted = count(
                    state,
                    depth,
                    reasoner=reasoner,
                    threads=threads,
                    budget=budget,
                    progress=lambda nodes: show(f"{nodes:,} nodes"),
                )
    except (LimitReached, Interrupted):
        if split and divide and not as_json:  # a JSON object would look like an answer
            _print_split(state, written, split)
            print_text(f"\nStopped: only {len(split)} first moves are counted.")
        raise
    nodes = sum(counted.values()) if isinstance(counted, dict) else counted
    if as_json:
        behind = {written.joint_text(move): count for move, count in split.items()}
        print_json(perft_report(state.game, depth, nodes, behind if divide else None))
        return 0
    if divide:
        _print_split(state, written, split)
    told = "1 node" if nodes == 1 else f"{nodes} nodes"
    print_text(f"\n{told}" if divide else told)
    return 0


def _print_split(state: State, written: Notation, split: dict[str, int]) -> None:
    for move, behind in split.items():
        text = state.move_text(move) if written.has_boards else written.joint_text(move)
        print_text(f"{text}: {behind}")


def _check(
    name: str,
    game: Game | None,
    depth: int | None,
    reasoner: str | None,
    threads: int | None,
    budget: Budget,
    way: Through | None,
    show: Callable[[str], None],
    as_json: bool,
) -> int:
    """Check a suite; returns the exit code."""
    cases = read_suite(suite_path(name), game)
    chosen = [case for case in cases if depth is None or case.depth <= depth]
    failures = list(
        run_suite(
            chosen,
            reasoner=reasoner,
            threads=threads,
            budget=budget,
            progress=lambda case: show(f"line {case.line}, depth {case.depth}"),
            way=way,
        )
    )
    show("")
    if as_json:
        print_json(suite_report(name, chosen, failures, budget.seconds))
        return 1 if failures else 0
    for failure in failures:
        case = failure.case
        print_text(
            f"line {case.line}: {case.state.game.name} {case.position}\n"
            f"depth {case.depth}: {failure.nodes} nodes, not {case.nodes}"
        )
        for move, behind in failure.divide.items():
            print_text(f"  {case.state.move_text(move)}: {behind}")
    print_text(f"{len(chosen) - len(failures)} of {len(chosen)} counts are right")
    return 1 if failures else 0
