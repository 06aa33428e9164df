"""Jobs and their results: keys of positions, and a file of results."""

import threading
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import TypedDict

from ...game.loading import SentGame
from ...game.state import State
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...puzzle.proof.certificate import strategy
from ...puzzle.solved import Position
from ...runtime.budget import Budget
from ...runtime.json_lines import JsonObject
from ...runtime.workers.journal import Journal
from ...runtime.workers.task_runner import Progress
from ..search.puzzle_search import Search
from ..search.searched_position import Searched
from .job_tree import JobNode, as_json, snapshot

_own = threading.local()  # the searches of this process, one for each thread


@dataclass(frozen=True)
class SentPuzzle:
    """A puzzle, ready for another process. ``repr`` leaves out its memory and threads."""

    game: SentGame
    facts: tuple[str, ...]
    attacker: str
    goal: str
    bytes: float = field(repr=False)
    """The memory for the transposition table [bytes]."""
    threads: int = field(repr=False)

    @staticmethod
    def of(puzzle: Puzzle, most_bytes: float, threads: int) -> "SentPuzzle":
        """The puzzle without its number of turns, which each job has."""
        state = puzzle.state
        game = SentGame.of(state.game)
        return SentPuzzle(game, state.facts, puzzle.attacker, puzzle.goal.text, most_bytes, threads)

    def search(self) -> Search:
        """This process's search for the puzzle, or a new one. Raises the errors of ``Search``."""
        if getattr(_own, "puzzle", None) != self:
            _own.puzzle = _own.search = None  # two searches at once would need too much memory
            state = self.game.load().position(" ".join(self.facts))
            puzzle = Puzzle.of(state, self.attacker, self.goal)
            _own.search = Search(puzzle, Budget(), memory=self.bytes, threads=self.threads)
            _own.puzzle = self
        found: Search = _own.search
        return found

    def at(self, facts: tuple[str, ...]) -> Search:
        """The search of this process, at a position of the puzzle."""
        search = self.search()
        return search.at(State(search.puzzle.state.game, facts), None, Budget())


@dataclass(frozen=True)
class JobQuestion:
    """Whether the goal is forced from a position within ``turns`` turns."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    turns: float
    most: float
    """The puzzle's limit on turns, counted from the position."""
    evaluations: int


@dataclass(frozen=True)
class StrategyTask:
    """A job that writes a part of a certificate: one side's strategy from a position on."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    attack: bool
    turns: float


def examine(question: JobQuestion) -> JsonObject:
    """Search a position; returns its ``findings``, and the effort. Raises ``LimitReached``."""
    search = question.puzzle.at(question.facts)
    before = search.table.made
    search.root.look(question.turns, question.most, question.evaluations)
    found = findings(search.root, question.turns)
    return found | {
        "evaluations": search.table.made - before,
        "positions": search.budget.positions,
        "cyclic": search.table.cyclic,
    }


def findings(position: Searched, turns: float) -> JsonObject:
    """The known results of a position; if it is undecided, also those of its children."""
    known = position.all_known
    found: JsonObject = {"turns": as_json(turns), "known": [*map(as_json, known)], "children": []}
    if position.known(turns) is None:
        found["children"] = [[*map(as_json, child.all_known)] for _, child in position.children()]
    return found


def write(part: StrategyTask) -> JsonObject:
    """Write a part of a certificate. Searches first if this process doesn't know the answer yet."""
    root = part.puzzle.at(part.facts).root
    root.forced(part.turns)
    return {"nodes": strategy(root, part.attack, part.turns)}


_MOST_GATES = 50_000  # the most gates of a net for the proof of symmetries; more would take long


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
