#!/usr/bin/env bash
# poker-ts==1.5.0 (npm)
#
# Expected: a player who is all-in stays in the hand until the showdown, and is paid if the hand wins the pot. `showdown`
# shall "evaluate the players' hands and pay the winners" (its README), so all chips are still at the table afterwards.
#
# What happens: if two others go on with chips behind, the all-in player is out after the next round of betting. With
# one pot, the player is no longer eligible. With a side pot, `winners` names the player, but nothing is paid: the chips
# are gone, and the seat is empty. All is silent. It is right only where nobody can bet any more.
#
# Seat 2 has 200 chips, the seats 0 and 1 have 1000. Each line: 200 hands of the same actions before the flop, and checks
# after it. Each hand is dealt by a generator in place of `crypto.randomInt`. Seat 2 should win a third of them.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit poker-ts@1.5.0

cat >seen <<'END'
all have bet 200: pots 600 of seats 0 1
  seat 2 wins 0 hands, is paid in 0; chips missing in 0
two have bet 400: pots 600 of seats 0 1 2, 400 of seats 0 1
  seat 2 wins 59 hands, is paid in 0; chips missing in 59
two have bet 1000: pots 600 of seats 0 1 2, 1600 of seats 0 1
  seat 2 wins 75 hands, is paid in 75; chips missing in 0
END

cat >run.cjs <<'END'
const crypto = require('crypto');
let state = 1;
crypto.randomInt = bound => {
  state = (state * 48271) % 2147483647;
  return state % bound;
};
const { Table } = require('poker-ts');

const STACKS = [1000, 1000, 200];

function play(actions) {
  const table = new Table({ smallBlind: 50, bigBlind: 100 });
  STACKS.forEach((chips, seat) => table.sitDown(seat, chips));
  table.startHand();
  const left = [...actions];
  let pots;
  while (table.isHandInProgress()) {
    while (table.isBettingRoundInProgress()) table.actionTaken(...(left.shift() ?? ['check']));
    table.endBettingRound();
    pots = table.pots().map(pot => `${pot.size} of seats ${pot.eligiblePlayers.join(' ')}`).join(', ');
    if (table.areBettingRoundsCompleted()) table.showdown();
  }
  const chips = table.seats().map(seat => seat ? seat.totalChips : 0);
  const winners = table.winners()[0].map(([seat]) => seat);
  return { pots, chips, winners };
}

for (const [name, actions] of [
  ['all have bet 200', [['raise', 200], ['call'], ['call']]],
  ['two have bet 400', [['call'], ['raise', 400], ['call'], ['call']]],
  ['two have bet 1000', [['call'], ['raise', 1000], ['call'], ['call']]],
]) {
  let wins = 0, paid = 0, missing = 0, seen;
  for (let hand = 0; hand < 200; hand++) {
    const { pots, chips, winners } = play(actions);
    seen = pots;
    if (winners.includes(2)) wins++;
    if (chips[2] > 0) paid++;
    if (chips.reduce((sum, each) => sum + each) !== 2200) missing++;
  }
  console.log(`${name}: pots ${seen}`);
  console.log(`  seat 2 wins ${wins} hands, is paid in ${paid}; chips missing in ${missing}`);
}
END

node run.cjs | diff seen -
