#!/usr/bin/env bash
# python-sat==1.9.dev24 (pip)
#
# Expected: a formula may hold the constants `PYSAT_TRUE` and `PYSAT_FALSE` anywhere, as the documentation of `Formula`
# says, and `clausify` turns each into clauses.
#
# What happens: an `XOr` of three or more operands with a constant after the first raises an `AttributeError` about
# `None`. It works if the constant is the first operand, if there are two operands, and for `And`, `Or` and `Equals`.
# `simplified` works too. A parity over the fields of a board, some of which are known, meets it.
#
# Each line: the formula, and in how many of the four cases of a and b the clauses can be satisfied, or the error.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-sat==1.9.dev24

cat >seen <<'END'
a & T: 2 of 4
T & a & b: 1 of 4
a & T & b: 1 of 4
a & b & F: 0 of 4
a | T: 4 of 4
T | a | b: 4 of 4
a | T | b: 4 of 4
a | b | F: 3 of 4
a @ T: 2 of 4
T @ a @ b: 1 of 4
a @ T @ b: 1 of 4
a @ b @ F: 1 of 4
a ^ T: 2 of 4
T ^ a ^ b: 2 of 4
a ^ T ^ b: AttributeError: 'NoneType' object has no attribute '_clausify'
a ^ b ^ F: AttributeError: 'NoneType' object has no attribute '_clausify'
END

cat >run.py <<'END'
import itertools

from pysat.formula import PYSAT_FALSE, PYSAT_TRUE, And, Atom, Equals, Formula, Or, XOr
from pysat.solvers import Solver

for kind, operands in itertools.product((And, Or, Equals, XOr), ("aT", "Tab", "aTb", "abF")):
    Formula.cleanup()
    atoms = {name: Atom(name) for name in "ab"}
    formula = kind(*({**atoms, "T": PYSAT_TRUE, "F": PYSAT_FALSE}[operand] for operand in operands))
    try:
        formula.clausify()
    except AttributeError as error:
        print(f"{formula}: AttributeError: {error}")
        continue
    clauses = list(formula)
    for atom in atoms.values():
        atom.clausify()
    with Solver(bootstrap_with=clauses) as solver:
        cases = itertools.product((1, -1), repeat=2)
        names = [atom.name for atom in atoms.values()]
        count = sum(solver.solve([sign * name for sign, name in zip(signs, names)]) for signs in cases)
    print(f"{formula}: {count} of 4")
END

venv/bin/python run.py | diff seen -
