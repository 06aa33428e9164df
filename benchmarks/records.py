"""Reading chess games in algebraic notation: aspgames beside python-chess, in one run.

Prints the processor time of both for the same file, and the ratio. Every game is replayed.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections.abc import Callable

import chess
import chess.pgn

import aspgames
from aspgames.play.formats.registry import entries
from measuring import take_turns


def random_games(count: int, plies: int) -> str:
    """Random games of so many plies, as PGN."""
    chance, texts = random.Random(1), list[str]()
    while len(texts) < count:
        board = chess.Board()
        while len(board.move_stack) < plies and not (
            board.is_game_over() or board.halfmove_clock == 100 or len(board.piece_map()) == 2
        ):
            board.push(chance.choice(list(board.legal_moves)))
        if len(board.move_stack) == plies:
            texts.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(texts)


def read_by_chess(text: str) -> int:
    """Read all games with python-chess; returns their number."""
    stream, count = io.StringIO(text), 0
    while game := chess.pgn.read_game(stream):
        assert not game.errors
        count += 1
    return count


def read_here(text: str, game: aspgames.Game) -> int:
    """Read and replay all games with aspgames; returns their number."""
    found = entries(io.BytesIO(text.encode()), "games.pgn", game)
    return len([entry.played(game) for entry in found])


def main() -> None:
    """Print the times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    text = random_games(wanted.games, wanted.plies)
    game = aspgames.load("chess")
    assert game.whole_net

    def timed(work: Callable[[], int]) -> Callable[[], float]:
        def run() -> float:
            start = time.process_time()
            assert work() == wanted.games
            return time.process_time() - start

        return run

    ways = {
        "python-chess": timed(lambda: read_by_chess(text)),
        "aspgames": timed(lambda: read_here(text, game)),
    }
    times = take_turns(wanted.runs, ways)
    for name, found in times.items():
        print(f"{name:12}  {min(found):.2f} s ({max(found):.2f} s at most)")
    print(f"ratio         {min(times['aspgames']) / min(times['python-chess']):.2f}")


if __name__ == "__main__":
    main()
