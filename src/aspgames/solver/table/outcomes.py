"""What roles want: which outcomes they prefer, and whether they hurry to come there.

An outcome is the tuple of all roles' goals at the end of a game. Each role wants the highest goal
of its own. A role that nobody is ahead of in an outcome hurries to it; one that is behind delays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ...propnet.value_induction import Preferences

Outcome = tuple[int, ...]
"""Each role's goal, in the order of the roles."""
Flags = npt.NDArray[np.uint8]


def preferences(outcomes: Sequence[Outcome], roles: int) -> Preferences:
    """What each role prefers."""
    hurry = np.zeros((roles, len(outcomes)), np.uint8)
    ranks = np.zeros((roles, len(outcomes)), np.int32)
    for role in range(roles):
        wants = [(goals[role], _is_not_behind(goals, role)) for goals in outcomes]
        order = sorted(set(wants))
        ranks[role] = [order.index(want) for want in wants]
        hurry[role] = [hurries for _, hurries in wants]
    return Preferences(ranks, hurry)


def opposed(outcomes: Sequence[Outcome]) -> bool:
    """Whether there are two roles, and what is better for one is worse for the other."""
    if any(len(goals) != 2 for goals in outcomes):
        return False
    return all(a[0] < b[0] and a[1] > b[1] for a, b in pairwise(sorted(outcomes)))


def worth_an_end(outcomes: Sequence[Outcome], roles: int) -> Flags:
    """For each role and outcome, whether it would rather have that than play without an end.

    Where roles are neither alone nor opposed, nothing is said of that.
    """
    settled = preferences(outcomes, roles)
    if roles == 1 or opposed(outcomes):
        return settled.hurry
    return np.zeros_like(settled.hurry)


def rounds(outcomes: Sequence[Outcome], roles: int) -> Iterator[Flags]:
    """At which outcomes roles aim, one round after the other, where play may go round in circles.

    First what a role has if it is ahead, the best first; what puts nobody ahead comes last.
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


def _is_not_behind(goals: Outcome, role: int) -> bool:
    return goals[role] == max(goals)
