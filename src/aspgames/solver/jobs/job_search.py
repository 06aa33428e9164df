"""A puzzle searched by jobs: this process has the tree, the executor's processes search its leaves.

Job-level proof-number search (Wu et al. 2010, *Job-Level Proof-Number Search for Connect6*).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Self

from ...puzzle.problem import Puzzle
from ...puzzle.proof.certificate import Size
from ...puzzle.question import turns_text
from ...runtime.arguments import quote
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, ExecutorFailed, LimitReached
from ...runtime.json_lines import JsonObject
from ...runtime.workers.task_runner import Progress, RunningTasks, TaskRunner, capacity
from ..search.puzzle_search import Search
from ..search.searched_position import Searched
from .job_results import (
    JobQuestion,
    KeptResults,
    PositionKeys,
    SentPuzzle,
    StrategyTask,
    examine,
    findings,
    write,
)
from .job_tree import JobNode, JobTree

_TABLE_BYTES = float(1 << 30)  # bytes for the transposition table of each process, by default


@dataclass(frozen=True)
class Efforts:
    """The numbers of evaluations in this process and in each job."""

    first: int = 50_000
    """In this process, before the first job. An easy puzzle needs no job then."""
    here: int = 2_000
    """In this process, for each further question."""
    least: int = 20_000
    """In a job, at least."""
    both: int = 50_000
    """Evaluations after which the search for the distance turns to the verdict, and back."""
    share: int = 500
    """A later job gets all evaluations so far, divided by this. So the tree stays small."""


@dataclass(frozen=True, slots=True)
class JobPosition(Searched):
    """A position of a puzzle that jobs search."""

    solved: JobSearch = field(repr=False, compare=False)

    @property
    def here(self) -> Searched:
        """The position as this process alone knows it."""
        return Searched.of(self.solved, self.state)

    def children(self) -> list[tuple[str, Self]]:
        """The moves, each with the position it leads to."""
        node = self.solved.tree.find(self.here)
        if node is not None:
            self.solved.tree.grow(node)
        return super(JobPosition, self).children()

    @property
    def bounds(self) -> tuple[float, float]:
        """The tighter bounds of the jobs' and this process's."""
        lower, upper = super(JobPosition, self).bounds
        node = self.solved.tree.find(self.here)
        return (max(lower, node.lower), min(upper, node.upper)) if node else (lower, upper)

    def forced(self, turns: float) -> bool:
        """Whether the goal is forced; starts jobs until the answer is known.

        Raises ``LimitReached`` and ``Interrupted``.
        """
        found = self.known(turns)
        if found is None and turns >= 0 and not self.solved.alone:
            self.solved.decide([(self.here, turns)])
            found = self.known(turns)
        return self.here.forced(turns) if found is None else found

    def part(self, attack: bool, turns: float) -> Sequence[Any] | None:
        """A strategy from here, written by a job."""
        return self.solved.part(self, attack, turns)


class JobSearch(Search):
    """One puzzle that the jobs of an executor solve; see ``Solved``.

    Use it in a ``with`` block, whose end cancels unfinished jobs.
    """

    root: JobPosition

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
        """Make the net, as ``Search`` does. Arguments are those of ``open_puzzle``.

        Raises ``BadRequest`` if the executor or the file is unusable, and the errors of ``Search``.
        """
        if not callable(getattr(executor, "submit", None)):
            raise BadRequest(f"an executor is one of concurrent.futures, not {quote(executor)}")
        self._executor = executor
        self._running: RunningTasks[tuple[JobNode, float]] = RunningTasks(executor)
        self._efforts = efforts or Efforts()
        self._first = self._efforts.first
        self._cyclic = False
        self._spent, self._failed = 0, 0
        super().__init__(puzzle, budget, progress, memory, threads=1)
        net = self.table.net
        self._sent = SentPuzzle.of(puzzle, memory or _TABLE_BYTES, threads or 1)
        self._names = PositionKeys(puzzle, net)
        self._results = KeptResults(resume, self._sent, self._names, net)
        self.parts: dict[tuple[int, bool, float], Sequence[Any]] = {}
        """Parts of a certificate that jobs have written: strategies by position, side and turns."""
        self._wanted: dict[tuple[int, bool, float], Searched] = {}
        self._size = Size()
        self.tree = JobTree(self._names.key, self._results.find)
        """The positions examined so far, with their results."""

    def close(self) -> None:
        """Cancel unfinished jobs, and close the file of results."""
        self._running.give_up()
        self._results.close()

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        super()._ask(puzzle, budget)
        self.root = JobPosition.of(self, self.root.state)

    # --- the search -------------------------------------------------------------------------------

    def find_distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or with ``first`` any such number; None if none.

        Works in turns on the fewest turns that aren't refuted yet and, until the goal is known to
        be forced, on the most turns.
        """
        root, begun = self.root, int(self.root.attacks)
        if root.goal_reached:
            return 0
        if root.over:
            return None
        most, effort = self.turns_left, self._efforts.both
        while self.puzzle.defender is not None and not self._cyclic:
            lower, upper = root.bounds
            if lower > most or lower == math.inf:
                self.refuted = self.limit
                return None
            self.refuted = int(lower) - 1 + begun
            if upper <= most and upper < math.inf and (first or upper == lower):
                return int(upper) + begun
            if not first:
                self.decide([(root.here, lower)], effort)
            if first or root.bounds[1] > most or root.bounds[1] == math.inf:
                self.decide([(root.here, most)], math.inf if first else effort)
            effort *= 2
        # Only one process can refute a cyclic line, because that takes the states of all lines.
        return super().find_distance(first)

    def find_keys(self, distance: int) -> list[str]:
        """The keys, from jobs for all moves at once."""
        if not self.alone:
            left = distance - 1
            # Ask all at once. Else most processes would be idle while one move is hard.
            self.decide([(child.here, left) for _, child in self.root.children()])
        return super().find_keys(distance)

    @property
    def alone(self) -> bool:
        """Whether this process works without jobs."""
        return self._cyclic or self.puzzle.defender is None

    def decide(self, asked: Sequence[tuple[Searched, float]], effort: float = math.inf) -> None:
        """Decide positions of this process's search, each for its number of turns.

        This process searches a little before it starts jobs, which is quick in easy positions.
        Returns early after ``effort`` evaluations, or if play turns out to be cyclic.
        """
        nodes, enough = [], self._spent + effort
        for position, turns in asked:
            node = self.tree.find(position)
            if node is None or (node.children is None and node.decided(turns) is None):
                here = position if node is None else node.position  # or its mirror image
                looked = self._look_here(here, turns)
                if node is None and here.known(turns) is not None:
                    continue
                node = self.tree.node(here)
                is_enough = looked >= self._efforts.least
                self.tree.take(node, findings(here, turns) | {"enough": is_enough})
            nodes.append((node, turns))
        while not self._cyclic and self._spent < enough:
            left = [(node, turns) for node, turns in nodes if node.decided(turns) is None]
            if not left:
                return
            begun = self._begin(left)
            self._tell_jobs(*left[0])
            if not self._running:
                # If no leaf is left, all lines go round within a turn.
                self._cyclic = not begun and all(n.decided(turns) is None for n, turns in left)
                continue
            for (node, turns), future in self._running.wait(self.budget):
                self._take(node, turns, future)

    def _look_here(self, position: Searched, turns: float) -> int:
        """Search a little in this process; returns the limit on evaluations."""
        effort, self._first = max(self._first, self._efforts.here), 0
        if effort:
            before = self.table.made
            position.look(turns, turns + self._slack(turns), effort)
            self._spent += self.table.made - before
            self._note_cycle(self.table.cyclic)
        return effort

    def _begin(self, asked: Sequence[tuple[JobNode, float]]) -> bool:
        """Start jobs for leaves until all processes are busy; returns whether it started any."""
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
            question = JobQuestion(self._sent, leaf.position.facts, turns, most, effort)
            self.tree.begin(leaf)
            self._running.start((leaf, turns), examine, question)
            begun = True
        return begun

    def _slack(self, turns: float) -> float:
        """The number of turns by which the limit exceeds the question."""
        if turns == math.inf:
            return 0.0
        return max(0.0, self.turns_left - max(0, self.refuted + 1 - int(self.root.attacks)))

    def _take(self, node: JobNode, turns: float, future: Future[JsonObject]) -> None:
        """Take a job's result. Raises ``ExecutorFailed``; ``LimitReached`` after many failures."""
        try:
            found = future.result()
        except CancelledError:
            raise ExecutorFailed("the executor has given up a job") from None
        except LimitReached:
            # The process ran out of memory, or the system killed it too often: divide the position.
            self._failed += 1
            if self._failed > 2 * capacity(self._executor) + 1:
                raise
            found = {"turns": turns, "known": [node.lower, None, node.proof, node.disproof]}
            self.tree.take(node, found | {"children": []})
            return
        self._failed = 0
        self._spent += found["evaluations"]
        self._results.counted.count()
        self.tree.take(node, found)
        for each in (node, *self.tree.settled):
            self._results.keep(each)
        self.tree.settled.clear()
        self._note_cycle(found["cyclic"])
        self.budget.spend(found["positions"])

    def _note_cycle(self, cyclic: bool) -> None:
        """Note that play can be cyclic. Then jobs can't refute a goal with any number of turns."""
        self._cyclic = self._cyclic or (cyclic and self.turns_left == math.inf)

    def _tell_jobs(self, node: JobNode, turns: float) -> None:
        (refuted, _), pace = self.bounds, self.pace
        if refuted < math.inf:
            pace.note(int(refuted), self._spent)
        estimate = pace.text(self._spent, self._spent / max(self.budget.seconds, 1e-9))
        if not estimate:
            proof, disproof = node.numbers(turns)
            estimate = f"proof number {proof:,}, disproof number {disproof:,}"
        self._tell(
            f"Searching {turns_text(turns + self.root.attacks)}: {self.budget.seconds:.0f} s, "
            f"{self._results.counted}, {len(self._running)} running, "
            f"{len(self.tree):,} positions in the tree, {estimate}"
        )

    # --- certificates -----------------------------------------------------------------------------

    def part(self, position: JobPosition, attack: bool, turns: float) -> Sequence[Any] | None:
        """One side's strategy from here; None where the tree or this process knows it.

        Empty until ``fetch`` has run the job for it.
        """
        if self.alone or position.here.known(turns) is not None:
            return None
        node = self.tree.find(position.here)
        if node is None or node.explains(turns):
            return None
        name = self._names.bits(position), attack, turns
        if name not in self.parts:
            self._wanted[name] = position
        return self.parts.get(name, ())

    def fetch(self) -> bool:
        """Run jobs for all requested parts; returns whether there were any.

        Raises ``LimitReached`` as soon as all parts together are too large.
        """
        wanted = self._wanted
        if not wanted:
            return False
        progress, journal = Progress("parts of the certificate", len(wanted)), self._results.journal
        runner = TaskRunner(self._executor, journal, progress, self.progress, self.budget)
        tasks = [
            StrategyTask(self._sent, position.facts, attack, turns)
            for (_, attack, turns), position in wanted.items()
        ]
        for name, future in zip(wanted, runner.map(write, tasks), strict=True):
            self.parts[name] = nodes = future.result()["nodes"]
            self._size.add(nodes)
        wanted.clear()
        return True
