#!/usr/bin/env bash
# scipy==1.17.1, numpy==2.4.6 (pip)
#
# Expected: `milp` is silent: its option `disp` is False. What a program prints itself, such as a JSON object a
# line for another program, is all that stands on its standard output.
#
# What happens: on some problems HiGHS writes a line about its own source to the standard output of the process,
# past `sys.stdout`, so that `contextlib.redirect_stdout` doesn't catch it. The answer is right, but
# whoever reads the output as JSON lines stops there.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q scipy==1.17.1 numpy==2.4.6

cat >seen <<'END'
HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();
{"value": 327438, "caught": ""}
END

cat >run.py <<'END'
import contextlib
import io
import json

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

WEIGHTS = np.array([47845, 51670, 75761, 95095, 4450, 15271, 82471, 94916, 25673, 31871, 87033, 42909])
VALUES = WEIGHTS + [0, 2, 0, 1, 1, 1, 0, 0, 2, 2, 2, 1]

with contextlib.redirect_stdout(io.StringIO()) as caught:
    found = milp(
        -VALUES,
        constraints=LinearConstraint(WEIGHTS[None, :], -np.inf, 327482),
        integrality=np.ones(12),
        bounds=Bounds(0, 1),
        options={"disp": False},
    )
print(json.dumps({"value": int(VALUES @ np.round(found.x).astype(int)), "caught": caught.getvalue()}))
END

venv/bin/python run.py | diff seen -
