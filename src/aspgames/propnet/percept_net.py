"""A net whose rows also carry what the last joint move showed to the roles, and its chances.

The rules get two more rules, so the net needs nothing new: the percepts and the weight of a joint
move are fluents of the state after it. They are taken off again when rows are made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..gdl.predicates import CHANCE
from ..gdl.rules import Facts, Rules
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import LimitReached
from .lanes import Array, Flags, Ints, KernelArray, Lanes, LegalScope, Rows
from .reachable_nets import net_for
from .state_nets import kept, key_of, knows
from .weights import RULES, Weights, mask_of

Places = npt.NDArray[np.int64]
"""The places of rows in an array."""

_LEGAL_AT_ONCE = 1 << 14  # states whose legal moves are in memory
_SEEN = "aspgames_seen"
PERCEPT_RULES = f"next({_SEEN}(R,P)) :- sees(R,P), role(R)."
"""More rules, by which the percepts of a move are fluents of the state after it."""

_RULES = {"hidden": PERCEPT_RULES, "weighted": RULES}


class Answers(NamedTuple):
    """What the net says of some states."""

    terminal: Flags
    mover: Ints
    """The role on move by its number; -1 if none or several are."""
    goals: Ints
    """(n, roles)"""
    counts: Ints
    """The number of each role's moves, (n, roles), counted in terminal states, too."""


@dataclass(frozen=True)
class JointSteps:
    """Joint moves of some states, and the states after them."""

    parents: Places
    """The places of the states before, ascending."""
    moves: Ints
    """The number of each role's move, (n, roles)."""
    rows: Rows
    """The states after."""
    percepts: Rows
    """What the roles perceive: the bits of percepts alone."""
    weights: Places
    """The chances of the move of ``random``, in proportion to those of its other moves."""
    totals: Places
    """The sum of the chances of its moves; equal to the weight where it has no choice."""


class PerceptNet:
    """A closed net with percepts, for many states at once."""

    def __init__(
        self,
        rules: Rules,
        facts: Facts,
        extensions: Sequence[str],
        most_rules: int = MOST_RULES,
        budget: Budget = UNLIMITED,
    ) -> None:
        """The net of all states reachable from ``facts``. ``extensions``: ``hidden``, ``weighted``.

        It is kept on disk. Raises the exceptions of ``Net``.
        """
        extended = with_rules(rules, "\n".join(_RULES[each] for each in extensions))
        self.tables = kept(
            key_of(extended, "percepts", " ".join(facts)),
            knows(facts),
            lambda: net_for(extended, facts, most_rules, budget).tables(),
            most_rules,
        )
        self.roles = self.tables.names.roles
        self.weighted = "weighted" in extensions
        self.lanes = Lanes(self.tables)
        """Answers about rows of the net."""
        bounds = self.tables.names.bounds
        self.bounds = list(zip(bounds[::2], bounds[1::2], strict=True))
        """For each role its first move, and the one after its last."""
        always = [f for f in self.tables.names.certain if f.startswith(_SEEN)]
        assert not always, "no state of a position has percepts"
        start = self.tables.row(facts)
        assert start is not None, "the net is made from this state"
        self.start: Rows = np.frombuffer(start, np.uint64).reshape(1, -1).copy()
        """The row of the first state, (1, words)."""
        self._weights = Weights(self.tables, rules.encoding) if self.weighted else None
        self._percepts = mask_of(self.tables, f"{_SEEN}(")
        self._added = self._percepts
        if self._weights:
            self._added = self._added | self._weights.mask

    def mask_of(self, role: str) -> Rows:
        """The bits of a role's percepts, (words,)."""
        return mask_of(self.tables, f"{_SEEN}({role},")

    def facts(self, row: Array) -> Facts:
        """The facts of a row."""
        return self.tables.facts(row.tobytes())

    def row(self, facts: Facts) -> Array | None:
        """The row of facts; None if play leads to no state with all of these."""
        found = self.tables.row(facts)
        return None if found is None else np.frombuffer(found, np.uint64)

    def percepts_row(self, role: str, percepts: Iterable[str]) -> Array | None:
        """The bits of a role's percepts, (words,); None if it never perceives one of them."""
        places = {term: place for place, (who, term) in self._percept_terms.items() if who == role}
        if not places.keys() >= {*percepts}:
            return None
        bits = sum(1 << places[term] for term in {*percepts})
        return np.frombuffer(bits.to_bytes(self.tables.row_bytes, "little"), np.uint64)

    def going(self, rows: Rows) -> Flags:
        """Which states aren't terminal, (n,)."""
        terminal = np.empty(len(rows), np.bool_)
        self.lanes.fill(rows, {"terminal": terminal}, LegalScope.AS_THE_RULES_SAY)
        return ~terminal

    @cached_property
    def _percept_terms(self) -> Mapping[int, tuple[str, str]]:
        """Role and percept of each place of a percept's bit."""
        found = {}
        for place, fluent in enumerate(self.tables.names.fluents):
            for role in self.roles:
                beginning = f"{_SEEN}({role},"
                if fluent.startswith(beginning):
                    found[place] = role, fluent[len(beginning) : -1]
        return found

    def terms_of(self, percepts: Array, role: str) -> tuple[str, ...]:
        """The percepts of a role as terms, sorted."""
        bits = int.from_bytes(percepts.tobytes(), "little")
        terms = self._percept_terms.items()
        return tuple(sorted(t for place, (who, t) in terms if who == role and bits >> place & 1))

    def percepts_of(self, roles: Sequence[str]) -> list[str]:
        """All percepts that some of the roles may have, sorted."""
        return sorted({term for role, term in self._percept_terms.values() if role in roles})

    def places_of(self, role: str, columns: Mapping[str, int]) -> tuple[list[int], list[int]]:
        """The places of a role's percepts in a row [bits], and the column of each percept."""
        found = [
            (place, columns[term])
            for place, (who, term) in self._percept_terms.items()
            if who == role
        ]
        return [place for place, _ in found], [column for _, column in found]

    def seen(self, facts: Facts, joint: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """What each role perceives of a legal joint move: terms, sorted."""
        row = self.tables.row(facts)
        assert row is not None, "play leads to the state"
        numbers = self.tables.move_numbers
        moves = np.array([[numbers.get((r, joint[r]), -1) for r in self.roles]], np.int32)
        _, (percepts,) = self.play(np.frombuffer(row, np.uint64).reshape(1, -1), moves)
        return {role: self.terms_of(percepts, role) for role in self.roles}

    def play(self, rows: Rows, moves: Ints) -> tuple[Rows, Rows]:
        """The states after legal joint moves, (n, roles), and the bits of percepts."""
        after = self.lanes.play(rows, moves)
        return after & ~self._added, after & self._percepts

    def answers(self, rows: Rows) -> Answers:
        """Answers about states. Raises ``RulesError`` for unsettled goals."""
        count, roles = len(rows), len(self.roles)
        found = Answers(
            np.empty(count, np.bool_),
            np.empty(count, np.int32),
            np.empty((count, roles), np.int32),
            np.empty((count, roles), np.int32),
        )
        into = {"terminal": found.terminal, "mover": found.mover, "goals": found.goals}
        self._fill_counts(rows, found.counts, LegalScope.AS_THE_RULES_SAY, into)
        return found

    def legal(self, rows: Rows) -> Flags:
        """Which moves are legal in states, (n, moves); none in a terminal state."""
        found = np.empty((len(rows), self.tables.moves), np.bool_)
        self.lanes.fill(rows, {"legal": found}, LegalScope.ALL_PLAYABLE)
        return found

    def legal_everywhere(self, rows: Rows, role: str) -> set[str]:
        """The role's moves, as terms, that are legal in all of some states, none terminal."""
        first, end = self.bounds[self.roles.index(role)]
        known = np.ones(end - first, np.bool_)
        for part in np.array_split(rows, 1 + len(rows) // _LEGAL_AT_ONCE):
            known &= self.legal(np.ascontiguousarray(part))[:, first:end].all(0)
        places = np.flatnonzero(known).tolist()
        return {self.tables.names.terms[first + place] for place in places}

    def rows(self, states: Iterable[Facts]) -> Rows:
        """The rows of states to which play leads, (n, words)."""
        found = b"".join(self.tables.row(facts) or b"" for facts in states)
        return np.frombuffer(found, np.uint64).reshape(-1, self.tables.row_bytes // 8)

    def _fill_counts(
        self,
        rows: Rows,
        counts: Ints,
        scope: LegalScope,
        more: Mapping[str, Array] = MappingProxyType({}),
    ) -> Ints:
        """Write the number of each role's moves, and more answers; returns one move of each."""
        some = np.empty_like(counts)
        keys = np.zeros(len(rows), np.uint64)
        self.lanes.fill(rows, {"choices": some, "keys": keys, "counts": counts, **more}, scope)
        return some

    def joint_moves(
        self,
        rows: Rows,
        given: tuple[str, str] | None = None,
        most: float = inf,
        among: Flags | None = None,
    ) -> JointSteps:
        """All joint moves of states; a terminal state has none.

        With ``given``, a role and a move, only those in which the role makes this move; with
        ``among``, (moves,), only those moves. Raises ``LimitReached`` for more than ``most``, and
        ``RulesError`` if a weight is missing, or isn't one whole number of at least 1.
        """
        if given and (found := self._single_moves(rows, given)) and len(rows) <= most:
            return found
        count, roles = len(rows), len(self.roles)
        legal = self.legal(rows)
        if among is not None:
            legal &= among
        bounds = [*self.bounds]
        if given:
            number = self.tables.move_numbers.get(given)
            bounds[self.roles.index(given[0])] = (0, 0) if number is None else (number, number + 1)
        lists = [np.nonzero(legal[:, first:end]) for first, end in bounds]
        counts = np.stack([np.bincount(at, minlength=count) for at, _ in lists], 1)
        total = counts.prod(1)
        if total.sum() > most:
            raise LimitReached(f"more than {most:,.0f} joint moves fit")
        parents: Places = np.repeat(np.arange(count), total)
        rank = np.arange(len(parents)) - np.repeat(np.cumsum(total) - total, total)
        moves = np.empty((len(parents), roles), np.int32)
        for role in reversed(range(roles)):
            ends = np.cumsum(counts[:, role])
            size = counts[parents, role]
            at = (ends - counts[:, role])[parents] + rank % np.maximum(size, 1)
            moves[:, role] = lists[role][1][at] + bounds[role][0]
            rank //= np.maximum(size, 1)
        before = np.ascontiguousarray(rows[parents])
        after = self.lanes.play(before, moves) if len(parents) else before
        weights = self._chances(after, moves)
        percepts = after & self._percepts
        sums = np.add.reduceat(weights, np.cumsum(total[total > 0]) - total[total > 0])
        sums = np.repeat(sums, total[total > 0])
        if CHANCE in self.roles:  # each of its moves is counted with each move of the others
            sums //= (total // np.maximum(counts[:, self.roles.index(CHANCE)], 1))[parents]
        else:
            sums = weights
        return JointSteps(parents, moves, after & ~self._added, percepts, weights, sums)

    def _chances(self, after: Rows, moves: Ints) -> Places:
        """The chances of the moves of ``random``, in proportion; 1 where all are alike, (n,)."""
        if self._weights is None:
            return np.ones(len(after), np.int64)
        return self._weights.of(after, moves[:, self.roles.index(CHANCE)])

    def _single_moves(self, rows: Rows, given: tuple[str, str]) -> JointSteps | None:
        """The joint moves with this one, if it is legal everywhere and all others have one move.

        It asks for no list of all legal moves, which may be long. None: look at the lists.
        """
        counts = np.empty((len(rows), len(self.roles)), np.int32)
        moves = self._fill_counts(rows, counts, LegalScope.ALL_PLAYABLE)
        place, number = self.roles.index(given[0]), self.tables.move_numbers.get(given)
        if number is None or not counts[:, place].all() or (np.delete(counts, place, 1) != 1).any():
            return None
        moves[:, place] = number
        after = np.empty_like(rows)
        blocks = KernelArray(rows), KernelArray(moves), KernelArray(after)
        if self.lanes.step(*blocks, {}) is not None:
            return None
        parents: Places = np.arange(len(rows))
        weights = self._chances(after, moves)
        percepts = after & self._percepts
        return JointSteps(parents, moves, after & ~self._added, percepts, weights, weights)


@lru_cache(maxsize=16)
def with_rules(rules: Rules, text: str) -> Rules:
    """The rules with some more."""
    if not text:
        return rules
    return replace(rules, encoding=rules.encoding.with_rules(text))
