"""Superfluous pieces: the puzzle stays the same without them.

Only pieces of a side count. Pieces without an owner, such as walls, belong to the board.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from ..asp.nodes import span_of
from ..asp.sources import encodings_folder
from ..game.board import square_name
from ..game.game import Game
from ..gdl.rules import Facts
from ..runtime.minimization import leave_out


def can_change(game: Game) -> bool:
    """Whether positions can be changed, because the encoding defines the valid ones.

    A user's game does so in its own files: the refusals of the shared files are those of any game.
    """
    shared = encodings_folder().resolve()

    def is_shared(file: str | Path) -> bool:
        return Path(file).resolve().is_relative_to(shared)

    stated = game.encoding.parts.get("position", ())
    if not is_shared(game.encoding.sources[-1].path):
        stated = tuple(s for s in stated if not is_shared(span_of(s)[0]))
    return game.board is not None and bool(stated)


class Pieces:
    """A position, divided into the pieces of its sides and the rest."""

    def __init__(self, game: Game, facts: Facts) -> None:
        words = self._words = game.vocabulary
        self.owned = [fact for fact in facts if words.owner(words.content(fact) or "")]
        """The facts that place the sides' pieces."""
        kept = [f for f in facts if words.piece(f) or not words.placement(f)]
        self._rest = [fact for fact in kept if fact not in self.owned]
        self.number = sum(map(bool, map(words.piece, facts)))
        """The number of pieces on the board, with and without owner."""

    def only(self, pieces: Sequence[str]) -> Facts:
        """The position with only these of the sides' pieces."""
        return tuple(sorted(self._words.with_blanks([*pieces, *self._rest])))

    def each_without_one(self) -> list[Facts]:
        """The positions without one of the sides' pieces."""
        owned = self.owned
        return [self.only(owned[:place] + owned[place + 1 :]) for place in range(len(owned))]

    def square(self, piece: str) -> str:
        """The name of a piece's square."""
        found = self._words.piece(piece)
        return square_name(found[0]) if found else piece


def economy(pieces: Pieces, stays: Callable[[Facts], bool]) -> tuple[tuple[str, ...], Facts | None]:
    """The squares of pieces that can be left out, each by itself, and the smallest position.

    That is without all pieces that can be left out together; None without any.

    ``stays`` tells whether the puzzle is the same in a position.
    """
    found = [
        piece
        for piece, facts in zip(pieces.owned, pieces.each_without_one(), strict=True)
        if stays(facts)
    ]
    if not found:
        return (), None
    left = leave_out(pieces.owned, lambda fewer: stays(pieces.only(fewer)))
    return tuple(map(pieces.square, found)), pieces.only(left)
