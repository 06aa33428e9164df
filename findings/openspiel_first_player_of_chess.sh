#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: players are numbered from 0, and player 0 moves first, as in breakthrough, checkers, shogi and
# xiangqi. The page of OpenSpiel's games says nothing else about chess, so returns()[0] should be White's.
#
# What happens: in the six games on a chess board, White is player 1 and moves first. returns()[0] is
# Black's. `ColorToPlayer` in games/chess/chess.h has it so. A table of results by player number credits
# the wrong side in these games only.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
player 0 begins: breakthrough checkers shogi xiangqi
player 1 begins: antichess chess crazyhouse dark_chess kriegspiel rbc
White is mated: [1.0, -1.0]
END

cat >run.py <<'END'
import pyspiel

games = "antichess breakthrough checkers chess crazyhouse dark_chess kriegspiel rbc shogi xiangqi".split()
first = {name: pyspiel.load_game(name).new_initial_state().current_player() for name in games}
for player in (0, 1):
    print(f"player {player} begins:", *(name for name in games if first[name] == player))
state = pyspiel.load_game("chess").new_initial_state()
for move in ("f3", "e5", "g4", "Qh4#"):
    state.apply_action(state.string_to_action(move))
print("White is mated:", state.returns())
END

venv/bin/python run.py | diff seen -
