#!/usr/bin/env bash
# poker-evaluator==2.1.1 (npm)
#
# Expected: `evalHand` of three cards ranks them as its README says: three of a kind, a pair or a high card, as straights
# and flushes don't count with three cards. Then hands of different ranks never tie: 7 5 4 beats 4 3 2 by the 7.
#
# What happens: three cards are looked up in the table of five cards, together with low cards that make them five. Those
# cards count where they are higher than the hand's. So 7 5 4 ties with 4 3 2 and loses to 6 3 2, a jack with 4 3 is
# worth the same as with 3 2, and a pair of twos with a 3 the same as with a 5. All is silent.
#
# The rule in the script: the ranks in order, those that occur more often first. Each line has hands of one value. Then
# all pairs of the 455 hands by ranks, in three suits, and the first that is in the wrong order.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit poker-evaluator@2.1.1

cat >seen <<'END'
4 3 2, 5 3 2, 5 4 2, 5 4 3, 7 3 2, 7 4 2, 7 4 3, 7 5 2, 7 5 3, 7 5 4
J 3 2, J 4 2, J 4 3, J 5 2, J 5 3, J 5 4
A 9 8
3 2 2, 4 2 2, 5 2 2
455 hands, 103285 pairs: 312 ties, 56 in the wrong order, as 7 3 2 with 6 3 2
END

cat >run.cjs <<'END'
const { evalHand } = require('poker-evaluator');

const RANKS = '23456789TJQKA';
const hands = [];
for (let a = 0; a < 13; a++) for (let b = 0; b <= a; b++) for (let c = 0; c <= b; c++) {
  const value = evalHand([`${RANKS[a]}c`, `${RANKS[b]}d`, `${RANKS[c]}h`]).value;
  const rule = a === c ? [2, a] : a === b ? [1, a, c] : b === c ? [1, b, a] : [0, a, b, c];
  hands.push({ text: [a, b, c].map(rank => RANKS[rank]).join(' '), value, rule });
}

function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return Math.sign(a[i] - b[i]);
  return 0;
}

const same = new Map();
for (const hand of hands) same.set(hand.value, [...(same.get(hand.value) ?? []), hand]);
for (const text of ['4 3 2', 'J 3 2', 'A 9 8', '3 2 2'])
  console.log(same.get(hands.find(hand => hand.text === text).value).map(hand => hand.text).join(', '));

let pairs = 0, ties = 0;
const reversed = [];
hands.forEach((first, i) => hands.slice(0, i).forEach(second => {
  const difference = Math.sign(first.value - second.value);
  pairs++;
  if (difference === 0) ties++;
  else if (difference !== compare(first.rule, second.rule)) reversed.push(`${first.text} with ${second.text}`);
}));
console.log(`${hands.length} hands, ${pairs} pairs: ${ties} ties, ${reversed.length} in the wrong order, as ${reversed[0]}`);
END

node run.cjs | diff seen -
