"""Random positions, made from positions of play.

The encoding alone defines which fluents exist (``base/1``) and which positions are invalid
(``refused/2``). Pieces are removed, moved or drawn anew, at any density, including none. A counter
gets any of its values, more often one near the ends of its range.
"""

from collections.abc import Sequence
from random import Random

from ...game.fluents import ListedFluents
from ...game.game import Game
from ...gdl.reasoner import Facts
from ...runtime.errors import BadPosition

_TRIES = 40


class RandomPositions:
    """Makes positions of one game."""

    def __init__(self, game: Game) -> None:
        self._game, self._vocabulary = game, game.vocabulary
        self._fluents = ListedFluents(game.vocabulary)

    def make(self, seed: Facts, random: Random) -> Facts | None:
        """A random position from another one; None if all attempts are invalid."""
        for _ in range(_TRIES):
            placed = [fact for fact in seed if self._vocabulary.piece(fact)]
            rest = [fact for fact in seed if not self._vocabulary.placement(fact)]
            other = [self._another(fact, random) for fact in rest]
            change = random.choice([self._thinned, self._moved, self._drawn])
            try:
                facts = self._vocabulary.with_blanks([*change(placed, random), *other])
                return self._game.from_facts(facts).facts
            except BadPosition:
                continue
        return None

    def _another(self, fact: str, random: Random) -> str:
        """A fluent of the same form, often the same one."""
        values = self._fluents.alike(fact)
        if len(values) < 2 or random.random() < 0.6:
            return fact
        if random.random() < 0.3:
            return random.choice([values[0], values[1], values[-2], values[-1]])
        return random.choice(values)

    def _thinned(self, placed: Sequence[str], random: Random) -> list[str]:
        """Some of the pieces, with a random density for each content."""
        density = {content: random.random() for content in self._fluents.contents}
        content = self._vocabulary.content
        return [fact for fact in placed if random.random() < density.get(content(fact) or "", 0.5)]

    def _moved(self, placed: Sequence[str], random: Random) -> list[str]:
        """The pieces with a few moved elsewhere, so that two may meet."""
        kept = self._thinned(placed, random) if random.random() < 0.5 else list(placed)
        for _ in range(min(random.randint(1, 6), len(kept))):
            piece = self._vocabulary.content(kept.pop(random.randrange(len(kept)))) or ""
            taken = {found[0] for fact in kept if (found := self._vocabulary.piece(fact))}
            free = [
                cell[piece]
                for square, cell in self._fluents.cells.items()
                if square not in taken and piece in cell
            ]
            kept += random.sample(free, min(1, len(free)))
        return kept

    def _drawn(self, placed: Sequence[str], random: Random) -> list[str]:
        """Every square drawn anew, if ``base/1`` lists the contents."""
        if not self._fluents.cells:
            return self._thinned(placed, random)
        full = random.random() ** 2
        weights = {
            piece: random.random() * random.randint(0, 1) + 1e-9 for piece in self._fluents.contents
        }
        return [
            random.choices(list(cell.values()), [weights[piece] for piece in cell])[0]
            for cell in self._fluents.cells.values()
            if random.random() < full
        ]
