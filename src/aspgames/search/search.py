"""The answer to a puzzle: the verdict, the least distance, every key and a longest line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace

from ..budget import Budget
from ..engine.net import Net
from ..errors import Interrupted, LimitReached
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution, line_texts
from ..state import State
from .prover import Cyclic, Place, Prover, turns_after
from .table import NEVER

_FIRST_ROUND = 500  # expansions


class Search:
    """One puzzle being solved; afterwards, what is needed to certify the answer."""

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        progress: Callable[[str], None] | None = None,
        memory: float | None = None,
        net: Net | None = None,
    ) -> None:
        """Make the net for the puzzle's position, unless there is one.

        ``progress`` is called with a line of text now and then; ``memory`` limits the search's
        table, in bytes (4 GiB unless given). Raises ``BadRequest`` if the game turns out not to be
        one of two roles that alternate, and ``RulesError`` or ``LimitReached`` if no net can be
        made for its rules.
        """
        self.progress = progress or (lambda _text: None)
        self.prover = Prover(puzzle, budget, memory, self.progress, net)
        self._ask(puzzle, budget)

    def at(self, state: State, within: int | None, budget: Budget) -> Search:
        """The same puzzle put at a state that its position leads to.

        What has been found out serves the new search; use only the latest one from then on.
        """
        later = copy(self)
        later._ask(replace(self.puzzle, state=state, within=within), budget)
        return later

    @property
    def left(self) -> int:
        """How many turns the attacker may begin after the position."""
        return self.limit if self.limit >= NEVER else self.limit - self.root.attacks

    def warm_up(self) -> None:
        """Have the search compiled, so that it takes no time from a limit set later."""
        if not (self.root.reached or self.root.over):
            self.prover.work(self.root, 1, 1)

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        self.puzzle = puzzle
        self.budget = self.prover.budget = budget
        self.limit = NEVER if puzzle.within is None else min(puzzle.within, NEVER)
        """How many turns there are, ``NEVER`` for any number."""
        self.refuted = -1
        """The most turns known not to suffice."""
        self.interrupted = False
        self.root = self.prover.place_of(puzzle.state.facts)

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle.

        With ``first``, the search ends with the first proof, and says no more than the verdict.
        Where a limit is reached or the search is interrupted, the verdict is ``unknown``. Raises
        ``BadRequest`` if the sides turn out not to alternate.
        """
        try:
            distance = self._distance(first)
            if distance is None:
                return self._solution("not_forced", replies=self._holding())
            if first:
                return self._solution("forced", None)
            keys, line = self._keys(distance), self._line(distance)
            return self._solution("forced", distance, keys, line, self._losing(distance))
        except (LimitReached, Interrupted) as error:
            self.interrupted = isinstance(error, Interrupted)
            # The verdict may be known, and only a reply that holds still be looked for.
            return self._solution("not_forced" if self.refuted >= self.limit else "unknown")

    def _solution(
        self,
        verdict: str,
        distance: int | None = None,
        keys: Sequence[str] = (),
        line: Sequence[str] = (),
        replies: Sequence[tuple[str, int | None]] = (),
    ) -> Solution:
        state = self.puzzle.state
        return Solution(
            verdict,
            distance,
            tuple(keys),
            tuple(line),
            tuple(state.move_text(key) for key in keys),
            tuple(line_texts(state, line)),
            self.budget.seconds,
            self.budget.positions,
            self.refuted if verdict == "unknown" and self.refuted >= 0 else None,
            tuple(replies),
        )

    # --- the distance -----------------------------------------------------------------------------

    def _distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or, with ``first``, any; None if none does.

        Two searches take turns, each given twice as much each time: proof-number search asks for
        as many turns as there are, depth-first search for the fewest that may suffice.
        """
        root, begun, limit = self.root, int(self.root.attacks), self.limit
        if root.reached:
            return 0
        if root.over:
            return None
        effort = _FIRST_ROUND
        while True:
            short, enough = self.prover.bounds(root)
            self.refuted = NEVER if short >= NEVER else short + begun
            if self.refuted >= limit or (self.prover.cyclic and self.refuted > self.prover.states):
                return None
            upper = enough + begun
            if upper <= limit and (first or upper == self.refuted + 1):
                return upper
            most = upper - 1 if upper <= limit else limit
            try:
                if not self.prover.cyclic:
                    self.prover.work(root, most - begun if most < NEVER else NEVER, effort)
                if not first or self.prover.cyclic:
                    self.prover.work(root, self.refuted + 1 - begun, effort, depth_first=True)
            except Cyclic:
                if most < NEVER or self.prover.cyclic:
                    raise LimitReached("a line of play is too long") from None
                # Play can go on for ever. Then a goal that isn't forced within more turns than
                # states were met is never forced: the defender can go round. That holds if all the
                # states on the defender's way are in the table, and so not with its plans.
                self.prover.start_anew(cyclic=True)
            effort *= 2

    # --- what belongs to the verdict --------------------------------------------------------------

    def forces_after(self, place: Place, child: Place, turns: int) -> bool:
        """``Prover.forces`` for a child: the attacker who comes on move must begin a turn."""
        return self.prover.forces(child, turns_after(place, child, turns))

    def best_moves(self, place: Place, turns: int) -> Iterator[tuple[str, Place]]:
        """The moves that lose no time, or gain some, where so many turns are just enough."""
        for move, child in self.prover.children(place):
            if place.attacks:
                best = self.forces_after(place, child, turns)
            else:
                # Some reply holds out as long as the position does; without turns, all are alike.
                best = turns == 0 or not self.forces_after(place, child, turns - 1)
            if best:
                yield move, child

    def _keys(self, distance: int) -> list[str]:
        root = self.root
        if not root.attacks or distance == 0:
            return []
        children = self.prover.children(root)
        return [move for move, child in children if self.forces_after(root, child, distance - 1)]

    def _line(self, distance: int) -> list[str]:
        """A line in which the attacker needs no more turns, and the defender makes it need them."""
        line: list[str] = []
        place, turns = self.root, distance - self.root.attacks
        while not place.reached:
            move, child = next(self.best_moves(place, turns))
            turns = turns_after(place, child, turns)
            line.append(move)
            place = child
        return line

    def _losing(self, distance: int) -> list[tuple[str, int | None]]:
        """With the defender on move: how many turns each reply holds out."""
        if self.root.attacks:
            return []
        return [
            (move, next(t for t in range(distance + 1) if self.forces_after(self.root, child, t)))
            for move, child in self.prover.children(self.root)
        ]

    def _holding(self) -> list[tuple[str, int | None]]:
        """With the defender on move: a reply that holds."""
        if self.root.attacks:
            return []
        for move, child in self.prover.children(self.root):
            if not self.forces_after(self.root, child, self.limit):
                return [(move, None)]
        return []
