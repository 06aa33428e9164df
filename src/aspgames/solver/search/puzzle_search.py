"""The answer to a puzzle: the verdict, the least distance, every key and a longest line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...game.state import State
from ...propnet.net import Net
from ...propnet.threads import number_of
from ...puzzle.problem import Puzzle, bounds_text
from ...puzzle.solved import Solved
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import Interrupted, LimitReached
from .kernel_search import DEPTH_FIRST, UNBOUNDED
from .pace import Pace
from .prover import Aside, Prover, rounds
from .searched_position import Searched, searched

if TYPE_CHECKING:
    from ..planner.planner import Planner
    from ..planner.unrolled_play import Line
    from .saved_search import SavedSearch

_PLANNED_EFFORT = 200  # evaluations after which a planner works beside the search for a lone role

_LEAST_SECONDS = 0.02  # the least time for the planner between two parts of the search [s]


class Search(Solved):
    """One puzzle and its search; see ``Solved``."""

    root: Searched

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        progress: Callable[[str], None] | None = None,
        memory: float | None = None,
        most_rules: int = MOST_RULES,
        net: Net | None = None,
        threads: int | None = None,
        resume: Path | None = None,
    ) -> None:
        """Make the ``net`` for the puzzle's position, unless the caller gives one.

        Other arguments are those of ``open_puzzle``. Raises ``BadRequest`` if the sides don't take
        turns or the file ``resume`` is unusable, ``RulesError`` if no net can be made from the
        rules, and ``LimitReached`` if it would be too large.
        """
        self.progress = progress or (lambda _text: None)
        self._threads, self._memory = threads, memory
        if net is None:
            from ...propnet.reachable_nets import net_for  # imports clingo

            net = net_for(puzzle.state.game.rules, puzzle.state.facts, most_rules, budget)
        self._saved: SavedSearch | None = None
        self.prover = Prover(
            puzzle, net, budget, memory, self._tell, number_of(threads), self._save_in_time
        )
        self._ask(puzzle, budget)
        if resume is not None:
            from .saved_search import SavedSearch  # loaded only if necessary

            self._saved = SavedSearch(resume, self.prover)

    def _save_in_time(self) -> None:
        if self._saved:
            self._saved.keep_in_time()

    def keep(self) -> None:
        """Write the search into its file, if it has one. Raises ``BadRequest``."""
        if self._saved:
            self._saved.keep()

    def close(self) -> None:
        """End an unfinished write of the search."""
        if self._saved:
            self._saved.close()

    def for_attacker(self, attacker: str) -> Search:
        """This puzzle for another attacker, with the same net."""
        puzzle = replace(self.puzzle, attacker=attacker)
        return Search(
            puzzle,
            Budget(),
            self.progress,
            self._memory,
            net=self.prover.net,
            threads=self._threads,
        )

    def forget(self) -> None:
        """Clear the transposition table, so that results don't depend on earlier questions."""
        self.prover.start_anew()
        self.prover.made = 0
        self.prover.budget.positions = 0

    @property
    def turns_left(self) -> float:
        """The number of turns that the attacker may begin after the position."""
        return math.inf if self.limit >= UNBOUNDED else self.limit - self.root.attacks

    @property
    def fluents(self) -> Sequence[str]:
        """The fluents that the net leaves open."""
        return self.prover.net.fluents

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        self.puzzle = puzzle
        self.budget = budget
        self.prover.begin(budget)
        self.limit = UNBOUNDED if puzzle.within is None else min(puzzle.within, UNBOUNDED)
        """The limit on turns, ``UNBOUNDED`` for any number."""
        self.refuted = -1  # the most turns that are known to be too few
        self.root = searched(self.prover, self.prover.state_of(puzzle.state.facts))

    @property
    def positions(self) -> int:
        """The number of states evaluated."""
        return self.budget.positions

    @property
    def bounds(self) -> tuple[float, float]:
        """The search's bounds, or the planner's if they are tighter."""
        refuted, most = super().bounds
        if planner := self.prover.planner:
            refuted = max(refuted, planner.refuted)
            most = min(most, math.inf if planner.line is None else len(planner.line))
        return refuted, most

    def line_texts(self, line: Sequence[str]) -> Iterator[str]:
        """The moves of a line as people write them."""
        state, position, net = self.puzzle.state, self.root, self.prover.net
        for move in line:
            yield state.move_text(move)
            position = dict(position.children())[move]
            state = State(state.game, tuple(sorted((*net.certain, *position.fluents))))

    def _tell(self, text: str) -> None:
        """Report the progress, with the bounds of the distance."""
        refuted, most = self.bounds
        known = f"Not within {refuted:.0f}. " if 0 <= refuted < math.inf else ""
        if most < math.inf:
            known = f"Forced {bounds_text(most, refuted)}. "
        trouble = self._saved.trouble if self._saved else ""
        self.progress(trouble + known + text)

    # --- the distance -----------------------------------------------------------------------------

    def find_distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or with ``first`` any such number; None if none.

        Proof-number search (Allis 1994) takes the most turns allowed, depth-first search with
        iterative deepening (Korf 1985) the fewest that may suffice. In cyclic play proof-number
        search might never end, and breadth-first search replaces it.
        """
        root = self.root.state
        if root.reached:
            return 0
        if root.over:
            return None
        # A limit on positions gives the same answer on any machine.
        beside = self.puzzle.defender is None and self.budget.positions_left == math.inf
        try:
            distance = self._bracket(first, beside)
        finally:
            if self.prover.planner:
                self.prover.planner.close()
        self.prover.pace = Pace()
        return distance

    def _bracket(self, first: bool, beside: bool) -> int | None:
        """Search until the bounds of the distance meet, or with ``first`` until one is known."""
        root, begun, limit = self.root.state, int(self.root.attacks), self.limit
        for by_numbers, depth_first in rounds():
            refuted, suffices = self.bounds
            self.refuted = int(min(refuted, UNBOUNDED))
            self.prover.pace.note(self.refuted, self.prover.made)
            if self.refuted >= limit:
                return None
            if suffices <= limit and (first or suffices == self.refuted + 1):
                return int(suffices)
            most = int(min(suffices - 1, limit))
            left = most - begun if most < UNBOUNDED else most
            self.prover.work_widely(root, left, by_numbers, self._aside(beside))
            if not first or self.prover.cyclic:
                fewest, aside = self.refuted + 1 - begun, self._aside(beside)
                self.prover.work(root, fewest, depth_first, DEPTH_FIRST, aside=aside)
        raise AssertionError  # there is no last round

    def _aside(self, beside: bool) -> Aside | None:
        """The work beside the search, if any is left."""
        planner = self.prover.planner
        return self._plan if beside and not (planner and planner.is_over) else None

    def _plan(self, seconds: float) -> bool:
        """Let the planner work; returns whether it has finished, or given up."""
        if self.prover.made < _PLANNED_EFFORT:
            return False
        if self.prover.planner is None:
            from ..planner.planner import Planner  # loaded only if necessary

            self.prover.prove_lemmas()
            self.prover.planner = Planner(self.puzzle, self.prover.net)
        planner, (lower, _) = self.prover.planner, self.prover.bounds(self.root.state)
        planner.refuted = max(planner.refuted, lower - 1 + self.root.attacks)
        return planner.advance(max(seconds, _LEAST_SECONDS)) or planner.refuted >= self.limit

    # --- keys ------------------------------------------------------------------------------------

    def find_keys(self, distance: int) -> list[str]:
        """The keys: by the planner, unless the search knows them."""
        root = self.root
        planner = self.prover.planner
        if planner and any(c.known(distance - 1) is None for _, c in root.children()):
            found = planner.keys(distance, self._reaches, self.budget.check)
            self._note_lines(planner, found)
            return list(found)
        return super().find_keys(distance)

    def _reaches(self, line: Line) -> bool:
        """Whether a line of the attacker's moves reaches the goal."""
        position: Searched | None = self.root
        for move in line:
            position = position and dict(position.children()).get(move)
        return position is not None and position.goal_reached

    def known_keys(self, most: int) -> list[str]:
        """The moves that are known to force the goal; the planner's line begins with one."""
        planner = self.prover.planner
        if not planner or not planner.found:
            return super().known_keys(most)
        self._note_lines(planner, planner.found)
        return sorted({*super().known_keys(most), *planner.found})

    def _note_lines(self, planner: Planner, found: Mapping[str, Line]) -> None:
        """Keep shortest lines, by their first moves."""
        after = dict(self.root.children())
        lines = {after[move].state.key: line[1:] for move, line in found.items()}
        planner.lines = {**lines, self.root.state.key: next(iter(found.values()))}

    def look_at_moves(self) -> None:
        """Search all children, with more effort each round."""
        effort = 1.0
        states = [child.state for _, child in self.root.children()]
        left = [state for state in states if not (state.reached or state.over)]
        try:
            while left and self.prover.roomy:
                left = [s for s in left if not self.prover.work_widely(s, UNBOUNDED, effort)]
                effort *= 4
        except (LimitReached, Interrupted):
            return
