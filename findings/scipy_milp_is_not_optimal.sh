#!/usr/bin/env bash
# scipy==1.17.1, numpy==2.4.6 (pip)
#
# Expected: `milp` with status 0, "Optimization terminated successfully. (HiGHS Status 7: Optimal)", has the optimal
# solution of a problem whose variables and weights are small integers: twelve things to pack or to leave.
#
# What happens: the search ends once the bound is within one part in 10,000 of the solution, since HiGHS's own
# tolerance is kept where `mip_rel_gap` isn't given, and that is called optimal too. Trying the 4,096 subsets
# finds a better one. `options={"mip_rel_gap": 0}` finds it as well. Whoever proves something with an integer program
# (a bound on a game's value, a smallest set) has to say so.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q scipy==1.17.1 numpy==2.4.6

cat >seen <<'END'
by default: 298082 (HiGHS Status 7: Optimal)
mip_rel_gap 0: 298094 (HiGHS Status 7: Optimal)
all subsets: 298094
END

cat >run.py <<'END'
from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

WEIGHTS = np.array([67408, 80695, 3242, 80986, 47416, 52017, 63393, 29294, 97972, 6339, 28514, 38953])
VALUES = WEIGHTS + [1, 1, 0, 0, 0, 0, 0, 2, 0, 1, 2, 0]
ROOM = 298114

for name, options in (("by default", {}), ("mip_rel_gap 0", {"mip_rel_gap": 0})):
    found = milp(
        -VALUES,
        constraints=LinearConstraint(WEIGHTS[None, :], -np.inf, ROOM),
        integrality=np.ones(12),
        bounds=Bounds(0, 1),
        options=options,
    )
    print(f"{name}: {VALUES @ np.round(found.x).astype(int)} {found.message.split('. ')[1]}")
subsets = np.array(list(product((0, 1), repeat=12)))
print("all subsets:", max(VALUES @ subset for subset in subsets if WEIGHTS @ subset <= ROOM))
END

venv/bin/python run.py | diff seen -
