#!/usr/bin/env bash
# python-constraint2==2.9.0 (pip)
#
# Expected: `getSolutions` returns an empty list if there is no solution, as for "a + b >= 5" below.
#
# What happens: if a constraint on one variable leaves it no value, and it or another one is a sum or a comparison with
# a number, the answer is a `ValueError` of `max` or `min`, which names neither the variable nor the constraint. It
# doesn't matter which constraint comes first. So a program that asks whether a puzzle has a solution fails where it
# has none.
#
# Each line: constraints on a and b, each 1 or 2, and the answer.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-constraint2==2.9.0

cat >seen <<'END'
a + b >= 5: []
a < b, b < a: []
InSetConstraint: []
a >= 3: ValueError: max() arg is an empty sequence
a == 3: ValueError: min() arg is an empty sequence
MinSumConstraint: ValueError: max() arg is an empty sequence
InSetConstraint, a + b >= 3: ValueError: max() arg is an empty sequence
a + b >= 3, function: ValueError: max() arg is an empty sequence
END

cat >run.py <<'END'
from constraint import InSetConstraint, MinSumConstraint, Problem

for constraints in (
    ["a + b >= 5"],
    ["a < b", "b < a"],
    [(InSetConstraint([3]), ["a"])],
    ["a >= 3"],
    ["a == 3"],
    [(MinSumConstraint(3), ["a"])],
    [(InSetConstraint([3]), ["a"]), "a + b >= 3"],
    ["a + b >= 3", (lambda a: a == 3, ["a"])],
):
    problem = Problem()
    problem.addVariables("ab", [1, 2])
    names = []
    for constraint in constraints:
        if isinstance(constraint, str):
            problem.addConstraint(constraint)
            names.append(constraint)
        else:
            problem.addConstraint(*constraint)
            names.append(type(constraint[0]).__name__)
    try:
        answer = problem.getSolutions()
    except ValueError as error:
        answer = f"ValueError: {error}"
    print(f"{', '.join(names)}: {answer}")
END

venv/bin/python run.py | diff seen -
