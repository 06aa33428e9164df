#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: `observation_tensor` is the observation as a vector, for neural networks. In a game of perfect information a
# player sees the board, so positions in which other moves are legal have different vectors: `alpha_zero`, which
# comes with OpenSpiel, trains on this vector alone. It is so in hex, connect_four and breakthrough.
#
# What happens:
# - quoridor: the plane of walls is zero throughout. The vector has the two pawns and how many walls are left, so the
#   128 ways to set the first wall are one observation.
# - nine_mens_morris: whether a man is to be captured is missing, and so is how many men are still to be set. In the
#   position below the vector is the same before a capture as two half-moves later, when the player moves a man.
# No network can play these games from what it gets. (Loading quoridor warns of known issues, without saying which.)
#
# Each line: the moves, the number of legal moves after them and whether the vector is the first line's.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
hex: 121 first moves to 121 positions, 121 vectors
connect_four: 7 first moves to 7 positions, 7 vectors
breakthrough: 22 first moves to 22 positions, 22 vectors
quoridor: 131 first moves to 131 positions, 4 vectors
  sum of the plane of walls after four walls: 0
nine_mens_morris: 24 first moves to 24 positions, 24 vectors
  to capture: player 0, 8 legal actions, men to set 0 1
  two half-moves later: player 0, 9 legal actions, men to set 0 0
  the same vector: True
END

cat >run.py <<'END'
import numpy
import pyspiel

for name in "hex", "connect_four", "breakthrough", "quoridor", "nine_mens_morris":
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    states = [start.child(action) for action in start.legal_actions()]
    vectors = {tuple(state.observation_tensor(1)) for state in states}
    positions = len({str(state) for state in states})
    print(f"{name}: {len(states)} first moves to {positions} positions, {len(vectors)} vectors")
    if name == "quoridor":
        for move in "a1h", "c1h", "e4v", "e5h":
            start.apply_action(start.string_to_action(start.current_player(), move))
        planes = numpy.array(start.observation_tensor(0)).reshape(game.observation_tensor_shape())
        print(f"  sum of the plane of walls after four walls: {planes[2].sum():.0f}")


def described(state):
    men = next(line for line in str(state).splitlines() if line.startswith("Men to deploy: "))
    men = men.removeprefix("Men to deploy: ")
    actions = len(state.legal_actions())
    return f"player {state.current_player()}, {actions} legal actions, men to set {men}"


for point in 19, 16, 9, 21, 6, 11, 4, 0, 15, 2, 12, 13, 23, 22, 18, 5, 20:
    start.apply_action(point)
capture, before = described(start), start.observation_tensor(0)
start.apply_action(22)
start.apply_action(22)
print(f"  to capture: {capture}")
print(f"  two half-moves later: {described(start)}")
print(f"  the same vector: {start.observation_tensor(0) == before}")
END

venv/bin/python run.py 2>/dev/null | diff seen -
