"""The strength of the engine: matches with paired colours and equal time, and Elo with its error.

    python benchmarks/strength.py random --games 100 --time 0.05
    python benchmarks/strength.py uct --games 100 --time 0.3 breakthrough skirmish
    python benchmarks/strength.py material --games 100 --time 0.3 breakthrough
    python benchmarks/strength.py fairy-stockfish --games 100 --time 0.3 breakthrough
    python benchmarks/strength.py openspiel --games 100 --time 0.3 amazons_10x10
    python benchmarks/strength.py uct --net six.onnx -c width=6 -c height=6 --count 1000 --time 0.1

Two games each begin with the same four random plies, with the sides exchanged. The player with the
higher goal value wins. Each player has one thread.

- ``random`` moves at random.
- ``uct`` is the same engine without a learned value: a tree of random games, ``--count`` of them
  for a move in place of the time. ``--net`` lets a network play for us, as in ``match``, and
  ``--policy`` a function of yours, from a state and a role to a move.
- ``material`` is full-width search that counts pieces, with ``Batch``.
- ``fairy-stockfish`` is the program of this name; it has to be installed.
- ``openspiel`` is OpenSpiel's Monte-Carlo tree search in C++, with one random game a leaf, for
  Amazons in two plies. It is given a number of simulations for the time, from its last speed.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import time
from collections.abc import Callable

import numpy as np

import aspgames
from aspgames.agents.alphabeta.learned_value import turns_of
from aspgames.agents.match.opponent import ByNetwork
from aspgames.agents.match.policy import policy_named
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.tree_search import PlayerOptions
from aspgames.agents.uci.uci_turns import read_turn
from fairy import Engine

RANDOM_PLIES = 4
MOST_CHILDREN = 1 << 17  # states of one level of the material search

Mover = Callable[[aspgames.State, list[str], float], aspgames.Move]
"""Chooses a move, given the moves of the game so far, as terms, and a time [s]."""


def engine(game: aspgames.Game, seed: int, value: bool = True, count: int | None = None) -> Mover:
    """The engine; without ``value`` it is plain UCT with the solver."""
    player = Player(game, PlayerOptions(seed=seed, value=value))
    player.prepare(game.initial, aspgames.Budget(120))
    return lambda state, _played, seconds: player.choose(state, None if count else seconds, count)


def network(game: aspgames.Game, path: str) -> Mover:
    """A network in ONNX, with the search of ``match --net``."""
    opponent = ByNetwork(path, game.initial, None)

    def choose(state: aspgames.State, _played: list[str], seconds: float) -> aspgames.Move:
        best = opponent.best(state, aspgames.Budget(seconds))
        assert best is not None
        return best

    return choose


def policy(name: str) -> Mover:
    """A function of the user, as in ``match --against MODULE:FUNCTION``."""
    choose = policy_named(name)
    return lambda state, _played, _seconds: choose(state, state.to_move or state.game.roles[0])


def at_random(game: aspgames.Game, seed: int) -> Mover:  # noqa: ARG001
    """A player that moves at random."""
    rng = random.Random(seed)
    return lambda state, _played, _seconds: rng.choice(list(state.legal_moves))


def material(game: aspgames.Game, seed: int) -> Mover:  # noqa: ARG001
    """Full-width search, deeper while there is time: my pieces minus yours at its leaves."""
    from aspgames.propnet.successors import Successors

    tables = game.whole_net.tables
    successors = Successors(tables)
    turns = turns_of(tables)
    masks = [
        np.array([role in fluent and fluent not in turns for fluent in tables.names.fluents])
        for role in game.roles
    ]

    def balance(rows: np.ndarray) -> np.ndarray:
        bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, : tables.fluents]
        ours, theirs = (bits[:, mask].sum(axis=1, dtype=np.int64) for mask in masks)
        return np.asarray(ours - theirs, np.float64)

    def search(rows: np.ndarray, depth: int) -> np.ndarray:
        if not depth:
            return balance(rows)
        found = successors.of(rows)
        degrees = found.degrees.astype(np.int64)
        after = np.concatenate(found.parts)
        after = np.ascontiguousarray(after if found.order is None else after[found.order])
        if len(after) > MOST_CHILDREN:
            raise OverflowError
        scores = 1000.0 * (found.goals[:, 0] - found.goals[:, 1])
        going = np.flatnonzero(degrees)
        if len(after):
            below = search(after, depth - 1)
            starts = (np.cumsum(degrees) - degrees)[going]
            sign = np.where(found.movers[going] == 1, -1.0, 1.0)
            best = np.maximum.reduceat(np.repeat(sign, degrees[going]) * below, starts)
            scores[going] = sign * best
        return scores

    def choose(state: aspgames.State, _played: list[str], seconds: float) -> aspgames.Move:
        began, best = time.monotonic(), list(state.legal_moves)
        after = [tables.row(state.play(move).facts) or b"" for move in best]
        rows = np.frombuffer(b"".join(after), np.uint64).reshape(len(best), -1).copy()
        sign, moves = (-1 if state.to_move == game.roles[1] else 1), best
        for depth in range(8):
            last = time.monotonic()
            try:
                scores = sign * search(rows, depth)
            except OverflowError:
                break
            best = [move for move, score in zip(moves, scores, strict=True) if score == max(scores)]
            taken = time.monotonic() - last
            if 20 * taken > seconds - (time.monotonic() - began):
                break
        return best[0]

    return choose


def fairy_stockfish(game: aspgames.Game, seed: int) -> Mover:  # noqa: ARG001
    """Fairy-Stockfish over UCI."""
    engine, rest = Engine(game.name), list[aspgames.Move]()

    def choose(state: aspgames.State, _played: list[str], seconds: float) -> aspgames.Move:
        if not rest:  # of a turn of several plies
            thought = engine.think(str(state.fen), f"movetime {round(1000 * seconds)}")
            rest.extend(read_turn(state, thought.move)[0])
        return rest.pop(0)

    return choose


def openspiel(game: aspgames.Game, seed: int) -> Mover:
    """OpenSpiel's tree search. A move of ours is two of its actions, an arrow is one."""
    import pyspiel

    from openspiel import NAMES

    theirs = pyspiel.load_game(NAMES[game.name])
    size = theirs.get_parameters()["board_size"]
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    speed = 1000.0  # simulations a second

    def actions(term: str) -> list[int]:
        numbers = [int(number) for number in re.findall(r"\d+", term)]
        squares = zip(numbers[::2], numbers[1::2], strict=True)
        return [(size - y) * size + x - 1 for x, y in squares]

    def choose(state: aspgames.State, played: list[str], seconds: float) -> aspgames.Move:
        nonlocal speed
        position = theirs.new_initial_state()
        for action in (action for term in played for action in actions(term)):
            position.apply_action(action)
        moves = {tuple(actions(move.term)): move for move in state.legal_moves}
        chosen: tuple[int, ...] = ()
        while chosen not in moves:
            simulations = max(2, int(speed * seconds / len(next(iter(moves)))))
            bot = pyspiel.MCTSBot(theirs, evaluator, 2.0, simulations, 1000, True, seed, False)
            began = time.monotonic()
            chosen += (bot.step(position),)
            taken = time.monotonic() - began  # a solved position takes almost none
            speed = min(2 * speed, max(1000.0, simulations / taken))
            position.apply_action(chosen[-1])
        return moves[chosen]

    return choose


OPPONENTS: dict[str, Callable[[aspgames.Game, int], Mover]] = {
    "random": at_random,
    "uct": lambda game, seed: engine(game, seed, value=False),
    "material": material,
    "fairy-stockfish": fairy_stockfish,
    "openspiel": openspiel,
}


def play(
    game: aspgames.Game, movers: dict[str, Mover], seconds: float, rng: random.Random
) -> tuple[float, float]:
    """Play a game; returns the first role's lead, and the longest time beyond a move's [s]."""
    state, late = game.initial, 0.0
    played: list[str] = []
    while not state.is_terminal and (moves := list(state.legal_moves)):
        if len(played) < RANDOM_PLIES:
            move = rng.choice(moves)
        else:
            began = time.monotonic()
            mover = movers[state.to_move or game.roles[0]]
            move = mover(state, played, seconds)
            if mover is movers["ours"]:
                late = max(late, time.monotonic() - began - seconds)
        played.append(move.term)
        state = state.play(move.term)
    first, second = (state.goals[role] for role in game.roles)
    return float(first - second), late


def elo(score: float, games: int) -> str:
    """The difference in Elo for a share of points, with twice its standard error."""

    def points(share: float) -> float:
        share = min(max(share, 0.5 / games), 1 - 0.5 / games)
        return -400 * math.log10(1 / share - 1)

    error = math.sqrt(max(score * (1 - score), 0.25 / games) / games)
    low, high = points(score - 2 * error), points(score + 2 * error)
    return f"Elo {points(score):+.0f} ({low:+.0f} to {high:+.0f})"


def main() -> None:
    """Play the matches and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("opponent", choices=OPPONENTS)
    parser.add_argument("names", nargs="*", default=["breakthrough"], metavar="GAME")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.3, help="seconds a move")
    parser.add_argument("--count", type=int, help="random games of uct for a move")
    parser.add_argument("--net", help="a network in ONNX that plays for us")
    parser.add_argument("--policy", help="MODULE:FUNCTION or FILE.py:FUNCTION that plays for us")
    parser.add_argument("-c", "--const", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_intermixed_args()
    constants = (each.split("=") for each in given.const)
    sizes = {name: int(value) for name, value in constants}
    for name in given.names:
        game = aspgames.load(name, **sizes)
        points, late, begun = 0.0, 0.0, time.monotonic()
        for number in range(given.games):
            if given.policy:
                ours = policy(given.policy)
            else:
                ours = network(game, given.net) if given.net else engine(game, number)
            theirs = (
                engine(game, number, value=False, count=given.count)
                if given.count
                else OPPONENTS[given.opponent](game, number)
            )
            roles = game.roles if number % 2 == 0 else game.roles[::-1]
            movers = dict(zip(roles, (ours, theirs), strict=True)) | {"ours": ours}
            lead, over = play(game, movers, given.time, random.Random(number // 2))
            lead *= 1 if number % 2 == 0 else -1
            points += (lead > 0) + (lead == 0) / 2
            late = max(late, over)
        share = points / given.games
        print(
            f"{name}: {points:g} of {given.games} against {given.opponent}, "
            f"{100 * share:.0f}%, {elo(share, given.games)}; "
            f"at most {1000 * late:.0f} ms late, "
            f"{(time.monotonic() - begun) / given.games:.1f} s a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
