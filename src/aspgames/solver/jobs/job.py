"""Jobs: questions about a position of a puzzle, as text, and how a process answers them.

A process keeps its search with its transposition table from one job to the next, so it knows
what it found before, wherever in the same puzzle that was.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from ...game.game import State
from ...game.loading import SentGame
from ...puzzle.problem import Puzzle
from ...puzzle.proof.certificate import strategy
from ...runtime.budget import Budget
from ...runtime.json_lines import JsonObject
from ..search.puzzle_search import Search
from .job_tree import as_json

_own = threading.local()
"""The search of a process: one for each of its threads that does jobs."""


@dataclass(frozen=True)
class SentPuzzle:
    """A puzzle on its way to another process. What a search may take doesn't show."""

    game: SentGame
    facts: tuple[str, ...]
    attacker: str
    goal: str
    bytes: float = field(repr=False)
    """For the transposition table."""
    threads: int = field(repr=False)

    @staticmethod
    def of(puzzle: Puzzle, most_bytes: float, threads: int) -> SentPuzzle:
        """The puzzle as it is sent. How many turns there are is for each job to say."""
        state = puzzle.state
        game = SentGame.of(state.game)
        return SentPuzzle(game, state.facts, puzzle.attacker, puzzle.goal.text, most_bytes, threads)

    def search(self) -> Search:
        """The search of this process, or a new one. Raises as ``Search`` does."""
        if getattr(_own, "puzzle", None) != self:
            _own.puzzle = _own.search = None  # two at once would take too much memory
            state = self.game.load().position(" ".join(self.facts))
            puzzle = Puzzle.of(state, self.attacker, self.goal)
            _own.search = Search(puzzle, Budget(), memory=self.bytes, threads=self.threads)
            _own.puzzle = self
        found: Search = _own.search
        return found

    def at(self, facts: tuple[str, ...]) -> Search:
        """The same put at a position that its own leads to."""
        search = self.search()
        return search.at(State(search.puzzle.state.game, facts), None, Budget())


@dataclass(frozen=True)
class JobQuestion:
    """Whether the goal is forced from a position within so many turns."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    turns: float
    most: float
    """The turns that there may be at all."""
    evaluations: int
    """How many may be made."""


@dataclass(frozen=True)
class StrategyTask:
    """A part of a certificate: one side's strategy from a position on."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    attack: bool
    turns: float


def examine(question: JobQuestion) -> JsonObject:
    """What is known of a position after a search: ``Findings`` as a JSON object.

    Raises ``LimitReached`` where there is no memory, and as ``Search`` does.
    """
    search = question.puzzle.at(question.facts)
    before = search.prover.made
    search.root.look(question.turns, question.most, question.evaluations)
    found = findings(search.root, question.turns)
    return found | {
        "evaluations": search.prover.made - before,
        "positions": search.budget.positions,
        "cyclic": search.prover.cyclic,
    }


def findings(position: Any, turns: float) -> JsonObject:
    """What a search knows of a position; if that isn't decided, of those after it, too."""
    known = position.all_known
    found: JsonObject = {"turns": as_json(turns), "known": [*map(as_json, known)], "children": []}
    if position.known(turns) is None:
        found["children"] = [[*map(as_json, child.all_known)] for _, child in position.children()]
    return found


def write(part: StrategyTask) -> JsonObject:
    """A part of a certificate, searched for if this process doesn't know it yet.

    Raises ``LimitReached``, and as ``Search`` does.
    """
    root = part.puzzle.at(part.facts).root
    root.forced(part.turns)
    return {"nodes": strategy(root, part.attack, part.turns)}
