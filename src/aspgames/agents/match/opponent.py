"""The protocol of opponents, and the random opponent."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from ...game.notation.joint_moves import format_ply
from .match import Match


@dataclass(frozen=True, slots=True)
class Choice:
    """An opponent's move."""

    move: str
    """The move as a term, or the joint move of several roles."""
    note: str = ""
    """A remark for the person, for example about a limit."""


class Opponent(Protocol):
    """Plays every role that no person plays."""

    name: str
    """The opponent's name on the command line."""
    searches: bool
    """Whether it proves forced results; a review uses them."""

    def choose(self, match: Match) -> Choice:
        """A move of each awaited role."""


class RandomOpponent:
    """Chooses uniformly among the legal moves."""

    name = "random"
    searches = False

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, match: Match) -> Choice:
        """The same seed gives the same move at the same ply, also after an undo."""
        return Choice(at_random(self._seed, match))


def at_random(seed: int, match: Match) -> str:
    """A random move of each of the opponent's roles."""
    rng, legal = chance(seed, match), match.state.legal
    return format_ply({r: rng.choice(legal[r]).term for r in match.awaited}, match.awaited)


def chance(seed: int, match: Match) -> random.Random:
    """Random numbers for one ply of a match."""
    return random.Random(f"{seed} {len(match.moves)}")
