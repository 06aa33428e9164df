#!/usr/bin/env bash
# javascript-lp-solver==1.0.3 (npm)
#
# Expected: a constraint that lists a variable with the coefficient 0 means the same as one that leaves it out, and
# `result` is the value of the objective at the variables in the same answer.
#
# What happens: the presolve, which is on by default, breaks both for small problems, silently.
# - If an equation fixes a variable that stands with a 0 in another constraint, a feasible problem is "feasible: false".
# - If two bounds leave a variable a single value, and the coefficient of one is negative, `result` is 0, whatever the
#   variables cost.
# With the option `presolve: false` all answers are right. A program that writes the matrix row by row has such zeros.
#
# Two problems with the answer and that without presolve. Then all problems with an integer x from 0 to 5 and two
# constraints a*x <= b, a*x >= b or a*x = b for small a and b, compared with a trial of all x.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit javascript-lp-solver@1.0.3

cat >seen <<'END'
3x = 9, 0x <= 10: infeasible; without presolve x = 3, result 15
-x <= -5, 0x >= -5: x = 5, result 0; without presolve x = 5, result 25
1847 feasible problems: 273 called infeasible, 104 with another result
3337 infeasible problems: 0 wrong; without presolve 0 wrong
END

cat >run.mjs <<'END'
import solver from 'javascript-lp-solver';

const KINDS = ['max', 'min', 'equal'];
const HOLDS = { max: (a, b) => a <= b, min: (a, b) => a >= b, equal: (a, b) => a === b };

/** Minimizes 5x; each constraint is a coefficient of x, a kind and a side. */
function solve(constraints, presolve) {
  const model = { optimize: 'cost', opType: 'min', constraints: { most: { max: 5 } }, ints: { x: 1 } };
  const x = { cost: 5, most: 1 };
  constraints.forEach(([coefficient, kind, side], number) => {
    model.constraints[number] = { [kind]: side };
    x[number] = coefficient;
  });
  const { feasible, result, x: value = 0 } = solver.Solve({ ...model, variables: { x }, options: { presolve } });
  return feasible ? `x = ${value}, result ${result}` : 'infeasible';
}

function expected(constraints) {
  for (let x = 0; x <= 5; x++)
    if (constraints.every(([coefficient, kind, side]) => HOLDS[kind](coefficient * x, side)))
      return `x = ${x}, result ${5 * x}`;
  return 'infeasible';
}

for (const [text, constraints] of [
  ['3x = 9, 0x <= 10', [[3, 'equal', 9], [0, 'max', 10]]],
  ['-x <= -5, 0x >= -5', [[-1, 'max', -5], [0, 'min', -5]]],
]) console.log(`${text}: ${solve(constraints, true)}; without presolve ${solve(constraints, false)}`);

const single = [];
for (const coefficient of [-1, 0, 1, 2]) for (const kind of KINDS) for (const side of [-5, -3, 0, 2, 4, 5])
  single.push([coefficient, kind, side]);
const wrong = { true: 0, false: 0 };
let feasible = 0, denied = 0, results = 0;
for (const first of single) for (const second of single) {
  const both = [first, second];
  const right = expected(both);
  const answer = solve(both, true);
  if (right !== 'infeasible') {
    feasible++;
    if (answer === 'infeasible') denied++;
    else if (answer !== right) results++;
  } else if (answer !== right) wrong.true++;
  if (solve(both, false) !== right) wrong.false++;
}
console.log(`${feasible} feasible problems: ${denied} called infeasible, ${results} with another result`);
console.log(`${single.length ** 2 - feasible} infeasible problems: ${wrong.true} wrong; without presolve ${wrong.false} wrong`);
END

node run.mjs | diff seen -
