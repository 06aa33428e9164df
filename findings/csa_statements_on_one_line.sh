#!/usr/bin/env bash
# python-shogi==1.1.1, cshogi==1.1.0, rsshogi==1.7.0 (pip)
#
# Expected: in CSA's standard file of shogi games, a comma joins several statements in one line, such as a move and its
# time or two moves, and a line with a slash separates games (V2.2 of the format, www2.computer-shogi.org/protocol/).
# A reader takes all of them, or refuses the file.
#
# What happens: of two moves in one line, python-shogi takes the first, and cshogi takes no move at all for the second
# line: it is "None" in the list. Neither reports an error, so the game is shorter and can't be played. A time
# behind a comma is 0 in cshogi. Where a slash stands between two games, python-shogi, which returns a list of games,
# returns the first. It also gives no winner to a game that ends with %KACHI, a declared win.
# rsshogi reads all of this as it is meant.
#
# Seen on 2026-11-30: the lines below `seen`. The second number of cshogi's times is the second move's.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-shogi==1.1.1 cshogi==1.1.0 rsshogi==1.7.0

cat >seen <<'END_OF_SEEN'
one a line
  python-shogi: 7g7f 3c3d 2g2f 8c8d, winner w
  cshogi: 7g7f 3c3d 2g2f 8c8d, winner 2, times [1, 2, 0, 0]
  rsshogi: 7g7f 3c3d 2g2f 8c8d, WHITE_WIN
two moves a line
  python-shogi: 7g7f 2g2f, winner w
  cshogi: 7g7f None, winner 2, times [0, 0]
  rsshogi: 7g7f 3c3d 2g2f 8c8d, WHITE_WIN
time behind the move
  python-shogi: 7g7f 3c3d, winner w
  cshogi: 7g7f 3c3d, winner 2, times [0, 0]
  rsshogi: 7g7f 3c3d, WHITE_WIN
two games
  python-shogi: 7g7f, winner b
  cshogi: 7g7f, winner 1, times [0]
  cshogi: 2g2f 3c3d, winner 2, times [0, 0]
  rsshogi: 7g7f, BLACK_WIN
  rsshogi: 2g2f 3c3d, WHITE_WIN
declared
  python-shogi: 7g7f, winner -
  cshogi: 7g7f, winner 2, times [0]
  rsshogi: 7g7f, WHITE_WIN_BY_DECLARATION
END_OF_SEEN

cat >run.py <<'END'
import cshogi
import cshogi.CSA
import shogi.CSA
from rsshogi.record import Record

START = "V2.2\nN+A\nN-B\nPI\n+\n"
FILES = {
    "one a line": "+7776FU\nT1\n-3334FU\nT2\n+2726FU\n-8384FU\n%TORYO\n",
    "two moves a line": "+7776FU,-3334FU\n+2726FU,-8384FU\n%TORYO\n",
    "time behind the move": "+7776FU,T1\n-3334FU,T2\n%TORYO\n",
    "two games": f"+7776FU\n%TORYO\n/\n{START}+2726FU\n-3334FU\n%TORYO\n",
    "declared": "+7776FU\n%KACHI\n",
}
for name, moves in FILES.items():
    print(name)
    text = START + moves
    for game in shogi.CSA.Parser.parse_str(text):
        print(f"  python-shogi: {' '.join(game['moves'])}, winner {game['win']}")
    for game in cshogi.CSA.Parser.parse_str(text):
        usi = " ".join(map(cshogi.move_to_usi, game.moves))
        print(f"  cshogi: {usi}, winner {game.win}, times {game.times}")
    for game in Record.from_csa_games_str(text):
        usi = game.to_usi_position().split(" moves ")[1]
        print(f"  rsshogi: {usi}, {game.result}")
END

venv/bin/python run.py | diff seen -
