#!/usr/bin/env bash
# python-sat==1.9.dev24 (pip)
#
# Expected: `RC2Stratified.enumerate` gives the models of the hard clauses, from the best to the worst, each once, like
# `RC2.enumerate`, from which it is inherited. "Except for the aforementioned additional techniques, every other
# component of the solver remains as in the base class" (docstring).
#
# What happens: it ends early, silently, if weights differ. The solver makes soft clauses hard whose weight is above
# the bound of the best model, which is right for one model only, and is on by default. The command line of the same
# module turns this off for more than one model; the class doesn't. With `nohard=True` all models come.
#
# Soft clauses 1 with weight 4 and not 1 with weight 1, then 300 random formulas with up to four variables: in how
# many the costs are those of all models, tried one by one.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-sat==1.9.dev24

cat >seen <<'END'
all models [1, 4], RC2 [1, 4], stratified [1], with nohard [1, 4]
RC2 300, stratified 165, with nohard 300 of 300 right
END

cat >run.py <<'END'
import itertools
import random

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF


def costs(solver, hard, soft, weights, **options):
    formula = WCNF()
    formula.extend([list(clause) for clause in hard])
    formula.extend([list(clause) for clause in soft], weights=weights)
    with solver(formula, **options) as enumeration:
        return [enumeration.cost for _ in enumeration.enumerate()]


def costs_of_all_models(hard, soft, weights):
    used = max(abs(literal) for clause in hard + soft for literal in clause)

    def satisfied(clause, model):
        return any((literal > 0) == model[abs(literal) - 1] for literal in clause)

    models = itertools.product((False, True), repeat=used)
    return sorted(
        sum(weight for clause, weight in zip(soft, weights) if not satisfied(clause, model))
        for model in models
        if all(satisfied(clause, model) for clause in hard)
    )


example = [], [[1], [-1]], [4, 1]
print(f"all models {costs_of_all_models(*example)}, RC2 {costs(RC2, *example)}, stratified", end=" ")
print(f"{costs(RC2Stratified, *example)}, with nohard {costs(RC2Stratified, *example, nohard=True)}")

chooser = random.Random(1)


def clauses(variables, least, most):
    return [
        [chooser.choice((1, -1)) * variable for variable in chooser.sample(variables, chooser.randint(1, len(variables)))]
        for _ in range(chooser.randint(least, most))
    ]


right = dict.fromkeys(("RC2", "stratified", "with nohard"), 0)
for _ in range(300):
    variables = range(1, chooser.randint(1, 4) + 1)
    hard, soft = clauses(variables, 0, 2), clauses(variables, 1, 4)
    formula = hard, soft, [chooser.randint(1, 4) for _ in soft]
    expected = costs_of_all_models(*formula)
    right["RC2"] += costs(RC2, *formula) == expected
    right["stratified"] += costs(RC2Stratified, *formula) == expected
    right["with nohard"] += costs(RC2Stratified, *formula, nohard=True) == expected
print(", ".join(f"{name} {count}" for name, count in right.items()), "of 300 right")
END

venv/bin/python run.py | diff seen -
