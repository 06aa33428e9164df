#!/usr/bin/env bash
# pettingzoo==1.27.0, chess==1.11.2, pygame==2.6.1 (pip)
#
# Expected: an environment that ends games by threefold repetition (chess_v6 says so since 1.23.2) ends them when a
# position stands on the board for the third time. Under FIDE's article 9.2 a player may also claim before,
# with the move that repeats, but need not: who has a mate plays it.
#
# What happens: the game is a draw as soon as the player on move has a legal move that would repeat, whether or
# not it is to be played. So a game ends with no position seen three times, and below Black has mate in one.
# Random or learning players get 0 for a won game. The same holds at 99 half-moves without a capture.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pettingzoo==1.27.0 chess==1.11.2 pygame==2.6.1

cat >seen <<'END'
over after b1: rewards {'player_0': 0, 'player_1': 0}
the position has been there 2 times
d8h4 would be mate: True
END

cat >run.py <<'END'
import chess
from pettingzoo.classic import chess_v6
from pettingzoo.classic.chess import chess_utils

MOVES = "f2f3 b8c6 g2g4 e7e5 b1c3 c6b8 c3b1 b8c6 b1c3 c6b8 c3b1"

environment = chess_v6.env()
environment.reset()
board = chess.Board()
for move in MOVES.split():
    assert not any(environment.terminations.values())
    wanted, player = chess.Move.from_uci(move), int(board.turn == chess.BLACK)
    actions = chess_utils.legal_moves(board)
    environment.step(next(a for a in actions if chess_utils.action_to_move(board, a, player) == wanted))
    board.push(wanted)
print("over after b1: rewards", environment.rewards)
print("the position has been there", max(n for n in (1, 2, 3) if board.is_repetition(n)), "times")
board.push_uci("d8h4")
print("d8h4 would be mate:", board.is_checkmate())
END

venv/bin/python run.py | diff seen -
