#!/usr/bin/env bash
# cchess==1.25.5 (pip)
#
# Expected: in Chinese notation, 前 (front) and 后 (rear) tell two pieces of the same kind on one file apart. So
# `move_text` plays the move that `to_text` wrote: 前兵进一 is one step of the front one of the two pawns.
#
# What happens: `move_text` looks for the front and the rear piece among all pieces of the kind on the board, not
# on one file. With two pawns on a file and others elsewhere, it plays another pawn, without a message, or returns
# None for a legal move. It also returns None for a retreat such as 相七退五, written without front and rear, if
# the other elephant (or advisor) of the file stands nearer to the edge. So games are not read as they were written.
#
# Each line: the move, its notation by `to_text`, and the move that `move_text` plays from it.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q cchess==1.25.5

cat >seen <<'END'
two red pawns
  e7e8 前兵进一 e7e8
  e7d7 前兵平六 e7d7
two red pawns and two others
  e7e8 前兵进一 i3i4
  e7d7 前兵平六 None
two black pawns and two others
  c2c1 前卒进１ a6a5
one elephant
  c4e2 相七退五 c4e2
two elephants on a file
  c4e2 相七退五 None
END

cat >run.py <<'END'
from cchess import ChessBoard

positions = {
    "two red pawns": ("3k5/9/4P4/4P4/9/9/9/9/9/4K4 w", ["e7e8", "e7d7"]),
    "two red pawns and two others": ("3k5/9/4P4/4P4/9/9/P7P/9/9/4K4 w", ["e7e8", "e7d7"]),
    "two black pawns and two others": ("4k4/9/9/p7p/9/9/2p6/2p6/9/3K5 b", ["c2c1"]),
    "one elephant": ("4k4/9/9/9/9/2B6/9/9/9/4K4 w", ["c4e2"]),
    "two elephants on a file": ("4k4/9/9/9/9/2B6/9/9/9/2B1K4 w", ["c4e2"]),
}
for name, (fen, moves) in positions.items():
    print(name)
    for move in moves:
        text = ChessBoard(fen).move_iccs(move).to_text()
        played = ChessBoard(fen).move_text(text)
        print(f"  {move} {text} {played.to_iccs() if played else None}")
END

venv/bin/python run.py | diff seen -
