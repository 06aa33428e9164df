#!/usr/bin/env bash
# clingo==5.8.3 (pip)
#
# Expected: an operation whose result is no integer is undefined: clingo leaves the instance out and
# reports "operation undefined", as it does for 1/0 and 0**(-1). Where the result is an integer, it is
# right: 1**(-1) is 1 and (-1)**(-2) is 1. (For fractions, one might also accept a cut to 0, as for 1/2.)
#
# What happens: every negative exponent gives 0 without a message, also for the bases 1 and -1.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clingo==5.8.3

cat >seen <<'END'
1**(-1): p(0)
(-1)**(-1): p(0)
(-1)**(-2): p(0)
2**(-1): p(0)
1/1**1: p(1)
0**(-1): OperationUndefined
1/0: OperationUndefined
END

cat >run.py <<'END'
import clingo

for term in ("1**(-1)", "(-1)**(-1)", "(-1)**(-2)", "2**(-1)", "1/1**1", "0**(-1)", "1/0"):
    answers: list[str] = []
    control = clingo.Control(logger=lambda code, _: answers.append(code.name))
    control.add("base", [], f"p({term}).")
    control.ground()
    answers += [str(atom.symbol) for atom in control.symbolic_atoms]
    print(f"{term}: {' '.join(answers)}")
END

venv/bin/python run.py | diff seen -
