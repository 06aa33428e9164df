"""The strength of the engine: matches against random moves and against plain UCT, with equal time.

    python benchmarks/engine.py --against random --games 100 --time 0.05
    python benchmarks/engine.py --against plain --games 100 --time 0.5 breakthrough

The sides change from game to game. The player with the higher goal value wins. Plain UCT is the
same code on the same kernel, without the solver and without solved nodes. ``plain`` plays as many
games a round as the engine, ``single`` one game a round, as in textbooks.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import replace

import aspgames
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.tree_search import Settings
from aspgames.runtime.budget import Stoppable

GAMES = ("breakthrough", "amazons_8x8", "amazons_10x10", "skirmish", "amazons")
ENGINE = Settings()
OTHERS = {
    "plain": replace(ENGINE, solver=False, settles=False),
    "single": replace(ENGINE, solver=False, settles=False, games=1),
}

Mover = Callable[[aspgames.State], str]


def engine(game: aspgames.Game, settings: Settings, seconds: float, games: int | None) -> Mover:
    """A player with a time for each move, or a number of games."""
    player = Player(game, settings)
    player.prepare(game.initial, Stoppable(120))

    def choose(state: aspgames.State) -> str:
        return player.choose(state, None if games else seconds, games).term

    return choose


def at_random(seed: int) -> Mover:
    """A player that moves at random."""
    rng = random.Random(seed)
    return lambda state: rng.choice(list(state.legal_moves)).term


def play(game: aspgames.Game, players: dict[str, Mover], plies: int, rng: random.Random) -> float:
    """Play a game that begins with random plies; returns the first role's lead in goal value."""
    state = game.initial
    while not state.is_terminal and state.legal_moves:
        if plies > 0:
            plies -= 1
            state = state.play(rng.choice(list(state.legal_moves)))
        else:
            state = state.play(players[state.to_move or ""](state))
    first, second = (state.goals[role] for role in game.roles)
    return float(first - second)


def main() -> None:
    """Play the matches and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--against", choices=["random", *OTHERS], default="random")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--playouts", type=int, help="random games a move, in place of the time")
    parser.add_argument("--plies", type=int, default=2, help="random plies at the start")
    parser.add_argument("--exploration", type=float, default=ENGINE.exploration)
    parser.add_argument("--no-solver", action="store_true", help="the engine's tree alone")
    given = parser.parse_args()
    own = replace(ENGINE, exploration=given.exploration, solver=not given.no_solver)
    for name in given.names:
        game = aspgames.load(name)
        won = drawn = lost = 0
        start = time.monotonic()
        for number in range(given.games):
            ours = engine(game, replace(own, seed=number), given.time, given.playouts)
            other = (
                at_random(number)
                if given.against == "random"
                else engine(
                    game, replace(OTHERS[given.against], seed=number), given.time, given.playouts
                )
            )
            roles = game.roles if number % 2 == 0 else game.roles[::-1]
            players = dict(zip(roles, (ours, other), strict=True))
            # Two games each begin with the same random plies.
            margin = play(game, players, given.plies, random.Random(number // 2))
            margin *= 1 if number % 2 == 0 else -1
            won, drawn, lost = won + (margin > 0), drawn + (margin == 0), lost + (margin < 0)
        score, games = won + drawn / 2, given.games
        error = math.sqrt(max(score / games * (1 - score / games), 0.25 / games) / games)
        print(
            f"{name}: {won} won, {drawn} drawn, {lost} lost of {games} against {given.against} "
            f"({100 * score / games:.0f}% +- {100 * error:.0f}), "
            f"{(time.monotonic() - start) / games:.1f} s a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
