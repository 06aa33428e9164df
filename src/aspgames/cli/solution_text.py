"""The answers to puzzles as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..game.game import State
from ..game.notation.notations import Notation
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution, solution_report
from ..puzzle.verdict_text import verdict_text
from .output import in_columns, print_position, print_text


def print_tree(state: State, tree: Any, written: Notation, indent: str = "") -> None:
    """Print the moves of a tree of best play, each below the one it follows."""
    for move, rest in tree.items():
        print_text(f"{indent}{_move_text(state, move, written)}")
        print_tree(state.play(move), rest, written, indent + "  ")


def print_solution(
    puzzle: Puzzle, solution: Solution, interrupted: bool, written: Notation
) -> None:
    """Print a puzzle with its answer."""
    print_position(puzzle.state, written)
    print_text("")
    for line in _sentences(puzzle, solution, interrupted, written):
        print_text(line)
    print_text(f"({solution.positions} positions, {solution.seconds:.1f} s)")


def _sentences(
    puzzle: Puzzle, solution: Solution, interrupted: bool, written: Notation
) -> Iterable[str]:
    state, told = puzzle.state, written.solution(solution_report({}, solution))
    yield verdict_text(puzzle, solution, interrupted, written.text(puzzle.attacker))
    if solution.verdict == "not_forced" and solution.replies:
        yield f"A reply that holds: {_move_text(state, solution.replies[0][0], written)}"
    elif solution.line:
        if solution.keys:
            yield in_columns([f"{'Keys' if solution.keys[1:] else 'Key'}:", *told["keys_text"]])
        yield in_columns(["Line:", *told["line_text"]])
        if solution.replies:
            replies = (
                f"{_move_text(state, m, written)} ({turns})" for m, turns in solution.replies
            )
            yield in_columns(["Replies, and the turns in which they lose:", *replies])


def _move_text(state: State, term: str, written: Notation) -> str:
    """A move of the role on move as people read it."""
    return next(written.move_text(m) for m in state.legal[state.to_move or ""] if m.term == term)
