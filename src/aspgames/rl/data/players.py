"""Players for recorded games: functions that choose a move of a role in a state.

``PLAYERS`` lists the kinds of players; add new kinds there.
"""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

from ...agents.match.match import Match
from ...agents.match.opponent import PlayerKind
from ...agents.match.solving_opponent import Solver
from ...agents.match.study import Study
from ...agents.mcts.player import Player
from ...game.game import Game, State
from ...puzzle.problem import Puzzle
from ...runtime.arguments import told
from ...runtime.budget import Stoppable
from ...runtime.errors import BadRequest

RANDOM = PlayerKind.RANDOM.value


class MoveChooser(Protocol):
    """Plays a role."""

    def __call__(self, state: State, role: str, rng: random.Random) -> str:
        """A legal move of the role, as a term; ``rng`` makes random choices."""


def _solver(game: Game, seconds: float) -> MoveChooser:
    """The solver of ``match``: it plays forced wins, and avoids moves that provably lose."""
    alternate = False
    with suppress(BadRequest):
        Puzzle.of(game.initial, game.roles[0], "win")
        alternate = len(game.roles) == 2
    if not alternate:
        raise BadRequest(f"the solver plays games in which two sides take turns, not {game.name}")

    def choose(state: State, role: str, rng: random.Random) -> str:
        if len(state.legal[role]) == 1:
            return state.legal[role][0].term
        others = [other for other in game.roles if other != role]
        match = Match(state, others)
        return Solver(Study(match), seconds, rng.getrandbits(32)).choose(match).move

    return choose


def _engine(game: Game, seconds: float) -> MoveChooser:
    """The engine of ``match`` and ``uci``: a tree of random games, with the solver beside it."""
    engine = Player(game)

    def choose(state: State, role: str, rng: random.Random) -> str:  # noqa: ARG001
        *_, thought = engine.think(state, role, Stoppable(seconds))
        return thought.move

    return choose


PLAYERS: Mapping[str, Callable[[Game, float], MoveChooser]] = {
    RANDOM: lambda *_: lambda state, role, rng: rng.choice(state.legal[role]).term,
    PlayerKind.SOLVER.value: _solver,
    PlayerKind.ENGINE.value: _engine,
}
"""Functions from a game and the time for a move [s] to a player, by name."""


def players_of(game: Game, names: Mapping[str, str], seconds: float) -> Mapping[str, MoveChooser]:
    """A player for each role. Raises ``BadRequest`` if one can't play the game."""
    made = {name: PLAYERS[name](game, seconds) for name in dict.fromkeys(names.values())}
    return {role: made[name] for role, name in names.items()}


def read_players(game: Game, players: str | Mapping[str, str]) -> dict[str, str]:
    """The player's name of each role, from one name for all or names by role.

    Other roles play at random. Raises ``BadRequest`` for an unknown role or player.
    """
    named = dict.fromkeys(game.roles, players) if isinstance(players, str) else players
    for role, name in named.items():
        if role not in game.roles:
            raise BadRequest(f"{game.name} has no role {told(role)}, but {', '.join(game.roles)}")
        if name not in PLAYERS:
            raise BadRequest(f"a player is {', '.join(PLAYERS)}, not {told(name)}")
    return {role: named.get(role, RANDOM) for role in game.roles}
