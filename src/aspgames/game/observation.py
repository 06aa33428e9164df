"""States as arrays of numbers for neural networks: planes of the board, or a vector.

The encoding alone determines the planes: its board, and the fluents that play can reach.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..asp.terms import shape, shorten
from ..propnet.array_layout import Floats, Layout, Places, read_out
from ..runtime.arguments import quote
from ..runtime.errors import BadPosition, BadRequest
from .board import Board, Square, Vocabulary
from .move import NetMoves

if TYPE_CHECKING:
    from .state import State

_NUMBER = re.compile(r"(?<![\w\"])-?\d+\b")
_OFF_LIMITS = "hole"
_EVERYWHERE: tuple[Square, ...] = ()
_MOST_PLANES = 128  # planes of one value for fluents of one name

Shown = Mapping[str, tuple[float, tuple[Square, ...]]]
"""Fluents, each with its number and the squares that show it; no squares mean all."""


class Observation:
    """States of a game as arrays of numbers; get it from ``Game.observation``.

    A game with a board has planes of the board's size, the top rank first: one for each piece (1
    where it stands), one for the squares off limits (``hole``), and one for each kind of fluent
    that marks squares. Each other fluent has a plane that is 1 everywhere while it holds. Fluents
    that differ in their only number share a plane if exactly one of them always holds, such as
    ``step(N)``: 0 for the smallest number, 1 for the largest. Fluents that never change have no
    plane unless they are on a square. Where more than 128 fluents of one name would each have a
    plane, such as groups of connected squares by number, they have none. A game without a board has
    a number instead of each plane, for all fluents.

    >>> import aspgames
    >>> seen = aspgames.load("skirmish").observation
    >>> seen.shape
    (16, 8, 8)
    >>> seen.names[:2], seen.names[-3:]
    (('bishop(black)', 'bishop(white)'), ('captures(black,_)', 'captures(white,_)', 'step(_)'))
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        fluents: Sequence[str],
        lasting: Collection[str],
        states: Sequence[Collection[str]],
        moves: NetMoves | None = None,
    ) -> None:
        """``fluents`` may change, and are numbered as in batches; ``lasting`` ones always hold.

        ``states`` are sample states; they show of which fluents exactly one always holds. ``moves``
        are those of the net of the whole game.
        """
        self._moves = moves
        board = vocabulary.board
        planes = dict(_planes(board, fluents, lasting, states))
        self._names = tuple(planes)
        sides = (board.height, board.width) if board else ()
        self._fluents = fluents
        self._background = np.zeros((len(planes), *sides), np.float32)
        self._places: dict[str, Places] = dict.fromkeys((*lasting, *fluents), ((), 0.0))
        numbers = np.arange(self._background.size).reshape(self.shape)
        if board and board.holes:
            plane = self._background[self._names.index(_OFF_LIMITS)]
            for x, y in board.holes:
                plane[board.rows[y], x - 1] = 1
        for shown, plane in zip(planes.values(), numbers, strict=True):
            for fluent, (value, squares) in shown.items():
                places = [int(plane[board.rows[y], x - 1]) for x, y in squares] if board else []
                first = int(plane.flat[0])
                self._places[fluent] = places or range(first, first + plane.size), value

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each plane or number: a piece, ``hole``, a fluent, or fluents with ``_`` in
        place of numbers."""
        return self._names

    @property
    def shape(self) -> tuple[int, ...]:
        """Planes, height and width; without a board, the number of fluents."""
        return tuple(self._background.shape)

    def of(self, state: State) -> Floats:
        """A state as a new array of float32.

        Raises:
            BadPosition: The position has a fluent that play from the game's start can't reach,
                such as a king in skirmish.
        """
        row_on = getattr(state, "row_on", None)
        if row_on and self._moves is not None and (row := row_on(self._moves)) is not None:
            found = np.empty(self.shape, np.float32)
            self._layout.write(np.frombuffer(row, np.uint64)[np.newaxis], found)
            return found
        facts = getattr(state, "facts", None)
        if not isinstance(facts, tuple):
            raise BadRequest(f"an observation is of a State, not of {quote(state)}")
        found = self._background.copy()
        flat, full = found.reshape(-1), list[int]()
        for fact in facts:
            if fact not in self._places:
                raise BadPosition(
                    f"{shorten(fact)} is not observed: no play from the game's start leads to it"
                )
            places, value = self._places[fact]
            if isinstance(places, range):  # a whole plane
                part = flat[places.start : places.stop]
                np.maximum(part, np.float32(value), out=part)
            else:
                full += places
        flat[full] = 1
        return found

    def of_batch(self, batch: Any, where: Any = None, out: Floats | None = None) -> Floats:
        """The states of a batch as arrays: float32, (states, *shape).

        Args:
            batch: A batch of the same game.
            where: Which of the states, as for ``Batch.reset``; all if None.
            out: A contiguous float32 array for the result; a new one if None.

        Raises:
            BadRequest: An argument is wrong.
        """
        if not hasattr(batch, "holds_bits_of"):
            raise BadRequest(f"these observations are of a Batch, not of {quote(batch)}")
        if batch.game.observation is not self and batch.game.fluents != self._fluents:
            raise BadRequest(f"a batch of {batch.game!r} is of another game than the observation")
        return self.of_rows(batch.holds_bits_of(where).view(np.uint64), out)

    def of_rows(self, rows: npt.NDArray[np.uint64], out: Floats | None = None) -> Floats:
        """Rows of the net of the whole game as arrays; see ``of_batch``."""
        into = self.array(len(rows), out)
        self._layout.write(rows, into)
        return into

    def array(self, count: int, out: Floats | None = None) -> Floats:
        """A new array for some states, or ``out`` if it fits. Raises ``BadRequest``."""
        shape = count, *self.shape
        return np.empty(shape, np.float32) if out is None else read_out(out, shape, np.float32)

    @cached_property
    def _layout(self) -> Layout:
        return self.layout_of(str)

    def layout_of(self, image: Callable[[str], str]) -> Layout:
        """The layout that shows each fluent as its image. Raises ``KeyError`` without an image."""
        background = self._background.reshape(-1).copy()
        for fluent in self._places.keys() - set(self._fluents):
            places, value = self._places[image(fluent)]
            background[list(places)] = np.maximum(background[list(places)], np.float32(value))
        return Layout(background, [self._places[image(fluent)] for fluent in self._fluents])

    def __repr__(self) -> str:
        return f"<observation {self.shape}: {' '.join(self.names)}>"


def _planes(
    board: Board | None,
    fluents: Sequence[str],
    lasting: Collection[str],
    states: Sequence[Collection[str]],
) -> Iterator[tuple[str, Shown]]:
    """The name and the fluents of each plane."""
    rest = set(fluents)
    if board:
        contents: dict[str, dict[str, tuple[float, tuple[Square, ...]]]] = defaultdict(dict)
        for fluent in sorted({*fluents, *lasting}):
            found = board.placement(fluent)
            if found and board.has(found[0]):
                contents[found[1]][fluent] = 1, (found[0],)
        yield from sorted(contents.items())
        rest -= {fluent for shown in contents.values() for fluent in shown}
        if board.holes:
            yield _OFF_LIMITS, {}
        marks = dict(_marks(board, rest))
        yield from sorted(marks.items())
        rest -= {fluent for shown in marks.values() for fluent in shown}
    counters = dict(_counters(rest, states))
    rest -= {fluent for shown in counters.values() for fluent in shown}
    names = {fluent: fluent.partition("(")[0] for fluent in rest}
    count = Counter(names.values())
    shown = {fluent for fluent in rest if not board or count[names[fluent]] <= _MOST_PLANES}
    yield from ((fluent, {fluent: (1, _EVERYWHERE)}) for fluent in sorted(shown))
    yield from sorted(counters.items())


def _marks(board: Board, fluents: Iterable[str]) -> Iterator[tuple[str, Shown]]:
    """The kinds of fluents that mark squares, each square marked by one fluent of a kind."""
    kinds: dict[str, dict[str, tuple[Square, ...]]] = defaultdict(dict)
    for fluent in sorted(fluents):
        if squares := board.marks.get(fluent):
            kinds[shape(fluent)][fluent] = squares
    for kind, marked in kinds.items():
        each = [square for squares in marked.values() for square in squares]
        if len(set(each)) == len(each) and all(map(board.has, each)):
            yield kind, {fluent: (1, squares) for fluent, squares in marked.items()}


def _counters(
    fluents: Iterable[str], states: Sequence[Collection[str]]
) -> Iterator[tuple[str, Shown]]:
    """The kinds of fluents that differ in their only number, if exactly one always holds."""
    kinds: dict[str, dict[str, int]] = defaultdict(dict)
    for fluent in sorted(fluents):
        numbers = _NUMBER.findall(fluent)
        if len(numbers) == 1:
            kinds[_NUMBER.sub("_", fluent)][fluent] = int(numbers[0])
    for kind, values in kinds.items():
        least, largest = min(values.values()), max(values.values())
        one = all(sum(fact in values for fact in state) == 1 for state in states)
        if least < largest and one:
            yield (
                kind,
                {f: ((n - least) / (largest - least), _EVERYWHERE) for f, n in values.items()},
            )
