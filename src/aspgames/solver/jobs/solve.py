"""``solve``: a puzzle from its parts, answered."""

from __future__ import annotations

from concurrent.futures import Executor
from os import PathLike
from pathlib import Path

from ...game.game import State, check_state
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Solution, undecided
from ...runtime.arguments import check_budget
from ...runtime.budget import Budget
from ...runtime.errors import OutOfTime


def solve(
    state: State,
    *,
    attacker: str,
    goal: str,
    within: int | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    resume: str | PathLike[str] | None = None,
) -> Solution:
    """Whether ``attacker`` can force ``goal`` from a state within so many turns of its own.

    ``attacker`` is a role. ``goal`` is ``"trap"`` (the opponent is on move and can't move),
    ``"win"`` (the game is over and the attacker has 100) or ``"score>=N"`` (the attacker has at
    least N). ``within`` is a number of the attacker's turns, one already begun included; None
    stands for as many as the game lasts. Either side may be on move. In a game of one role each of
    its moves is a turn, and ``"trap"`` makes no sense. ``threads`` is how many threads share the
    search, one a core unless given; the answer is the same. ``resume`` is a file that the search is
    kept in, every ten minutes and in the end; if it is there, the search goes on from it.

    ``executor`` is any of ``concurrent.futures``, ``Workers`` and ``Cluster`` among them: a puzzle
    that turns out to be hard is searched by jobs there, each with one thread unless given, and
    ``resume`` is a file in which their results are kept as they come. The answer is the same.

    When the budget runs out, the verdict is ``"unknown"``. Raises ``BadRequest`` if a part makes no
    sense, the game has neither a single role nor two that alternate, or the file is none of this
    search or can't be written; and ``RulesError`` or ``LimitReached`` if no net can be made for its
    rules.
    """
    from ..search.puzzle_search import Search  # loaded only where it is needed

    check_state(state)
    budget = check_budget(budget)
    try:
        puzzle = Puzzle.read(state, attacker, goal, within)
        if executor is not None:
            from .job_search import JobSearch

            with JobSearch(puzzle, budget, executor, threads=threads, resume=resume) as jobs:
                return jobs.run()
        path = None if resume is None else Path(resume)
        search = Search(puzzle, budget, threads=threads, resume=path)
        solution = search.run()
        search.keep()
        return solution
    except OutOfTime:
        return undecided(budget.seconds)
