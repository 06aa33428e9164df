#!/usr/bin/env bash
# nashpy==0.0.43, numpy==2.2.6, scipy==1.16.3 (pip)
#
# Expected: `vertex_enumeration` finds an equilibrium in each game, as each has one. To add 1 to all payoffs of a player
# changes no best response, so it doesn't change the answer.
#
# What happens: if a pure strategy gives the opponent 0 for each reply, the list may be empty, even where a pair of
# pure strategies is an equilibrium. With 1 added to all payoffs the equilibria are there. The polytopes of the method
# are bounded only for positive payoffs, and vertices at infinity are left out. The library adds a constant where a
# payoff is negative, so that the least is 0, and then has the same problem.
#
# Its pages say that some equilibria of degenerate games may be missing, as these games are. `support_enumeration`
# finds one in each of them.
#
# A game, and the same with 1 added to all payoffs. Then all 256 games of two by two strategies with payoffs 0 and 1,
# with a constant added: answers without an equilibrium, answers without a pure one that exists, and raised errors.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q nashpy==0.0.43 numpy==2.2.6 scipy==1.16.3

cat >seen <<'END'
[[2, 1], [3, 0]], [[3, 1], [0, 0]]: []
[[3, 2], [4, 1]], [[4, 2], [1, 1]]: [([0.0, 1.0], [1.0, 0.0]), ([0.0, 1.0], [0.5, 0.5])]
+0: 48 empty, 132 without a pure one, 31 errors
+1: 0 empty, 0 without a pure one, 0 errors
-5: 48 empty, 120 without a pure one, 60 errors
END

cat >run.py <<'END'
import itertools
import warnings

import nashpy
import numpy as np

warnings.simplefilter("ignore")

A, B = np.array([[2, 1], [3, 0]]), np.array([[3, 1], [0, 0]])
for added in 0, 1:
    found = [(row.tolist(), column.tolist()) for row, column in nashpy.Game(A + added, B + added).vertex_enumeration()]
    print(f"{(A + added).tolist()}, {(B + added).tolist()}: {found}")

for added in 0, 1, -5:
    empty = missing = errors = 0
    for payoffs in itertools.product((0, 1), repeat=8):
        A, B = np.array(payoffs).reshape(2, 2, 2) + added
        best = (A == A.max(axis=0)) & (B == B.max(axis=1, keepdims=True))
        try:
            found = list(nashpy.Game(A, B).vertex_enumeration())
        except TypeError:
            errors += 1
            continue
        empty += not found
        pure = {(row.argmax(), column.argmax()) for row, column in found if row.max() > 0.999 < column.max()}
        missing += any(tuple(pair) not in pure for pair in np.argwhere(best).tolist())
    print(f"{added:+}: {empty} empty, {missing} without a pure one, {errors} errors")
END

venv/bin/python run.py | diff seen -
