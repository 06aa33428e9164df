"""Hints: whether the person still forces the result, the best moves, and the mistake."""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzle.goal import Goal
from ...puzzle.problem import others
from ...puzzle.prospects import FOREVER, prospects
from ...runtime.errors import AspgamesError, Interrupted
from .match import Match
from .study import Study


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for the person on move."""

    attacker: str
    goal: Goal
    verdict: str
    """Whether the attacker forces the goal: ``forced``, ``not_forced`` or ``unknown``."""
    turns: int | None
    """The number of turns to the goal; None unless forced."""
    moves: tuple[str, ...]
    """The best moves as terms: all keys, or all defences."""
    losing: tuple[str, ...] = ()
    """In a game: the moves that provably lose."""
    lost_by: int | None = None
    """The ply with which the person gave away a forced result; None without such a ply."""
    at_most: int | None = None
    """A number of turns that suffices, if the time was over before ``turns`` was known."""
    not_within: int | None = None
    """A smaller number that is refuted."""


def advise(study: Study, match: Match, seconds: float | None) -> Advice:
    """Advice for the person, who must be on move; the search takes about ``seconds``.

    Raises the same errors as ``Study.search``.
    """
    puzzle, person = match.puzzle, match.person
    attacker = puzzle.attacker if puzzle else person
    search = study.search(match.point, attacker, seconds)
    solution = search.run()
    moves, losing, lost_by = solution.keys, tuple[str, ...](), None
    if puzzle is None and others(match.state.game.roles, person) and solution.verdict != "forced":
        moves, losing = _defences(study, match, seconds)
    elif attacker != person:
        longest = max((turns or FOREVER for _, turns in solution.replies), default=0)
        moves = tuple(move for move, turns in solution.replies if (turns or FOREVER) == longest)
    wanted, other = ("forced", "not_forced")[:: 1 if attacker == person else -1]
    if puzzle and solution.verdict == other:
        lost_by = _given_away(study, match, wanted, seconds)
    return Advice(
        attacker,
        search.puzzle.goal,
        solution.verdict,
        solution.distance,
        moves,
        losing,
        lost_by,
        solution.at_most,
        solution.not_within,
    )


def _defences(
    study: Study, match: Match, seconds: float | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In a game: the moves that don't provably lose, and the moves that do."""
    other, *_ = others(match.state.game.roles, match.person)
    search = study.search(match.point, other, seconds)
    search.look_at_moves()
    found = prospects(search)
    losing = tuple(each.move for each in found if each.most < FOREVER)
    return tuple(each.move for each in found if each.move not in losing), losing


def _given_away(study: Study, match: Match, wanted: str, seconds: float | None) -> int | None:
    """The person's latest ply before which the verdict was ``wanted``."""
    assert match.puzzle is not None
    for ply in reversed(range(len(match.moves))):
        if match.moves[ply].role == match.person:
            search = study.search(match.points[ply], match.puzzle.attacker, seconds)
            verdict = search.run(first=True).verdict
            if verdict == wanted:
                return ply
            if verdict == "unknown":
                return None
    return None


def review(study: Study, match: Match, seconds: float | None) -> tuple[int | None, int | None]:
    """For a finished puzzle: the fewest turns that force it, and the ply that gave it away.

    A result is None if it doesn't exist or wasn't found in about ``seconds``.
    """
    assert match.puzzle is not None
    attacker, person = match.puzzle.attacker, match.person
    try:
        least = study.search(match.points[0], attacker, seconds).run().distance
        wanted = "forced" if attacker == person else "not_forced"
        return least, _given_away(study, match, wanted, seconds) if match.lost else None
    except (AspgamesError, Interrupted):
        return None, None
