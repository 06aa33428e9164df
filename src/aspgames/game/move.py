"""Moves, alone and in sequences: the legal moves of a state, the moves of a net."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import total_ordering
from operator import eq
from typing import TYPE_CHECKING, Self, overload

from ..runtime.arguments import quote
from ..runtime.errors import BadMove, BadRequest
from .notation.move_text import format_move, named_squares, parse_move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..propnet.single_state import Single
    from .board import Square
    from .compiled_state import CompiledState


class Unchanging:
    """An object whose attributes can't be set or deleted, and that is its own copy."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__.lower()} can't be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__.lower()} can't be changed: {name}")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


@total_ordering
class Move(Unchanging):
    """A move of one role; ``str`` gives its text. Two are equal when role and term are.

    Moves sort by their terms, as texts, then by their roles. A move never equals a text: compare
    ``str(move)`` or ``move.term``, or ask ``"a2-a3" in state.legal_moves``.

    >>> import aspgames
    >>> move = aspgames.load("breakthrough").initial.legal_moves[0]
    >>> move.role, move.term, str(move)
    ('white', 'move(1,2,1,3)', 'a2-a3')
    """

    __slots__ = ("_text", "net_moves", "number", "role", "term")

    role: str
    """The role that makes it."""
    term: str
    """The move as a term: ``move(1,2,2,3)``."""
    net_moves: NetMoves | None
    """The moves of its net, if it came from a net ..."""
    number: int
    """... and its number there."""
    _text: str | None

    def __init__(
        self,
        role: str,
        term: str,
        text: str | None,
        net_moves: NetMoves | None = None,
        number: int = -1,
    ) -> None:
        """With ``text`` None, the text is computed when it is needed, if the move has a net."""
        if not isinstance(role, str) or not isinstance(term, str):
            raise BadMove(f"a move has a role and a term, as texts, not {quote((role, term))}")
        if text is not None and not isinstance(text, str):
            raise BadMove(f"a move's text is a text, not {quote(text)}")
        keep = object.__setattr__
        keep(self, "role", role)
        keep(self, "term", term)
        keep(self, "_text", text)
        keep(self, "net_moves", net_moves)
        keep(self, "number", number)

    @property
    def text(self) -> str:
        """The move as people write it: ``a2xb3``."""
        if self._text is None and self.net_moves is not None:
            object.__setattr__(self, "_text", self.net_moves.text(self.number))
        return self._text or self.term

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.term == other.term and self.role == other.role

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return (self.term, self.role) < (other.term, other.role)

    def __hash__(self) -> int:
        return hash((self.role, self.term))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.role!r}, {self.term!r}, {self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.role, self.term, self.text)


class NumberedMoves(Sequence[Move]):
    """Moves by their numbers, each made when it is needed."""

    _numbers: Sequence[int]
    _known: Mapping[int, Move] | Sequence[Move]

    def __init__(self, numbers: Sequence[int], known: Mapping[int, Move] | Sequence[Move]) -> None:
        """``known`` is indexed by ``numbers``."""
        self._numbers, self._known = numbers, known

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, place: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(place, slice):
            return tuple(map(self._known.__getitem__, self._numbers[place]))
        return self._known[self._numbers[place]]

    def __iter__(self) -> Iterator[Move]:
        return map(self._known.__getitem__, self._numbers)

    def ending(self, square: Square) -> Sequence[Move]:
        """The moves whose terms end with a square, or more of them."""
        if not isinstance(self._known, NetMoves):
            return self
        numbers = self._known.ending(square).intersection(self._numbers)
        return [self._known[number] for number in sorted(numbers)]


class LegalMoves(NumberedMoves):
    """The legal moves of a state: like a tuple of ``Move``, and equal to a tuple of the same moves.

    ``"a2-a3" in state.legal_moves`` takes a text, a term or a ``Move``.
    """

    _notation: Mapping[str, str]

    def __init__(
        self,
        numbers: Sequence[int],
        known: Mapping[int, Move] | Sequence[Move],
        notation: Mapping[str, str],
    ) -> None:
        super().__init__(numbers, known)
        self._notation = notation

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return super().__contains__(move)
        try:
            term = parse_move(self._notation, move)
        except BadMove:
            return False
        return any(legal.term == term for legal in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalMoves | tuple):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        return LegalMoves, (range(len(self)), tuple(self), self._notation)


class NetMoves(dict[int, Move]):
    """The moves of a net, each made once.

    A key is twice the number of a move, plus one if it goes to an occupied square.
    """

    def __init__(
        self, net: Single, notation: Mapping[str, str], compiled: type[CompiledState] | None = None
    ) -> None:
        super().__init__()
        self.net, self.notation = net, notation
        self.compiled = compiled
        """The class of the net's states, if it is compiled."""
        self._names = net.tables.names
        self._firsts = self._names.bounds[::2]
        self._ending: dict[Square, frozenset[int]] = {}

    def __missing__(self, number: int) -> Move:
        names = self._names
        role = names.roles[bisect_right(self._firsts, number >> 1) - 1]
        move = self[number] = Move(role, names.terms[number >> 1], None, self, number)
        return move

    def ending(self, square: Square) -> frozenset[int]:
        """The keys of the moves whose terms end with a square."""
        if square not in self._ending:
            end = f",{square[0]},{square[1]})"
            terms = enumerate(self._names.terms)
            numbers = [2 * number for number, term in terms if term.endswith(end)]
            self._ending[square] = frozenset([*numbers, *(number + 1 for number in numbers)])
        return self._ending[square]

    def squares(self, term: str) -> list[Square]:
        """The squares that a move's text names."""
        return named_squares(self.notation, term)

    def text(self, number: int) -> str:
        """The text of the move with a key."""
        term = self._names.terms[number >> 1]
        occupied = named_squares(self.notation, term) if number & 1 else ()
        return format_move(self.notation, term, occupied)


class Moves(NumberedMoves):
    """The moves of a net in the order of their numbers, each made when it is needed."""

    def __init__(self, moves: NetMoves) -> None:
        self._tables, self._named = moves.net.tables, moves.squares
        super().__init__(range(0, 2 * self._tables.moves, 2), moves)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The number of a ``Move``. Raises ``ValueError`` if it isn't among them."""
        number = self._number(value)
        if number is None or number not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} isn't one of these moves")
        return number

    def numbers_of(self, legal: Sequence[Move]) -> list[int]:
        """The numbers of a state's legal moves. Raises ``ValueError`` as ``index`` does."""
        if isinstance(legal, LegalMoves) and legal._known is self._known:
            return [number >> 1 for number in legal._numbers]
        return list(map(self.index, legal))

    def of(self, role: str) -> range:
        """The numbers of a role's moves. Raises ``BadRequest`` for an unknown role."""
        names = self._tables.names
        if role not in names.roles:
            raise BadRequest(f"{quote(role)} is no role: there are {', '.join(names.roles)}")
        place = 2 * names.roles.index(role)
        return range(names.bounds[place], names.bounds[place + 1])

    @property
    def squares(self) -> npt.NDArray[np.int32]:
        """The squares that each move's text names, such as from, to and arrow.

        int32, ``(moves, most, 2)``: files and ranks, from 1; 0 where a move names fewer squares.

        >>> import aspgames
        >>> moves = aspgames.load("breakthrough", width=3, height=4).moves
        >>> str(moves[0]), moves.squares[0].tolist()
        ('a1-a2', [[1, 1], [1, 2]])
        """
        import numpy as np

        named = [self._named(move.term) for move in self]
        found = np.zeros((len(named), max(map(len, named), default=0), 2), np.int32)
        for row, squares in zip(found, named, strict=True):
            row[: len(squares)] = squares or row[:0]
        return found

    def __contains__(self, value: object) -> bool:
        return self._number(value) is not None

    def _number(self, value: object) -> int | None:
        if not isinstance(value, Move):
            return None
        return self._tables.move_numbers.get((value.role, value.term))

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"
