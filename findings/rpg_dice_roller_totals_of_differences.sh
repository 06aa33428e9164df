#!/usr/bin/env bash
# @dice-roller/rpg-dice-roller==5.5.1 (npm)
#
# Expected: `minTotal` is "the minimum possible total for the notation" and `maxTotal` the maximum (their comments). So each
# roll is between them, and `minTotal` isn't above `maxTotal`.
#
# What happens: `minTotal` is the total with the least value of each die, and `maxTotal` with the greatest. Behind a minus
# sign, a factor below 0, a division, or within `abs`, the least die doesn't give the least total. So the two are exchanged,
# or both are inside of the range, and rolls are outside of it, silently.
#
# Each line: the two for a notation, the range by trying all values of the dice, and how many of 1000 rolls, made with a
# generator in place of the random one, are outside of what the library says.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts @dice-roller/rpg-dice-roller@5.5.1

cat >seen <<'END'
2d6+3: from 5 to 15, by trying all from 5 to 15; 0 of 1000 rolls outside
10-1d6: from 9 to 4, by trying all from 4 to 9; 1000 of 1000 rolls outside
1d6-1d4: from 0 to 2, by trying all from -3 to 5; 346 of 1000 rolls outside
1d6-1d6: from 0 to 0, by trying all from -5 to 5; 657 of 1000 rolls outside
1d6*-1: from -1 to -6, by trying all from -6 to -1; 1000 of 1000 rolls outside
12/1d6: from 12 to 2, by trying all from 2 to 12; 1000 of 1000 rolls outside
abs(1d6-4): from 3 to 2, by trying all from 0 to 3; 1000 of 1000 rolls outside
END

cat >run.mjs <<'END'
import { DiceRoll, NumberGenerator } from '@dice-roller/rpg-dice-roller';

let state = 1;
NumberGenerator.generator.engine = {
  next() {
    state = (state * 48271) % 2147483647;
    return (state * 2) | 0;
  },
};

const faces = sides => Array.from({ length: sides }, (_, i) => i + 1);
const pairs = (one, other) => faces(one).flatMap(first => faces(other).map(second => [first, second]));

for (const [notation, totals] of [
  ['2d6+3', pairs(6, 6).map(([one, other]) => one + other + 3)],
  ['10-1d6', faces(6).map(face => 10 - face)],
  ['1d6-1d4', pairs(6, 4).map(([one, other]) => one - other)],
  ['1d6-1d6', pairs(6, 6).map(([one, other]) => one - other)],
  ['1d6*-1', faces(6).map(face => -face)],
  ['12/1d6', faces(6).map(face => 12 / face)],
  ['abs(1d6-4)', faces(6).map(face => Math.abs(face - 4))],
]) {
  const { minTotal, maxTotal } = new DiceRoll(notation);
  let outside = 0;
  for (let i = 0; i < 1000; i++) {
    const { total } = new DiceRoll(notation);
    if (total < minTotal || total > maxTotal) outside++;
  }
  console.log(`${notation}: from ${minTotal} to ${maxTotal}, by trying all from ${Math.min(...totals)} to ${Math.max(...totals)}; `
    + `${outside} of 1000 rolls outside`);
}
END

node run.mjs | diff seen -
