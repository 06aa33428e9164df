"""``aspgames solve``: puzzles."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import click

from ..budget import Budget
from ..errors import AspgamesError, BadRequest
from ..game import load
from ..puzzle.problem import Puzzle
from ..puzzle.search import Solution, search
from ..report import JsonObject, error_report, solution_report
from ..request import decode, encode, puzzle_of, read_lines
from .output import in_columns, print_board, print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    position_text,
    read_constants,
    standard_input,
    time_option,
)

_CODES = {"forced": 0, "not_forced": 1, "unknown": 3}


@click.command(
    "solve",
    epilog=example(
        'aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win --within 3'
    ),
)
@game_argument(required=False)
@click.argument("position", required=False)
@click.option("--attacker", metavar="ROLE", help="Who is to force the goal.")
@click.option("--goal", help="trap, win or score>=N (also score:N).")
@click.option("--within", type=int, metavar="K", help="The attacker's own turns; none: any number.")
@click.option(
    "--puzzles",
    metavar="FILE",
    help="Read puzzles, a JSON object a line ('-': standard input), and print a result a line.",
)
@time_option
@click.option(
    "--positions", type=int, metavar="N", help="Give up after looking at so many positions."
)
@json_option
def command(
    game: str | None,
    constants: tuple[str, ...],
    position: str | None,
    attacker: str | None,
    goal: str | None,
    within: int | None,
    puzzles: str | None,
    seconds: float | None,
    positions: int | None,
    as_json: bool,
) -> int:
    """Can a side force a goal within so many of its own turns? With the key moves and a line.

    trap: the opponent is on move and can't move. win: the game is over and the attacker has 100.
    score>=N: the attacker's goal value is at least N. A turn already begun counts as one.
    """
    limits = (seconds, positions)
    if puzzles is not None:
        if game is not None or attacker or goal or within is not None or constants:
            raise BadRequest(
                "--puzzles takes everything from the file: leave the other arguments out"
            )
        return _solve_file(puzzles, limits)
    if game is None or position is None or not attacker or not goal:
        raise BadRequest("give GAME, POSITION, --attacker and --goal, or --puzzles FILE")
    request: JsonObject = {
        "game": game,
        "position": position_text(position),
        "attacker": attacker,
        "goal": goal,
        "within": within,
    }
    if constants:
        request["const"] = read_constants(constants)
    puzzle = puzzle_of(request, lambda name, values: load(name, **values))
    solution = _search(puzzle, limits)
    if as_json:
        print_json(solution_report(request, solution))
    else:
        _print_solution(puzzle, solution)
    return _CODES[solution.verdict]


def _search(puzzle: Puzzle, limits: tuple[float | None, int | None]) -> Solution:
    with status_line() as show:
        return search(
            puzzle,
            Budget(*limits),
            lambda turns, seen: show(f"within {turns}: {seen:,} positions"),
        )


def _solve_file(name: str, limits: tuple[float | None, int | None]) -> int:
    """Answer each line of a file in order; returns the exit code."""
    Budget(*limits)  # refuses senseless limits once, not on every line
    if name == "-":
        return _solve_lines(standard_input(), limits)
    try:
        file = Path(name).open("rb")  # noqa: SIM115
    except OSError as error:
        raise BadRequest(f"{name} can't be read: {error.strerror}") from None
    with file:
        return _solve_lines(file, limits)


def _solve_lines(stream: IO[bytes], limits: tuple[float | None, int | None]) -> int:
    codes = set()
    for line in read_lines(stream):
        try:
            request = decode(line)
            solution = _search(puzzle_of(request, lambda g, const: load(g, **const)), limits)
            answer = solution_report(request, solution)
            codes.add(3 if solution.verdict == "unknown" else 0)
        except (AspgamesError, RecursionError, MemoryError) as error:
            answer = error_report(error)
            codes.add(2)
        click.echo(encode(answer))
        sys.stdout.flush()
    return 2 if 2 in codes else max(codes, default=0)


def _print_solution(puzzle: Puzzle, solution: Solution) -> None:
    print_board(puzzle.state)
    print_text("")
    for line in _sentences(puzzle, solution):
        print_text(line)
    print_text(f"({solution.positions} positions, {solution.seconds:.1f} s)")


def _sentences(puzzle: Puzzle, solution: Solution) -> Iterable[str]:
    attacker, goal = puzzle.attacker, puzzle.goal.text
    limit = "in any number of turns" if puzzle.within is None else f"within {_turns(puzzle.within)}"
    if solution.verdict == "not_forced":
        yield f"{attacker} can't force {goal} {limit}."
    elif solution.verdict == "unknown":
        known = "" if solution.not_within is None else f"; not within {_turns(solution.not_within)}"
        yield f"Undecided: the limits are reached{known}."
    elif solution.distance == 0:
        yield f"{goal} stands already for {attacker}."
    else:
        yield f"{attacker} forces {goal} in {_turns(solution.distance or 0)}."
        if solution.keys:
            yield in_columns([f"{'Keys' if solution.keys[1:] else 'Key'}:", *solution.keys_text])
        yield in_columns(["Line:", *solution.line_text])


def _turns(number: int) -> str:
    return f"{number} turn" if number == 1 else f"{number} turns"
