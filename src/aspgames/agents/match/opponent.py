"""Opponents: what they have in common, and the one that moves at random."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from ...game.notation.joint_moves import format_ply
from .match import Match


@dataclass(frozen=True, slots=True)
class Choice:
    """What an opponent plays."""

    move: str
    """The move as a term, or the joint move of several roles."""
    note: str = ""
    """What the person should know of it: that a limit was reached before it was certain."""


class Opponent(Protocol):
    """Plays every role that no person plays."""

    name: str
    """What it is called on the command line."""
    searches: bool
    """Whether it finds out what is forced; what it knows then serves the person's review."""

    def choose(self, match: Match) -> Choice:
        """A move for each role that is awaited."""


class RandomOpponent:
    """Every legal move is as likely as any other."""

    name = "random"
    searches = False

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, match: Match) -> Choice:
        """The same seed gives the same move at the same ply, also after taking back."""
        return Choice(at_random(self._seed, match))


def at_random(seed: int, match: Match) -> str:
    """A move of each role that the opponent chooses for."""
    rng, legal = chance(seed, match), match.state.legal
    return format_ply({r: rng.choice(legal[r]).term for r in match.awaited}, match.awaited)


def chance(seed: int, match: Match) -> random.Random:
    """Random numbers for one ply of a match."""
    return random.Random(f"{seed} {len(match.moves)}")
