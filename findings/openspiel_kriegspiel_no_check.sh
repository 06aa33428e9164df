#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: the umpire of kriegspiel announces checks and their lines ("Rank check"). The umpire's message has
# fields for two of them (games/kriegspiel/kriegspiel.h), the observation tensor, too.
#
# What happens: no message has a check, not even at the end of a game by mate. `GetCheckType` in kriegspiel.cc
# looks for moves onto the king of the side on move among the moves of that side itself.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
chess: Rb8+
kriegspiel: black's move.
Messages with a check in 100 random games: 0
END

cat >run.py <<'END'
import random

import pyspiel

fen = "7k/8/8/8/8/8/8/KR6 w - - 0 1"
states = [
    pyspiel.load_game("chess").new_initial_state(fen),
    pyspiel.load_game("kriegspiel", {"fen": fen}).new_initial_state(),
]
chess, kriegspiel = states
texts = [chess.action_to_string(action) for action in chess.legal_actions()]
print("chess:", *(text for text in texts if text.startswith("Rb8")))
texts = {kriegspiel.action_to_string(action): action for action in kriegspiel.legal_actions()}
kriegspiel.apply_action(texts["b1b8"])
print("kriegspiel:", kriegspiel.observation_string(0).splitlines()[-1])
found = 0
for seed in range(100):
    rng, state = random.Random(seed), pyspiel.load_game("kriegspiel").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        found += "check" in state.observation_string(0).lower()
print("Messages with a check in 100 random games:", found)
END

venv/bin/python run.py | diff seen -
