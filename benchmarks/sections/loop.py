"""The loop that most people write: random games in Python, one immutable state after the other."""

from __future__ import annotations

import random
from functools import partial

import chess

import openspiel
import ours
from measuring import GAMES, Way, grid, rate, ratio, table, take_turns


def section(runs: int, _old: str | None) -> None:
    """Plies a second."""
    rng = random.Random(1)
    ways: dict[tuple[str, str], Way] = {}
    for name in GAMES:
        start = ours.start(name)
        ways[name, "aspgames"] = partial(rate, partial(ours.play, start, rng))
        ways[name, "its grounder"] = partial(rate, partial(ours.play_by_grounder, start, rng))
        if name in openspiel.NAMES:
            ways[name, "OpenSpiel"] = partial(_their_rate, name, rng)
    ways["chess", "python-chess"] = partial(rate, partial(play_chess, rng))
    found = take_turns(runs, ways)
    grid("loop: plies a second", "game", found)
    rows = []
    for name in GAMES:
        peers = [("chess", "python-chess"), (name, "OpenSpiel"), (name, "its grounder")]
        mine = found[name, "aspgames"]
        rows.append((name, *(ratio(mine, found.get(peer)) for peer in peers)))
    table("loop: our speed by the peer's", ("game", "python-chess", "OpenSpiel", "grounder"), rows)


def play_chess(rng: random.Random) -> int:
    """Play a game of chess to mate, stalemate or the 75-move rule; returns the number of plies."""
    board, plies = chess.Board(), 0
    while board.halfmove_clock < 150 and (moves := list(board.legal_moves)):
        board = board.copy(stack=False)
        board.push(rng.choice(moves))
        plies += 1
    return plies


def _their_rate(name: str, rng: random.Random) -> float:
    return rate(partial(openspiel.play, name, rng)) * openspiel.plies_an_action(name)
