#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: `information_state_tensor` is the information state as a vector, for neural networks (comment
# of `InformationStateTensor` in spiel.h). States in which a player has different legal actions are
# different information states, so their vectors differ. They do in leduc_poker.
#
# What happens: in repeated_leduc_poker, the vector is the same before a player folds and after it, when
# the only action is to go on to the next hand. The strings differ. A network that reads the vector
# can't tell the decision from the wait.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
legal actions [0, 1, 2] and [3]
equal strings: False
equal vectors: True
END

cat >run.py <<'END'
import pyspiel

game = pyspiel.load_game("repeated_leduc_poker")
hand = game.new_initial_state()
for action in (1, 5, 1, 2):  # two cards, a call, a raise
    hand.apply_action(action)
wait = hand.clone()
assert hand.current_player() == 0
# Player 0 may fold here: then player 0 waits for the next hand.
wait.apply_action(0)
assert wait.current_player() == 0
print("legal actions", hand.legal_actions(), "and", wait.legal_actions())
print("equal strings:", hand.information_state_string(0) == wait.information_state_string(0))
print("equal vectors:", hand.information_state_tensor(0) == wait.information_state_tensor(0))
END

venv/bin/python run.py | diff seen -
