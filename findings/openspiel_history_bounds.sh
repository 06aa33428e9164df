#!/usr/bin/env bash
# open_spiel==2.0.2 (pip)
#
# Expected: `max_chance_nodes_in_history` and `max_history_length` are upper bounds for every history of the game (the
# comments on them in spiel.h), so `full_history` is never longer.
#
# What happens: two games give bounds that their games exceed when they last until the horizon.
# - coop_box_pushing has three chance nodes a turn (who moves first, and whether each action succeeds), but counts one.
# - laser_tag counts one a turn too, and leaves out those for the places of the players, at the start and after a hit.
# So an algorithm that encodes the position in a history by the bound goes beyond it in each game up to the horizon.
#
# Each line: the most that 20 random games had, and the bound.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q open_spiel==2.0.2

cat >seen <<'END'
markov_soccer(horizon=10): chance nodes 10, bound 10; history 28, bound 30
coop_box_pushing(horizon=10): chance nodes 30, bound 10; history 50, bound 30
laser_tag(horizon=10): chance nodes 13, bound 10; history 33, bound 30
END

cat >run.py <<'END'
import random

import pyspiel


def chance_and_length(game, chooser):
    state = game.new_initial_state()
    chance = 0
    while not state.is_terminal():
        if state.is_chance_node():
            chance += 1
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(chooser.choices(actions, weights)[0])
        elif state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([chooser.choice(state.legal_actions(player)) for player in players])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
    return chance, len(state.full_history())


for name in "markov_soccer(horizon=10)", "coop_box_pushing(horizon=10)", "laser_tag(horizon=10)":
    game = pyspiel.load_game(name)
    chooser = random.Random(1)
    games = [chance_and_length(game, chooser) for _ in range(20)]
    most, longest = (max(numbers) for numbers in zip(*games))
    print(
        f"{name}: chance nodes {most}, bound {game.max_chance_nodes_in_history()};"
        f" history {longest}, bound {game.max_history_length()}"
    )
END

venv/bin/python run.py | diff seen -
