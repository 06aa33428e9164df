#!/usr/bin/env bash
# ortools==9.15.6755, cpmpy==1.1.1 (pip)
#
# Expected: with `enumerate_all_solutions`, CP-SAT visits each solution once. A constraint may have a condition
# (`only_enforce_if`), and "an un-enforced one will simply be ignored" (the comment on `enforcement_literal` in
# cp_model.proto). So a condition and three variables of 0 and 1 have at most 16 solutions.
#
# What happens: with a condition on an automaton, the callback gets 132 solutions, of which 12 differ. While the
# condition is false, the states of the automaton are left open, and each of their values counts. Other constraints
# with a condition are right, and so is the automaton without one. CPMpy counts by CP-SAT: its `solveAll` returns 109
# for a rule written with `implies`, and 5 for the same with "or". So whoever counts positions gets too many, silently.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q ortools==9.15.6755 cpmpy==1.1.1

cat >seen <<'END'
all_different: 8 solutions, 8 different
linear: 12 solutions, 12 different
table: 12 solutions, 12 different
automaton: 132 solutions, 12 different
automaton without a condition: 8 solutions, 8 different
cpmpy, not x or accepted: 5 returned, 5 different
cpmpy, if x then accepted: 109 returned, 5 different
END

cat >run.py <<'END'
import cpmpy
from ortools.sat.python import cp_model

# The automaton accepts the rows of three with at most one 1. So do the table and the linear constraint.
STEPS = [(0, 0, 0), (0, 1, 1), (1, 0, 1)]
ROWS = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
constraints = {
    "all_different": lambda model, row: model.add_all_different(row),
    "linear": lambda model, row: model.add(sum(row) <= 1),
    "table": lambda model, row: model.add_allowed_assignments(row, ROWS),
    "automaton": lambda model, row: model.add_automaton(row, 0, [0, 1], STEPS),
}


class Solutions(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables):
        super().__init__()
        self.variables = variables
        self.found = []

    def on_solution_callback(self):
        self.found.append(tuple(self.value(each) for each in self.variables))


def show(name, add, conditional):
    model = cp_model.CpModel()
    row = [model.new_int_var(0, 1, f"x{number}") for number in range(3)]
    condition = model.new_bool_var("condition")
    constraint = add(model, row)
    if conditional:
        constraint.only_enforce_if(condition)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solutions = Solutions([*row, condition])
    assert solver.solve(model, solutions) == cp_model.OPTIMAL
    found = solutions.found
    print(f"{name}: {len(found)} solutions, {len(set(found))} different")


for name, add in constraints.items():
    show(name, add, True)
show("automaton without a condition", add, False)

row = cpmpy.intvar(0, 1, shape=3)
x = row[0] == 1
accepted = cpmpy.Regular(list(row), STEPS, 0, [0, 1])
for name, rule in ("not x or accepted", ~x | accepted), ("if x then accepted", x.implies(accepted)):
    shown = []
    number = cpmpy.Model(rule).solveAll(
        solver="ortools", display=lambda: shown.append(tuple(row.value()))
    )
    print(f"cpmpy, {name}: {number} returned, {len(set(shown))} different")
END

venv/bin/python run.py | diff seen -
