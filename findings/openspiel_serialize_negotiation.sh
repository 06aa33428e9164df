#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: `game.deserialize_state(state.serialize())` is a copy of the state. The page "serialize" of
# OpenSpiel's API reference shows this as its example, and pickle uses the same functions.
#
# What happens: in the game negotiation, no state after the deal can be read back. The writer ends its
# fifth line with a line break, and the reader counts that as a sixth line and refuses it.
#
# Seen on 2026-11-29: the lines below `seen`. The numbers of the deal are left out, since they are drawn
# at random.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
before the deal: True
after the deal: 5 lines, the last one ended: True
SpielError: lines.size() = 6, 5 = 5
END

cat >run.py <<'END'
import pyspiel

game = pyspiel.load_game("negotiation")
state = game.new_initial_state()
print("before the deal:", str(game.deserialize_state(state.serialize())) == str(state))
state.apply_action(state.legal_actions()[0])
text = state.serialize()
print(f"after the deal: {text.count(chr(10))} lines, the last one ended: {text.endswith(chr(10))}")
try:
    game.deserialize_state(text)
    print("read")
except pyspiel.SpielError as error:
    print("SpielError:", str(error).splitlines()[-1])
END

venv/bin/python run.py 2>errors | diff seen -
