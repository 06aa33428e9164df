"""The answer to a puzzle: the verdict, the least distance, every key and a longest line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

from ...game.game import State
from ...propnet.net import Net, net_for
from ...propnet.threads import number_of
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Solution
from ...puzzle.solved import Solved, first_of
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import Interrupted, LimitReached
from .kernel_search import DEPTH_FIRST, UNBOUNDED
from .pace import Pace
from .planner import Planner
from .prover import Prover, rounds
from .searched_position import Searched, searched

_PLANNED = 200
"""Evaluations after which a planner works beside the search for a lone role."""

_LEAST = 0.02
"""The least time for the planner between two parts of the search [s]."""


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
        """Make the net for the puzzle's position, unless the caller gives one.

        Args:
            puzzle: The question.
            budget: The limits on all questions together.
            progress: Takes a text about the progress now and then.
            memory: For the transposition table [bytes]; defaults to 4 GiB.
            most_rules: The most ground rules of the net.
            net: The net, if one exists already.
            threads: The threads of the search; defaults to one a core.
            resume: The file that keeps the search.

        Raises:
            BadRequest: The sides don't take turns, or the file is unusable.
            RulesError: No net can be made from the rules.
            LimitReached: The net would be too large.
        """
        self.progress = progress or (lambda _text: None)
        self._threads, self._memory = threads, memory
        net = net or net_for(puzzle.state.game.rules, puzzle.state.facts, most_rules, budget)
        self.prover = Prover(puzzle, net, budget, memory, self.progress, number_of(threads))
        self._ask(puzzle, budget)
        self._saved = None
        if resume is not None:
            from .saved_search import SavedSearch  # loaded only if necessary

            self._saved = SavedSearch(resume, self.prover)

    def keep(self) -> None:
        """Write the search into its file, if it has one. Raises ``BadRequest``."""
        if self._saved:
            self._saved.keep()

    def at(self, state: State, within: int | None, budget: Budget) -> Search:
        """The same puzzle at another position, with the same transposition table."""
        later = copy(self)
        later._ask(replace(self.puzzle, state=state, within=within), budget)
        return later

    def for_attacker(self, attacker: str) -> Search:
        """The same puzzle for another attacker, with the same net."""
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
        self.budget = self.prover.budget = budget
        self.prover.pace = Pace()
        self._planner: Planner | None = None
        self.prover.aside, self.prover.lines = None, {}
        self.prover.refutation = lambda _moves: None
        self.limit = UNBOUNDED if puzzle.within is None else min(puzzle.within, UNBOUNDED)
        """The limit on turns, ``UNBOUNDED`` for any number."""
        self.refuted = -1
        """The most turns that are known to be too few."""
        self.interrupted = False
        self.root = searched(self.prover, self.prover.state_of(puzzle.state.facts))

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle; with ``first``, find only the verdict."""
        try:
            try:
                distance = self._distance(first)
            finally:
                self._stop_planner()
            self.prover.pace = Pace()
            if distance is None:
                return self._solution("not_forced", replies=self._holding())
            if first:
                return self._solution("forced", None)
            keys, line = self._keys(distance), self.root.best_line(distance - self.root.attacks)
            return self._solution("forced", distance, keys, line, self._losing(distance))
        except (LimitReached, Interrupted) as error:
            self.interrupted = isinstance(error, Interrupted)
            # The search may have found the verdict before the interruption.
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
            tuple(self._texts(line)),
            self.budget.seconds,
            self.budget.positions,
            self.refuted if verdict == "unknown" and self.refuted >= 0 else None,
            tuple(replies),
        )

    def _texts(self, line: Sequence[str]) -> Iterator[str]:
        """The moves of a line as people write them."""
        state, position, net = self.puzzle.state, self.root, self.prover.net
        for move in line:
            yield state.move_text(move)
            position = dict(position.children())[move]
            state = State(state.game, tuple(sorted((*net.certain, *position.fluents))))

    # --- the distance -----------------------------------------------------------------------------

    def _distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or with ``first`` any such number; None if none.

        Proof-number search (Allis 1994) takes the most turns allowed, depth-first search with
        iterative deepening (Korf 1985) the fewest that may suffice. In cyclic play proof-number
        search might never end, and breadth-first search replaces it.
        """
        root, begun, limit = self.root.state, int(self.root.attacks), self.limit
        if root.reached:
            return 0
        if root.over:
            return None
        # A limit on positions gives the same answer on any machine.
        beside = self.puzzle.defender is None and self.budget.positions_left == math.inf
        self.prover.aside = self._plan if beside else None
        for by_numbers, depth_first in rounds():
            lower, upper = self.prover.bounds(root)
            self.refuted = UNBOUNDED if lower > UNBOUNDED else lower - 1 + begun
            if planner := self._planner:
                self.refuted = int(min(max(planner.refuted, self.refuted), UNBOUNDED))
                upper = min(
                    upper, UNBOUNDED + 1 if planner.line is None else len(planner.line) - begun
                )
            self.prover.pace.note(self.refuted, self.prover.made)
            if self.refuted >= limit:
                return None
            upper += begun
            if upper <= limit and (first or upper == self.refuted + 1):
                return upper
            most = upper - 1 if upper <= limit else limit
            widely = most - begun if most < UNBOUNDED else UNBOUNDED
            self.prover.work_widely(root, widely, by_numbers)
            if not first or self.prover.cyclic:
                self.prover.work(root, self.refuted + 1 - begun, depth_first, DEPTH_FIRST)
        raise AssertionError  # there is no last round

    def _stop_planner(self) -> None:
        self.prover.aside = None
        if self._planner:
            self._planner.close()

    def _plan(self, seconds: float) -> bool:
        """Let the planner work; returns whether it has finished, or given up."""
        if self.prover.made < _PLANNED:
            return False
        if self._planner is None:
            self.prover.prove_lemmas()
            self._planner = Planner(self.puzzle, self.prover.net)
            self.prover.refutation = self._planner.refutation
        planner, (lower, _) = self._planner, self.prover.bounds(self.root.state)
        planner.refuted = max(planner.refuted, lower - 1 + self.root.attacks)
        if planner.advance(max(seconds, _LEAST)):
            self.prover.aside = None
        return self.prover.aside is None or planner.refuted >= self.limit

    # --- keys and replies -------------------------------------------------------------------------

    def _keys(self, distance: int) -> list[str]:
        root = self.root
        if not root.attacks or distance == 0:
            return []
        if self._planner and any(c.known(distance - 1) is None for _, c in root.children()):
            found = self._planner.keys(distance, self.budget.check)
            after = dict(root.children())
            self.prover.lines = {after[move].state.key: line[1:] for move, line in found.items()}
            self.prover.lines[root.state.key] = next(iter(found.values()))
            return list(found)
        return [m for m, child in root.children() if root.forced_after(child, distance - 1)]

    def _losing(self, distance: int) -> list[tuple[str, int | None]]:
        """With the defender on move: each reply with the number of turns in which it loses."""
        root = self.root
        if root.attacks:
            return []
        return [
            (move, first_of(t for t in range(distance + 1) if root.forced_after(child, t)))
            for move, child in root.children()
        ]

    def _holding(self) -> list[tuple[str, int | None]]:
        """With the defender on move: a reply that holds."""
        root = self.root
        if root.attacks:
            return []
        for move, child in root.children():
            if not root.forced_after(child, self.turns_left):
                return [(move, None)]
        return []

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
