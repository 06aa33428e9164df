"""Solutions of puzzles, and their reports."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from ..game.state import State
from ..runtime.json_lines import JsonObject
from .problem import Puzzle


@dataclass(frozen=True, slots=True)
class Solution:
    """A verdict, with keys and a line. Moves are terms; the ``_text`` fields are for people."""

    verdict: str
    """``forced``, ``not_forced`` or ``unknown``."""
    distance: int | None
    """The fewest turns that force the goal; None unless forced, or if a limit came first."""
    keys: tuple[str, ...]
    """Every move now that forces the goal in exactly that distance."""
    line: tuple[str, ...]
    """A line in which the defender holds out for the whole distance."""
    keys_text: tuple[str, ...]
    """The keys as people write them."""
    line_text: tuple[str, ...]
    """The line as people write it."""
    seconds: float
    """The time for the search [s]."""
    positions: int
    """The number of states evaluated."""
    at_most: int | None = None
    """If a limit came before the whole answer: the fewest turns known to force the goal."""
    not_within: int | None = None
    """If a limit came first: the largest number of turns that is refuted."""
    keys_complete: bool = True
    """False if a limit came first. ``keys`` then has moves that force the goal in ``at_most``."""
    replies: tuple[tuple[str, int | None], ...] = ()
    """The replies, if the defender is on move.

    If the goal is forced, each reply has the number of turns in which it loses. Else one
    reply that holds, with None.
    """
    probability: Fraction | None = None
    """In a game with chance: the exact best probability that the attacker can force."""
    expected: Fraction | None = None
    """For the goal ``score``: the greatest expected goal value that the attacker can force."""
    expected_at_least: Fraction | None = None
    """For the goal ``score``, if the exact value isn't known: its bounds."""
    expected_at_most: Fraction | None = None
    probability_at_least: Fraction | None = None
    """In a game with chance, if the exact probability isn't known: its bounds."""
    probability_at_most: Fraction | None = None
    hidden: bool = False
    """Whether the attacker's plan depends only on what it sees; the opponent knows everything."""

    def with_bounds(self, low: Fraction, high: Fraction, what: str) -> "Solution":
        """The solution with bounds of the ``probability``, or of the ``expected`` goal value."""
        bounds: dict[str, Any] = {f"{what}_at_least": low, f"{what}_at_most": high}
        return replace(self, **({what: low} if low == high else bounds))

    @property
    def is_complete(self) -> bool:
        """Whether no limit came before the whole answer."""
        return self.verdict != "unknown" and self.at_most is None

    @property
    def weaker(self) -> "Solution | None":
        """A weaker answer, whose proof is smaller; None if there is none.

        In place of keys, the goal is forced in at most so many turns. In place of so many turns
        that are too few, one turn less is.
        """
        if self.verdict == "unknown":
            least = (self.not_within or 0) - 1
            return replace(self, not_within=least) if least > 0 else None
        most = self.at_most if self.distance is None else self.distance
        if not most or not (self.keys or self.distance):
            return None
        refuted = self.not_within if self.distance is None else most - 1
        bounds = Solution("forced", None, (), (), (), (), self.seconds, self.positions)
        return replace(bounds, at_most=most, not_within=refuted, keys_complete=False)


@dataclass(frozen=True, slots=True)
class Cooperation:
    """Whether both sides together can reach the goal. Moves are terms."""

    verdict: str
    """``possible``, ``impossible`` or ``unknown``."""
    distance: int | None
    """The fewest turns of the attacker; None unless possible."""
    line: tuple[str, ...]
    """A line with that many turns and the fewest moves."""
    line_text: tuple[str, ...]
    """The line as people write it."""
    seconds: float


def undecided(seconds: float, puzzle: Puzzle | None = None) -> Solution:
    """The solution of a puzzle whose time ran out before the search."""
    found = Solution("unknown", None, (), (), (), (), seconds, 0)
    if puzzle is None or puzzle.chance is None:
        return found
    game, (what, most) = puzzle.state.game, puzzle.goal.measure
    found = replace(found, hidden=game.hidden)
    return found.with_bounds(Fraction(0), Fraction(most), what) if game.chance else found


def line_texts(state: State, line: Iterable[str]) -> Iterator[str]:
    """The moves of a line as people write them."""
    for move in line:
        yield state.move_text(move)
        state = state.play(move)


_ODDS = tuple(
    f"{what}{bound}"
    for what in ("probability", "expected")
    for bound in ("", "_at_least", "_at_most")
)
_SOMETIMES = ("at_most", "not_within", "keys_complete", "replies", "hidden", *_ODDS)
"""The fields that some reports lack."""


def solution_report(puzzle: Mapping[str, Any], solution: Solution) -> JsonObject:
    """A puzzle's JSON object with its solution."""
    fields = asdict(solution)
    if solution.is_complete:
        del fields["not_within"]
    if solution.at_most is None:
        del fields["at_most"], fields["keys_complete"]
    if not solution.hidden:
        del fields["hidden"]
    for name in _ODDS:
        if (value := fields.pop(name)) is not None:
            fields[name] = str(value)
    replies = fields.pop("replies")
    if replies:
        fields["replies"] = dict(replies)
    asked = {key: value for key, value in puzzle.items() if key not in _SOMETIMES}
    return {**asked, **fields}


def cooperation_report(puzzle: Mapping[str, Any], found: Cooperation) -> JsonObject:
    """A puzzle's JSON object with the line in which both sides cooperate."""
    return {**puzzle, "together": True, **asdict(found)}
