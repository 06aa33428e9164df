"""Which pieces of a puzzle can go and it stays what it is.

Asked are the pieces that belong to a side. What belongs to nobody, such as walls, is the board's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..game.board import square_name
from ..game.game import Game
from ..gdl.reasoner import Facts
from ..runtime.minimization import leave_out


def can_change(game: Game) -> bool:
    """Whether other positions than those of play make sense: the encoding says which there are."""
    return game.board is not None and bool(game.encoding.parts.get("position"))


class Pieces:
    """A position as the pieces of its sides, and the rest."""

    def __init__(self, game: Game, facts: Facts) -> None:
        words = self._words = game.vocabulary
        self.owned = [fact for fact in facts if words.owner(words.content(fact) or "")]
        """What says of the sides' pieces where they stand."""
        kept = [f for f in facts if words.piece(f) or not words.placement(f)]
        self._rest = [fact for fact in kept if fact not in self.owned]
        self.number = sum(map(bool, map(words.piece, facts)))
        """How many things stand on the board."""

    def only(self, pieces: Sequence[str]) -> Facts:
        """The position with these of the sides' pieces alone."""
        return tuple(sorted(self._words.with_blanks([*pieces, *self._rest])))

    def each_without_one(self) -> list[Facts]:
        """The positions without one of the sides' pieces."""
        owned = self.owned
        return [self.only(owned[:place] + owned[place + 1 :]) for place in range(len(owned))]

    def square(self, piece: str) -> str:
        """Where one stands, as people write it."""
        found = self._words.piece(piece)
        return square_name(found[0]) if found else piece


@dataclass(frozen=True, slots=True)
class Economy:
    """What can go."""

    superfluous: tuple[str, ...]
    """The squares of pieces each of which can."""
    smallest: Facts | None
    """The position when all have gone that can go together; None if none can."""


def economy(pieces: Pieces, stays: Callable[[Facts], bool]) -> Economy:
    """What can go, where ``stays`` says whether the puzzle is the same in another position."""
    found = [
        piece
        for piece, facts in zip(pieces.owned, pieces.each_without_one(), strict=True)
        if stays(facts)
    ]
    if not found:
        return Economy((), None)
    left = leave_out(pieces.owned, lambda fewer: stays(pieces.only(fewer)))
    return Economy(tuple(map(pieces.square, found)), pieces.only(left))
