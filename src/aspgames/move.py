"""Moves: what a user holds, and those of a net, each made once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from .engine.single import Single
from .notation.moves import format_move, named_squares


class Move:
    """A move of one role; ``str`` gives its text. Equal to another of the same role and term."""

    __slots__ = ("net_moves", "number", "role", "term", "text")

    role: str
    """Who makes it."""
    term: str
    """The move as programs write it: ``move(1,2,2,3)``."""
    text: str
    """The move as people write it where it is played: ``a2xb3``."""

    net_moves: NetMoves | None
    """The moves of the net that it is one of, if it came from a net ..."""
    number: int
    """... and its number there."""

    def __init__(
        self,
        role: str,
        term: str,
        text: str,
        net_moves: NetMoves | None = None,
        number: int = -1,
    ) -> None:
        keep = object.__setattr__
        keep(self, "role", role)
        keep(self, "term", term)
        keep(self, "text", text)
        keep(self, "net_moves", net_moves)
        keep(self, "number", number)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move can't be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move can't be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.term == other.term and self.role == other.role

    def __hash__(self) -> int:
        return hash((self.role, self.term))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.role!r}, {self.term!r}, {self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.role, self.term, self.text)


class NetMoves(dict[int, Move]):
    """A net's moves as objects, each made once: by twice its number, and one more where it goes to
    an occupied square."""

    def __init__(self, net: Single, notation: Mapping[str, str]) -> None:
        super().__init__()
        self.net = net
        self._notation = notation
        self._names = net.tables.names

    def __missing__(self, number: int) -> Move:
        names, notation = self._names, self._notation
        term = names.terms[number >> 1]
        role = names.roles[bisect_right(names.bounds[::2], number >> 1) - 1]
        occupied = named_squares(notation, term) if number & 1 else ()
        move = Move(role, term, format_move(notation, term, occupied), self, number)
        self[number] = move
        return move
