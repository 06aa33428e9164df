#!/usr/bin/env bash
# clingo==5.8.3 (pip)
#
# Expected: `Model.cost` has the cost of a model. The docstring says that it corresponds to clasp's cost
# output, and the C API returns 64 bits for each priority. Two weights of 2 000 000 000 cost 4 000 000 000.
# If a sum is too large for clasp, an error says so, as it does for the same weights on a choice.
#
# What happens: weights that are certain are summed in 32 bits. `Model.cost` is -294967296 without a
# message, while the statistics of the same call have the true sum. Once the same weights depend on one
# atom, clasp raises "weight too large".
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clingo==5.8.3

cat >seen <<'END'
certain: cost [-294967296], statistics [4000000000.0]
negative: cost [294967296], statistics [-4000000000.0]
two separate atoms: cost [0], statistics [0.0]
one atom: RuntimeError: weight too large
END

cat >run.py <<'END'
import clingo

PROGRAMS = {
    "certain": "#minimize { 2000000000,1; 2000000000,2 }.",
    "negative": "#maximize { 2000000000,1; 2000000000,2 }.",
    "two separate atoms": "{a; b}. #minimize { 2000000000,1 : a; 2000000000,2 : b }.",
    "one atom": "{a}. #minimize { 2000000000,1 : a; 2000000000,2 : a }.",
}
for name, program in PROGRAMS.items():
    control = clingo.Control(["0"])
    control.add("base", [], program)
    control.ground()
    costs: list[list[int]] = []
    try:
        control.solve(on_model=lambda model: costs.append(model.cost))
        print(f"{name}: cost {costs[-1]}, statistics {control.statistics['summary']['costs']}")
    except RuntimeError as error:
        print(f"{name}: RuntimeError: {str(error).rpartition(': ')[2]}")
END

venv/bin/python run.py | diff seen -
