"""Random changes of positions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from ..game.board import Square
from ..game.game import Game
from ..game.listed_fluents import ListedFluents
from ..game.positions import shifted_pieces
from ..game.symmetry import candidates
from ..gdl.rules import Facts
from ..runtime.errors import BadPosition

_NEXT_CHANGE = 0.35  # the probability of another change


class PositionChanges:
    """Changes positions of one game; the results may be invalid positions."""

    def __init__(self, game: Game) -> None:
        self._game, self._words = game, game.vocabulary
        self._cells: Mapping[Square, Mapping[str, str]] = ListedFluents(game.vocabulary).cells
        self._set = self._kinds(game.initial.facts)
        self._views = [s for s in candidates(game.vocabulary) if s.roles == game.roles]

    def changed(self, facts: Facts, random: Random, grows: bool = False) -> Facts:
        """The position with a piece moved, added, removed or exchanged, or with all shifted.

        If it grows, pieces of all kinds are added as often as pieces go.
        """
        changes = [self._moved, self._moved, self._added, self._without, self._without, self._other]
        if grows:
            changes = [*[self._moved] * 4, *[self._brought] * 2, self._without, self._other]
        pieces = [fact for fact in facts if self._words.piece(fact)]
        rest = [fact for fact in facts if not self._words.placement(fact)]
        while True:
            pieces = random.choice(changes)(pieces, random)
            if random.random() > _NEXT_CHANGE:
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

    def _brought(self, pieces: Sequence[str], random: Random) -> list[str]:
        """A piece of any kind, as frequent as at the start of a game."""
        if not self._set:
            return self._added(pieces, random)
        chosen = random.choice(sorted(self._set.elements()))
        return [*pieces, *self._placed(chosen, pieces, random)]

    def _kinds(self, facts: Facts) -> Counter[str]:
        """The number of the sides' pieces of each kind."""
        contents = (self._words.content(fact) or "" for fact in facts)
        return Counter(content for content in contents if self._words.owner(content))

    def is_of_one_set(self, facts: Facts) -> bool:
        """Whether no kind of piece is more frequent than at the start, if it is there at all."""
        now = self._kinds(facts)
        return all(now[kind] <= number for kind, number in self._set.items())

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
