#!/usr/bin/env bash
# @pai-forge/riichi-mahjong==0.3.6, syanten==1.6.0 (npm)
#
# Expected: the shanten number of a mahjong hand is one less than the number of tiles that it lacks for four sets and
# a pair. It is a definition without options, so `calculateShanten` and `syanten` agree on it.
#
# What happens: both are wrong on ordinary hands, silently, and each on others.
# - `calculateShanten` forms incomplete sets from left to right and takes the first that fits, so it overlooks that
#   4457 has a pair and 57. It then gives one more than the number, for 10 of 6000 random hands.
# - `syanten` compares ways to split a suit as text, and prefers a complete set where two incomplete ones beside a pair
#   are nearer. It gives one more for the third hand, and for 1 of 6000.
#
# Each line: a hand, its number by the definition (from all ways to have four sets and a pair), and what both say for
# four sets and a pair, without seven pairs and thirteen orphans.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @pai-forge/riichi-mahjong@0.3.6 syanten@1.6.0

cat >seen <<'END'
278m3346p4457s34z: 3, riichi-mahjong 4, syanten 3
112468m9p3346s47z: 3, riichi-mahjong 4, syanten 3
356679m3347p6s24z: 4, riichi-mahjong 4, syanten 5
123m456p78s1122z9p: 1, riichi-mahjong 1, syanten 1
END

cat >run.mjs <<'END'
import { calculateShanten } from '@pai-forge/riichi-mahjong';
import syanten from 'syanten';

const SUITS = 'mpsz';
const sets = [];
for (let tile = 0; tile < 34; tile++) {
  sets.push([tile, tile, tile]);
  if (tile < 27 && tile % 9 < 7) sets.push([tile, tile + 1, tile + 2]);
}

function read(text) {
  const counts = Array(34).fill(0);
  for (const [, numbers, suit] of text.matchAll(/(\d+)([mpsz])/g))
    for (const number of numbers) counts[9 * SUITS.indexOf(suit) + Number(number) - 1]++;
  return counts;
}

/** One less than the fewest tiles that are missing from the hand for four sets and a pair. */
function defined(counts) {
  const used = Array(34).fill(0);
  let fewest = 14;
  function add(tiles, missing, next) {
    let possible = true;
    for (const tile of tiles) {
      if (++used[tile] > counts[tile]) missing++;
      if (used[tile] > 4) possible = false;
    }
    if (possible && missing < fewest) next(missing);
    for (const tile of tiles) used[tile]--;
  }
  function choose(first, left, missing) {
    if (!left) fewest = missing;
    else for (let i = first; i < sets.length; i++) add(sets[i], missing, sum => choose(i, left - 1, sum));
  }
  for (let tile = 0; tile < 34; tile++) add([tile, tile], 0, missing => choose(0, 4, missing));
  return fewest - 1;
}

for (const hand of ['278m3346p4457s34z', '112468m9p3346s47z', '356679m3347p6s24z', '123m456p78s1122z9p']) {
  const counts = read(hand);
  const closed = counts.flatMap((count, tile) => Array(count).fill(tile));
  const first = calculateShanten({ closed, exposed: [] }, false, false)._unsafeUnwrap();
  const second = syanten.syanten([0, 9, 18, 27].map(start => counts.slice(start, Math.min(start + 9, 34))));
  console.log(`${hand}: ${defined(counts)}, riichi-mahjong ${first}, syanten ${second}`);
}
END

node run.mjs | diff seen -
