"""The states of a puzzle with chance by number, their kinds and successors.

A net answers for many states at once; where none fits, the grounder answers for one at a time.

Where ``random`` moves together with a player, the player's move leads to a state of its own, in
which ``random`` is on move: the player doesn't see the roll.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import IntEnum
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...game.chance import refuse_stuck_chance
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...gdl.reasoner import Consequences, without_a_move
from ...gdl.rules import HIGHEST_GOAL, Facts
from ...propnet.gate_tables import Tables
from ...propnet.lanes import Array, Flags, Ints, Lanes, LegalScope, Rows
from ...propnet.state_set import StateSet
from ...propnet.weights import Weights
from ...puzzle.problem import Puzzle
from ...puzzle.question import no_puzzles
from ...runtime.budget import Budget
from ...runtime.errors import RulesError

Numbers = npt.NDArray[np.int64]
_LEGAL_ENTRIES = 1 << 24  # entries of the table of legal moves that are made at a time


class Kind(IntEnum):
    """Who moves in a state, if anybody does."""

    ATTACK, DEFEND, ROLL, REACHED, OVER = range(5)


class Edges(NamedTuple):
    """The moves in some states."""

    parents: Numbers
    """For each move the place of its state among those asked about, in ascending order."""
    children: Numbers
    moves: Numbers
    """The numbers of the moves; ``ChanceStates.terms`` names them."""
    weights: Numbers
    """The chances of each of ``random``'s moves, in proportion; 1 for other moves."""


class Column:
    """A growing array with an item for each state, node or edge."""

    def __init__(self, kind: npt.DTypeLike, width: tuple[int, ...] = ()) -> None:
        self._array, self._count = np.empty((1 << 10, *width), kind), 0

    def __len__(self) -> int:
        return self._count

    @property
    def array(self) -> Array:
        """The items so far."""
        return self._array[: self._count]

    def add(self, items: npt.ArrayLike) -> None:
        """Append items."""
        more: Array = np.asarray(items, self._array.dtype)
        end = self._count + len(more)
        if end > len(self._array):
            room = np.empty((max(end, 2 * len(self._array)), *self._array.shape[1:]), more.dtype)
            room[: self._count] = self.array
            self._array = room
        self._array[self._count : end] = more
        self._count = end


class ChanceStates(ABC):
    """States by number; number 0 is the puzzle's. Each new state is counted by the budget."""

    terms: Sequence[str]
    """The moves by number."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        """Raises as ``expand`` does."""
        self.puzzle, self.budget = puzzle, budget
        self.has_joint_rolls = False
        """Whether ``random`` moves together with a player in some state."""
        self.kinds = Column(np.uint8)
        """The kind of each state."""
        self.worth = Column(np.int64)
        """What each state counts that reaches the goal: 1, or the attacker's goal value."""

    @property
    @abstractmethod
    def bytes(self) -> int:
        """The memory for the states [bytes]."""

    @abstractmethod
    def expand(self, states: Numbers) -> Edges:
        """The moves in states of the kinds with moves. Raises ``BadRequest`` and ``RulesError``."""


class NetStates(ChanceStates):
    """States of a net, which are evaluated together."""

    def __init__(
        self,
        puzzle: Puzzle,
        tables: Tables,
        row: bytes,
        budget: Budget,
        weights: Weights | None = None,
    ) -> None:
        """``row`` is the puzzle's state. Raises as ``expand`` does."""
        super().__init__(puzzle, budget)
        self._tables, self._lanes, self._weights = tables, Lanes(tables), weights
        self.terms = tables.names.terms
        bounds = tables.names.bounds
        self._roles = list(tables.names.roles)
        lengths = np.subtract(bounds[1::2], bounds[::2])
        self._role_of = np.repeat(np.arange(len(lengths), dtype=np.int8), lengths)
        self._roller = self._roles.index(CHANCE)
        # The last word is 0, or 1 more than a player's move that waits for the roll.
        self._set = StateSet(tables.row_bytes // 8 + 1)
        self._rows = Column(np.uint64, (tables.row_bytes // 8 + 1,))
        self._add(np.append(np.frombuffer(row, np.uint64), np.uint64(0)).reshape(1, -1))

    @property
    def bytes(self) -> int:
        """The memory for the states [bytes]."""
        return self._set.bytes_with(0) + len(self.kinds) * (self._tables.row_bytes + 17)

    def expand(self, states: Numbers) -> Edges:
        """The moves in states of the kinds with moves. Raises ``BadRequest`` and ``RulesError``."""
        parents, children, moves, weights = (list[Numbers]() for _ in range(4))
        done = 0
        for part in self._parts(states):
            rows, waiting = self._rows.array[part, :-1], self._rows.array[part, -1].astype(int) - 1
            legal, singles, actors, together = self._moves(np.ascontiguousarray(rows), waiting)
            own = legal & (self._role_of == actors[:, None].astype(np.int8))
            at, move = np.divmod(np.flatnonzero(own), legal.shape[1])
            joint = singles[at]
            joint[np.arange(len(at)), actors[at]] = move
            late = np.flatnonzero(waiting[at] >= 0)
            joint[late, self._role_of[waiting[at[late]]]] = waiting[at[late]]
            played = self._lanes.play(np.ascontiguousarray(rows[at]), joint.astype(np.int32))
            chances = np.ones(len(at), np.int64)
            if self._weights is not None:
                rolls = self.kinds.array[part[at]] == Kind.ROLL
                chances[rolls] = self._weights.of(played[rolls], move[rolls])
                played = played & ~self._weights.mask
            after = np.concatenate([played, np.zeros((len(at), 1), np.uint64)], 1)
            if together.any():
                self.has_joint_rolls, waits = True, together[at]
                after[waits, :-1], after[waits, -1] = rows[at[waits]], move[waits] + 1
            weights.append(chances)
            parents.append(at + done)
            done += len(part)
            children.append(self._add(after))
            moves.append(move)
        return Edges(*map(np.concatenate, (parents, children, moves, weights)))

    def _parts(self, states: Numbers) -> Iterator[Numbers]:
        size = max(1, _LEGAL_ENTRIES // max(1, self._tables.moves))
        for first in range(0, len(states), size):
            yield states[first : first + size]

    def _add(self, rows: Rows) -> Numbers:
        """The numbers of states; new ones are judged."""
        before = len(self._set)
        numbers = self._set.add([rows])[0].astype(np.int64)
        new = self._set.rows(before, len(self._set))
        for part in self._parts(np.arange(len(new))):
            self.budget.spend(len(part))
            kinds, worth = self._judged(np.ascontiguousarray(new[part]))
            self.kinds.add(kinds)
            self.worth.add(worth)
        self._rows.add(new)
        return numbers

    def _moves(
        self, rows: Rows, waiting: Numbers
    ) -> tuple[npt.NDArray[np.bool_], Ints, Numbers, Flags]:
        """The legal moves, one of each role, and the role whose moves make the ply.

        Last, whether ``random`` moves together with that role, whose move then waits.
        """
        legal = np.empty((len(rows), self._tables.moves), np.bool_)
        singles, able, mover = self._able(rows, legal=legal)
        passer = self._roles.index(self.puzzle.defender or self.puzzle.attacker)
        actors = np.where(waiting >= 0, self._roller, np.where(mover < 0, passer, mover))
        together = (able[:, self._roller] > 1) & (actors != self._roller)
        return legal, singles, actors, together

    def _able(self, rows: Rows, **answers: Array) -> tuple[Ints, Ints, Ints]:
        """A move of each role, the number of its moves, and the mover; fills further answers.

        The mover is the role on move, or the only player with a choice.
        """
        singles, able = np.empty((2, len(rows), len(self._roles)), np.int32)
        mover, keys = np.empty(len(rows), np.int32), np.zeros(len(rows), np.uint64)
        answers |= {"choices": singles, "counts": able, "mover": mover, "keys": keys}
        self._lanes.fill(rows, answers, LegalScope.AS_THE_RULES_SAY)
        chooses = able > 1
        chooses[:, self._roller] = False
        alone = (mover < 0) & (chooses.sum(1) == 1)
        return singles, able, np.where(alone, chooses.argmax(1), mover).astype(np.int32)

    def _judged(self, rows: Rows) -> tuple[npt.NDArray[np.uint8], Ints]:
        """The kinds of states, and what they count.

        Raises ``BadRequest`` if several roles choose at once.
        """
        count, puzzle, roles = len(rows), self.puzzle, self._roles
        waiting, rows = rows[:, -1] > 0, np.ascontiguousarray(rows[:, :-1])
        over, goals = np.empty(count, np.bool_), np.empty((count, len(roles)), np.int32)
        _, able, mover = self._able(rows, terminal=over, goals=goals)
        attacker, roller = roles.index(puzzle.attacker), self._roller
        reached = scores(puzzle, roles, over, goals)
        if puzzle.goal.condition.trapped:
            trapped = roles.index(puzzle.defender or "")
            reached &= (mover == trapped) & (able[:, trapped] == 0)
        going = ~(reached | over)
        waits = able == 1
        waits[:, roller] |= able[:, roller] > 1
        waits[np.arange(count), np.maximum(mover, 0)] |= mover >= 0
        if (going & ~waits.all(1)).any():
            raise no_puzzles(puzzle.state.game)
        stuck = (mover >= 0) & (able[np.arange(count), np.maximum(mover, 0)] == 0)
        for place in np.flatnonzero(going & stuck & (mover == roller)):
            facts = self._tables.facts(rows[place].tobytes())
            raise without_a_move(puzzle.state.game.encoding, CHANCE, facts)
        kinds = np.full(count, Kind.DEFEND, np.uint8)
        kinds[mover == attacker] = Kind.ATTACK
        kinds[mover == roller] = Kind.ROLL
        kinds[over | stuck] = Kind.OVER
        kinds[reached] = Kind.REACHED
        kinds[waiting] = Kind.ROLL
        return kinds, goals[:, attacker] if puzzle.goal.expected else np.ones(count, np.int32)


class GroundedStates(ChanceStates):
    """States for which the grounder answers."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        """Raises as ``expand`` does."""
        super().__init__(puzzle, budget)
        self.terms: list[str] = []
        self._moves: dict[str, int] = {}
        self._numbers: dict[tuple[Facts, str], int] = {}
        self._states: list[tuple[State, str]] = []  # with a player's move that waits for the roll
        self._number(puzzle.state.game.without_nets.checked(puzzle.state.facts))

    @property
    def bytes(self) -> int:
        """The memory for the states [bytes]."""
        return 10_000 * len(self._states)

    def expand(self, states: Numbers) -> Edges:
        """The moves in states of the kinds with moves. Raises ``BadRequest`` and ``RulesError``."""
        edges = []
        for place, number in enumerate(states):
            state, waiting = self._states[number]
            rolls = self.kinds.array[number] == Kind.ROLL
            weights = weights_of(state) if rolls else {}
            player = self._player(state.consequences)
            together = player is not None and not waiting and len(state.legal[CHANCE]) > 1
            self.has_joint_rolls |= together
            moves = self.puzzle.moves(state)
            if waiting or together:
                moves = state.legal[CHANCE if waiting else player or ""]
            for move in sorted(moves, key=lambda move: move.term):
                term = self._moves.setdefault(move.term, len(self._moves))
                self.terms[term:] = [move.term] if term == len(self.terms) else self.terms[term:]
                if together:
                    child = self._number(state, move.term)
                else:
                    joint = {player: waiting, CHANCE: move.term} if waiting and player else move
                    child = self._number(state.play(joint))
                edges.append((place, child, term, weights.get(move.term, 1)))
        return Edges(*np.array(edges, np.int64).reshape(-1, 4).T)

    def _number(self, state: State, waiting: str = "") -> int:
        key = state.facts, waiting
        if key not in self._numbers:
            self.budget.spend()
            answers, attacker = state.consequences, self.puzzle.attacker
            if not self.puzzle.goal.holds(answers, attacker):
                refuse_stuck_chance(state)
            self.kinds.add([Kind.ROLL if waiting else self._kind(answers)])
            self.worth.add([answers.goals[attacker] if self.puzzle.goal.expected else 1])
            self._numbers[key] = len(self._states)
            self._states.append((state, waiting))
        return self._numbers[key]

    def _player(self, answers: Consequences) -> str | None:
        """The player on move, or the only one with a choice; None if there is none."""
        able = [r for r in self.puzzle.sides if len(answers.legal[r]) > 1]
        mover = answers.to_move if answers.to_move is not None or len(able) != 1 else able[0]
        return None if mover == CHANCE else mover

    def _kind(self, answers: Consequences) -> Kind:
        puzzle, mover = self.puzzle, answers.to_move
        if puzzle.goal.holds(answers, puzzle.attacker):
            return Kind.REACHED
        if answers.terminal:
            return Kind.OVER
        mover = self._player(answers) or mover
        if any(
            len(moves) != 1 and (role != CHANCE or not moves)
            for role, moves in answers.legal.items()
            if role != mover
        ):
            raise no_puzzles(puzzle.state.game)
        if mover is not None and not answers.legal[mover]:
            return Kind.OVER
        return {puzzle.attacker: Kind.ATTACK, CHANCE: Kind.ROLL}.get(mover or "", Kind.DEFEND)


def scores(puzzle: Puzzle, roles: Sequence[str], over: Flags, goals: Ints) -> Flags:
    """Whether states have the end and the goal values that the goal needs, (n,).

    ``goals`` are those of each role, (n, roles). Whether a side is trapped isn't asked.
    """
    when = puzzle.goal.condition
    reached = over | (not when.terminal)
    for role, (least, most) in ((puzzle.attacker, when.attacker), (puzzle.defender, when.defender)):
        if role is not None and (least, most) != (0, HIGHEST_GOAL):
            value = goals[:, roles.index(role)]
            reached &= (least <= value) & (value <= most)
    return reached


def weights_of(state: State) -> dict[str, int]:
    """The weights of the moves of ``random``, whole numbers in the least terms."""
    chances: list[tuple[str, Fraction]] = [(move.term, each) for move, each in state.chance]
    total = lcm(*(each.denominator for _, each in chances))
    if not chances:
        raise RulesError(f"nobody rolls in {' '.join(state.facts)}")
    return {term: int(each * total) for term, each in chances}
