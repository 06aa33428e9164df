"""Puzzles that are the same up to a symmetry, a shift or counters."""

from ..game.game import Game
from ..game.symmetry import AS_IT_IS, Symmetry, candidates
from ..gdl.rules import Facts
from ..runtime.errors import BadPosition, LimitReached, RulesError

Form = tuple[str, ...]


class Twins:
    """The puzzles of one game, without twins.

    Counters don't matter. A symmetry is proven from the rules when it first makes two puzzles the
    same, because proofs take long for some games, and twins are rare.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        words = game.vocabulary
        self._same = Symmetry(words, AS_IT_IS, words.roles)
        self._views = [self._same, *candidates(words)]
        self._known: dict[Form, None] = {}
        self._holds: dict[str, bool] = {self._same.name: True}

    def add(self, facts: Facts, attacker: str) -> bool:
        """Add a puzzle; False if it has a twin already."""
        for view in self._views:
            if self._form(view, facts, attacker) in self._known and self._is_proven(view):
                return False
        self._known[self._form(self._same, facts, attacker)] = None
        return True

    def _form(self, view: Symmetry, facts: Facts, attacker: str) -> Form:
        """A puzzle under a symmetry, shifted into the corner."""
        words = self._game.vocabulary
        board = words.board
        shown = set(board.fields.get(1, {}).values()) if board else set()
        beside, pieces = [], []
        for fact in facts:
            try:
                seen = view.fluent(fact)
            except BadPosition:
                seen = fact
            if (piece := words.piece(seen)) is not None:
                pieces.append(piece)
            elif not words.placement(seen) and (not board or seen in shown):
                beside.append(seen)
        left = min((x for (x, _), _ in pieces), default=0)
        low = min((y for (_, y), _ in pieces), default=0)
        placed = [f"{x - left},{y - low},{content}" for (x, y), content in pieces]
        return (view.role(attacker), *sorted(beside), *sorted(placed))

    def _is_proven(self, view: Symmetry) -> bool:
        if view.name not in self._holds:
            try:
                unlike = self._game.proofs.difference(view)
            except (LimitReached, RulesError):
                unlike = None  # unknown: one of two possible twins is enough
            self._holds[view.name] = unlike is None
        return self._holds[view.name]
