"""A fast reasoner for lists of states: one net answers for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..gdl.reasoner import Consequences, Facts, Rules, the_one_on_move
from .lanes import Lanes, Rows
from .net import Net

_MOST = 1 << 12  # states at once


class BatchReasoner:
    """Answers questions about states with fluents from a given set."""

    def __init__(self, rules: Rules, fluents: Iterable[str], most_rules: int = 150_000) -> None:
        """Build the net of all states with only these fluents."""
        self._rules = rules
        self._most_rules = most_rules
        self._build(fluents)

    def _build(self, fluents: Iterable[str]) -> None:
        net = Net(self._rules, (), sorted(fluents), closed=True, most_rules=self._most_rules)
        self._lanes = Lanes(net.tables())
        self._tables = self._lanes.tables
        self._names = self._tables.names

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]:
        """The consequences of each state (see ``Reasoner``)."""
        return [
            said
            for first in range(0, len(states), _MOST)
            for said in self._consequences(states[first : first + _MOST])
        ]

    def _consequences(self, states: Sequence[Facts]) -> Iterable[Consequences]:
        rows = self._rows(states)
        answer = self._lanes.ask(rows)
        roles, bounds, terms = self._names.roles, self._names.bounds, self._names.terms
        for place in range(len(states)):
            moves = np.flatnonzero(answer.legal[place])
            ends = np.searchsorted(moves, bounds).tolist()
            legal = {
                role: tuple(terms[move] for move in moves[first:end].tolist())
                for role, first, end in zip(roles, ends[::2], ends[1::2], strict=True)
            }
            values = answer.goals[place].tolist()
            goals = dict(zip(self._rules.roles, values, strict=False))
            on_move = [
                role for role, is_on in zip(roles, answer.to_move[place], strict=True) if is_on
            ]
            yield Consequences(
                legal, bool(answer.terminal[place]), goals, the_one_on_move(on_move, legal)
            )

    def successors(
        self, states: Sequence[Facts], joints: Sequence[Mapping[str, str]]
    ) -> list[Facts]:
        """The state after each state's joint move, which must be legal there."""
        found: list[Facts] = []
        for first in range(0, len(states), _MOST):
            rows = self._rows(states[first : first + _MOST])
            moves = np.full((len(rows), self._tables.roles), -1, np.int32)
            for place, joint in enumerate(joints[first : first + _MOST]):
                for number, role in enumerate(self._names.roles):
                    if role in joint:
                        moves[place, number] = self._tables.move_numbers[role, joint[role]]
            after = self._lanes.play(rows, moves)
            found += (self._tables.facts(row.tobytes()) for row in after)
        return found

    def _rows(self, states: Sequence[Facts]) -> Rows:
        packed = [self._tables.row(facts) for facts in states]
        if None in packed:
            # The net lacks a fluent: make a net with this fluent, too.
            self._build({*self._names.fluents, *(fact for facts in states for fact in facts)})
            packed = [self._tables.row(facts) for facts in states]
        rows = b"".join(row for row in packed if row is not None)
        return np.frombuffer(rows, np.uint64).reshape(len(states), self._tables.row_bytes // 8)
