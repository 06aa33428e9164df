#!/usr/bin/env bash
# python-sat==1.9.dev24 (pip)
#
# Expected: `MCSls` finds a minimal set of soft clauses without which the others can be satisfied. Two soft clauses may
# be equal; they have numbers of their own.
#
# What happens: if a literal is a soft clause twice, the answer may name the second one twice and the first one not at
# all. Without the set that it names, the contradiction is still there, and nothing says so. `LBX`, for the same
# problem, is right.
#
# One formula. Then all sequences of three soft clauses over two variables: how many answers are no minimal correction,
# by trying all models.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-sat==1.9.dev24

cat >seen <<'END'
[[-1], [1], [1]]: MCSls [3, 3], LBX [2, 3]; possible [[1], [2, 3]]
512 problems: MCSls wrong in 2, LBX in 0
END

cat >run.py <<'END'
import itertools

from pysat.examples.lbx import LBX
from pysat.examples.mcsls import MCSls
from pysat.formula import WCNF


def correction(solver, soft):
    formula = WCNF()
    formula.extend([list(clause) for clause in soft], weights=[1] * len(soft))
    with solver(formula) as search:
        return search.compute()


def corrections(soft):
    """All minimal sets of numbers of clauses without which a model satisfies the others."""
    models = itertools.product((False, True), repeat=2)
    sets = {
        frozenset(
            number
            for number, clause in enumerate(soft, 1)
            if not any((literal > 0) == model[abs(literal) - 1] for literal in clause)
        )
        for model in models
    }
    return [each for each in sets if not any(smaller < each for smaller in sets)]


example = [[-1], [1], [1]]
print(f"{example}: MCSls {correction(MCSls, example)}, LBX {correction(LBX, example)};", end=" ")
print(f"possible {sorted(map(sorted, corrections(example)))}")

clauses = [[1], [-1], [2], [-2], [1, 2], [1, -2], [-1, 2], [-1, -2]]
wrong = {MCSls: 0, LBX: 0}
problems = list(itertools.product(clauses, repeat=3))
for soft in problems:
    for solver in wrong:
        wrong[solver] += set(correction(solver, soft)) not in corrections(soft)
print(f"{len(problems)} problems: MCSls wrong in {wrong[MCSls]}, LBX in {wrong[LBX]}")
END

venv/bin/python run.py | diff seen -
