"""The protocol of opponents, and the random opponent."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, assert_never

from ...game.notation.joint_moves import format_ply
from .match import Match


class PlayerKind(StrEnum):
    """The programs that play, by their names on the command line, in JSON and in files."""

    SOLVER = "solver"
    ENGINE = "engine"
    RANDOM = "random"
    TABLE = "table"

    @property
    def words(self) -> str:
        """Its name in a sentence: "against the solver"."""
        match self:
            case PlayerKind.SOLVER:
                return "the solver"
            case PlayerKind.ENGINE:
                return "the engine"
            case PlayerKind.RANDOM:
                return "random moves"
            case PlayerKind.TABLE:
                return "a table"
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class Choice:
    """An opponent's move."""

    move: str
    """The move as a term, or the joint move of several roles."""
    note: str = ""
    """A remark for the person, for example about a limit."""


class Opponent(Protocol):
    """Plays every role that no person plays."""

    kind: PlayerKind
    searches: bool
    """Whether it proves forced results; a review uses them."""

    def choose(self, match: Match) -> Choice:
        """A move of each awaited role."""


class RandomOpponent:
    """Chooses uniformly among the legal moves."""

    kind = PlayerKind.RANDOM
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
