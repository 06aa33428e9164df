#!/usr/bin/env bash
# sympy==1.14.0 (pip)
#
# Expected: `satisfiable` gives a model of a formula, or False if there is none, and `valid` tells whether each assignment
# satisfies it. `ITE(b, True, a)` is a formula as any other: if b then true else a, the same as a | b.
#
# What happens: where a constant stands in such an `ITE`, it counts as one more variable, named True. So the answer may be
# a "model" in which True is False, and a contradiction is satisfiable. `valid` denies laws for the same reason, and the
# list of all models has each of them twice. `simplify_logic` and `to_cnf` know better. All of it is silent.
#
# Each line: a formula, what `satisfiable` and `valid` say, and its simplified form. Then random formulas of three variables
# with an `ITE`: answers that differ from all assignments tried, for those with a constant in it and without.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q sympy==1.14.0

cat >seen <<'END'
~ITE(b, True, ~b): satisfiable {True: False, b: True}, valid False, simplified False
ITE(b, True, ~b): satisfiable {True: True, b: False}, valid False, simplified True
Equivalent(a | b, ITE(b, True, a)): satisfiable {True: False, a: True, b: False}, valid False, simplified True
ITE(a, b, True) ^ (b | ~a): satisfiable {True: False, a: False, b: False}, valid False, simplified False
models of ITE(b, True, a): {a: False, b: True} {a: True, b: False} {a: True, b: False} {a: True, b: True}
150 formulas with constants: satisfiable wrong in 4, valid in 3
150 formulas without constants: satisfiable wrong in 0, valid in 0
END

cat >run.py <<'END'
import itertools
import random

from sympy import symbols
from sympy.logic.boolalg import ITE, Equivalent, Not, simplify_logic
from sympy.logic.inference import satisfiable, valid

a, b, c = VARIABLES = symbols("a b c")


def show(model):
    return model and "{" + ", ".join(sorted(f"{name}: {value}" for name, value in model.items())) + "}"


for formula in Not(ITE(b, True, Not(b))), ITE(b, True, Not(b)), Equivalent(ITE(b, True, a), a | b), ITE(a, b, True) ^ (b | ~a):
    print(f"{formula}: satisfiable {show(satisfiable(formula))}, valid {valid(formula)}, simplified {simplify_logic(formula)}")
models = [{name: value for name, value in model.items() if name in VARIABLES} for model in
          satisfiable(ITE(b, True, a), all_models=True)]
print(f"models of ITE(b, True, a): {' '.join(sorted(map(show, models)))}")

choose = random.Random(1)


def literal():
    name = choose.choice(VARIABLES)
    return choose.choice([name, ~name])


def satisfied(formula):
    """Whether each assignment satisfies the formula."""
    assignments = itertools.product([False, True], repeat=len(VARIABLES))
    return [bool(formula.subs(dict(zip(VARIABLES, values)))) for values in assignments]


for constant in True, False:
    wrong_satisfiable = wrong_valid = 0
    for _ in range(150):
        branches = [choose.choice([True, literal() & literal()]) if constant else literal(), literal()]
        choose.shuffle(branches)
        formula = choose.choice([ITE(literal(), *branches) & literal(), Not(ITE(literal(), *branches)), ITE(literal(), *branches)])
        right = satisfied(formula)
        wrong_satisfiable += bool(satisfiable(formula)) != any(right)
        wrong_valid += bool(valid(formula)) != all(right)
    print(f"150 formulas with{'' if constant else 'out'} constants: satisfiable wrong in {wrong_satisfiable}, valid in {wrong_valid}")
END

PYTHONHASHSEED=0 venv/bin/python run.py | diff seen -
