#!/usr/bin/env bash
# polyglot==2.0.4+git20210322-1 (Debian 12, amd64), chess==1.11.2 (pip)
#
# Expected: a game with the tags `SetUp "1"` and `FEN` begins at that position (PGN standard, 9.7), so `polyglot
# make-book` files its moves under the positions of that game, or leaves the game out.
#
# What happens: the tags are ignored. If the moves happen to be legal from the usual start, a game at odds or
# an endgame study puts them into the book of the usual start, without a word. If one isn't, "illegal move"
# ends the program with exit code 0, and there is no book of the other games either.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
apt-get download polyglot=2.0.4+git20210322-1 >/dev/null 2>&1
dpkg -x polyglot_*.deb unpacked
python3 -m venv venv
venv/bin/pip install -q chess==1.11.2

cat >seen <<'END'
odds.pgn: exit code 0, the book of the usual start has: g2g4
castling.pgn: exit code 0, illegal move "O-O", no book
END

cat >odds.pgn <<'END'
[Event "Black gives the queen"]
[SetUp "1"]
[FEN "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
[Result "1-0"]

1. g4 1-0
END
cat >castling.pgn <<'END'
[Event "two kings and a rook"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
[Result "1-0"]

1. O-O 1-0

[Event "an ordinary game"]
[Result "1-0"]

1. e4 1-0
END
cat >run.py <<'END'
import re
import subprocess
from pathlib import Path

import chess.polyglot

for pgn in ("odds.pgn", "castling.pgn"):
    book = Path(pgn).with_suffix(".bin")
    command = ["unpacked/usr/games/polyglot", "make-book", "-pgn", pgn, "-bin", book, "-min-game", "1"]
    made = subprocess.run(command, capture_output=True, text=True)
    print(f"{pgn}: exit code {made.returncode}", end=", ")
    if book.exists():
        with chess.polyglot.open_reader(book) as reader:
            moves = [entry.move.uci() for entry in reader.find_all(chess.Board())]
        print("the book of the usual start has:", *moves)
    else:
        print(re.search('illegal move "[^"]*"', made.stdout + made.stderr)[0] + ", no book")
END

venv/bin/python run.py | diff seen -
