"""The answers to puzzles as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution
from ..puzzle.words import verdict_text
from ..state import State
from .output import in_columns, print_board, print_text


def print_tree(state: State, tree: Any, indent: str = "") -> None:
    """Print the moves of a tree of best play, each below the one it follows."""
    for move, rest in tree.items():
        print_text(f"{indent}{state.move_text(move)}")
        print_tree(state.play(move), rest, indent + "  ")


def print_solution(puzzle: Puzzle, solution: Solution, interrupted: bool) -> None:
    """Print a puzzle with its answer."""
    print_board(puzzle.state)
    print_text("")
    for line in _sentences(puzzle, solution, interrupted):
        print_text(line)
    print_text(f"({solution.positions} positions, {solution.seconds:.1f} s)")


def _sentences(puzzle: Puzzle, solution: Solution, interrupted: bool) -> Iterable[str]:
    yield verdict_text(puzzle, solution, interrupted)
    if solution.verdict == "not_forced" and solution.replies:
        yield f"A reply that holds: {puzzle.state.move_text(solution.replies[0][0])}"
    elif solution.line:
        if solution.keys:
            yield in_columns([f"{'Keys' if solution.keys[1:] else 'Key'}:", *solution.keys_text])
        yield in_columns(["Line:", *solution.line_text])
        if solution.replies:
            replies = [f"{puzzle.state.move_text(m)} ({turns})" for m, turns in solution.replies]
            yield in_columns(["Replies, and the turns in which they lose:", *replies])
