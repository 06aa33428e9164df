"""A puzzle searched by jobs: the tree is here, and whoever the executor has searches its leaves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

from ...puzzle.problem import Puzzle, turns_text
from ...puzzle.proof.certificate import Size
from ...puzzle.solved import Plan, Position
from ...runtime.arguments import told
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, ExecutorFailed, LimitReached
from ...runtime.json_lines import JsonObject
from ...runtime.workers.journal import Journal
from ...runtime.workers.ordered_map import Through
from ...runtime.workers.progress import Progress
from ...runtime.workers.running_tasks import Running, capacity
from ..search.puzzle_search import Search
from .job import JobQuestion, SentPuzzle, StrategyTask, examine, findings, write
from .job_tree import JobNode, JobTree, snapshot

_TABLE = float(1 << 30)  # bytes for the transposition table of each process, unless asked otherwise
_MOST_GATES = 50_000
"""Of a net for whose rules symmetries are proved: of more, that would take long."""


@dataclass(frozen=True)
class Efforts:
    """How many evaluations are made where."""

    first: int = 50_000
    """Here, before anybody else is asked: an easy puzzle is solved by then."""
    here: int = 2_000
    """Here, for each further question."""
    least: int = 20_000
    """By a job, at first."""
    share: int = 500
    """Later by a job: one in so many of all that were made. So the tree stays small."""


@dataclass(frozen=True, slots=True)
class JobPosition(Position):
    """A position of a puzzle that is searched by jobs."""

    here: Any
    """The same position as the search of this process knows it."""
    jobs: JobSearch = field(repr=False, compare=False)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, wherever it is put."""
        found: Puzzle = self.here.puzzle
        return found

    @property
    def state(self) -> Any:
        """The state as the search of this process knows it."""
        return self.here.state

    @property
    def fluents(self) -> frozenset[str]:
        """The fluents that hold, of those that play can change."""
        found: frozenset[str] = self.here.fluents
        return found

    def children(self) -> list[tuple[str, JobPosition]]:
        """The moves, each with the position it leads to."""
        node = self.jobs.found(self.here)
        if node is not None:
            self.jobs.tree.grow(node)
        return [(move, self.jobs.position(child)) for move, child in self.here.children()]

    @property
    def bounds(self) -> tuple[float, float]:
        """What is known from jobs, or was found here."""
        lower, upper = self.here.bounds
        node = self.jobs.found(self.here)
        return (max(lower, node.lower), min(upper, node.upper)) if node else (lower, upper)

    def forced(self, turns: float) -> bool:
        """Whether the goal is forced; jobs are asked until that is known."""
        return self.jobs.forced(self, turns)

    def plan(self, attack: bool, turns: float) -> Plan | None:
        """A plan, looked for here."""
        found: Plan | None = self.here.plan(attack, turns)
        return found

    def part(self, attack: bool, turns: float) -> Sequence[Any] | None:
        """A strategy from here that a job has written, or is to write."""
        return self.jobs.part(self, attack, turns)


class JobSearch(Search):
    """One puzzle being solved by the jobs of an executor; see ``Solved``.

    Use it in a ``with`` block: what is under way at its end is given up.
    """

    root: JobPosition  # type: ignore[assignment]

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        executor: Executor,
        progress: Callable[[str], None] | None = None,
        memory: float | None = None,
        threads: int | None = None,
        resume: str | PathLike[str] | None = None,
        efforts: Efforts | None = None,
    ) -> None:
        """Make the net, as ``Search`` does.

        ``memory`` and ``threads`` are those of each process: 1 GiB for its table, and one, unless
        given. ``resume`` is a file in which the results of jobs are kept: those that it holds
        are taken from there.

        Raises what ``Search`` does, and ``BadRequest`` for what is no executor, and if the file
        can't be gone on with.
        """
        if not callable(getattr(executor, "submit", None)):
            raise BadRequest(f"an executor is one of concurrent.futures, not {told(executor)}")
        self._executor = executor
        self._running: Running[tuple[JobNode, float]] = Running(executor)
        self._efforts = efforts or Efforts()
        self._first = self._efforts.first
        self._goes_round = False
        self._spent, self._failed = 0, 0
        self._parts: dict[tuple[int, bool, float], Sequence[Any]] = {}
        self._wanted: dict[tuple[int, bool, float], JobPosition] = {}
        self._size = Size()
        """Of all the parts."""
        super().__init__(puzzle, budget, progress, memory, threads=1)
        self._sent = SentPuzzle.of(puzzle, memory or _TABLE, threads or 1)
        self._places = {fluent: place for place, fluent in enumerate(self.fluents)}
        self._digest = Journal.key(examine, (self._sent, self.fluents))
        self._counted = Progress("jobs")
        self._journal = None if resume is None else Journal(resume)
        self.tree = JobTree(self._key, self._kept_of)
        """What is known of all positions that were looked at here."""

    def close(self) -> None:
        """Give up the jobs that are under way, and close the file of results."""
        self._running.give_up()
        if self._journal is not None:
            self._journal.close()

    def position(self, here: Position) -> JobPosition:
        """A position of the search of this process as one of this search."""
        return JobPosition(here.goal_reached, here.over, here.attacks, here, self)

    def found(self, here: Position) -> JobNode | None:
        """The node of a position of the search of this process, if there is one."""
        return self.tree.find(here) if len(self.tree) else None

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        super()._ask(puzzle, budget)
        self.root = self.position(self.root)

    # --- the search -------------------------------------------------------------------------------

    def _distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or, with ``first``, any; None if none does.

        It is asked for the fewest turns that aren't refuted yet, then for one more, and so on.
        """
        root, begun = self.root, int(self.root.attacks)
        if root.goal_reached:
            return 0
        if root.over:
            return None
        most = self.turns_left
        while self.puzzle.defender is not None and not self._goes_round:
            lower, upper = root.bounds
            if lower > most or lower == math.inf:
                self.refuted = self.limit
                return None
            self.refuted = int(lower) - 1 + begun
            if upper <= most and upper < math.inf and (first or upper == lower):
                return int(upper) + begun
            self._decide([(root.here, most if first else lower)])
        # A line that goes round is refuted by all the states that were met, and one role is
        # searched breadth first: that is for one process.
        here = self.root
        try:
            self.root = here.here
            return super()._distance(first)
        finally:
            self.root = here

    def _keys(self, distance: int) -> list[str]:
        if self.root.attacks and distance and not self._alone:
            left = distance - 1
            # All at once: else only some have something to do where one move is hard.
            self._decide([(child.here, left) for _, child in self.root.children()])
        return super()._keys(distance)

    @property
    def _alone(self) -> bool:
        """Whether no jobs are asked."""
        return self._goes_round or self.puzzle.defender is None

    def forced(self, position: JobPosition, turns: float) -> bool:
        """Whether the goal is forced from a position. Raises ``LimitReached``, ``Interrupted``."""
        found = position.known(turns)
        if found is not None or turns < 0:
            return bool(found)
        if self._alone:
            return bool(position.here.forced(turns))
        self._decide([(position.here, turns)])
        found = position.known(turns)
        return bool(position.here.forced(turns) if found is None else found)

    def _decide(self, asked: Sequence[tuple[Any, float]]) -> None:
        """Have some positions decided for so many turns each, or find that play can go round.

        They are those of the search of this process. It searches a little before anybody else is
        asked: that is quick where there is little to find.
        """
        nodes = []
        for position, turns in asked:
            node = self.found(position)
            if node is None or (node.children is None and node.decided(turns) is None):
                here = position if node is None else node.position  # or its mirror image
                effort = self._look_here(here, turns)
                if node is None and here.known(turns) is not None:
                    continue
                node = self.tree.node(here)
                enough = effort >= self._efforts.least
                self.tree.take(node, findings(here, turns) | {"enough": enough})
            nodes.append((node, turns))
        while not self._goes_round:
            left = [(node, turns) for node, turns in nodes if node.decided(turns) is None]
            if not left:
                return
            begun = self._begin(left)
            if not self._running:
                if not begun and all(node.decided(turns) is None for node, turns in left):
                    raise LimitReached("a line of play is too long")
                continue
            for (node, turns), future in self._running.wait(self.budget):
                self._take(node, turns, future)
            self._tell(*left[0])

    def _look_here(self, position: Any, turns: float) -> int:
        """Search a little in this process; returns how many evaluations that might take."""
        effort, self._first = max(self._first, self._efforts.here), 0
        if effort:
            before = self.prover.made
            position.look(turns, turns + self._slack(turns), effort)
            self._spent += self.prover.made - before
            self._note_round(self.prover.cyclic)
        return effort

    def _begin(self, asked: Sequence[tuple[JobNode, float]]) -> bool:
        """Have as many leaves searched as there is room for; returns whether there were any."""
        begun = False
        for _ in range(self._running.room):
            self.budget.check()
            found = None
            for split in (False, True):
                for node, turns in asked:
                    found = found or self.tree.leaf(node, turns, split)
            if found is None:
                break
            leaf, turns = found
            effort = max(self._efforts.least, self._spent // self._efforts.share)
            most = turns + self._slack(turns)
            question = JobQuestion(self._sent, self._facts(leaf.position), turns, most, effort)
            self.tree.begin(leaf)
            self._running.start((leaf, turns), examine, question)
            begun = True
        return begun

    def _slack(self, turns: float) -> float:
        """How many turns more than are asked for there may be."""
        if turns == math.inf:
            return 0.0
        return max(0.0, self.turns_left - max(0, self.refuted + 1 - int(self.root.attacks)))

    def _take(self, node: JobNode, turns: float, future: Future[JsonObject]) -> None:
        """Take what a job has found, or that it failed. Raises what can't be helped."""
        try:
            found = future.result()
        except CancelledError:
            raise ExecutorFailed("the executor has given up a job") from None
        except LimitReached:
            # The process was too small for it, or was ended too often: the position is divided.
            self._failed += 1
            if self._failed > 2 * capacity(self._executor) + 1:
                raise
            found = {"turns": turns, "known": [node.lower, None, node.proof, node.disproof]}
            self.tree.take(node, found | {"children": []})
            return
        self._failed = 0
        self._spent += found["evaluations"]
        self._counted.count()
        self.tree.take(node, found)
        self._keep(node)
        self._keep_settled()
        self._note_round(found["cyclic"])
        self.budget.spend(found["positions"])

    def _note_round(self, cyclic: bool) -> None:
        """Without a number of turns that is the last, lines that go round are for one process."""
        self._goes_round = self._goes_round or (cyclic and self.turns_left == math.inf)

    def _tell(self, node: JobNode, turns: float) -> None:
        within = "any number" if turns == math.inf else turns_text(int(turns + self.root.attacks))
        proof, disproof = node.numbers(turns)
        self.progress(
            f"within {within}: {self._counted}, {len(self._running)} running, "
            f"proof number {proof:,}, disproof number {disproof:,}, {len(self.tree):,} positions"
        )

    # --- what is kept -----------------------------------------------------------------------------

    def _bits(self, position: Position) -> int:
        return sum(1 << self._places[fluent] for fluent in position.fluents)

    def _key(self, position: Position) -> int:
        """What positions have in common that are the same but for a symmetry of the rules."""
        bits = self._bits(position)
        held = [place for place in range(bits.bit_length()) if bits >> place & 1]
        seen = (sum(1 << goes[place] for place in held) for goes in self._images)
        return min([bits, *seen])

    @cached_property
    def _images(self) -> tuple[tuple[int, ...], ...]:
        if len(self.prover.net.circuit.gates) > _MOST_GATES:
            return ()
        state, certain = self.puzzle.state, self.prover.net.certain
        return state.game.proofs.permutations(state.facts, self.fluents, certain)

    def _facts(self, position: Position) -> tuple[str, ...]:
        return tuple(sorted((*self.prover.net.certain, *position.fluents)))

    def _kept_under(self, key: int) -> str:
        return Journal.key(examine, (self._digest, f"{key:x}"))

    def _kept_of(self, key: int, position: Position) -> JsonObject | None:
        name = self._kept_under(key)
        if self._journal is None or name not in self._journal:
            return None
        found: JsonObject = self._journal[name]
        self._counted.count(before=True)
        return found if found["at"] == f"{self._bits(position):x}" else found | {"children": []}

    def _keep_settled(self) -> None:
        for node in self.tree.settled:
            self._keep(node)
        self.tree.settled.clear()

    def _keep(self, node: JobNode) -> None:
        if self._journal is not None:
            kept = snapshot(node) | {"at": f"{self._bits(node.position):x}"}
            self._journal.keep(self._kept_under(node.key), kept)

    # --- certificates -----------------------------------------------------------------------------

    def part(self, position: JobPosition, attack: bool, turns: float) -> Sequence[Any] | None:
        """See ``Position.part``; none where the tree shows the way, or this process knows it."""
        if self._alone or position.here.known(turns) is not None:
            return None
        node = self.found(position.here)
        if node is None:
            return None
        if node.explains(turns):
            return None
        name = self._bits(position), attack, turns
        if name not in self._parts:
            self._wanted[name] = position
            return ()
        return self._parts[name]

    def fetch(self) -> bool:
        """Have all parts written that were asked for.

        Raises ``LimitReached`` as soon as the certificate is too large with those that are there.
        """
        if not self._wanted:
            return False
        progress = Progress("parts of the certificate", len(self._wanted))
        through = Through(self._executor, self._journal, progress, self.progress, self.budget)
        parts = [
            StrategyTask(self._sent, self._facts(position), attack, turns)
            for (_, attack, turns), position in self._wanted.items()
        ]
        for name, future in zip(self._wanted, through.map(write, parts), strict=True):
            self._parts[name] = nodes = future.result()["nodes"]
            self._size.add(nodes)
        self._wanted.clear()
        return True
