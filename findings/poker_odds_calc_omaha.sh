#!/usr/bin/env bash
# poker-odds-calc==0.0.14 (npm)
#
# Expected: in Omaha a hand has four cards, and a player makes the best five of exactly two of them and three of the
# board. So three queens among the four cards are a pair of queens, at most.
#
# What happens: `Omaha` counts them as three of a kind, and that hand beats two pairs. The other way round, a straight
# is missed where a higher one would need three of the four cards. Results of such hands are wrong, silently, and the
# percentages of all hands that may lead to them. `TexasHoldem`, of the same package, is right.
#
# Each example: board, hands, the winner by the rule (the best of all sixty choices of two and three cards), and what the
# library gives as percentages of wins. Then 3000 random deals of a board and two hands, for both games.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit poker-odds-calc@0.0.14

cat >seen <<'END'
7h 5s Jh 9c 3s: 2h 2c 2d As (pair) or 6c Th 7d Qh (pair): second wins, library 100% 0%
Ah 9s 9d 2d 3c: Qh Qs Qd Jd (two pairs) or 4s 3s 7d Ac (two pairs): second wins, library 100% 0%
Ks 4d Qs 3c 2h: Ad Js 5s Td (straight) or Kd 8c 9c 4c (two pairs): first wins, library 0% 100%
TexasHoldem: 0 of 3000 wrong
Omaha: 24 of 3000 wrong, 21 of them with three of a rank in a hand
END

cat >run.mjs <<'END'
import poker from 'poker-odds-calc';

const RANKS = '23456789TJQKA';
const deck = [...RANKS].flatMap(rank => [...'cdhs'].map(suit => rank + suit));
const NAMES = ['high card', 'pair', 'two pairs', 'three of a kind', 'straight', 'flush', 'full house', 'four', 'straight flush'];

const choices = (cards, size) => size === 0 ? [[]] : cards.flatMap((card, i) =>
  choices(cards.slice(i + 1), size - 1).map(rest => [card, ...rest]));

/** The value of five cards, as a list whose order is that of the rules. */
function value(cards) {
  const counts = new Map();
  for (const [rank] of cards) counts.set(RANKS.indexOf(rank), (counts.get(RANKS.indexOf(rank)) ?? 0) + 1);
  const ranks = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || b - a);
  const shape = ranks.map(rank => counts.get(rank)).join('');
  const flush = cards.every(card => card[1] === cards[0][1]);
  const wheel = ranks.join() === '12,3,2,1,0';
  const straight = shape === '11111' && (wheel || ranks[0] - ranks[4] === 4);
  const kind = straight && flush ? 8 : shape === '41' ? 7 : shape === '32' ? 6 : flush ? 5 : straight ? 4
    : { 311: 3, 221: 2, 2111: 1, 11111: 0 }[shape];
  return [kind, ...(wheel ? [3] : ranks)];
}

function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return Math.sign(a[i] - b[i]);
  return 0;
}

const best = hands => hands.map(value).reduce((a, b) => compare(a, b) < 0 ? b : a);
const GAMES = {
  TexasHoldem: [2, (hand, board) => best(choices([...hand, ...board], 5))],
  Omaha: [4, (hand, board) => best(choices(hand, 2).flatMap(two => choices(board, 3).map(three => [...two, ...three])))],
};

function percentages(game, board, hands) {
  const table = new poker[game]();
  for (const hand of hands) table.addPlayer(hand);
  table.setBoard(board);
  return table.calculate().getPlayers().map(player => player.getWinsPercentage());
}

for (const line of ['7h 5s Jh 9c 3s: 2h 2c 2d As or 6c Th 7d Qh', 'Ah 9s 9d 2d 3c: Qh Qs Qd Jd or 4s 3s 7d Ac',
  'Ks 4d Qs 3c 2h: Ad Js 5s Td or Kd 8c 9c 4c']) {
  const [board, ...hands] = line.split(/: | or /).map(cards => cards.split(' '));
  const values = hands.map(hand => GAMES.Omaha[1](hand, board));
  const shown = hands.map((hand, i) => `${hand.join(' ')} (${NAMES[values[i][0]]})`).join(' or ');
  const wins = percentages('Omaha', board, hands).map(each => `${each}%`).join(' ');
  console.log(`${board.join(' ')}: ${shown}: ${compare(...values) > 0 ? 'first' : 'second'} wins, library ${wins}`);
}

let state = 1;
function deal(count) {
  const cards = [...deck];
  for (let i = 0; i < count; i++) {
    state = (state * 48271) % 2147483647;
    const other = i + state % (52 - i);
    [cards[i], cards[other]] = [cards[other], cards[i]];
  }
  return cards.slice(0, count);
}

for (const [game, [size, rule]] of Object.entries(GAMES)) {
  let wrong = 0, threes = 0;
  for (let i = 0; i < 3000; i++) {
    const cards = deal(5 + 2 * size);
    const board = cards.slice(0, 5), hands = [cards.slice(5, 5 + size), cards.slice(5 + size)];
    const [first, second] = percentages(game, board, hands);
    if (Math.sign(first - second) === compare(...hands.map(hand => rule(hand, board)))) continue;
    wrong++;
    if (hands.some(hand => hand.some(([rank]) => hand.filter(card => card[0] === rank).length > 2))) threes++;
  }
  const which = wrong ? `, ${threes} of them with three of a rank in a hand` : '';
  console.log(`${game}: ${wrong} of 3000 wrong${which}`);
}
END

node run.mjs | diff seen -
