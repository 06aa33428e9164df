#!/usr/bin/env bash
# pgx==2.6.0, jax==0.10.2, numpy==2.2.6 (pip)
#
# Expected: in backgammon both dice must be played if any order of play allows it. If only one of them can be played,
# and either could be, it must be the larger. In `pgx.make("backgammon")` an action moves by one die. So the legal
# actions leave out a first move after which the other die can't be played, if another first move allows it.
#
# What happens: each die is looked at alone, and neither rule holds. A player may lose the other die at will, and may
# play the smaller one where only one can be played. The page of the game doesn't say so. Random games meet such
# turns rarely; they are those where checkers are blocked or come home last.
#
# The script needs no rules of its own: it tries all first moves of a turn, and sees whether the same player then has a
# move. First the counts of twelve random games, then these turns: points count from 0, and own checkers move upward.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pgx==2.6.0 jax==0.10.2 numpy==2.2.6

cat >seen <<'END'
882 first moves: 4 turns with a move that loses a die, 2 with a choice of the only die
dice [5, 4], legal: 10 by 4, 10 by 5; all end it
dice [3, 5], legal: 13 by 5, 17 by 5; 17 by 5 ends it
dice [6, 2], legal: 14 by 2, 16 by 2, 16 by 6; 16 by 2 ends it
dice [3, 6], legal: 16 by 3, 20 by 3; 20 by 3 ends it
dice [6, 3], legal: 1 by 3, 20 by 3; 20 by 3 ends it
dice [5, 2], legal: 2 by 2, 2 by 5; all end it
END

cat >run.py <<'END'
import random

import jax
import jax.numpy as jnp
import numpy as np
import pgx

env = pgx.make("backgammon")
begin, step = jax.jit(env.init), jax.jit(env.step)
each = jax.jit(jax.vmap(env.step, in_axes=(None, 0, None)))
ACTIONS = jnp.arange(156)
turns = both = larger = 0
shown = []
for seed in range(12):
    choose, key = random.Random(seed), jax.random.PRNGKey(seed)
    key, part = jax.random.split(key)
    state = begin(part)
    while not state.terminated:
        key, part = jax.random.split(key)
        actions = np.flatnonzero(state.legal_action_mask).tolist()
        dice = [die + 1 for die in np.array(state._playable_dice).tolist() if die >= 0]
        after = each(state, ACTIONS, part)
        if len(dice) == 2 and dice[0] != dice[1] and actions[0] >= 6 and not np.array(after.terminated)[actions].any():
            turns += 1
            goes_on = (after.current_player == state.current_player) & after.legal_action_mask[:, 6:].any(axis=1)
            second = {f"{action // 6 - 2} by {action % 6 + 1}": bool(goes_on[action]) for action in actions}
            if any(second.values()) and not all(second.values()):
                both += 1
                ends = ", ".join(move for move, more in second.items() if not more)
                shown.append(f"dice {dice}, legal: {', '.join(second)}; {ends} ends it")
            elif not any(second.values()) and len({action % 6 for action in actions}) == 2:
                larger += 1
                shown.append(f"dice {dice}, legal: {', '.join(second)}; all end it")
        state = step(state, choose.choice(actions), part)
print(f"{turns} first moves: {both} turns with a move that loses a die, {larger} with a choice of the only die")
print(*shown, sep="\n")
END

JAX_PLATFORMS=cpu venv/bin/python run.py | diff seen -
