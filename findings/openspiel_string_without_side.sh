#!/usr/bin/env bash
# open_spiel==2.0.2, cvxpy==1.9.3 (pip)
#
# Expected: the string of a state of a game with perfect information says all that play depends on, as that of
# chess, othello and tic_tac_toe does. The algorithms that come with OpenSpiel need it: `value_iteration` takes
# the string for the state (`get_all_states` with `to_string=str`), and so do users' tables.
#
# What happens: in breakthrough, checkers, dots_and_boxes, quoridor and xiangqi the string has the board but not
# the player on move, in einstein_wurfelt_nicht also not the die. Captures make the same board come with either player on
# move, so states with different legal moves and opposite values are one. `value_iteration` gives no error, but
# for 27 of the 251 positions of a small breakthrough the value of the position with the other side on move.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2 cvxpy==1.9.3

cat >seen <<'END'
251 positions, 16 boards with either player on move, 27 wrong values
4..
3.w
2bw
1..
 ab
value by search: 1.0 or -1.0, by value_iteration: 1.0
END

cat >run.py <<'END'
from functools import cache

import pyspiel
from open_spiel.python.algorithms import value_iteration

game = pyspiel.load_game("breakthrough(rows=4,columns=2)")
values: dict[tuple[str, int], float] = {}


def search(state: pyspiel.State) -> float:
    """The value for player 0, by the plain recursion."""
    key = (str(state), state.current_player())
    if key not in values:
        best = max if state.current_player() == 0 else min
        children = [state.child(action) for action in state.legal_actions()]
        values[key] = best(search(child) for child in children) if children else state.returns()[0]
    return values[key]


search(game.new_initial_state())
iterated = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01)
both = [board for board, player in values if player == 0 and (board, 1) in values]
wrong = [key for key, value in values.items() if iterated[key[0]] != value]
print(f"{len(values)} positions, {len(both)} boards with either player on move, {len(wrong)} wrong values")
board = next(board for board in both if values[board, 0] != values[board, 1])
print(board.strip())
print(f"value by search: {values[board, 0]} or {values[board, 1]}, by value_iteration: {iterated[board]}")
END

venv/bin/python run.py | diff seen -
