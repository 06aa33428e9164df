"""``solve --together``: both sides cooperate."""

from __future__ import annotations

from ..puzzle.problem import turns_text
from ..puzzle.solution import cooperation_report
from ..puzzle.verdict_text import cooperation_text
from ..runtime.arguments import counted
from ..solver.search.cooperation import together
from .output import in_columns, print_json, print_position, print_text, status_line
from .solve_options import VERDICT_CODES, AskedPuzzle, EffortOptions


def solve_together(question: AskedPuzzle, effort: EffortOptions, as_json: bool) -> int:
    """Find the shortest line to the goal; returns the exit code."""
    puzzle, written, asked = question
    puzzle.refuse_unless_sides_take_turns()
    with status_line() as show:
        budget = effort.budget()

        def progress(turns: int, plies: int) -> None:
            found = f"{budget.seconds:.0f} s, {counted(plies, 'ply', 'plies')}"
            show(f"Searching {turns_text(turns)}: {found}")

        found = together(puzzle, budget, progress)
    report = written.solution(cooperation_report(asked, found))
    if as_json:
        print_json(report)
    else:
        print_position(puzzle.state, written)
        print_text(f"\n{cooperation_text(puzzle, found, written.text(puzzle.attacker))}")
        if found.line:
            print_text(in_columns(["Line:", *report["line_text"]]))
    return VERDICT_CODES[found.verdict]
