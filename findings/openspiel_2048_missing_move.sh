#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: in 2048 two equal neighbours merge whenever the tiles are moved together, and `legal_actions`
# depends on the board alone: a tile that came from a merge may not merge again in the same move, but may in the
# next one.
#
# What happens: `legal_actions` still forbids it in the next move. With 4 4 in a corner, of which one is from
# the move before, "Right" is missing, and it is there if both tiles were just added. `apply_action` merges the
# two in both cases. So a search or a random player that takes its moves from `legal_actions` plays another
# game, and two states with the same string have different legal actions.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
both added: bottom row 0 0 4 4, legal Up Right Left
one merged: bottom row 0 0 4 4, legal Up Left
both added: after Right 0 0 0 8
one merged: after Right 0 0 0 8
END

cat >run.py <<'END'
import pyspiel


def reach(moves: str) -> pyspiel.State:
    """The state after moves and added tiles, by their names."""
    state = pyspiel.load_game("2048").new_initial_state()
    for move in moves.split("; "):
        state.apply_action(
            next(a for a in state.legal_actions() if state.action_to_string(a).lower() == move)
        )
    return state


def bottom(state: pyspiel.State) -> str:
    return " ".join(str(state).strip("\n").splitlines()[-1].split())


states = {
    "both added": reach("4 added to row 4, column 3; 4 added to row 4, column 4"),
    "one merged": reach("2 added to row 4, column 1; 2 added to row 4, column 4; right; 4 added to row 4, column 3"),
}
assert len({str(state) for state in states.values()}) == 1
for name, state in states.items():
    legal = " ".join(state.action_to_string(action) for action in state.legal_actions())
    print(f"{name}: bottom row {bottom(state)}, legal {legal}")
for name, state in states.items():
    state.apply_action(1)
    print(f"{name}: after Right {bottom(state)}")
END

venv/bin/python run.py | diff seen -
