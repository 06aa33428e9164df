#!/usr/bin/env bash
# pyffish==0.0.90 (pip)
#
# Expected: `game_result` returns the result of a game, "considering variant end, checkmate, and stalemate"
# (its docstring). In a position where the game goes on, it raises or returns a value of its own.
#
# What happens: it never looks whether there are moves. The source only asserts that there are none, and
# the wheel is compiled without assertions. With moves left, it returns what mate or stalemate would be
# worth: a loss at the start of shogi, xiangqi and breakthrough, a win at the start of antichess, and a
# loss for a king in check in chess.
# Call it only where `legal_moves` is empty or `is_immediate_game_end` is true. The second value of
# `is_immediate_game_end` means nothing either while its first value is false.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyffish==0.0.90

cat >seen <<'END'
chess: 20 moves, result 0, ended (False, 0)
shogi: 30 moves, result -32000, ended (False, -32000)
xiangqi: 44 moves, result -32000, ended (False, -32000)
breakthrough: 22 moves, result -32000, ended (False, -32000)
antichess: 20 moves, result 32000, ended (False, 32000)
chess: 3 moves, result -32000, ended (False, -32000)
END

cat >run.py <<'END'
import pyffish

starts = [(name, pyffish.start_fen(name)) for name in "chess shogi xiangqi breakthrough antichess".split()]
for name, fen in [*starts, ("chess", "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1")]:
    moves = pyffish.legal_moves(name, fen, [])
    result = pyffish.game_result(name, fen, [])
    ended = pyffish.is_immediate_game_end(name, fen, [])
    print(f"{name}: {len(moves)} moves, result {result}, ended {ended}")
END

venv/bin/python run.py | diff seen -
