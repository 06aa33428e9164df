#!/usr/bin/env bash
# clingo-dl==1.5.0.post1, clingo==5.8.3 (pip)
#
# Expected: a schedule found by clingo-dl satisfies its difference constraints, `&diff{a-b} <= n`. If the times get
# too large for its integers, an error says so, as clingcon's "value too large" does.
#
# What happens: sums of differences wrap around at 32 bits. Each number below is small enough, and still the third
# step of a second each, in nanoseconds, ends before the first. Four steps in a row are found to end within one
# second, where there is no schedule at all. No message is given, and the assignment has the wrong times.
# With milliseconds the answers are right.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clingo-dl==1.5.0.post1 clingo==5.8.3

cat >seen <<'END'
a second is 1000: steps end at 1000, 2000, 3000, 4000
a second is 1000: within one second: none
a second is 1000000000: steps end at 1000000000, 2000000000, -1294967296, -294967296
a second is 1000000000: within one second: found
END

cat >run.py <<'END'
from clingo import Control
from clingo.ast import ProgramBuilder, parse_string
from clingodl import ClingoDLTheory

STEPS = """
step(1..4).
&diff{ 0 - end(1) } <= -second.
&diff{ end(S-1) - end(S) } <= -second :- step(S), S > 1.
"""
WITHIN = "&diff{ end(4) - 0 } <= second."


def schedule(program, second):
    theory = ClingoDLTheory()
    control = Control(["-c", f"second={second}"])
    theory.register(control)
    with ProgramBuilder(control) as builder:
        parse_string(program, lambda statement: theory.rewrite_ast(statement, builder.add))
    control.ground([("base", [])])
    theory.prepare(control)
    with control.solve(yield_=True, on_model=theory.on_model) as models:
        for model in models:
            return {str(name): time for name, time in theory.assignment(model.thread_id)}


for second in 1000, 1_000_000_000:
    times = schedule(STEPS, second)
    ends = ", ".join(str(times[f"end({step})"]) for step in (1, 2, 3, 4))
    print(f"a second is {second}: steps end at {ends}")
    found = "found" if schedule(STEPS + WITHIN, second) else "none"
    print(f"a second is {second}: within one second: {found}")
END

venv/bin/python run.py | diff seen -
