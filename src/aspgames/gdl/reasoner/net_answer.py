"""A net's answer about one state: a list of numbers, and its meaning.

The kernel's answer (``propnet/native``) has: whether the state is terminal; the number of roles on
move, and the last of them; for each role its goal, and where its legal moves begin and end in the
list; then the moves: twice the number of each, plus one if the move is marked.

A state knows this format and no other part of the network, so games without nets work without it.
"""

from collections.abc import Sequence

from . import Consequences, the_one_on_move


def bounds_of(answer: Sequence[int], role: int) -> tuple[int, int]:
    """The range of a role's legal moves in an answer: the first, and one past the last."""
    return answer[4 + 3 * role], answer[5 + 3 * role]


def goals_of(answer: Sequence[int], roles: Sequence[str]) -> dict[str, int]:
    """Each role's goal, or ``UNSETTLED``; ``roles`` are in the answer's order."""
    return {role: answer[3 + 3 * number] for number, role in enumerate(roles)}


def consequences_of(
    answer: Sequence[int], roles: Sequence[str], terms: Sequence[str]
) -> Consequences:
    """An answer as ``Consequences``, given the net's roles and the terms of its moves."""
    legal = {}
    for number, role in enumerate(roles):
        first, end = bounds_of(answer, number)
        legal[role] = tuple(terms[move >> 1] for move in answer[first:end])
    if answer[1] == 1:
        on_move: str | None = roles[answer[2]]
    else:
        on_move = None if answer[1] else the_one_on_move((), legal)
    return Consequences(legal, bool(answer[0]), goals_of(answer, roles), on_move)
