#!/usr/bin/env bash
# pgn-extract==19.04-1 (Debian 12, amd64), chess==1.11.2 (pip)
#
# Expected: `-Wuci` writes the moves as the UCI protocol has them, so that an engine or a library takes them as they
# are: a promotion is `e7e8q`, with a small letter (chapter "Move format").
#
# What happens: the letter is a capital: `a7a8N`, which is neither UCI nor SAN. python-chess refuses it, and
# Stockfish takes it, so the fault shows late: in games with a promotion, and in the next program.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
apt-get download pgn-extract=19.04-1 >/dev/null 2>&1
dpkg -x pgn-extract_*.deb unpacked
python3 -m venv venv
venv/bin/pip install -q chess==1.11.2

cat >seen <<'END'
pgn-extract: e1e2 e8d7 a7a8N
python-chess: invalid uci: 'a7a8N'
END

cat >game.pgn <<'END'
[Event "a promotion"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[Result "1-0"]

1. Ke2 Kd7 2. a8=N 1-0
END
cat >run.py <<'END'
import subprocess

import chess

command = ["unpacked/usr/games/pgn-extract", "-s", "-Wuci", "game.pgn"]
written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
moves = written.splitlines()[-2].split()[:-1]
print("pgn-extract:", *moves)
try:
    chess.Move.from_uci(moves[-1])
except chess.InvalidMoveError as error:
    print("python-chess:", error)
END

venv/bin/python run.py | diff seen -
