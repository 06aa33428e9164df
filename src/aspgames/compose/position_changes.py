"""Small changes of positions, which may turn a near miss into a puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ..game.board import Square
from ..game.fluents import ListedFluents
from ..game.game import Game
from ..game.positions import shifted_pieces
from ..game.symmetry import candidates
from ..gdl.reasoner import Facts
from ..runtime.errors import BadPosition

_SEVERAL = 0.35  # the probability of another change


class PositionChanges:
    """Changes positions of one game; the results may be invalid positions."""

    def __init__(self, game: Game) -> None:
        self._game, self._words = game, game.vocabulary
        self._cells: Mapping[Square, Mapping[str, str]] = ListedFluents(game.vocabulary).cells
        self._views = [s for s in candidates(game.vocabulary) if s.roles == game.roles]

    def changed(self, facts: Facts, random: Random) -> Facts:
        """The position with a piece moved, added, removed or exchanged, or with all shifted."""
        pieces = [fact for fact in facts if self._words.piece(fact)]
        rest = [fact for fact in facts if not self._words.placement(fact)]
        while True:
            change = random.choice(
                [self._moved, self._moved, self._added, self._without, self._without, self._other]
            )
            pieces = change(pieces, random)
            if random.random() > _SEVERAL:
                break
        found = tuple(sorted(self._words.with_blanks([*pieces, *rest])))
        return self._seen_otherwise(found, random) if random.random() < 0.1 else found

    def thinned(self, facts: Facts, random: Random) -> Facts:
        """The position with fewer pieces, with a random density for each kind."""
        density: dict[str, float] = {}
        kept = []
        for fact in facts:
            content = self._words.content(fact)
            if content is None:
                kept += [] if self._words.placement(fact) else [fact]
            elif random.random() < density.setdefault(content, 0.15 + 0.85 * random.random()):
                kept.append(fact)
        return tuple(sorted(self._words.with_blanks(kept)))

    def _moved(self, pieces: Sequence[str], random: Random) -> list[str]:
        left = list(pieces)
        if not left:
            return left
        piece = left.pop(random.randrange(len(left)))
        return left + self._placed(self._words.content(piece) or "", pieces, random)

    def _added(self, pieces: Sequence[str], random: Random) -> list[str]:
        if not pieces:
            return list(pieces)
        content = self._words.content(random.choice(pieces)) or ""
        return [*pieces, *self._placed(content, pieces, random)]

    def _without(self, pieces: Sequence[str], random: Random) -> list[str]:
        left = list(pieces)
        if left:
            del left[random.randrange(len(left))]
        return left

    def _other(self, pieces: Sequence[str], random: Random) -> list[str]:
        left = list(pieces)
        if not left:
            return left
        place = random.randrange(len(left))
        found = self._words.piece(left[place])
        choices = sorted(self._cells.get(found[0], {}).values()) if found else []
        if choices:
            left[place] = random.choice(choices)
        return left

    def _placed(self, content: str, pieces: Sequence[str], random: Random) -> list[str]:
        taken = {found[0] for fact in pieces if (found := self._words.piece(fact))}
        free = [
            cell[content]
            for square, cell in sorted(self._cells.items())
            if square not in taken and content in cell
        ]
        return [random.choice(free)] if free else []

    def _seen_otherwise(self, facts: Facts, random: Random) -> Facts:
        """Mirrored, or shifted by a square."""
        try:
            if self._views and random.random() < 0.5:
                seen = random.choice(self._views)
                return tuple(sorted(map(seen.fluent, facts)))
            dx, dy = random.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
            return shifted_pieces(self._words, facts, self._words, dx, dy)
        except BadPosition:
            return facts
