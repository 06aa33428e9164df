"""Symmetries of games: another view of the board, and roles that stand for each other.

Here is what they do to positions and moves; whether rules have one is for ``proven`` to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from ..runtime.arguments import told
from ..runtime.errors import BadRequest
from .board import Board, Square, Vocabulary
from .notation.move_text import named_squares

AS_IT_IS = "as it is"
VIEWS: Mapping[str, Callable[[int, int, int, int], Square]] = {
    AS_IT_IS: lambda x, y, _width, _height: (x, y),
    "left to right": lambda x, y, width, _height: (width + 1 - x, y),
    "top to bottom": lambda x, y, _width, height: (x, height + 1 - y),
    "turned by half": lambda x, y, width, height: (width + 1 - x, height + 1 - y),
    "along the diagonal": lambda x, y, _width, _height: (y, x),
    "along the other diagonal": lambda x, y, width, height: (height + 1 - y, width + 1 - x),
    "turned by a quarter": lambda x, y, width, _height: (y, width + 1 - x),
    "turned by three quarters": lambda x, y, _width, height: (height + 1 - y, x),
}
"""Where a square goes on a board of a width and a height, by the names of the views."""

_TURNING = list(VIEWS)[4:]
"""The views in which a board that isn't square has another shape."""
_SOME = ((1, 1), (2, 1), (1, 2))
"""Squares by which views are told apart."""
_NUMBERS = re.compile(r"\w+\((-?\d+(?:,-?\d+)*)\)\Z")


@dataclass(frozen=True)
class Symmetry:
    """A view of the board, and for each role the one that stands for it there."""

    vocabulary: Vocabulary = field(repr=False, compare=False)
    view: str
    """One of ``VIEWS``."""
    roles: tuple[str, ...]
    """The roles that stand for the game's, in their order."""

    @property
    def name(self) -> str:
        """What it is called: ``top to bottom, black for white, white for black``."""
        changed = [f"{other} for {role}" for role, other in self._roles.items() if role != other]
        return ", ".join([self.view, *changed])

    def __str__(self) -> str:
        return self.name

    def then(self, other: Symmetry) -> Symmetry:
        """This symmetry, and another one after it: one, too."""
        place, after = VIEWS[self.view], VIEWS[other.view]
        size = (3, 3) if self.view in _TURNING or other.view in _TURNING else (3, 2)
        seen = [after(*place(x, y, *size), *size) for x, y in _SOME]
        view = next(v for v in VIEWS if seen == [VIEWS[v](x, y, *size) for x, y in _SOME])
        return Symmetry(self.vocabulary, view, tuple(other.role(role) for role in self.roles))

    def square(self, square: Square) -> Square:
        """Where a square is seen."""
        board = self.vocabulary.board
        return VIEWS[self.view](*square, board.width, board.height) if board else square

    def role(self, role: str) -> str:
        """The role that stands for one."""
        return self._roles.get(role, role)

    def fluent(self, fluent: str) -> str:
        """What a fluent is seen as. Raises ``BadPosition`` where the game has no such fluent."""
        board = self.vocabulary.board
        if board and (placed := board.placement(fluent)) and board.has(placed[0]):
            return board.fluent(self.square(placed[0]), self._renamed(placed[1]))
        squares = board.marks.get(fluent, ()) if board else ()
        return self._moved(self._renamed(fluent), squares)

    def move(self, term: str) -> str:
        """What a move is seen as, given as a term."""
        name, _, _ = (term := self._renamed(term)).partition("(")
        squares = named_squares(self.vocabulary.notation, term) or self._squares(term)
        numbers = [str(number) for square in map(self.square, squares) for number in square]
        return f"{name}({','.join(numbers)})" if numbers else term

    @cached_property
    def _roles(self) -> Mapping[str, str]:
        return dict(zip(self.vocabulary.roles, self.roles, strict=True))

    def _renamed(self, term: str) -> str:
        """A term with other roles for its own."""
        if self.roles == self.vocabulary.roles:
            return term
        return self._role_names.sub(lambda found: self.role(found[0]), term)

    @cached_property
    def _role_names(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, self.vocabulary.roles))
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)")

    def _moved(self, term: str, squares: Sequence[Square]) -> str:
        """A term in which squares are two arguments each, with where these are seen."""
        if not squares:
            return term
        found = {f"{x},{y}": self.square((x, y)) for x, y in squares}
        pattern = rf"(?<=[(,])({'|'.join(found)})(?=[,)])"
        return re.sub(pattern, lambda text: ",".join(map(str, found[text[1]])), term)

    def _squares(self, term: str) -> list[Square]:
        """The squares of a move without a form: all of its arguments, if they can be squares."""
        board, numbers = self.vocabulary.board, _NUMBERS.match(term)
        if board is None or numbers is None:
            return []
        found = [int(number) for number in numbers[1].split(",")]
        squares = list(zip(found[::2], found[1::2], strict=False))
        return squares if len(found) % 2 == 0 and all(map(board.has, squares)) else []


def symmetry_of(vocabulary: Vocabulary, view: str, exchange: bool) -> Symmetry:
    """The symmetry of a view, and of the two roles exchanged if that is wanted.

    Whether the rules have it isn't asked. Raises ``BadRequest`` if the board has no such view.
    """
    known, roles = views(vocabulary.board), vocabulary.roles
    if view not in known:
        raise BadRequest(f"the board can be seen {', '.join(known)}, not {told(view)}")
    if exchange and len(roles) != 2:
        raise BadRequest(f"two roles are exchanged, and there are {len(roles)}")
    return Symmetry(vocabulary, view, roles[::-1] if exchange else roles)


def candidates(vocabulary: Vocabulary) -> Iterator[Symmetry]:
    """All that a game may have, those first in which every role stands for itself."""
    for roles in permutations(vocabulary.roles):
        for view in views(vocabulary.board):
            if (view, roles) != (AS_IT_IS, vocabulary.roles):
                yield Symmetry(vocabulary, view, roles)


def views(board: Board | None) -> list[str]:
    """The views of a board that leave its shape as it is, no two of them the same."""
    if board is None:
        return [AS_IT_IS]
    width, height = board.width, board.height
    found: dict[object, str] = {}
    for name, view in VIEWS.items():
        if width == height or name not in _TURNING:
            corners = tuple(view(x, y, width, height) for x, y in [(1, 1), (width, 1), (1, height)])
            found.setdefault(corners, name)
    return list(found.values())
