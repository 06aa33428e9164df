#!/usr/bin/env bash
# pydraughts==0.6.7 (pip)
#
# Expected: `PDNReader` reads the moves of a draughts game that `PDNWriter` wrote. In English draughts Black begins.
#
# What happens: if the `FEN` tag says that Black begins, the first move comes twice, silently. `PDNWriter` always writes
# that tag, so no English game survives. As Black begins, the move number may also stand before both moves, as in
# "1. 11-15 23-19". Then the reader gives the first move a second time in place of the reply.
# Games in which White begins are right.
#
# Random games of 20 moves of each variant, written and read, then one with the number before both moves.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pydraughts==0.6.7

cat >seen <<'END'
standard: W begins, read the same for 20 of 20
english: B begins, read the same for 0 of 20, the first move twice for 20
italian: W begins, read the same for 20 of 20
russian: W begins, read the same for 20 of 20
brazilian: W begins, read the same for 20 of 20
turkish: W begins, read the same for 20 of 20
['11-15', '11-15', '8-11', '22-17']
END

cat >run.py <<'END'
import random

from draughts import Board
from draughts.PDN import PDNReader, PDNWriter

chooser = random.Random(1)
for variant in ("standard", "english", "italian", "russian", "brazilian", "turkish"):
    same = doubled = 0
    for _ in range(20):
        board = Board(variant)
        for _ in range(20):
            if moves := board.legal_moves():
                board.push(chooser.choice(moves))
        writer = PDNWriter("", board)
        written = [move.pdn_move for move in writer.moves]
        (game,) = PDNReader(writer.pdn_text).games
        same += game.moves == written
        doubled += game.moves == written[:1] + written
    text = f"{variant}: {board.initial_fen[0]} begins, read the same for {same} of 20"
    print(text + (f", the first move twice for {doubled}" if doubled else ""))
(game,) = PDNReader(
    """[GameType "21"]
[FEN "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"]

1. 11-15 23-19 2. 8-11 22-17 *
"""
).games
print(game.moves)
END

venv/bin/python run.py | diff seen -
