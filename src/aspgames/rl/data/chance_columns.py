"""The columns of games with chance or percepts, for many rows of a net at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.state import State
from ...gdl.predicates import CHANCE
from ...play.playout import net_limits
from ...propnet.gate_tables import Tables
from ...propnet.lanes import Flags, Ints, Lanes, LegalScope, Rows
from ...propnet.net_translation import NetTranslation
from ...propnet.percept_net import PerceptNet
from ...propnet.weighted_rolls import WeightedRolls
from ...runtime.budget import UNLIMITED, Budget
from .columns import arrow
from .position_columns import distinct

_BYTES_AT_ONCE = 1 << 25  # for answers about legal moves
_ROWS_AT_ONCE = 1 << 14  # whose percepts are computed
_Lists = Mapping[str, tuple[npt.NDArray[Any], Sequence[tuple[str, ...]]]]
"""For each role the number of each row's list, and the lists."""


def chance_type() -> Any:
    """The type of a row's moves of ``random`` with their probabilities."""
    pa = arrow()
    return pa.list_(pa.struct([("term", pa.string()), ("chance", pa.string())]))


def percepts_type() -> Any:
    """The type of what a role perceives in a row."""
    return arrow().list_(arrow().string())


class ChanceLists:
    """Lists the moves of ``random`` with their probabilities, as ``State.chance`` does."""

    def __init__(self, tables: Tables, rolls: WeightedRolls | None) -> None:
        """``rolls`` is for a game with ``weight/2``."""
        names = tables.names
        self._lanes, self._rolls = Lanes(tables), rolls
        self._role = names.roles.index(CHANCE)
        self._first, self._end = names.bounds[2 * self._role : 2 * self._role + 2]
        self._terms = names.terms[self._first : self._end]

    def of(self, rows: Rows, going: Flags) -> Any:
        """The lists of some states; empty where play doesn't go on."""
        pa, there = arrow(), np.flatnonzero(going)
        numbers = np.zeros(len(rows), np.int64)
        lists: list[list[dict[str, str]]] = [[]]
        if len(there):
            which = np.asarray(distinct(rows[there])[0])
            firsts = there[np.unique(which, return_index=True)[1]]
            kinds, chances = distinct(self._chances(rows[firsts]))
            lists += [self._list(np.frombuffer(each, np.int64)) for each in chances]
            numbers[there] = 1 + np.asarray(kinds)[which]
        return pa.array(lists, chance_type()).take(pa.array(numbers))

    def _list(self, weights: npt.NDArray[np.int64]) -> list[dict[str, str]]:
        total = int(weights.sum())
        return [
            {"term": self._terms[place], "chance": str(Fraction(int(weights[place]), total))}
            for place in np.flatnonzero(weights).tolist()
        ]

    def _chances(self, rows: Rows) -> npt.NDArray[np.int64]:
        """The chances of each move of ``random``, in proportion, (n, its moves)."""
        size = max(1, _BYTES_AT_ONCE // (self._lanes.tables.moves + 8 * len(self._terms) + 1))
        parts = [rows[first : first + size] for first in range(0, len(rows), size)]
        return np.concatenate([self._some_chances(np.ascontiguousarray(part)) for part in parts])

    def _some_chances(self, rows: Rows) -> npt.NDArray[np.int64]:
        count, roles = len(rows), self._lanes.tables.roles
        legal = np.empty((count, self._lanes.tables.moves), np.bool_)
        choices, counts = (np.empty((count, roles), np.int32) for _ in range(2))
        movers, keys = np.empty(count, np.int32), np.zeros(count, np.uint64)
        answers = {"legal": legal, "choices": choices, "counts": counts, "mover": movers}
        self._lanes.fill(rows, answers | {"keys": keys}, LegalScope.ALL_PLAYABLE)
        found = legal[:, self._first : self._end].astype(np.int64)
        found[(counts[:, self._role] <= 1) & (movers != self._role)] = 0
        if self._rolls is not None:
            rolls = np.flatnonzero(found.any(axis=1))
            weights = self._rolls.chances(rows[rolls], choices[rolls])
            found[rolls] = np.where(weights.any(axis=1, keepdims=True), weights, found[rolls])
        return found


class PerceptLists:
    """Lists what roles perceive, as ``State.sees`` does."""

    def __init__(self, start: State, tables: Tables) -> None:
        """``tables`` are those of the net of all states reachable from ``start``."""
        self._start, self._tables = start, tables
        self._net: PerceptNet | None = None
        self._budget = UNLIMITED

    def find_net(self, games: int, budget: Budget) -> None:
        """Use a net with percepts, if it takes no longer than ``games`` games by the grounder."""
        self._budget = budget
        if self._net is None:
            answers = self._start.game.percept_answers
            self._net = answers.net(self._start.facts, *net_limits(games, budget))

    def of(self, rows: Rows, moves: Ints, going: Flags) -> Mapping[str, Any]:
        """What each player perceives of joint moves, (n, roles); null where play ends."""
        there = np.flatnonzero(going)
        rows, moves = np.ascontiguousarray(rows[there]), np.ascontiguousarray(moves[there])
        by_role = self._by_net(self._net, rows, moves) if self._net else self._by_rules(rows, moves)
        found = {}
        for role, (kinds, lists) in by_role.items():
            numbers = np.zeros(len(going), np.int64)
            numbers[there] = kinds
            taken = arrow().array(numbers, mask=~going)
            found[role] = arrow().array(lists, percepts_type()).take(taken)
        return found

    def _by_net(self, net: PerceptNet, rows: Rows, moves: Ints) -> _Lists:
        own = NetTranslation(self._tables, net.tables)
        ends = range(0, len(rows), _ROWS_AT_ONCE)
        percepts = np.zeros((len(rows), net.tables.row_bytes // 8), np.uint64)
        for part in (slice(first, first + _ROWS_AT_ONCE) for first in ends):
            percepts[part] = net.play(own.rows(rows[part]), own.moves(moves[part]))[1]
        found = {}
        for role in self._start.game.players:
            kinds, bits = distinct(percepts & net.mask_of(role))
            lists = [net.terms_of(np.frombuffer(each, np.uint64), role) for each in bits]
            found[role] = np.asarray(kinds), lists
        return found

    def _by_rules(self, rows: Rows, moves: Ints) -> _Lists:
        names, game = self._tables.names, self._start.game
        width = rows.shape[1] * 8
        kinds, values = distinct(
            np.concatenate([rows.view(np.uint8), moves.view(np.uint8)], axis=1)
        )
        seen = []
        for value in values if len(rows) else ():
            self._budget.check()
            numbers = np.frombuffer(value[width:], np.int32).tolist()
            joint = dict(zip(names.roles, (names.terms[n] for n in numbers), strict=True))
            seen.append(game.percept_answers.of(self._tables.facts(value[:width]), joint))
        return {role: (np.asarray(kinds), [each[role] for each in seen]) for role in game.players}
