"""The preferences of roles: which outcomes, and whether soon or late.

An outcome is the tuple of all roles' goal values at the end of a game. Each role prefers the
highest value of its own. If another role has a higher value in an outcome, the role wants it late,
else soon.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ...gdl.rules import HIGHEST_GOAL
from ...propnet.value_induction import Preferences

Outcome = tuple[int, ...]
"""Each role's goal, in the order of the roles."""
Flags = npt.NDArray[np.uint8]


def in_order(outcomes: Sequence[Sequence[int]]) -> tuple[Outcome, ...]:
    """Outcomes in an order that doesn't depend on their discovery."""
    return tuple(sorted(map(tuple, outcomes), reverse=True))


def words_of(one: int) -> int:
    """The 64-bit words of an expected goal value with the denominator ``one``."""
    return (HIGHEST_GOAL * one).bit_length() // 64 + 1


def preferences(outcomes: Sequence[Outcome], roles: int) -> Preferences:
    """Each role's preferences."""
    hurry = np.zeros((roles, len(outcomes)), np.uint8)
    ranks = np.zeros((roles, len(outcomes)), np.int32)
    for role in range(roles):
        wants = [(goals[role], goals[role] == max(goals)) for goals in outcomes]
        order = sorted(set(wants))
        ranks[role] = [order.index(want) for want in wants]
        hurry[role] = [hurries for _, hurries in wants]
    return Preferences(ranks, hurry)


def opposed(outcomes: Sequence[Outcome]) -> bool:
    """Whether there are two roles, and each improvement for one is a loss for the other."""
    if any(len(goals) != 2 for goals in outcomes):
        return False
    return all(a[0] < b[0] and a[1] > b[1] for a, b in pairwise(sorted(outcomes)))


def worth_an_end(outcomes: Sequence[Outcome], roles: int) -> Flags:
    """For each role and outcome, whether it prefers the outcome to endless play.

    All false unless there is one role, or two opposed ones.
    """
    settled = preferences(outcomes, roles)
    if roles == 1 or opposed(outcomes):
        return settled.hurry
    return np.zeros_like(settled.hurry)


def rounds(outcomes: Sequence[Outcome], roles: int) -> Iterator[Flags]:
    """The outcomes at which roles aim in cyclic play, round by round.

    First the outcomes that put one role ahead, its best first; then those that put nobody ahead.
    """
    ends = worth_an_end(outcomes, roles)
    for role in range(len(ends)):
        ahead = [n for n in range(len(outcomes)) if ends[role, n] and ends[:, n].sum() == 1]
        for number in sorted(ahead, key=lambda n: outcomes[n][role], reverse=True):
            aims = np.zeros_like(ends)
            aims[role, number] = 1
            yield aims
    even = ends * (ends.sum(axis=0) > 1).astype(np.uint8)
    if even.any():
        yield even
