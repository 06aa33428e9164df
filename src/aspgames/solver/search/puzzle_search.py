"""The answer to a puzzle: the verdict, the least distance, every key and a longest line."""

import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

from ...asp.solving import finish
from ...game.state import State
from ...propnet.net import Net
from ...propnet.reachable_nets import net_for
from ...propnet.threads import number_of
from ...puzzle.problem import Puzzle, bounds_text
from ...puzzle.solved import Solved
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import Interrupted, LimitReached
from .kernel_search import DEPTH_FIRST, UNBOUNDED
from .pace import Pace
from .prover import Prover, rounds
from .searched_position import Searched, searched
from .unrolled_play import Line, UnrolledPlay

_PLANNED = 200  # evaluations after which a planner works beside the search for a lone role

_CONFLICTS = 2_000  # of clingo's, for each step towards the first line in the order of the terms

_LEAST = 0.02  # the least time for the planner between two parts of the search [s]


class Planner:
    """The shortest lines to a puzzle's goal, for one role: clingo's solver looks for them.

    It works beside the search, in small parts. The search is better where positions come back, the
    planner where many moves can be made in any order.
    """

    def __init__(self, puzzle: Puzzle, net: Net) -> None:
        self._play = UnrolledPlay(puzzle, net)
        self._moves = [move for _, move in net.moves]
        self.refuted: float = self._play.fewest_moves - 1
        """The most moves that are known to be too few. Others may raise it."""
        self.line: Line | None = None
        """A shortest line, once it is found."""
        self.found: dict[str, Line] = {}
        """Shortest lines by their first moves, as far as they are known."""
        self._longest = math.inf  # the most moves of any line, once they are known
        self._work = self._plan()

    def advance(self, seconds: float) -> bool:
        """Work for about so long; returns whether the planner has finished, or given up."""
        until = time.monotonic() + seconds
        try:
            for _ in self._work:
                if time.monotonic() > until:
                    return False
        except LimitReached:
            pass
        return True

    def close(self) -> None:
        """Stop clingo."""
        self._work.close()

    def _plan(self) -> Generator[None, None, None]:
        ply = 0
        yield from self._play.shorten_proofs()
        while self.line is None and self.refuted < math.inf:
            yield from self._play.unroll(ply)
            if ply > self.refuted:
                if line := (yield from self._play.reach(ply)):
                    self.line, self.found[line[0]] = line, line
                    return
                self.refuted = max(self.refuted, ply)
                if not (yield from self._play.continues(ply)):
                    self.refuted, self._longest = math.inf, ply
            self._play.exclude(ply)
            ply += 1

    def refutation(self, moves: float) -> list[None] | None:
        """A place for each move of the lines that the planner has refuted; None if it has not."""
        most = min(moves, self._longest)
        return [None] * int(most) if self.refuted >= moves and most < math.inf else None

    def keys(
        self, distance: int, reaches: Callable[[Line], bool], check: Callable[[], None]
    ) -> Mapping[str, Line]:
        """Every first move of lines of the least length, sorted, each with such a line.

        The first key has the first line in the order of the terms. ``reaches`` tells whether a line
        reaches the goal. ``check`` is called now and then.
        """
        self.close()
        return finish(self._keys(distance, reaches), check)

    def _keys(
        self, distance: int, reaches: Callable[[Line], bool]
    ) -> Generator[None, None, dict[str, Line]]:
        """Where moves can be made in any order, each move of a line is a key: this is tried."""
        found = self.found
        yield from self._play.shorten_proofs()
        yield from self._play.unroll(distance)
        while True:
            others = self._play.makes(0, [move for move in self._moves if move not in found])
            line = yield from self._play.reach(distance, wanted=[others])
            if line is None:
                break
            found[line[0]] = line
            for place in range(1, distance):
                other = (line[place], *line[:place], *line[place + 1 :])
                if other[0] not in found and reaches(other):
                    found[other[0]] = other
                yield
        least = min(found)
        key, *later = found[least]
        sorted_line = key, *sorted(later)
        found[least] = yield from self._first(sorted_line if reaches(sorted_line) else found[least])
        return dict(sorted(found.items()))

    def _first(self, line: Line) -> Generator[None, None, Line]:
        """The first line, in the order of the terms, among those with the same first move.

        Where clingo finds no earlier line soon, it is taken that there is none.
        """
        while True:
            earlier = self._play.before(line)
            try:
                better = yield from self._play.reach(
                    len(line), wanted=[earlier], conflicts=_CONFLICTS
                )
            except LimitReached:
                return line
            if better is None:
                return line
            line = better


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
        net = net or net_for(puzzle.state.game.rules, puzzle.state.facts, most_rules, budget)
        self.prover = Prover(puzzle, net, budget, memory, self._tell, number_of(threads))
        self._ask(puzzle, budget)
        self._saved = None
        if resume is not None:
            from .saved_search import SavedSearch  # loaded only if necessary

            self._saved = SavedSearch(resume, self.prover)

    def keep(self) -> None:
        """Write the search into its file, if it has one. Raises ``BadRequest``."""
        if self._saved:
            self._saved.keep()

    def close(self) -> None:
        """End an unfinished write of the search."""
        if self._saved:
            self._saved.close()

    def at(self, state: State, within: int | None, budget: Budget) -> "Search":
        """The same puzzle at another position, with the same transposition table."""
        later = copy(self)
        later._ask(replace(self.puzzle, state=state, within=within), budget)
        return later

    def for_attacker(self, attacker: str) -> "Search":
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
        if planner := self._planner:
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
        self.progress(self.prover.trouble + known + text)

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
        self.prover.aside = self._plan if beside else None
        try:
            distance = self._bracket(first)
        finally:
            self.prover.aside = None
            if self._planner:
                self._planner.close()
        self.prover.pace = Pace()
        return distance

    def _bracket(self, first: bool) -> int | None:
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
            self.prover.work_widely(root, most - begun if most < UNBOUNDED else most, by_numbers)
            if not first or self.prover.cyclic:
                self.prover.work(root, self.refuted + 1 - begun, depth_first, DEPTH_FIRST)
        raise AssertionError  # there is no last round

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

    # --- keys ------------------------------------------------------------------------------------

    def find_keys(self, distance: int) -> list[str]:
        """The keys: by the planner, unless the search knows them."""
        root = self.root
        if self._planner and any(c.known(distance - 1) is None for _, c in root.children()):
            found = self._planner.keys(distance, self._reaches, self.budget.check)
            self._note_lines(found)
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
        if found := self._planner.found if self._planner else {}:
            self._note_lines(found)
        return sorted({*super().known_keys(most), *found})

    def _note_lines(self, found: Mapping[str, Line]) -> None:
        """Keep shortest lines, by their first moves."""
        after = dict(self.root.children())
        self.prover.lines = {after[move].state.key: line[1:] for move, line in found.items()}
        self.prover.lines[self.root.state.key] = next(iter(found.values()))

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
