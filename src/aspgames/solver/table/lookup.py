"""Lookups in a table: the value of a state, and the best moves."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike, fspath

import numpy as np

from ...asp.terms import Constants
from ...game.game import Game
from ...game.move import Move
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...propnet.value_induction import UNKNOWN
from ...runtime.errors import BadPosition, BadRequest
from .outcomes import preferences, worth_an_end
from .table_file import RUN, Block, TableBatch, read

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Value:
    """The result of best play from a state."""

    goals: Mapping[str, int] | None
    """Each role's goal value at the end; None for endless play."""
    distance: int | None
    """The plies until the end."""
    expected: Mapping[str, Bounds] | None = None
    """In a game with chance, in place of both: the bounds of the goal value that each player can
    expect, whatever the others do; equal if it is known exactly."""


class Table:
    """A game solved completely: the outcome and the distance of each state, looked up on disk.

    ``Table(path)`` opens a file that ``aspgames table`` has written. The file is mapped into
    memory, so opening it takes no time and lookups take no memory.
    """

    def __init__(self, path: str | PathLike[str], game: Game | None = None) -> None:
        """Open a file. ``game``, if given, must be the table's game.

        Raises ``BadRequest`` for a file that isn't a complete table, or a table of another game or
        other rules. The methods raise it when they find that the file is damaged.
        """
        self.path = fspath(path)
        self.about, self._parts = read(self.path)
        self._firsts = [part.states[0].tobytes() for part in self._parts]
        self._starts = np.cumsum([0, *(len(part.states) for part in self._parts)]).tolist()
        self._bits = {fluent: 1 << place for place, fluent in enumerate(self.about.fluents)}
        self._certain = frozenset(self.about.certain)
        self._preferences = preferences(self.about.outcomes, len(self.about.roles))
        if game is not None:
            self.must_be_of(game)

    def must_be_of(self, game: Game) -> None:
        """Raise ``BadRequest`` if the table is of another game, or was made with other rules."""
        about = self.about
        if about.name != game.name or dict(game.constants) != dict(about.constants):
            text = f"{game.name}{_constants(game.constants)}"
            its = f"{about.name}{_constants(about.constants)}"
            raise BadRequest(f"{self.path} is a table of {its}, not of {text}")
        if about.rules != game.encoding.fingerprint or about.roles != game.roles:
            raise BadRequest(
                f"{self.path} was made with other rules of {about.name} than these: make it anew"
            )

    def __len__(self) -> int:
        return self.about.states

    def __contains__(self, state: State) -> bool:
        return self._find(state) is not None

    def value(self, state: State) -> Value:
        """The outcome and the distance of a state.

        Raises ``BadPosition`` for a state that isn't reachable from the table's start.
        """
        place = self._find(state)
        if place is None:
            raise BadPosition(f"{self.path} doesn't have this position: play doesn't lead there")
        return self.value_at(place)

    def goals(self, state: State) -> Mapping[str, int] | None:
        """Each role's goal value if all play best; None for endless play.

        Raises ``BadPosition``.
        """
        return self.value(state).goals

    def distance(self, state: State) -> int | None:
        """The plies until the end if all play best; None for endless play.

        Raises ``BadPosition``.
        """
        return self.value(state).distance

    def values(self, state: State) -> list[tuple[Move, Value]]:
        """The legal moves of the role on move, each with the value of the state after it.

        The best moves come first. Raises ``BadPosition``.
        """
        role = self.about.roles.index(state.to_move) if state.to_move else 0
        found = [(move, self.value(state.play(move))) for move in state.legal_moves]
        if self.about.one and state.to_move == CHANCE:
            return found
        return sorted(found, key=lambda one: self._liking(role, one[1]), reverse=True)

    def best(self, state: State) -> list[Move]:
        """The moves that keep a state's value and distance; empty if the game is over.

        In a game with chance: the moves with the highest lower bound; empty if chance moves. Raises
        ``BadPosition``.
        """
        role = self.about.roles.index(state.to_move) if state.to_move else 0
        found = [] if state.to_move == CHANCE else self.values(state)
        return [m for m, v in found if self._liking(role, v) == self._liking(role, found[0][1])]

    def follows(self, role: int | None, values: Sequence[Value]) -> Value:
        """The value of a state from its successors' values; the role chooses, None: nobody."""
        if role is None:
            return _one_ply_more(values[0])
        found = max(values, key=lambda value: self._liking(role, value))
        open_ended = any(value.goals is None for value in values)
        if open_ended and found.goals is not None and not self._is_worth_an_end(role, found):
            return Value(None, None)
        return _one_ply_more(found)

    def facts(self, place: int) -> tuple[str, ...]:
        """The sorted facts of the state at a place, from 0 on."""
        part, within = self._row(place)
        bits = int.from_bytes(part.states[within].tobytes(), "big")
        held = [fluent for fluent, bit in self._bits.items() if bits & bit]
        return tuple(sorted([*held, *self.about.certain]))

    def parts(self) -> Iterator[Block]:
        """All states."""
        for part in self._parts:
            for row in range(0, len(part.states), RUN):
                part.check(row)
            if self.about.one:
                words = np.stack([each.view(">u8")[:, ::-1] for each in part.columns], 1)
                yield (
                    part.states,
                    words.astype(np.uint64).reshape(len(words), -1, 2, words.shape[2]),
                )
                continue
            outcomes, distances = (each.astype(np.uint32) for each in part.columns)
            values = outcomes << np.uint32(16) | distances
            values[outcomes == len(self.about.outcomes)] = UNKNOWN
            yield part.states, values

    def _row(self, place: int) -> tuple[TableBatch, int]:
        number = bisect_right(self._starts, place) - 1
        part, row = self._parts[number], place - self._starts[number]
        part.check(row)
        return part, row

    def value_at(self, place: int) -> Value:
        """The value of the state at a place."""
        part, within = self._row(place)
        if self.about.one:
            found = (int.from_bytes(each[within].tobytes(), "big") for each in part.columns)
            bounds = [Fraction(each, self.about.one) for each in found]
            players = self.about.players
            return Value(
                None,
                None,
                dict(zip(players, zip(bounds[::2], bounds[1::2], strict=True), strict=True)),
            )
        outcome = int(part.columns[0][within])
        if outcome == len(self.about.outcomes):
            return Value(None, None)
        goals = dict(zip(self.about.roles, self.about.outcomes[outcome], strict=True))
        return Value(goals, int(part.columns[1][within]))

    def _find(self, state: State) -> int | None:
        bits, certain = 0, 0
        for fact in state.facts:
            bit = self._bits.get(fact)
            if bit is None:
                if fact not in self._certain:
                    return None
                certain += 1
            else:
                bits |= bit
        if certain < len(self._certain):
            return None
        key = self._least(bits).to_bytes(self.about.state_bytes, "big")
        number = bisect_right(self._firsts, key) - 1
        if number < 0:
            return None
        part = self._parts[number]

        def state_at(row: int) -> bytes:
            part.check(row)
            found: bytes = part.states[row].tobytes()
            return found

        rows = range(len(part.states))
        row = bisect_left(rows, key, key=state_at)
        return int(self._starts[number]) + row if row in rows and state_at(row) == key else None

    def _least(self, bits: int) -> int:
        """The least image of a state under the symmetries."""
        held = [place for place in range(len(self._bits)) if bits >> place & 1]
        images = (sum(1 << goes[place] for place in held) for goes in self.about.symmetries)
        return min((bits, *images))

    def _is_worth_an_end(self, role: int, value: Value) -> bool:
        outcome = self.about.outcomes.index(tuple((value.goals or {}).values()))
        return bool(worth_an_end(self.about.outcomes, len(self.about.roles))[role, outcome])

    def _liking(self, role: int, value: Value) -> tuple[float | Fraction, ...]:
        """A key that is higher for values that a role prefers."""
        if value.expected is not None:
            return (value.expected[self.about.roles[role]][0],)
        if value.goals is None or value.distance is None:
            even = [n for n, goals in enumerate(self.about.outcomes) if goals[role] == max(goals)]
            ranks = self._preferences.ranks[role]
            return (min((int(ranks[n]) for n in even), default=-1) - 0.5, 0)
        outcome = self.about.outcomes.index(tuple(value.goals.values()))
        hurries = self._preferences.hurry[role, outcome]
        return (
            float(self._preferences.ranks[role, outcome]),
            -value.distance if hurries else value.distance,
            -outcome,
        )


def _one_ply_more(value: Value) -> Value:
    return Value(value.goals, None if value.distance is None else value.distance + 1)


def _constants(constants: Constants) -> str:
    text = ", ".join(f"{name}={value}" for name, value in constants.items())
    return f" ({text})" if text else ""
