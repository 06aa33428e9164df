"""Results of jobs: keys of positions, a file of results, and parts of certificates."""

from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from typing import Any, TypedDict

from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...puzzle.proof.certificate import Size
from ...puzzle.solved import Position
from ...runtime.json_lines import JsonObject
from ...runtime.workers.journal import Journal
from ...runtime.workers.task_runner import Progress, TaskRunner
from .job import SentPuzzle, StrategyTask, examine, write
from .job_tree import JobNode, snapshot

_MOST_GATES = 50_000
"""The most gates of a net for the proof of symmetries; more would take long."""


_Known = tuple[float | None, float | None, int, int]
"""Two bounds (None: infinite), the proof number and the disproof number."""


class _Kept(TypedDict):
    """A result in a file."""

    turns: float | None
    known: _Known
    children: list[_Known]
    at: str


class PositionKeys:
    """Numbers for a puzzle's positions, with a bit for each open fluent."""

    def __init__(self, puzzle: Puzzle, net: Net) -> None:
        self._puzzle, self._net = puzzle, net
        self._places = {fluent: place for place, fluent in enumerate(net.fluents)}

    def bits(self, position: Position) -> int:
        """The number of a position."""
        return sum(1 << self._places[fluent] for fluent in position.fluents)

    def key(self, position: Position) -> int:
        """The least number among the position and its images under the rules' symmetries."""
        bits = self.bits(position)
        held = [place for place in range(bits.bit_length()) if bits >> place & 1]
        images = (sum(1 << goes[place] for place in held) for goes in self._symmetries)
        return min([bits, *images])

    @cached_property
    def _symmetries(self) -> tuple[tuple[int, ...], ...]:
        net, state = self._net, self._puzzle.state
        if len(net.circuit.gates) > _MOST_GATES:
            return ()
        return state.game.proofs.permutations(state.facts, net.fluents, net.certain)

    def facts(self, position: Position) -> tuple[str, ...]:
        """The facts of a position's state."""
        return tuple(sorted((*self._net.certain, *position.fluents)))


class KeptResults:
    """The results of jobs, kept in a file if a path is given."""

    def __init__(
        self, path: str | PathLike[str] | None, sent: SentPuzzle, keys: PositionKeys, net: Net
    ) -> None:
        self.journal = None if path is None else Journal(path)
        self.counted = Progress("jobs")
        """The number of results of this run and of earlier runs."""
        self._keys = keys
        self._digest = Journal.key(examine, (sent, net.fluents))

    def find(self, key: int, position: Position) -> JsonObject | None:
        """An earlier run's result for a position."""
        if self.journal is None:
            return None
        found: JsonObject | None = self.journal.find(self._name(key), _Kept)
        if found is None:
            return None
        self.counted.count(before=True)
        is_same = found["at"] == f"{self._keys.bits(position):x}"  # else a mirror image
        return found if is_same else found | {"children": []}

    def keep(self, node: JobNode) -> None:
        """Keep the known results of a node."""
        if self.journal is not None:
            kept = snapshot(node) | {"at": f"{self._keys.bits(node.position):x}"}
            self.journal.keep(self._name(node.key), kept)

    def close(self) -> None:
        """Close the file."""
        if self.journal is not None:
            self.journal.close()

    def _name(self, key: int) -> str:
        return Journal.key(examine, (self._digest, f"{key:x}"))


class StrategyParts:
    """Parts of a certificate that jobs write."""

    def __init__(self, sent: SentPuzzle, keys: PositionKeys) -> None:
        self._sent, self._keys = sent, keys
        self.written: dict[tuple[int, bool, float], Sequence[Any]] = {}
        self.wanted: dict[tuple[int, bool, float], Position] = {}
        self._size = Size()

    def part(self, position: Position, attack: bool, turns: float) -> Sequence[Any]:
        """One side's strategy from a position; empty until ``fetch`` has run the job for it."""
        name = self._keys.bits(position), attack, turns
        if name not in self.written:
            self.wanted[name] = position
            return ()
        return self.written[name]

    def fetch(self, runner: Callable[[Progress], TaskRunner]) -> bool:
        """Run jobs for all requested parts; returns whether there were any.

        Raises ``LimitReached`` as soon as all parts together are too large.
        """
        if not self.wanted:
            return False
        way = runner(Progress("parts of the certificate", len(self.wanted)))
        tasks = [
            StrategyTask(self._sent, self._keys.facts(position), attack, turns)
            for (_, attack, turns), position in self.wanted.items()
        ]
        for name, future in zip(self.wanted, way.map(write, tasks), strict=True):
            self.written[name] = nodes = future.result()["nodes"]
            self._size.add(nodes)
        self.wanted.clear()
        return True
