"""Symmetries of games: another view of the board, roles exchanged, or both.

This module maps positions and moves. ``symmetry_proofs`` proves that rules have a symmetry.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from ..runtime.arguments import quote
from ..runtime.errors import BadRequest
from .board import Board, Square, Vocabulary
from .notation.move_text import named_squares, with_squares

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
"""The image of square (x, y) on a board of some width and height, by the views' names."""

_TURNING = list(VIEWS)[4:]  # the views that only square boards have
_TEST_SQUARES = ((1, 1), (2, 1), (1, 2))  # squares whose images tell the views apart
_NUMBERS = re.compile(r"\w+\((-?\d+(?:,-?\d+)*)\)\Z")


@dataclass(frozen=True)
class Symmetry:
    """A view of the board, and the role that takes each role's place.

    >>> import aspgames
    >>> game = aspgames.load("breakthrough", width=3, height=4)
    >>> mirror = game.symmetries[0]
    >>> mirror.name, mirror.move("move(1,2,1,3)")
    ('left to right', 'move(3,2,3,3)')
    """

    vocabulary: Vocabulary = field(repr=False, compare=False)
    view: str
    """One of ``VIEWS``."""
    roles: tuple[str, ...]
    """The roles that take the places of the game's roles, in their order."""

    @property
    def name(self) -> str:
        """The name: ``top to bottom, black for white, white for black``."""
        changed = [f"{other} for {role}" for role, other in self._roles.items() if role != other]
        return ", ".join([self.view, *changed])

    def __str__(self) -> str:
        return self.name

    def then(self, other: "Symmetry") -> "Symmetry":
        """The composition: this symmetry, then another one."""
        place, after = VIEWS[self.view], VIEWS[other.view]
        size = (3, 3) if self.view in _TURNING or other.view in _TURNING else (3, 2)
        seen = [after(*place(x, y, *size), *size) for x, y in _TEST_SQUARES]
        view = next(v for v in VIEWS if seen == [VIEWS[v](x, y, *size) for x, y in _TEST_SQUARES])
        return Symmetry(self.vocabulary, view, tuple(other.role(role) for role in self.roles))

    def square(self, square: Square) -> Square:
        """The image of a square."""
        board = self.vocabulary.board
        return VIEWS[self.view](*square, board.width, board.height) if board else square

    def role(self, role: str) -> str:
        """The image of a role."""
        return self._roles.get(role, role)

    def fluent(self, fluent: str) -> str:
        """The image of a fluent. Raises ``BadPosition`` if the game has no such fluent."""
        board = self.vocabulary.board
        if board and (placed := board.placement(fluent)) and board.has(placed[0]):
            return board.fluent(self.square(placed[0]), self._renamed(placed[1]))
        squares = board.marks.get(fluent, ()) if board else ()
        return self._moved(self._renamed(fluent), squares)

    def move(self, term: str) -> str:
        """The image of a move, given as a term."""
        name, _, _ = (term := self._renamed(term)).partition("(")
        forms = self.vocabulary.notation
        if squares := named_squares(forms, term):
            return with_squares(forms, term, list(map(self.square, squares)))
        numbers = [str(n) for square in map(self.square, self._squares(term)) for n in square]
        return f"{name}({','.join(numbers)})" if numbers else term

    @cached_property
    def _roles(self) -> Mapping[str, str]:
        return dict(zip(self.vocabulary.roles, self.roles, strict=True))

    def _renamed(self, term: str) -> str:
        """A term with the images of its roles."""
        if self.roles == self.vocabulary.roles:
            return term
        return self._role_names.sub(lambda found: self.role(found[0]), term)

    @cached_property
    def _role_names(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, self.vocabulary.roles))
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)")

    def _moved(self, term: str, squares: Sequence[Square]) -> str:
        """A term with the images of its squares, each two arguments."""
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
    """The symmetry of a view, perhaps with the two roles exchanged. The rules may not have it.

    Raises ``BadRequest`` if the board has no such view.
    """
    known, roles = views(vocabulary.board), vocabulary.roles
    if view not in known:
        raise BadRequest(f"the board can be seen {', '.join(known)}, not {quote(view)}")
    if exchange and len(roles) != 2:
        raise BadRequest(f"two roles are exchanged, and there are {len(roles)}")
    return Symmetry(vocabulary, view, roles[::-1] if exchange else roles)


def candidates(vocabulary: Vocabulary) -> Iterator[Symmetry]:
    """All symmetries that a game may have; first those that keep the roles."""
    for roles in permutations(vocabulary.roles):
        for view in views(vocabulary.board):
            if (view, roles) != (AS_IT_IS, vocabulary.roles):
                yield Symmetry(vocabulary, view, roles)


def views(board: Board | None) -> list[str]:
    """The different views of a board that keep its shape."""
    if board is None:
        return [AS_IT_IS]
    width, height = board.width, board.height
    found: dict[object, str] = {}
    for name, view in VIEWS.items():
        if width == height or name not in _TURNING:
            corners = tuple(view(x, y, width, height) for x, y in [(1, 1), (width, 1), (1, height)])
            found.setdefault(corners, name)
    return list(found.values())
