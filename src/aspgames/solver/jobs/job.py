"""Jobs: questions about a position of a puzzle, as text, and how a process answers them.

A process keeps its search with the transposition table from one job of a puzzle to the next.
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
"""The search of a process: one for each of its threads."""


@dataclass(frozen=True)
class SentPuzzle:
    """A puzzle, ready for another process. Its memory and threads are not in ``repr``."""

    game: SentGame
    facts: tuple[str, ...]
    attacker: str
    goal: str
    bytes: float = field(repr=False)
    """For the transposition table."""
    threads: int = field(repr=False)

    @staticmethod
    def of(puzzle: Puzzle, most_bytes: float, threads: int) -> SentPuzzle:
        """The puzzle without its number of turns, which each job has."""
        state = puzzle.state
        game = SentGame.of(state.game)
        return SentPuzzle(game, state.facts, puzzle.attacker, puzzle.goal.text, most_bytes, threads)

    def search(self) -> Search:
        """The search of this process, or a new one. Raises what ``Search`` raises."""
        if getattr(_own, "puzzle", None) != self:
            _own.puzzle = _own.search = None  # two at once would need too much memory
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
    """Whether the goal is forced from a position within so many turns."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    turns: float
    most: float
    """The puzzle's limit on turns, seen from the position."""
    evaluations: int
    """The limit on them."""


@dataclass(frozen=True)
class StrategyTask:
    """A job that writes a part of a certificate: one side's strategy from a position on."""

    puzzle: SentPuzzle
    facts: tuple[str, ...]
    attack: bool
    turns: float


def examine(question: JobQuestion) -> JsonObject:
    """Search a position; returns its ``findings``, and what the search took.

    Raises ``LimitReached`` for want of memory, and what ``Search`` raises.
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
    """What a search knows of a position, and of its children if the position is undecided."""
    known = position.all_known
    found: JsonObject = {"turns": as_json(turns), "known": [*map(as_json, known)], "children": []}
    if position.known(turns) is None:
        found["children"] = [[*map(as_json, child.all_known)] for _, child in position.children()]
    return found


def write(part: StrategyTask) -> JsonObject:
    """Write a part of a certificate, after a search if this process doesn't know it yet.

    Raises ``LimitReached``, and what ``Search`` raises.
    """
    root = part.puzzle.at(part.facts).root
    root.forced(part.turns)
    return {"nodes": strategy(root, part.attack, part.turns)}
