"""What a net says of one state: the numbers of its answer, and what they mean in words.

An answer is a list of numbers, as the kernel gives it (``engine/native/single.c``): whether the
state is terminal; how many roles are on move, and the last of these; for each role its goal, and
where its legal moves begin in the list and end; then these: twice the number of each, and one more
if the move is marked.

States know this much of the engine, and nothing else before one of their nets is made: a state of a
game without nets works where there is no engine at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from . import Consequences, the_one_on_move


class AnswerNames(Protocol):
    """What an answer's numbers stand for."""

    @property
    def roles(self) -> Sequence[str]:
        """The roles, in the answer's order."""

    @property
    def terms(self) -> Sequence[str]:
        """The moves of all roles, as terms."""


def bounds_of(said: Sequence[int], role: int) -> tuple[int, int]:
    """Where a role's legal moves are in an answer: the first, and the one after the last."""
    return said[4 + 3 * role], said[5 + 3 * role]


def goals_of(said: Sequence[int], roles: Sequence[str]) -> dict[str, int]:
    """Each role's goal; 0 where the rules settle none."""
    return {role: said[3 + 3 * number] for number, role in enumerate(roles)}


def consequences_of(said: Sequence[int], names: AnswerNames, roles: Sequence[str]) -> Consequences:
    """An answer in words; ``roles`` are the game's."""
    legal = {}
    for number, role in enumerate(names.roles):
        first, end = bounds_of(said, number)
        legal[role] = tuple(names.terms[move >> 1] for move in said[first:end])
    if said[1] == 1:
        on_move: str | None = names.roles[said[2]]
    else:
        on_move = None if said[1] else the_one_on_move((), legal)
    return Consequences(legal, bool(said[0]), goals_of(said, roles), on_move)
