"""Many single states at once, each answered as the reasoner answers one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from ..reasoner import Consequences, Facts, Rules, the_one_on_move
from .lanes import Bits, to_bits, to_lanes
from .net import Net

Key = TypeVar("Key")


class Batch:
    """Answers for lists of states, from one net for every state that a game's fluents allow."""

    def __init__(self, rules: Rules, fluents: Iterable[str], most_rules: int = 150_000) -> None:
        """Build the net of all states that hold some of these fluents.

        Raises ``RulesError`` where the rules choose or recur through negation, and
        ``LimitReached`` where the net would have more than ``most_rules`` ground rules.
        """
        self._rules = rules
        self._most_rules = most_rules
        self._build(fluents)

    def _build(self, fluents: Iterable[str]) -> None:
        self._net = Net(self._rules, (), sorted(fluents), closed=True, most_rules=self._most_rules)
        self._place = {fluent: place for place, fluent in enumerate(self._net.fluents)}

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]:
        """See ``Reasoner``: what the rules say of each state."""
        if not states:
            return []
        ones, true = self._lanes(states)
        answer, judgement = self._net.ask(ones, true), self._net.judge(ones, true)
        legal = self._moves(answer.legal, len(states))
        terminal = to_bits([answer.terminal], len(states))[0]
        goals = _holding(judgement.goals, len(states))
        on_move = _holding(judgement.to_move, len(states))
        found = []
        for place in range(len(states)):
            values = dict.fromkeys(self._rules.roles, 0) | dict(goals[place])
            mover = the_one_on_move(on_move[place], legal[place])
            found.append(Consequences(legal[place], bool(terminal[place]), values, mover))
        return found

    def successors(
        self, states: Sequence[Facts], joints: Sequence[Mapping[str, str]]
    ) -> list[Facts]:
        """The state after each state's joint move, which must be legal there."""
        if not states:
            return []
        ones, true = self._lanes(states)
        does = [0] * len(self._net.moves)
        for column, joint in enumerate(joints):
            for move in joint.items():
                does[self._net.place[move]] |= 1 << column
        after = to_bits(self._net.advance(ones, true, does), len(states))
        fluents = self._net.after
        return [tuple(fluents[row] for row in rows) for rows in _set_rows(after)]

    def _lanes(self, states: Sequence[Facts]) -> tuple[int, list[int]]:
        unknown = {fact for facts in states for fact in facts if fact not in self._net.known}
        if unknown:
            self._build(self._net.known | unknown)
        bits: Bits = np.zeros((len(self._place), len(states)), dtype=np.uint8)
        for column, facts in enumerate(states):
            bits[[self._place[fact] for fact in facts], column] = 1
        return (1 << len(states)) - 1, to_lanes(bits)

    def _moves(self, legal: Sequence[int], count: int) -> list[dict[str, tuple[str, ...]]]:
        """Each role's moves, state by state."""
        bits = to_bits(legal, count)
        found = []
        for places in _set_rows(bits):
            moves: dict[str, list[str]] = {role: [] for role in self._rules.roles}
            for place in places:
                role, term = self._net.moves[place]
                moves.setdefault(role, []).append(term)
            found.append({role: tuple(terms) for role, terms in moves.items()})
        return found


def _holding(lanes: Mapping[Key, int], count: int) -> list[list[Key]]:
    """The keys whose lanes are set, state by state."""
    keys = list(lanes)
    return [[keys[row] for row in rows] for rows in _set_rows(to_bits(list(lanes.values()), count))]


def _set_rows(bits: Bits) -> list[list[int]]:
    """The rows that are set in each column."""
    columns = np.ascontiguousarray(bits.T).view(bool)  # bytes of 0 and 1, as numpy's own
    return [np.flatnonzero(column).tolist() for column in columns]
