"""The protocol of opponents, and those that play at random, by a table and by the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from ...game.move import Move
from ...game.notation.joint_moves import format_ply
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Interrupted, LimitReached
from .match import Match
from .policy import policy_named

if TYPE_CHECKING:
    from ..mcts.puct import TreeResult

_SIMULATIONS = 16  # between two looks at the clock


class PlayerKind(StrEnum):
    """The programs that play, by their names on the command line, in JSON and in files."""

    SOLVER = "solver"
    ENGINE = "engine"
    RANDOM = "random"
    TABLE = "table"
    NETWORK = "network"
    POLICY = "policy"

    @property
    def words(self) -> str:
        """Its name in a sentence: "against the solver"."""
        return {
            PlayerKind.SOLVER: "the solver",
            PlayerKind.ENGINE: "the engine",
            PlayerKind.RANDOM: "random moves",
            PlayerKind.TABLE: "a table",
            PlayerKind.NETWORK: "a network",
            PlayerKind.POLICY: "your policy",
        }[self]


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

    def choose(self, match: Match) -> Choice:
        """A move of each awaited role."""


class RandomOpponent:
    """Chooses uniformly among the legal moves; chance has its own probabilities."""

    kind = PlayerKind.RANDOM

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, match: Match) -> Choice:
        """Equal seeds give equal moves at the same ply, also after an undo."""
        return at_random(self._seed, match)


def at_random(seed: int, match: Match, note: str = "") -> Choice:
    """A random move of each of the opponent's roles."""
    rng, legal = chance(seed, match), match.state.legal
    return each_chosen(seed, match, lambda role: rng.choice(legal[role]).term, note)


def each_chosen(seed: int, match: Match, choose: Callable[[str], str], note: str = "") -> Choice:
    """The move chosen for each of the opponent's roles; one of ``random`` by its probabilities."""
    moves = {r: chance_move(seed, match) if r == CHANCE else choose(r) for r in match.awaited}
    return Choice(format_ply(moves, match.awaited), note)


def _with_the_others(match: Match, move: Move) -> Choice:
    """A move, with those of roles that have a single one."""
    legal = match.state.legal.items()
    only = {role: moves[0].term for role, moves in legal if len(moves) == 1}
    return Choice(format_ply(only | {move.role: move.term}, match.awaited))


def chance_move(seed: int, match: Match) -> str:
    """A move of ``random``, by its probabilities."""
    state = match.state
    return (state.draw(chance(seed, match)) if state.chance else state.legal[CHANCE][0]).term


def chance(seed: int, match: Match) -> random.Random:
    """Random numbers for one ply of a match."""
    return random.Random(f"{seed} {len(match.moves)}")


class ByTable:
    """Plays by a tablebase: wins as early and loses as late as possible."""

    kind = PlayerKind.TABLE

    def __init__(self, path: str, state: State, seed: int = 0) -> None:
        """Open a tablebase file; ``seed`` decides between equally good moves.

        Raises ``BadRequest`` if it belongs to another game, and ``BadPosition`` if it lacks the
        state.
        """
        from ...solver.table.lookup import Table

        self._table, self._seed = Table(path, state.game), seed
        self._table.value(state)

    def choose(self, match: Match) -> Choice:
        """One of the best moves."""
        state = match.state
        return _with_the_others(match, chance(self._seed, match).choice(self._table.best(state)))


LEVELS: Mapping[str, int | None] = {"easy": 50, "medium": 2000, "hard": None}
"""The engine's levels: how many states or random games it looks at for a move; None: no limit."""


class ByEngine:
    """Plays each role that no person plays, for that role's own goal (``mcts``)."""

    kind = PlayerKind.ENGINE

    def __init__(
        self, match: Match, seconds: float | None, seed: int = 0, level: str = "hard"
    ) -> None:
        """``seconds`` is the time for a move, ``level`` one of ``LEVELS``.

        Raises ``BadRequest`` for a puzzle.
        """
        from ..mcts.player import Player
        from ..mcts.tree_search import PlayerOptions  # loaded only when needed

        if match.puzzle is not None:
            raise BadRequest("a puzzle is played against the solver, which plays it perfectly")
        self._player = Player(match.state.game, PlayerOptions(seed=seed))
        self._seconds, self._most, self._seed = seconds, LEVELS[level], seed

    def choose(self, match: Match) -> Choice:
        """A move of each awaited role, even if the search is stopped."""
        seconds = self._seconds and self._seconds / len(match.awaited)

        def best(role: str) -> str:
            move, budget = "", Budget(seconds)
            for thought in self._player.think(match.known(role), role, budget, self._most):
                move = thought.move
            return move

        return each_chosen(self._seed, match, best)


class ByPolicy:
    """Plays by a function of the user (``policy_named``)."""

    kind = PlayerKind.POLICY

    def __init__(self, name: str, seed: int = 0) -> None:
        """``seed`` is for moves of ``random``. Raises ``BadRequest`` without such a function."""
        self._policy, self._seed = policy_named(name), seed

    def choose(self, match: Match) -> Choice:
        """The function's move of each awaited role, by what the role knows."""
        policy = self._policy
        return each_chosen(self._seed, match, lambda role: policy(match.known(role), role).term)


class ByNetwork:
    """Plays by a neural network, which a tree search asks (``aspgames.mcts``)."""

    kind = PlayerKind.NETWORK

    def __init__(self, path: str, state: State, seconds: float | None, seed: int = 0) -> None:
        """Open an ONNX file; ``seconds`` is the time for a move.

        Raises ``BadRequest`` if it isn't a network for the game, or several roles choose at once,
        and ``BadPosition`` if play from the game's start doesn't reach the state.
        """
        from ..mcts.onnx_network import OnnxNetwork

        self._network, self._seconds, self._seed = OnnxNetwork(path, state.game), seconds, seed
        self._search(state, 1)

    def choose(self, match: Match) -> Choice:
        """The most visited move, even if the search is stopped."""
        move = self.best(match.state, Budget(self._seconds))
        if move is None:
            return at_random(self._seed, match, "at random: stopped")
        return _with_the_others(match, move)

    def best(self, state: State, budget: Budget) -> Move | None:
        """The most visited move when the budget ends; None if it ends at once."""
        found = None
        with suppress(LimitReached, Interrupted):
            while True:
                found = self._search(state, _SIMULATIONS, found)
                budget.check()
        return None if found is None else state.game.moves[int(found.moves[0])]

    def _search(
        self, state: State, simulations: int, found: TreeResult | None = None
    ) -> TreeResult:
        """Go on with the search of a state."""
        from ..mcts.puct import search

        net, seed = self._network, self._seed
        return search([state], net, simulations, reuse=found, seed=seed, relative=net.relative)
