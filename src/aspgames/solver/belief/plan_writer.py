"""Writes the plan of a certificate: a tree of the attacker's moves, by what it sees."""

from __future__ import annotations

from typing import Any

from ...runtime.errors import LimitReached
from .belief_outcomes import OutcomeTable
from .belief_values import Belief, BeliefValues
from .sure_search import SureSearch

_MOST_NODES = 200_000


class PlanWriter:
    """Writes a plan node by node. Each node has one edge from an earlier one."""

    def __init__(self, table: OutcomeTable, sure: SureSearch, values: BeliefValues) -> None:
        self._table, self._sure, self._values = table, sure, values
        self._nodes: list[dict[str, Any]] = []

    def plan(self, beliefs: dict[int, Belief], turns: int) -> dict[str, Any]:
        """The plan that reaches the goal as probably as possible within so many turns.

        ``beliefs`` are the first sets of states by what the attacker has seen. Raises
        ``LimitReached``.
        """
        self._sure.total = turns
        waiting: list[tuple[list[Any], Belief, int]] = []

        def edges(sets: dict[int, Belief], lefts: dict[int, int]) -> list[Any]:
            found = []
            for seen, belief in sets.items():
                if (left := lefts[seen]) and self._move(belief, left) >= 0:
                    edge: list[Any] = [[list(ply) for ply in self._table.history(seen)], None]
                    waiting.append((edge, belief, left))
                    found.append(edge)
            return found

        start = edges(beliefs, dict.fromkeys(beliefs, turns))
        for edge, belief, left in waiting:  # grows
            if len(self._nodes) >= _MOST_NODES:
                raise LimitReached(f"the plan has more than {_MOST_NODES:,} moves")
            edge[1] = len(self._nodes)
            move = self._move(belief, left)
            moves = self._sure.moves(belief.states, move)
            node: dict[str, Any] = {"move": self._table.terms[move]}
            self._nodes.append(node)
            lefts = {seen: left - begins for seen, _, begins in moves.sets(0)}
            if then := edges(self._values.after(belief, moves), lefts):
                node["then"] = then
        return {"start": start, "nodes": self._nodes}

    def _move(self, belief: Belief, turns: int) -> int:
        if self._sure.won(belief.states, turns):
            return self._sure.move(belief.states)
        return self._values.best(belief, turns).move
