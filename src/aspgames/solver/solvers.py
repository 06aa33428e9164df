"""The solvers for a puzzle: a table, a search, or a search by jobs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..game.state import State, check_state
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution, undecided
from ..puzzle.solved import PuzzleRun, Solved
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.call_arguments import check_budget, no_show
from ..runtime.errors import BadRequest, OutOfTime, TooLarge
from ..runtime.json_lines import JsonObject

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .table.lookup import Table


def open_puzzle(
    puzzle: Puzzle,
    budget: Budget,
    executor: Executor | None = None,
    table: str | None = None,
    *,
    memory: float | None = None,
    threads: int | None = None,
    resume: str | PathLike[str] | None = None,
    most_rules: int = MOST_RULES,
    grounder: bool = True,
    progress: Callable[[str], None] = no_show,
) -> Solved:
    """A puzzle, ready to be solved: ``with open_puzzle(puzzle, Budget()) as solved: …``.

    Args:
        puzzle: The question.
        budget: The limits on all questions together.
        executor: Runs the searches of a hard puzzle as jobs; None for this process.
        table: The file of a table with the answer. No search runs then.
        memory: For the transposition table of each process [bytes]. Defaults to 4 GiB, or 1 GiB
            with an executor.
        threads: The threads of each search. Defaults to one a core, or one with an executor.
        resume: The file that keeps the search, or with an executor its jobs' results.
        most_rules: The most ground rules of the net.
        grounder: Whether the grounder, which is slow, answers where no net fits.
        progress: Takes a text about the progress now and then.

    Raises:
        BadRequest: The sides don't take turns, the executor or a file is unusable, or the table
            can't answer the puzzle.
        BadPosition: The table doesn't have the position.
        RulesError: No net can be made from the rules.
        LimitReached: The net would be too large for jobs or for a file that keeps the search, or
            the budget runs out. Elsewhere the grounder answers in place of a net.
    """
    if table is not None:
        from .table.table_puzzle import SolvedByTable

        return SolvedByTable(puzzle, _table(table), budget, progress)
    progress("Making the net")
    path = None if resume is None else Path(resume)
    try:
        if executor is not None:
            from .jobs.job_search import JobSearch

            return JobSearch(puzzle, budget, executor, progress, memory, threads, resume)
        from .search.puzzle_search import Search

        return Search(puzzle, budget, progress, memory, most_rules, threads=threads, resume=path)
    except TooLarge as error:
        if executor is not None or path is not None:
            raise TooLarge(f"{error}; --workers, --dask and --resume need a net") from None
        if not grounder:
            raise
        from .grounded_puzzle import SolvedByGrounder

        return SolvedByGrounder(puzzle, budget, progress)


def open_any_puzzle(
    puzzle: Puzzle,
    budget: Budget,
    executor: Executor | None = None,
    table: str | None = None,
    *,
    memory: float | None = None,
    threads: int | None = None,
    resume: str | PathLike[str] | None = None,
    progress: Callable[[str], None] = no_show,
) -> PuzzleRun:
    """``open_puzzle``, also for chance and hidden information: one process, without files."""
    if puzzle.chance is None:
        return open_puzzle(
            puzzle,
            budget,
            executor,
            table,
            memory=memory,
            threads=threads,
            resume=resume,
            progress=progress,
        )
    hidden = puzzle.state.game.hidden
    if executor is not None or (table is not None and hidden) or resume is not None:
        raise BadRequest(
            f"{puzzle.state.game.name} has {'hidden information' if hidden else 'chance'}: one "
            f"process solves its puzzles, without workers{', a table' if hidden else ''}, or a "
            "file that keeps the search"
        )
    if table is not None:
        from .table.table_puzzle import ChanceByTable

        return ChanceByTable(puzzle, _table(table), budget, progress)
    if hidden:
        from .belief.hidden_puzzle import HiddenPuzzle

        return HiddenPuzzle(puzzle, budget, progress, memory)
    from .chance.chance_puzzle import PuzzleWithChance

    return PuzzleWithChance(puzzle, budget, progress, memory)


@cache
def _table(path: str) -> Table:
    from .table.lookup import Table

    return Table(path)


def solve(
    state: State,
    *,
    attacker: str | None = None,
    goal: str,
    within: int | None = None,
    chance: Fraction | str | int = 1,
    time: float | None = None,
    memory: float | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    resume: str | PathLike[str] | None = None,
) -> Solution:
    """Find out whether ``attacker`` can force ``goal`` within ``within`` of its own turns.

    If the time runs out, the solution has what is proven: ``at_most`` and ``not_within`` for a goal
    that is forced, else the verdict ``"unknown"``.

    >>> import aspgames
    >>> state = aspgames.load("breakthrough").position("8/P7/8/8/8/8/7p/8 w")
    >>> aspgames.solve(state, attacker="white", goal="win", within=1).keys_text
    ('a7-a8', 'a7-b8')

    Args:
        state: The position. Either side may be on move.
        attacker: A role; a lone role needn't be named.
        goal: What the attacker wants: ``"win"`` (the game is over and the attacker has 100),
            ``"trap"`` (the opponent is on move and can't move), ``"score>=N"`` (the attacker has a
            goal value of at least N) or another goal of ``aspgames solve --help``; in a game with
            chance also ``"score"`` (the expected goal value of the attacker).
        within: The number of the attacker's turns, one already begun included; None for any number.
            In a game of one role each move is a turn.
        chance: In a game with chance, the least probability to force, such as ``"2/3"``.
        time: The time limit [s].
        memory: For the transposition table of each process [bytes]. Defaults to 4 GiB, or 1 GiB
            with an executor.
        budget: The limits on time and positions, in place of ``time``.
        threads: The threads of each search. Defaults to one a core, or one with an executor. The
            answer is the same.
        executor: Any of ``concurrent.futures``, ``Workers`` or ``Cluster``. Its jobs search a hard
            puzzle. The answer is the same.
        resume: A file that keeps the search every minute and at its end, or with an executor
            each job's result. The search continues from an existing file.

    Raises:
        BadRequest: An argument is invalid, the game has neither one role nor two that take turns,
            or the file is of another search or unwritable.
        RulesError: No net can be made from the rules.
        LimitReached: The net would be too large for jobs or for ``resume``.
    """
    check_state(state)
    if time is not None and budget is not None:
        raise BadRequest("give a time or a budget, not both")
    budget = check_budget(budget) if time is None else Budget(time)
    puzzle = Puzzle.read(state, attacker, goal, within, chance)
    try:
        with open_any_puzzle(
            puzzle, budget, executor, memory=memory, threads=threads, resume=resume
        ) as solved:
            solution = solved.run()
            solved.keep()
            return solution
    except OutOfTime:
        return undecided(budget.seconds, puzzle)


def certificate(
    state: State,
    *,
    attacker: str | None = None,
    goal: str,
    within: int | None = None,
    budget: Budget | None = None,
) -> JsonObject:
    """Solve a puzzle and prove the answer: a certificate for ``verify``, or for a JSON file.

    >>> import aspgames
    >>> state = aspgames.load("breakthrough").position("8/P7/8/8/8/8/7p/8 w")
    >>> proof = aspgames.certificate(state, attacker="white", goal="win")
    >>> aspgames.verify(proof).keys
    ('move(1,7,1,8)', 'move(1,7,2,8)')

    Args:
        state: The position. Either side may be on move.
        attacker: A role; a lone role needn't be named.
        goal: As ``solve`` takes it.
        within: The number of the attacker's turns; None for any number.
        budget: The limits on the search and the proof together.

    Raises:
        BadRequest: An argument is invalid, or nothing is decided.
        RulesError: No net can be made from the rules.
        LimitReached: The certificate would be too large, or the budget runs out.
    """
    from ..puzzle.proof.certificate import certificate as certificate_of  # few need it

    puzzle = Puzzle.of(state, attacker, goal, within)
    with open_puzzle(puzzle, check_budget(budget)) as solved:
        return certificate_of(solved, solved.run())
