#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: `undo_action(player, action)` takes back the last action, as the page "undo_action" of
# OpenSpiel's API reference says. A game that cannot do this raises "UndoAction function is not
# overridden", as most games do.
#
# What happens: three games neither raise nor undo.
# - ultimate_tic_tac_toe and twixt leave the state as it was after the action: its function is empty.
# - dots_and_boxes takes the action out of the history, and removes every line stored for that cell.
#   Here the line h,0,0 was drawn before. It is legal again, although the history still has it.
# A search that undoes moves, in place of cloning states, then searches other positions.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
tic_tac_toe: history [], as before: True
ultimate_tic_tac_toe: history [4], as before: False
twixt: history [13], as before: False
dots_and_boxes: history [0], legal: P1(h,0,0)
END

cat >run.py <<'END'
import pyspiel

for name, action in ("tic_tac_toe", 4), ("ultimate_tic_tac_toe", 4), ("twixt", 13):
    state = pyspiel.load_game(name).new_initial_state()
    before = str(state)
    state.apply_action(action)
    state.undo_action(0, action)
    print(f"{name}: history {state.history()}, as before: {str(state) == before}")

state = pyspiel.load_game("dots_and_boxes").new_initial_state()
first, second = (state.string_to_action(0, f"P1({line},0,0)") for line in "hv")
state.apply_action(first)
state.apply_action(second)
state.undo_action(1, second)
again = [state.action_to_string(0, action) for action in state.legal_actions() if action == first]
print(f"dots_and_boxes: history {state.history()}, legal: {''.join(again)}")
END

venv/bin/python run.py | diff seen -
