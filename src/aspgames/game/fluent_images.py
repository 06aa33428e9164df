"""Symmetries of a game's rules as what becomes of numbered fluents."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..runtime.errors import BadPosition, LimitReached, RulesError
from .game import State


def images(
    state: State, fluents: Sequence[str], certain: Collection[str]
) -> tuple[tuple[int, ...], ...]:
    """Where each of some fluents goes, by the symmetries in which roles stay what they are.

    They are those that play from a state can change; the ``certain`` ones always hold. Without a
    symmetry that is proven there are none.
    """
    game, numbers = state.game, {fluent: number for number, fluent in enumerate(fluents)}
    found = set[tuple[int, ...]]()
    try:
        for symmetry in game.symmetries:
            if symmetry.roles != tuple(game.roles) or game.proofs.difference(symmetry, state.facts):
                continue
            goes = tuple(numbers.get(symmetry.fluent(fluent), -1) for fluent in fluents)
            if sorted(goes) == sorted(numbers.values()) and set(certain) == set(
                map(symmetry.fluent, certain)
            ):
                found.add(goes)
    except (BadPosition, LimitReached, RulesError):  # it isn't known where fluents go
        return ()
    return tuple(sorted(found - {tuple(range(len(fluents)))}))
