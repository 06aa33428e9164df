"""One interface to a solved puzzle: what is known of every position that its own can lead to.

Certificates, the proof book, the tree of best play and matches are made from it, whatever search
stands behind it. A number of turns is that of the turns which the attacker may still begin after a
position, one under way not counted; ``math.inf`` stands for any number.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from ..game.game import State
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from .problem import Puzzle
from .solution import Solution

Plan = Sequence[str | None]
"""What a side does ply by ply, as terms; None where the other side does whatever it likes."""


_T = TypeVar("_T")


def contradiction() -> BadRequest:
    """What to raise where a search finds that what it knows can't be so."""
    return BadRequest("the search contradicts itself: it went on from a file that is false")


def first_of(found: Iterator[_T]) -> _T:
    """The first of what must be there, since the goal is known to be forced, or not to be.

    Raises ``BadRequest`` where there is none.
    """
    for one in found:
        return one
    raise contradiction()


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """A position in a solved puzzle: hashable, and equal to another of the same state."""

    goal_reached: bool
    """Whether the goal stands."""
    over: bool
    """Whether the game ends here without the goal, or nobody can move."""
    attacks: bool
    """Whether the attacker is on move."""

    @property
    @abstractmethod
    def puzzle(self) -> Puzzle:
        """The puzzle, wherever it is put."""

    @property
    @abstractmethod
    def fluents(self) -> frozenset[str]:
        """The fluents that hold, of those that play can change."""

    @abstractmethod
    def children(self) -> Sequence[tuple[str, Position]]:
        """The moves as terms, sorted, each with the position it leads to; none in the end."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """A lower and an upper bound of the fewest turns that force the goal, as known so far.

        The lower one is infinite where no number is enough, the upper one where none is known.
        """

    @abstractmethod
    def forced(self, turns: float) -> bool:
        """Whether the attacker forces the goal within so many turns; searched for, if need be.

        Raises ``LimitReached`` and ``Interrupted``.
        """

    def decided(self, turns: float, effort: int) -> bool | None:
        """The same; None if it isn't found out with about so much effort, whatever time it takes.

        The same is found on any machine. Where there is nothing to be searched, it is found out.
        """
        return self.forced(turns) if effort > 0 else self.known(turns)

    @abstractmethod
    def plan(self, attack: bool, turns: float) -> Plan | None:
        """Moves of one side that force the goal, or prevent it, whatever the other does.

        None if none was found; there may be one.
        """

    def part(self, attack: bool, turns: float) -> Sequence[Any] | None:  # noqa: ARG002
        """One side's strategy from here, where somebody else writes it, as a certificate has it.

        Empty where it isn't there yet (see ``Solved.fetch``). None: whoever asks is to write it.
        """
        return None

    def known(self, turns: float) -> bool | None:
        """``forced`` without a search; None where that isn't known so far."""
        lower, upper = self.bounds
        if self.goal_reached or (upper <= turns and upper < math.inf):
            return True
        return False if lower > turns or lower == math.inf else None

    def turns_after(self, child: Position, turns: float) -> float:
        """The turns left after a move: the attacker who comes on move begins one."""
        return turns - self.puzzle.begins_turn(self.attacks, child.attacks)

    def forced_after(self, child: Position, turns: float) -> bool:
        """Whether the goal is forced after a move, so many turns being left before it."""
        return child.forced(self.turns_after(child, turns))

    def best_moves(self, turns: float) -> Iterator[tuple[str, Position]]:
        """The moves that lose no time, or gain some, where so many turns are just enough."""
        for move, child in self.children():
            if self.attacks:
                best = self.forced_after(child, turns)
            else:
                # Some reply holds out as long as the position does; without turns, all are alike.
                best = turns == 0 or not self.forced_after(child, turns - 1)
            if best:
                yield move, child

    def best_line(self, turns: float) -> list[str]:
        """A line of best moves to the goal, where so many turns are just enough."""
        line: list[str] = []
        position = self
        while not position.goal_reached:
            move, child = first_of(position.best_moves(turns))
            turns = position.turns_after(child, turns)
            line.append(move)
            position = child
        return line


class Solved(ABC):
    """A puzzle that is solved, or on the way to it."""

    puzzle: Puzzle
    root: Position
    """The puzzle's position."""
    budget: Budget
    """What all questions may use together."""
    progress: Callable[[str], None]
    """Is told of what goes on."""
    interrupted: bool
    """Whether the verdict is unknown because the search was interrupted."""

    @property
    @abstractmethod
    def turns_left(self) -> float:
        """How many turns the attacker may begin after the puzzle's position."""

    @property
    @abstractmethod
    def fluents(self) -> Sequence[str]:
        """The fluents that play can change, sorted."""

    @abstractmethod
    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle.

        With ``first``, the search ends with the first proof, and says no more than the verdict.
        Where a limit is reached or the search is interrupted, the verdict is ``unknown``. Raises
        ``BadRequest`` if the sides turn out not to alternate.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Give up what is under way, and close files."""

    def keep(self) -> None:  # noqa: B027 - most have nothing to keep
        """Write what was found out into the file that is to be gone on with, if there is one.

        Raises ``BadRequest`` if it can't be written.
        """

    def fetch(self) -> bool:
        """Get the parts of a certificate that weren't there; returns whether there were any.

        Raises ``LimitReached`` and ``Interrupted``.
        """
        return False

    @abstractmethod
    def look_at_moves(self) -> None:
        """Search on for what each move of the puzzle's position leads to, in any number of turns.

        It takes as long as the budget lasts, unless all is settled before. Nothing is raised where
        it ends.
        """

    @abstractmethod
    def at(self, state: State, within: int | None, budget: Budget) -> Solved:
        """The same puzzle put at a state that its position leads to.

        What has been found out serves the new search; use only the latest one from then on.
        """

    @abstractmethod
    def for_attacker(self, attacker: str) -> Solved:
        """The same puzzle for an attacker that may be the other role; to be used beside this one.

        What was prepared for the position serves both.
        """
