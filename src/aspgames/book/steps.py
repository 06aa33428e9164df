"""Plies as a page needs them: who plays what, and which fluents come and go by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..board import Square, placement
from ..notation.moves import format_move, named_squares
from ..puzzle.problem import Puzzle
from ..search.prover import Place, Prover

Step = tuple[int, str, tuple[int, ...], tuple[int, ...], tuple[str, ...]]
"""The role, by its place among the roles; the move's text; the fluents that go and those that come,
by their numbers; the squares that the move names, as ``x,y``."""


@dataclass
class Steps:
    """Numbers plies, those that look and do the same alike, and numbers the fluents."""

    puzzle: Puzzle
    prover: Prover
    steps: dict[Step, int] = field(default_factory=dict)
    fluents: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.puzzle.state.game
        self._notation = game.vocabulary.notation
        roles = game.roles
        self.attacker = roles.index(self.puzzle.attacker)
        self.start = [self.fluent(fact) for fact in self.puzzle.state.facts]
        self._open = self.prover.net.fluents
        changing = set(self._open)
        fixed = (placement(fact) for fact in self.puzzle.state.facts if fact not in changing)
        self._occupied = {found[0] for found in fixed if found}
        self._cells: dict[Square, int] = {}
        for number, fluent in enumerate(self._open):
            if found := placement(fluent):
                self._cells[found[0]] = self._cells.get(found[0], 0) | 1 << number

    def fluent(self, fact: str) -> int:
        """The number of a fluent."""
        return self.fluents.setdefault(fact, len(self.fluents))

    def step(self, place: Place, move: str, child: Place) -> int:
        """The number of a ply from one place to another."""
        before, after = _bits(place), _bits(child)
        text = format_move(self._notation, move, _Squares(self, before))
        squares = tuple(f"{x},{y}" for x, y in named_squares(self._notation, move))
        role = self.attacker if place.attacks else 1 - self.attacker
        gone, come = self._held(before & ~after), self._held(after & ~before)
        return self.steps.setdefault((role, text, gone, come, squares), len(self.steps))

    def planned(self, move: str | None) -> str | None:
        """The text of a move that is planned: where it will be made, nothing may be known."""
        return None if move is None else format_move(self._notation, move, ())

    def _held(self, bits: int) -> tuple[int, ...]:
        found = []
        while bits:
            low = bits & -bits
            found.append(self.fluent(self._open[low.bit_length() - 1]))
            bits ^= low
        return tuple(sorted(found))

    def holds(self, square: Square, bits: int) -> bool:
        """Whether something stands on a square."""
        return square in self._occupied or bool(bits & self._cells.get(square, 0))


@dataclass(frozen=True)
class _Squares:
    """The squares on which something stands at a place."""

    steps: Steps
    bits: int

    def __contains__(self, square: object) -> bool:
        return isinstance(square, tuple) and self.steps.holds(square, self.bits)


def _bits(place: Place) -> int:
    """A place's fluents as one number."""
    return int.from_bytes(place.key, "little")


def listed(steps: Iterable[Step]) -> list[list[object]]:
    """Steps as JSON has them."""
    return [
        [role, text, list(gone), list(come), list(squares)]
        for role, text, gone, come, squares in steps
    ]
