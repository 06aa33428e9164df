"""Play by rules that say of a state whether the move before was allowed.

Such rules (``encodings/shared/problems/rules.lp``) need no look ahead, so a condition is a few
lines there. The goals of a state have the bits that are described there.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import atan2, gcd, tau

from ..game.board import Square
from ..game.game import Game
from ..game.state import State
from ..gdl.reasoner.net_answer import bounds_of
from ..propnet.single_state import Single
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.errors import LimitReached

_CHECK, _BROKEN, _FORBIDDEN, _UNKNOWN, _CHOOSING = 1, 2, 4, 8, 16  # bits of the first role's goal
_ONLY_MATE, _SINGLE_MATE, _TRIED, _ONE_FLIGHT, _CAGED = 1, 2, 4, 8, 16  # bits of the second role's

_MOST_KEPT = 400_000  # states
_DEEPEST = 6  # states ahead that a demand looks at
_TERM = re.compile(
    r"move\((\d+),(\d+),(\d+),(\d+),(\d+),(\d+),(\w+|\"\w+\"|(?:kills|bears|exits|crowns|turns|joins)\([\w\",]+\)),(-?\d+)\)"
)


_PAWN = re.compile(r"cell\((\d),(\d),unit\(\w+,\"?[bm]?p\"?,")
_ROYAL = re.compile(r"cell\((\d),(\d),unit\(\w+,(?:(?:k|po|st),|\"?\w+\"?,royal)")


class Place:
    """A state: its row in the net, and what the rules say of it."""

    __slots__ = ("allowed", "checked", "demand", "flag", "mover", "moves", "row")

    def __init__(self, row: bytes, answer: Sequence[int]) -> None:
        self.row, self.mover = row, answer[2]
        self.flag, self.demand = answer[3], answer[6]
        first, end = bounds_of(answer, answer[2])
        self.moves = answer[first:end]
        self.checked = bool(self.flag & _CHECK)
        """Whether the side on move is in check."""
        self.allowed: list[tuple[int, Place]] | None = None
        """The numbers of the moves with the places after them, once they are known."""


_LINES = ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (-1, 0), (0, 1), (1, 0))
_PROMOTIONS = ("q", "s", "r", "b")

_Order = tuple[int, int, int, float, int, int]


class MoveParts:
    """The parts of a move's term."""

    __slots__ = (
        "castles", "choice", "end", "exit", "kills", "orders", "rank", "start", "taken", "term",
    )  # fmt: skip

    def __init__(self, term: str) -> None:
        found = _TERM.fullmatch(term)
        parts = found.groups() if found else ("0",) * 6 + ("same", "0")
        x, y, u, v, p, q = map(int, parts[:6])
        self.term, self.start, self.end, self.taken = term, (x, y), (u, v), (p, q)
        self.castles, self.kills = parts[6] == "castles", parts[6].startswith("kills")
        way_out = re.match(r"exits\((\d),(\d)", parts[6])
        self.exit = (int(way_out[1]), int(way_out[2])) if way_out else self.end
        """Where the piece is after the move: it may leave through a wormhole."""
        self.rank = int(parts[7])
        self.choice = list(map(int, re.findall("[0-9]+", term)))[1::-1]
        """Where a choice stands among others: its rank and file."""
        became = _PROMOTIONS.index(parts[6]) if parts[6] in _PROMOTIONS else len(_PROMOTIONS)
        self.orders = self._order(False, became), self._order(True, became)
        """Where it stands among the moves in Popeye's order: of a piece, and of a pawn."""

    def followed_by(self, choice: str) -> "MoveParts":
        """The parts of a move with a choice."""
        found = copy(self)
        found.term = f"{self.term}+{choice}"
        return found

    def _order(self, pawn: bool, became: int) -> _Order:
        """Squares by rank and file, then directions, the longest moves first."""
        (x, y), (u, v) = self.start, self.end
        far = gcd(u - x, v - y) or 1
        step = (u - x) // far, (v - y) // far
        if self.castles:
            return y, x, -1, u, 0, 0
        if pawn:
            return y, x, 0, (0, 2, 1)[step[0]] if abs(step[0]) <= 1 else 0, -far, became
        if step in _LINES:
            return y, x, 0, _LINES.index(step), -far, became
        return y, x, 1, (atan2(step[1], step[0]) - tau / 2) % tau, -far, became


class Lookahead:
    """The allowed moves of the states of one net."""

    def __init__(self, game: Game, states: Sequence[State], budget: Budget) -> None:
        """Raises ``RulesError`` and ``LimitReached``."""
        from ..propnet.reachable_nets import net_of_all  # imports clingo

        self.game, self._budget = game, budget
        net = net_of_all(game.rules, [state.facts for state in states], MOST_RULES)
        tables = net.tables()
        self.net_moves = game.moves_of(Single(tables))
        self._single = self.net_moves.net
        names = tables.names
        self.roles = names.roles
        self.parts = [MoveParts(term) for term in names.terms]
        self._kept: dict[bytes, Place] = {}
        self._chosen: dict[tuple[int, int], int] = {}
        self._turn = self._mask("control(")
        self._passing = self._mask("passed(") | self._mask("traded(")
        self._pawns, self._royals = self._masks(_PAWN), self._masks(_ROYAL)

    def _masks(self, piece: re.Pattern[str]) -> list[int]:
        """For each square the bits of some pieces there."""
        found = [0] * 81
        for fluent, bit in self._single.tables.fluent_bits.items():
            if square := piece.match(fluent):
                found[9 * int(square[1]) + int(square[2])] |= bit
        return found

    def _mask(self, beginning: str) -> int:
        bits = self._single.tables.fluent_bits
        return sum(bit for fluent, bit in bits.items() if fluent.startswith(beginning))

    def place(self, row: bytes) -> Place:
        """The state of a row."""
        found = self._kept.get(row)
        if found is None:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            self._budget.check()
            found = self._kept[row] = Place(row, self._single.ask(row))
            if found.flag & _UNKNOWN:
                raise LimitReached("the rules here don't say what follows a move")
            if found.checked and found.demand & _TRIED:
                found.checked = self._can_kill(self.turned(found))
        return found

    def _can_kill(self, place: Place) -> bool:
        """Whether a king can be captured, if that must lead to no forbidden state."""
        for move in place.moves:
            if self.parts[move >> 1].kills:
                row = self._single.play_one(place.row, place.mover, move >> 1)
                if row is not None and not self._single.ask(row)[3] & _FORBIDDEN:
                    return True
        return False

    def is_lawful(self, place: Place) -> bool:
        """Whether a state may arise."""
        if place.flag & _FORBIDDEN:
            return False
        return not place.flag & _BROKEN or bool(place.demand & _TRIED and not self._can_kill(place))

    def at(self, state: State) -> Place:
        """A state of the game."""
        row = self._single.tables.row(state.facts)
        assert row is not None
        return self.place(row)

    def stands(self, square: Square, place: Place) -> bool:
        """Whether a piece stands on a square: not a kamikaze piece that has captured."""
        cells = self._mask(f"cell({square[0]},{square[1]},")
        return bool(int.from_bytes(place.row, "little") & cells)

    def holds(self, fact: str, place: Place) -> bool:
        """Whether a fact holds in a state."""
        return bool(int.from_bytes(place.row, "little") & self._mask(fact))

    def pattern(self, cells: Sequence[str]) -> tuple[int, int] | None:
        """The bits of all contents of squares, and of some; None if the net lacks one of these."""
        bits = self._single.tables.fluent_bits
        if not all(cell in bits or cell in self._single.tables.names.certain for cell in cells):
            return None
        return self._mask("cell("), sum(bits.get(cell, 0) for cell in cells)

    def turned(self, place: Place) -> Place:
        """The state after a null move."""
        bits = int.from_bytes(place.row, "little")
        bits = (bits ^ self._turn) & ~self._passing
        return self.place(bits.to_bytes(len(place.row), "little"))

    def limited(self, place: Place, first: int, last: int | None) -> Place:
        """A state with the allowed ones of its moves from the ``first`` to the ``last``.

        The moves are counted in order, also those that leave a king attacked.
        """
        order = self._order(place)
        moves = sorted({move >> 1 for move in place.moves}, key=order)
        chosen = moves[first - 1 : last]
        copy = Place(place.row, self._single.ask(place.row))
        copy.checked = place.checked
        copy.allowed = [one for one in self.allowed(place) if one[0] in chosen]
        return copy

    def _order(self, place: Place) -> Callable[[int], _Order]:
        """Popeye's order of the moves of a place."""
        row, parts, pawns = int.from_bytes(place.row, "little"), self.parts, self._pawns

        def order(move: int) -> _Order:
            part = parts[move]
            return part.orders[bool(row & pawns[9 * part.start[0] + part.start[1]])]

        return order

    def _after(self, place: Place) -> list[tuple[int, Place]]:
        found = []
        for move in place.moves:
            if self.parts[move >> 1].kills:
                continue
            row = self._single.play_one(place.row, place.mover, move >> 1)
            if row is not None:
                for one, after in self._choices(move >> 1, self.place(row)):
                    if self.is_lawful(after):
                        found.append((one, after))
        order = self._order(place)
        return sorted(found, key=lambda one: order(one[0]))

    def _choices(self, move: int, place: Place) -> Iterator[tuple[int, Place]]:
        """A move, or where a choice is a part of it, one move for each choice."""
        if not place.flag & _CHOOSING:
            yield move, place
            return
        found = []
        for choice in sorted(place.moves, key=lambda one: self.parts[one >> 1].choice):
            row = self._single.play_one(place.row, place.mover, choice >> 1)
            if row is not None:
                pair = move, choice >> 1
                if pair not in self._chosen:
                    self._chosen[pair] = len(self.parts)
                    self.parts.append(self.parts[move].followed_by(self.parts[choice >> 1].term))
                after, (y, x) = self.place(row), self.parts[choice >> 1].choice
                if not (after.demand & _CAGED and y and self._leaves(after, (x, y))):
                    found.append((self._chosen[pair], after))
        if place.demand & _CAGED and len(found) > 1:  # the first is no rebirth
            del found[0]
        yield from found

    def _leaves(self, place: Place, square: tuple[int, int]) -> bool:
        """Whether the piece on a square has a move without a capture."""
        for move in place.moves:
            parts = self.parts[move >> 1]
            if parts.start == square and parts.taken == (0, 0):
                row = self._single.play_one(place.row, place.mover, move >> 1)
                if row is not None and self.is_lawful(self.place(row)):
                    return True
        return False

    def allowed(self, place: Place, depth: int = 0) -> list[tuple[int, Place]]:
        """The allowed moves of a place, with the places after them."""
        if place.allowed is None:
            found = self._after(place)
            deep = found and found[0][1].demand & (_ONLY_MATE | _SINGLE_MATE)
            if deep and depth < _DEEPEST:
                mates = {id(after) for _, after in found if self._mated(after, depth + 1)}
                if found[0][1].demand & _ONLY_MATE:
                    found = [one for one in found if not one[1].checked or id(one[1]) in mates]
                elif len(mates) > 1:
                    found = [one for one in found if id(one[1]) not in mates]
            if len(found) > 1:
                best = max(self.parts[move].rank for move, _ in found)
                found = [one for one in found if self.parts[one[0]].rank == best]
            if depth and deep:
                return found  # it may depend on the depth
            place.allowed = found
        return place.allowed

    def _mated(self, place: Place, depth: int) -> bool:
        return place.checked and self._immobile(place, depth)

    def _immobile(self, place: Place, depth: int) -> bool:
        found = self.allowed(place, depth)
        if not place.demand & _ONE_FLIGHT:
            return not found
        (x, y), row = self.parts[found[0][0]].start if found else (0, 0), place.row
        king = int.from_bytes(row, "little") & self._royals[9 * x + y]
        return len(found) == 1 and bool(king)

    def stuck(self, place: Place) -> bool:
        """Whether there is no allowed move, or what a condition takes for that."""
        return self._immobile(place, 0)

    def mated(self, place: Place) -> bool:
        """Whether the side on move is in check and can't move."""
        return self._mated(place, 0)
