#!/usr/bin/env bash
# pydraughts==0.6.7 (pip)
#
# Expected: `legal_moves` lists each move of draughts once, as a move is where a piece starts, where it ends and what it
# takes. A king that takes two pieces on one diagonal has no choice to make between them.
#
# What happens: such a capture is listed once for each empty square between the two pieces, up to six times, always
# with the same text and the same position after it. Counts of moves (perft) are too large, a random player prefers
# these captures, and what is learned from its games has that bias. All of it is silent.
#
# A king and two men far apart, then all positions of the king on 46 and two men: in how many a move comes again, and
# in how many of those the men stand on the diagonal of the king.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pydraughts==0.6.7

cat >seen <<'END'
46x32x5 46x32x5 46x32x5 46x32x5 46x32x5, positions after them: 1
780 positions, 15 with a move again, 15 of them on the diagonal
END

cat >run.py <<'END'
import itertools

from draughts import Board

DIAGONAL = [41, 37, 32, 28, 23, 19, 14, 10]  # from 46 to 5, without both ends


def moves_and_positions(fen):
    board = Board("standard", fen)
    moves, positions = [], []
    for move in board.legal_moves():
        board.push(move)
        moves.append(move.pdn_move)
        positions.append(board.fen)
        board.pop()
    return moves, positions


moves, positions = moves_and_positions("B:W10,37:BK46")
print(*moves, end="")
print(f", positions after them: {len(set(positions))}")
count = again = diagonal = 0
for men in itertools.combinations(range(6, 46), 2):
    moves, positions = moves_and_positions(f"B:W{men[0]},{men[1]}:BK46")
    count += 1
    if len(set(zip(moves, positions))) < len(moves):
        again += 1
        diagonal += set(men) <= set(DIAGONAL)
print(f"{count} positions, {again} with a move again, {diagonal} of them on the diagonal")
END

venv/bin/python run.py | diff seen -
