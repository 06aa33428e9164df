#!/usr/bin/env bash
# python-sat==1.9.dev24 (pip)
#
# Expected: a MaxSAT solver reads the formula that it gets. What `WCNF.to_file` writes and what another solver says of
# the formula is the same before and after.
#
# What happens: the constructors of `RC2`, `RC2Stratified` and `LSU` append a literal of a variable of their own to
# each soft clause of the caller's formula (RC2 only to those with several literals), silently. The formula still
# says that it has as many variables as before. Such a clause can now be satisfied for nothing, so what comes next is
# wrong: here `LBX` finds a correction that leaves a contradiction, and after `LSU` neither it nor `MUSX` sees any.
#
# Hard: 1, and 2. Soft: not 1 or not 2, and not 1. Each line: what both say of it after a use of a solver. No model
# satisfies either soft clause, so the only correction is both, 1 and 2, and each alone is a contradiction.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-sat==1.9.dev24

cat >seen <<'END'
none: soft [[-1, -2], [-1]], 2 variables; correction [1, 2], contradiction [1]
FM: soft [[-1, -2], [-1]], 2 variables; correction [1, 2], contradiction [1]
LBX: soft [[-1, -2], [-1]], 2 variables; correction [1, 2], contradiction [1]
LSU: soft [[-1, -2, 3], [-1, 4]], 2 variables; correction [], contradiction None
RC2: soft [[-1, -2, -3], [-1]], 2 variables; correction [2], contradiction [1]
RC2Stratified: soft [[-1, -2, -3], [-1]], 2 variables; correction [2], contradiction [1]
END

cat >run.py <<'END'
from pysat.examples.fm import FM
from pysat.examples.lbx import LBX
from pysat.examples.lsu import LSU
from pysat.examples.musx import MUSX
from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF

for solver in None, FM, LBX, LSU, RC2, RC2Stratified:
    formula = WCNF()
    formula.extend([[1], [2]])
    formula.extend([[-1, -2], [-1]], weights=[1, 1])
    if solver:
        solver(formula)
    print(
        f"{solver.__name__ if solver else 'none'}: soft {formula.soft}, {formula.nv} variables;"
        f" correction {LBX(formula).compute()}, contradiction {MUSX(formula, verbosity=0).compute()}"
    )
END

venv/bin/python run.py | diff seen -
