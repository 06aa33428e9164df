"""Jobs: questions about a position of a puzzle, as text, and how a process answers them.

A process keeps its search and the transposition table for the next job of the same puzzle.
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
"""The searches of this process, one for each thread."""


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
    def of(puzzle: Puzzle, most_bytes: float, threads: int) -> SentPuzzle:
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
    before = search.prover.made
    search.root.look(question.turns, question.most, question.evaluations)
    found = findings(search.root, question.turns)
    return found | {
        "evaluations": search.prover.made - before,
        "positions": search.budget.positions,
        "cyclic": search.prover.cyclic,
    }


def findings(position: Any, turns: float) -> JsonObject:
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
