"""One interface to a solved puzzle: what is known of each position that play reaches from its own.

Certificates, the proof book, the tree of best play and matches use it with any solver. A number of
turns is the number that the attacker may still begin after a position; a turn already begun doesn't
count. ``math.inf`` stands for any number.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Self, TypeVar

from ..game.state import State
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest, Interrupted, LimitReached
from ..runtime.json_lines import JsonObject
from .problem import Puzzle
from .solution import Solution, line_texts

Plan = Sequence[str | None]
"""A side's moves ply by ply, as terms; None where the other side moves."""


_T = TypeVar("_T")


def contradiction() -> BadRequest:
    """The error for a search with contradictory results."""
    return BadRequest(
        "the search contradicts itself: its table, or the file it continued, is wrong"
    )


def first_of(found: Iterator[_T]) -> _T:
    """The first item, which must exist because the verdict is known.

    Raises ``BadRequest`` if there is no item.
    """
    for one in found:
        return one
    raise contradiction()


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """A position in a solved puzzle. Positions are hashable, and equal if their states are."""

    goal_reached: bool
    """Whether the position reaches the goal."""
    over: bool
    """Whether the game is over without the goal, or the side on move can't move."""
    attacks: bool
    """Whether the attacker is on move."""
    solved: Solved = field(repr=False, compare=False)
    """The puzzle with its answers, which may be those of a search."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, the same for all its positions."""
        return self.solved.puzzle

    @property
    @abstractmethod
    def fluents(self) -> frozenset[str]:
        """The fluents that hold here, except those that no play can change."""

    @abstractmethod
    def children(self) -> Sequence[tuple[str, Position]]:
        """The moves as terms, sorted, each with the position after it; empty at the end."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """The known lower and upper bound of the fewest turns that force the goal.

        The lower bound is infinite if no number suffices, the upper bound if no sufficient number
        is known.
        """

    @abstractmethod
    def forced(self, turns: float) -> bool:
        """Whether the attacker forces the goal within ``turns`` turns; searches if necessary.

        Raises ``LimitReached`` and ``Interrupted``.
        """

    def decided(self, turns: float, effort: int, deep: bool = False) -> bool | None:  # noqa: ARG002
        """``forced``, but None if about so much effort doesn't decide it.

        Doesn't look at the clock, so the result is the same on any machine.
        """
        return self.forced(turns) if effort > 0 else self.known(turns)

    def plan(self, attack: bool, turns: float) -> Plan | None:  # noqa: ARG002
        """Moves of one side that force the goal, or prevent it, whatever the other does.

        None if the search finds no plan; one may exist.
        """
        return None

    def part(self, attack: bool, turns: float) -> Sequence[Any] | None:  # noqa: ARG002
        """One side's strategy from here, in a certificate's form, if another process writes it.

        Empty until that process has written it (see ``Solved.fetch``); None if the caller must
        write it.
        """
        return None

    def known(self, turns: float) -> bool | None:
        """``forced`` without a search; None if the result isn't known."""
        lower, upper = self.bounds
        if self.goal_reached or (upper <= turns and upper < math.inf):
            return True
        return False if lower > turns or lower == math.inf else None

    def distance(self, most: float) -> int:
        """The fewest turns that force the goal, one already begun included; at most ``most``."""
        fewest = first_of(n for n in range(int(most) + 1) if self.forced(n))
        return fewest + (self.attacks and not self.goal_reached)

    def turns_after(self, child: Position, turns: float) -> float:
        """The turns left after a move, which may begin one."""
        return turns - self.puzzle.begins_turn(self.attacks, child.attacks)

    def forced_after(self, child: Position, turns: float) -> bool:
        """Whether the goal is forced after a move, with ``turns`` turns left before it."""
        return child.forced(self.turns_after(child, turns))

    def best_moves(self, turns: float) -> Iterator[tuple[str, Position]]:
        """The attacker's moves that lose no time, or the replies that hold out longest.

        ``turns`` must be the fewest that suffice.
        """
        for move, child in self.children():
            if self.attacks:
                best = self.forced_after(child, turns)
            else:
                # Some reply holds out as long as the position; without turns, all are equal.
                best = turns == 0 or not self.forced_after(child, turns - 1)
            if best:
                yield move, child

    def way_out(self, turns: float, quick: bool = False) -> list[tuple[str, Position]]:
        """The attacker's shortest way through the rest of its turn that keeps the goal forced.

        Each move has the position after it. The way is found breadth first, so it doesn't go round.
        ``quick`` prefers moves whose result is known.
        """
        came: dict[Position, tuple[str, Position] | None] = {self: None}
        queue: deque[Position] = deque([self])

        def order(step: tuple[str, Position]) -> tuple[bool, bool]:
            child = step[1]
            return not child.goal_reached, quick and not child.known(self.turns_after(child, turns))

        while queue:
            position = queue.popleft()
            if position is not self and not position.forced(turns):
                continue
            for move, child in sorted(position.children(), key=order):
                if child.attacks and not child.goal_reached and self.puzzle.defender is not None:
                    if child not in came:
                        came[child] = move, position
                        queue.append(child)
                elif position.forced_after(child, turns):
                    way = [(move, child)]
                    while step := came[position]:
                        way.append((step[0], position))
                        position = step[1]
                    return way[::-1]
        raise contradiction()

    def best_line(self, turns: float) -> list[str]:
        """A line of best moves to the goal; ``turns`` must be the fewest that suffice.

        The line repeats no position.
        """
        line: list[str] = []
        position = self
        while not position.goal_reached:
            attacks = position.attacks
            way = position.way_out(turns) if attacks else [first_of(position.best_moves(turns))]
            for move, child in way:
                turns = position.turns_after(child, turns)
                line.append(move)
                position = child
        return line


MEMORY_BYTES = 4 << 30
"""The most memory for the table of a search, unless another limit is given [bytes]."""


class PuzzleRun(ABC):
    """A puzzle with a way to solve it: ``with …: solution = solving.run()``."""

    puzzle: Puzzle
    budget: Budget
    """The limits on all questions together."""
    progress: Callable[[str], None]
    """Takes a text about the progress now and then."""
    interrupted: bool = False
    """Whether Ctrl-C left the puzzle undecided."""

    @abstractmethod
    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle; with ``first``, find only the verdict.

        After a limit or Ctrl-C the solution has what is proven. Raises ``BadRequest`` if the sides
        don't take turns.
        """

    def own_certificate(self, solution: Solution) -> JsonObject | None:  # noqa: ARG002
        """The certificate, if it has a form of its own; None without one."""
        return None

    @property
    def positions(self) -> int:
        """The number of states evaluated."""
        return self.budget.positions

    def solution(
        self,
        verdict: str,
        distance: int | None = None,
        keys: Sequence[str] = (),
        line: Sequence[str] = (),
        *,
        at_most: int | None = None,
        not_within: int | None = None,
        **more: Any,
    ) -> Solution:
        """A solution with what is known; ``more`` are further fields of ``Solution``."""
        return Solution(
            verdict,
            distance,
            tuple(keys),
            tuple(line),
            tuple(map(self.puzzle.state.move_text, keys)),
            tuple(self.line_texts(line)),
            self.budget.seconds,
            self.positions,
            at_most,
            not_within,
            at_most is None,
            **more,
        )

    def line_texts(self, line: Sequence[str]) -> Iterator[str]:
        """The moves of a line as people write them."""
        return line_texts(self.puzzle.state, line)

    def with_bounds(self, solution: Solution) -> Solution:
        """A solution of ``run(first=True)`` with the numbers of turns that its proof needs."""
        return solution

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Give up unfinished work, and close files."""

    def keep(self) -> None:  # noqa: B027 - most have nothing to keep
        """Write the results into the search's file, if there is one. Raises ``BadRequest``."""


class Solved(PuzzleRun):
    """A puzzle whose positions can be asked about, solved or still being solved."""

    root: Position
    """The puzzle's position."""

    @property
    def turns_left(self) -> float:
        """The number of turns that the attacker may begin after the puzzle's position."""
        return self.puzzle.turns - self.root.attacks

    @property
    @abstractmethod
    def fluents(self) -> Sequence[str]:
        """The fluents that play can change, sorted."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The most turns that are refuted, and the fewest that are known to force the goal.

        Unlike those of ``Position.bounds``, they include a turn that has begun.
        """
        lower, upper = self.root.bounds
        begun = self.root.attacks and not self.root.goal_reached
        return lower - 1 + begun, upper + begun

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle: the verdict and the distance, then the keys, then a line.

        With ``first``, find only the verdict. After a limit or Ctrl-C the solution has what is
        proven. Raises ``BadRequest`` if the sides don't take turns.
        """
        root, self.interrupted = self.root, False
        try:
            distance = self.find_distance(first)
            if distance is None:
                return self.solution("not_forced", replies=tuple(self._holding()))
            if first:
                return self.solution("forced")
            keys = self.find_keys(distance) if root.attacks and distance else []
            turns = distance - root.attacks
            line = root.best_line(turns)
            children = [] if root.attacks else root.children()
            replies = [(move, child.distance(turns)) for move, child in children]
            return self.solution("forced", distance, keys, line, replies=tuple(replies))
        except (LimitReached, Interrupted) as error:
            self.interrupted = isinstance(error, Interrupted)
            return self._proven(first)

    def with_bounds(self, solution: Solution) -> Solution:
        """The solution, with the bounds of the turns if it has none."""
        if (
            solution.verdict != "forced"
            or solution.distance is not None
            or not solution.is_complete
        ):
            return solution
        refuted, most = self.bounds
        not_within = int(refuted) if refuted >= 0 else None
        return replace(solution, at_most=int(most), not_within=not_within, keys_complete=False)

    @abstractmethod
    def find_distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or with ``first`` any such number; None if none.

        ``bounds`` has what is known before the end. Raises ``LimitReached`` and ``Interrupted``.
        """

    def find_keys(self, distance: int) -> list[str]:
        """The moves of an attacker on move that force the goal in ``distance`` turns."""
        root = self.root
        return [move for move, child in root.children() if root.forced_after(child, distance - 1)]

    def known_keys(self, most: int) -> list[str]:
        """The moves of an attacker on move that are known to force the goal in ``most`` turns."""
        root = self.root
        with suppress(LimitReached, Interrupted):
            children = root.children() if root.attacks else []
            return [m for m, child in children if child.known(root.turns_after(child, most - 1))]
        return []

    def _holding(self) -> list[tuple[str, None]]:
        """With the defender on move: a reply that holds."""
        root, left = self.root, self.turns_left
        children = [] if root.attacks else root.children()
        holds = (move for move, child in children if not root.forced_after(child, left))
        return [(move, None) for move in islice(holds, 1)]

    def _proven(self, first: bool) -> Solution:
        """The solution with what is known when a limit is reached."""
        refuted, most = self.bounds
        within = self.puzzle.turns
        if refuted >= within:
            return self.solution("not_forced")
        not_within = int(refuted) if refuted >= 0 else None
        if most > within or most == math.inf:
            return self.solution("unknown", not_within=not_within)
        if first:
            return self.solution("forced")
        at_most = int(most)
        keys = self.known_keys(at_most)
        return self.solution("forced", None, keys, at_most=at_most, not_within=not_within)

    def fetch(self) -> bool:
        """Get the missing parts of a certificate; returns whether there were any.

        Raises ``LimitReached`` and ``Interrupted``.
        """
        return False

    def look_at_moves(self) -> None:
        """Search the children of the puzzle's position, for any number of turns.

        Returns when all children are decided or the budget runs out.
        """

    def at(self, state: State, within: int | None, budget: Budget) -> Self:
        """This puzzle at a state that is reachable from its position.

        The new object shares the results, and has its own limits. Both objects stay usable.
        """
        later = copy(self)
        later._ask(replace(self.puzzle, state=state, within=within), budget)
        return later

    @abstractmethod
    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        """Begin a question about this puzzle at some position."""

    @abstractmethod
    def for_attacker(self, attacker: str) -> Solved:
        """This puzzle for another attacker, on the same net. Both objects stay usable."""
