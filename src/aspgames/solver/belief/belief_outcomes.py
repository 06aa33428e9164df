"""What may follow from a move of the attacker, up to its next turn, and what it sees meanwhile.

States are those in which the attacker is on move, by number. All others are stepped over: chance,
the other role and forced moves are outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...gdl.predicates import CHANCE
from ...gdl.reasoner import UNSETTLED, unsettled_goals, without_a_move
from ...propnet.lanes import Array, Flags, Rows
from ...propnet.percept_net import Answers, JointSteps, PerceptNet
from ...propnet.state_set import StateSet
from ...puzzle.problem import Puzzle
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import BadRequest, LimitReached, RulesError
from ..chance.chance_states import scores

Numbers = npt.NDArray[np.signedinteger]

WON, LOST = -1, -2
"""In place of a state: the goal is reached; play ends without it."""

_JOINT_MOVES = 1 << 21  # joint moves that are made at a time
_MOST_ENTRIES = 1 << 24  # joint moves of a set of states
_STATES_AT_ONCE = 1 << 14  # that play on at a time
_OUTCOME_BYTES = 48  # bytes
_MOST_PLIES = 1000  # plies without a move of the attacker


class Outcomes(NamedTuple):
    """What may follow from the moves in some states: one entry for each outcome of each move."""

    places: Numbers
    """The place of the state among those asked about, ascending."""
    moves: Numbers
    """The attacker's move by its number."""
    seen: Numbers
    """What the attacker saw until its next turn, by number: see ``OutcomeTable.history``."""
    after: Numbers
    """The state at that turn, ``WON`` or ``LOST``."""
    chances: Numbers
    """The probability by number: see ``OutcomeTable.probabilities``."""
    begins: Numbers
    """1 if the attacker begins a turn then; 0 if the same turn goes on."""


def _distinct(columns: Sequence[Array]) -> tuple[Numbers, Numbers]:
    """The places of the first of equal rows, and for each row the place among these."""
    rows = np.stack(columns, 1).astype(np.uint64, copy=False)
    (found,) = (known := StateSet(rows.shape[1])).add([rows])
    numbers = found.astype(np.int64)
    firsts = np.empty(len(known), np.int64)
    firsts[numbers[::-1]] = np.arange(len(rows))[::-1]
    return firsts, numbers


def _small(column: Numbers) -> Numbers:
    """The numbers with 16 or 32 bits."""
    is_short = column.min(initial=0) >= -(1 << 15) and column.max(initial=0) < 1 << 15
    found: Numbers = column.astype(np.int16 if is_short else np.int32)
    return found


class OutcomeTable:
    """The states of a puzzle in which the attacker is on move, with the outcomes of its moves."""

    def __init__(self, puzzle: Puzzle, budget: Budget, most_bytes: float) -> None:
        """Make the net. Raises ``BadRequest``, ``RulesError`` and ``LimitReached``."""
        vocabulary, game = puzzle.state.game.vocabulary, puzzle.state.game
        if puzzle.goal.condition.trapped:
            raise BadRequest(
                f"with hidden information the goal is win, lose, draw or score>=N, not "
                f"{puzzle.goal.text}"
            )
        extensions = [name for name in ("hidden", "weighted") if getattr(vocabulary, name)]
        self.puzzle, self._budget, self._most_bytes = puzzle, budget, most_bytes
        self.net = PerceptNet(game.rules, puzzle.state.facts, extensions, MOST_RULES, budget)
        roles = list(self.net.roles)
        self._attacker = roles.index(puzzle.attacker)
        self._defender = -1 if puzzle.defender is None else roles.index(puzzle.defender)
        self._mask = self.net.mask_of(puzzle.attacker)
        self._set = StateSet(self.net.tables.row_bytes // 8)
        self._known: dict[int, Outcomes] = {}
        self._bytes = 0
        self.probabilities: list[Fraction] = [Fraction(1)]
        """The probabilities by number."""
        self._numbers = {Fraction(1): 0}
        self._histories: list[tuple[int, bytes]] = [(-1, b"")]
        self._history_numbers: dict[tuple[int, bytes], int] = {}
        self.has_long_turns = False
        """Whether the attacker may make several moves in a turn."""
        self.is_certain = True
        """Whether no move so far had several outcomes."""

    @property
    def terms(self) -> Sequence[str]:
        """The moves by number."""
        return self.net.tables.names.terms

    def __len__(self) -> int:
        """The number of states."""
        return len(self._set)

    def row(self, state: int) -> Array:
        """The row of a state."""
        found: Array = self._set.rows(state, state + 1)[0]
        return found

    def history(self, number: int) -> tuple[tuple[str, ...], ...]:
        """What the attacker saw, ply by ply: its percepts as terms."""
        found = []
        while number:
            number, seen = self._histories[number]
            bits = np.frombuffer(seen, np.uint64)
            found.append(self.net.terms_of(bits, self.puzzle.attacker))
        return tuple(reversed(found))

    def before(self, history: int) -> int:
        """What the attacker saw one ply earlier, by number; 0 is nothing yet."""
        return self._histories[history][0]

    def length(self, history: int) -> int:
        """The number of plies in which the attacker saw this."""
        count = 0
        while history:
            history, count = self.before(history), count + 1
        return count

    def start(self) -> Outcomes:
        """What may come before the attacker's first turn; the move is -1."""
        rows = self.net.start
        one = np.zeros(1, np.int64)
        return self._follow(rows, one, one - 1, one, one)

    def outcomes(self, states: Sequence[int], among: Flags | None = None) -> Outcomes:
        """The outcomes of all moves in some states, or of those ``among`` all moves.

        Raises ``LimitReached``, also if they are too many, and ``RulesError``.
        """
        unknown = [state for state in states if state not in self._known]
        if among is None:
            if (joint := self.joint_moves(states)) > _MOST_ENTRIES:
                raise LimitReached(
                    f"{len(states):,} states have {joint:,} joint moves, too many for all of them"
                )
            self._expand(unknown)
        elif unknown:
            parts = [found for _, found in self._parts(states, among)]
            return Outcomes(*map(np.concatenate, zip(*parts, strict=True)))
        found = [self._known[state] for state in states]
        if among is not None:
            found = [Outcomes(*(c[among[each.moves]] for c in each)) for each in found]
        sizes = [len(each.moves) for each in found]
        places = np.repeat(np.arange(len(states)), sizes)
        columns = list(zip(*found, strict=True))[1:]
        return Outcomes(places, *map(np.concatenate, columns))

    def joint_moves(self, states: Sequence[int]) -> int:
        """The number of joint moves in some states."""
        return int(self.net.answers(self._rows(states)).counts.prod(1, np.int64).sum())

    def marked(self, moves: Sequence[int] | Numbers) -> Flags:
        """A flag for each move: whether it is one of these."""
        found = np.zeros(self.net.tables.moves, np.bool_)
        found[moves] = True
        return found

    def moves_in(self, states: Sequence[int]) -> Numbers:
        """The attacker's moves, by number, that are legal in some of the states."""
        first, end = self.net.bounds[self._attacker]
        known = np.zeros(self.net.tables.moves, np.bool_)
        for rows in np.array_split(self._rows(states), 1 + len(states) // 64):
            known |= self.net.legal(rows).any(0)
        return first + np.flatnonzero(known[first:end])

    def _rows(self, states: Sequence[int]) -> Rows:
        return np.concatenate([self._set.rows(state, state + 1) for state in states])

    def _expand(self, states: Sequence[int]) -> None:
        for part, found in self._parts(states):
            self._budget.spend(len(part))
            bounds = np.searchsorted(found.places, range(part.start, part.stop + 1))
            for place, state in enumerate(states[part.start : part.stop]):
                here = slice(bounds[place], bounds[place + 1])
                self._known[state] = Outcomes(*(_small(column[here]) for column in found))
            self._bytes += sum(column.nbytes for column in found) // 2
            if self._bytes > self._most_bytes:
                raise LimitReached(f"no answer within {self._most_bytes / 2**20:.0f} MiB")

    def _parts(
        self, states: Sequence[int], among: Flags | None = None
    ) -> Iterator[tuple[range, Outcomes]]:
        """The outcomes of some of the states at a time, with the places of these."""
        moves = self.net.tables.moves
        if among is not None:
            moves, among = int(among.sum()), among.copy()
            for first, end in self.net.bounds:
                if first != self.net.bounds[self._attacker][0]:
                    among[first:end] = True
        width = max(1, _JOINT_MOVES // max(1, moves))
        for first in range(0, len(states), width):
            part = states[first : first + width]
            self._budget.check()
            steps = self.net.joint_moves(self._rows(part), among=among)
            none = np.zeros(len(steps.rows), np.int64)
            chances, seen = self._chances(none, steps), self._saw(none, steps.percepts)
            own = steps.moves[:, self._attacker].astype(np.int64)
            found = self._follow(steps.rows, steps.parents, own, seen, chances)
            yield range(first, first + len(part)), found._replace(places=found.places + first)

    def _follow(
        self, rows: Rows, places: Numbers, moves: Numbers, seen: Numbers, chances: Numbers
    ) -> Outcomes:
        """Play on until the attacker's next turn."""
        done: list[tuple[Array, ...]] = []
        # A lone player begins a turn with each move, and the first one has been begun.
        begins = np.full(len(places), self._defender < 0 or not (moves >= 0).all())
        going = self._judged((rows, places, moves, seen, chances, begins), done)
        waiting = [(0, part) for part in going]
        while waiting:
            plies, (rows, places, moves, seen, chances, begins) = waiting.pop()
            if plies == _MOST_PLIES:
                raise RulesError(
                    f"{self.puzzle.attacker} isn't on move for {_MOST_PLIES} plies, perhaps never "
                    "again"
                )
            self._budget.check()
            steps = self.net.joint_moves(rows)
            before = (column[steps.parents] for column in (places, moves, seen, chances, begins))
            places, moves, seen, chances, begins = before
            seen, chances = self._saw(seen, steps.percepts), self._chances(chances, steps)
            going = self._judged((steps.rows, places, moves, seen, chances, begins), done)
            waiting += [(plies + 1, part) for part in going]
        self._budget.check()
        return self._merged([np.concatenate(column) for column in zip(*done, strict=True)])

    def _judged(
        self, columns: tuple[Array, ...], done: list[tuple[Array, ...]]
    ) -> Iterator[tuple[Array, ...]]:
        """Add the outcomes among some states, and yield the others, some at a time.

        The columns are rows, places, moves, what was seen, chances, and whether a turn begins.
        """
        rows, places, moves, seen, chances, begins = columns
        firsts, inverse = _distinct([*rows.T])
        distinct = np.ascontiguousarray(rows[firsts])
        answers = self.net.answers(distinct)
        reached, attacks = self._reached(answers), self._attacks(answers)
        self._refuse_idle(distinct, answers, reached)
        over = answers.terminal | (answers.counts.min(1) == 0)
        after = np.where(reached, WON, np.where(over, LOST, 0))
        turn = attacks & ~reached & ~over
        if self._defender >= 0:
            defends = answers.counts[:, self._defender] > 1
            begins = begins | (defends | (answers.mover == self._defender))[inverse]
        after[turn] = self._set.add([distinct[turn]])[0].astype(np.int64)
        ends = (reached | over | turn)[inverse]
        done.append(tuple(c[ends] for c in (places, moves, seen, after[inverse], chances, begins)))
        if len(self._set) * 8 * rows.shape[1] + sum(
            len(each[0]) for each in done
        ) * _OUTCOME_BYTES > (self._most_bytes):
            raise LimitReached(f"no answer within {self._most_bytes / 2**20:.0f} MiB")
        on = np.flatnonzero(~ends)
        for first in range(0, len(on), _STATES_AT_ONCE):
            part = on[first : first + _STATES_AT_ONCE]
            rest = (column[part] for column in (places, moves, seen, chances, begins))
            yield np.ascontiguousarray(rows[part]), *rest

    def _refuse_idle(self, rows: Rows, answers: Answers, reached: Flags) -> None:
        """Raise ``RulesError`` where ``random``, or a role that isn't on move, has no move."""
        for number, role in enumerate(self.net.roles):
            idle = (answers.counts[:, number] == 0) & ~answers.terminal & ~reached
            if role != CHANCE:
                idle &= answers.mover != number
            for place in np.flatnonzero(idle):
                raise without_a_move(
                    self.puzzle.state.game.encoding, role, self.net.facts(rows[place])
                )

    def _merged(self, columns: Sequence[Array]) -> Outcomes:
        """The outcomes, sorted; equal ones are one, with the sum of their probabilities."""
        places, moves, seen, after, chances, begins = columns
        keys = places * (len(self.terms) + 1) + moves
        sorted_, new = columns, keys[1:] > keys[:-1]
        if not new.all():
            order = np.lexsort((chances, begins, after, seen, keys))
            sorted_ = [column[order] for column in columns]
            keys = keys[order]
            new = keys[1:] != keys[:-1]
            for column in (sorted_[2], sorted_[3], sorted_[5]):
                new |= column[1:] != column[:-1]
        firsts = np.flatnonzero(np.append(len(places) > 0, new))
        if len(firsts) < len(places):
            ends = [*firsts[1:], len(places)]
            numbers = sorted_[4]
            for first, end in zip(firsts, ends, strict=True):
                if end - first > 1:
                    given = [self.probabilities[number] for number in numbers[first:end]]
                    numbers[first] = self._number(sum(given, Fraction(0)))
        found = Outcomes(*(column[firsts] for column in sorted_))
        self.has_long_turns |= not (found.begins | (found.after < 0)).all()
        if self.is_certain and len(found.moves) > 1:
            same = (found.moves[1:] == found.moves[:-1]) & (found.places[1:] == found.places[:-1])
            self.is_certain = not (same & (found.moves[1:] >= 0)).any()
        return found

    def _number(self, probability: Fraction) -> int:
        number = self._numbers.setdefault(probability, len(self.probabilities))
        if number == len(self.probabilities):
            self.probabilities.append(probability)
        return number

    def _chances(self, before: Numbers, steps: JointSteps) -> Numbers:
        """The probabilities, by number, after plies in some of which ``random`` chooses.

        The other role counts as one that chooses at random.
        """
        totals = steps.totals
        if self._defender >= 0:
            own, kind = steps.moves[:, self._defender], int(steps.moves.max(initial=0)) + 1
            distinct = np.unique(steps.parents * kind + own) // kind
            totals = totals * np.bincount(distinct, minlength=1)[steps.parents]
        rolls = np.flatnonzero(steps.weights != totals)
        after = before.copy()
        columns = [column[rolls] for column in (before, steps.weights, totals)]
        firsts, inverse = _distinct(columns)
        numbers = [
            self._number(self.probabilities[number] * Fraction(weight, total))
            for number, weight, total in np.stack(columns, 1)[firsts].tolist()
        ]
        after[rolls] = np.array(numbers, np.int64)[inverse]
        return after

    def _saw(self, before: Numbers, percepts: Rows) -> Numbers:
        """The histories after a ply, by number."""
        masked = percepts & self._mask
        firsts, inverse = _distinct([before, *masked[:, self._mask > 0].T])
        numbers = []
        for place in firsts:
            key = int(before[place]), masked[place].tobytes()
            number = self._history_numbers.setdefault(key, len(self._histories))
            if number == len(self._histories):
                self._histories.append(key)
            numbers.append(number)
        found: Numbers = np.array(numbers, np.int64)[inverse]
        return found

    def _attacks(self, answers: Answers) -> Flags:
        """Whether the attacker is on move, or has a choice."""
        own = answers.counts[:, self._attacker] > 1
        found: Flags = own | (answers.mover == self._attacker)
        return found

    def _reached(self, answers: Answers) -> Flags:
        if (answers.terminal[:, None] & (answers.goals == UNSETTLED)).any():
            places = np.argwhere(answers.goals == UNSETTLED)
            raise RulesError(unsettled_goals(self.net.roles[places[0][1]]))
        return scores(self.puzzle, self.net.roles, answers.terminal, answers.goals)
