#!/usr/bin/env bash
# permutation-rank==1.0.0 (npm)
#
# Expected: `rank` numbers the permutations of n elements from 0, and `unrank` inverts it. Numbers are doubles, exact up to
# 2 to the 53, so both hold up to 18 elements: 18! is below that. Pattern databases of the fifteen puzzle need 15 or 16.
#
# What happens: `rank` is exact up to 18 elements. `unrank` computes with 32-bit integers: from 14 elements on it gives
# other permutations, silently, and later lists that are no permutations at all.
#
# For each number of elements, 1000 shuffled permutations: ranks that equal those computed with big integers, ranks that
# `unrank` turns back into the same permutation, and results of `unrank` that aren't permutations.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit permutation-rank@1.0.0

cat >seen <<'END'
10 elements: 1000 ranks exact, 1000 unranked, 0 results are no permutation
11 elements: 1000 ranks exact, 1000 unranked, 0 results are no permutation
12 elements: 1000 ranks exact, 1000 unranked, 0 results are no permutation
13 elements: 1000 ranks exact, 1000 unranked, 0 results are no permutation
14 elements: 1000 ranks exact, 0 unranked, 657 results are no permutation
15 elements: 1000 ranks exact, 0 unranked, 987 results are no permutation
16 elements: 1000 ranks exact, 0 unranked, 999 results are no permutation
17 elements: 1000 ranks exact, 0 unranked, 1000 results are no permutation
18 elements: 1000 ranks exact, 0 unranked, 1000 results are no permutation
END

cat >run.cjs <<'END'
const { rank, unrank } = require('permutation-rank');

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;

const factorial = n => n < 2 ? 1n : BigInt(n) * factorial(n - 1);

// After Myrvold and Ruskey (2000): the last element, then the rank of the rest after a swap.
function exactRank(permutation) {
  const rest = [...permutation], n = rest.length;
  if (n === 1) return 0n;
  const last = rest[n - 1];
  rest[rest.indexOf(n - 1)] = last;
  return BigInt(last) * factorial(n - 1) + exactRank(rest.slice(0, -1));
}

for (let n = 10; n <= 18; n++) {
  let exact = 0, inverse = 0, other = 0;
  for (let round = 0; round < 1000; round++) {
    const permutation = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = random(i + 1);
      [permutation[i], permutation[j]] = [permutation[j], permutation[i]];
    }
    const number = rank([...permutation]);
    const back = Array.from(unrank(n, number));
    exact += BigInt(number) === exactRank(permutation);
    inverse += String(back) === String(permutation);
    other += new Set(back).size !== n || back.some(each => !(each >= 0 && each < n));
  }
  console.log(`${n} elements: ${exact} ranks exact, ${inverse} unranked, ${other} results are no permutation`);
}
END

node run.cjs | diff seen -
