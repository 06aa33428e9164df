"""Puzzles that a table answers: whether a side can force a win."""

from __future__ import annotations

import time

from ..errors import BadRequest
from ..game import State
from ..move import Move
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution, line_texts
from .lookup import Table, Value
from .outcomes import opposed


def solve_by_table(puzzle: Puzzle, table: Table) -> Solution:
    """The answer to a puzzle whose goal is to win, as ``solve`` has it.

    Raises ``BadRequest`` for other goals, and for games in which sides aren't opposed, or don't
    take turns ply by ply; ``BadPosition`` for a state that isn't in the table.
    """
    return _Asked(puzzle, table).solution()


class _Asked:
    def __init__(self, puzzle: Puzzle, table: Table) -> None:
        table.must_be_of(puzzle.state.game)
        if puzzle.goal.text != "win":
            raise BadRequest(f"a table knows who wins, and nothing of {puzzle.goal.text}")
        outcomes = table.about.outcomes
        if len(table.about.roles) > 1 and (not opposed(outcomes) or (100, 100) in outcomes):
            raise BadRequest(f"{table.path} is of a game whose sides aren't opposed")
        self._puzzle, self._table = puzzle, table
        self._alone = len(table.about.roles) == 1

    def solution(self) -> Solution:
        """The answer."""
        begun, puzzle = time.monotonic(), self._puzzle
        state, attacks = puzzle.state, puzzle.state.to_move == puzzle.attacker
        distance = self._turns(self._table.value(state), attacks)
        forced = distance is not None and (puzzle.within is None or distance <= puzzle.within)
        behind = {m.term: self._turns_before(v, attacks) for m, v in self._values(state)}
        keys: list[str] = []
        replies: list[tuple[str, int | None]] = []
        line: list[str] = []
        if forced and attacks and distance:
            keys = sorted(move for move, turns in behind.items() if turns == distance)
        if not attacks and forced:
            replies = sorted(behind.items())
        elif not attacks:
            holds = [m for m, t in behind.items() if t is None or t > (puzzle.within or t)]
            replies = [(move, None) for move in sorted(holds)[:1]]
        if forced:
            line = self._line(state)
        return Solution(
            verdict="forced" if forced else "not_forced",
            distance=distance if forced else None,
            keys=tuple(keys),
            line=tuple(line),
            keys_text=tuple(state.move_text(key) for key in keys),
            line_text=tuple(line_texts(state, line)),
            seconds=time.monotonic() - begun,
            positions=len(behind) + len(line) + 1,
            replies=tuple(replies),
        )

    def _values(self, state: State) -> list[tuple[Move, Value]]:
        found = self._table.values(state)
        for move, _ in found:
            after = state.play(move)
            if not self._alone and after.to_move == state.to_move and not after.is_terminal:
                raise BadRequest(f"the sides of {state.game.name} don't take turns ply by ply")
        return found

    def _turns(self, value: Value, attacks: bool) -> int | None:
        """The attacker's turns until it has won; None if it can't force that."""
        if value.goals is None or value.distance is None:
            return None
        if value.goals[self._puzzle.attacker] != 100:
            return None
        if self._alone:
            return value.distance
        return (value.distance + attacks) // 2

    def _turns_before(self, value: Value, attacks: bool) -> int | None:
        """The same, before a move that leads to a state of this value."""
        turns = self._turns(value, attacks if self._alone else not attacks)
        return None if turns is None else turns + attacks

    def _line(self, state: State) -> list[str]:
        """The moves of best play."""
        line = []
        while best := self._table.best(state):
            line.append(best[0].term)
            state = state.play(best[0])
        return line
