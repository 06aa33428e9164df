#!/usr/bin/env bash
# riichi==1.2.0 (npm)
#
# Expected: a hand that waits for the 3 with 1 and 2, or for the 7 with 8 and 9, gets the same two fu as one that waits
# for the middle of a sequence or for its pair. So 123 completed by the 3 is worth as much as 123 completed by the 2.
#
# What happens: the edge wait gets no fu, silently; the other two do. A hand that needs them to pass a multiple of ten
# is paid too little: 1000 points in place of 1300, 2000 in place of 2600. The test for pinfu, in the same library,
# knows edge waits, so the hand isn't paid as pinfu either.
#
# Each line: the waiting hand, the tile it wins by, its fu and points with riichi, from a discard. A concealed hand has 20
# fu and 10 for the discard, so with the wait 32, which is rounded up to 40. The last line counts hands of 123m or 789m,
# three more sequences and a pair of other numbers, each completed by the 3 or 7, and by the 2 or 8.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit riichi@1.2.0

cat >seen <<'END'
13m456p789s234s55s wins by 2m: 40 fu, 1300 points
12m456p789s234s55s wins by 3m: 30 fu, 1000 points
79m456p789s234s55s wins by 8m: 40 fu, 1300 points
89m456p789s234s55s wins by 7m: 30 fu, 1000 points
147 hands with a middle wait: 147 with 40 fu; with an edge wait: 0
147 hands with a middle wait: 147 with 40 fu; with an edge wait: 0
END

cat >run.mjs <<'END'
import Riichi from 'riichi';

const score = (hand, tile) => new Riichi(`${hand}+${tile}+r`).calc();

const WAITS = [['13m', '2m', '12m', '3m'], ['79m', '8m', '89m', '7m']];
for (const [middle, eight, edge, seven] of WAITS)
  for (const [part, tile] of [[middle, eight], [edge, seven]]) {
    const { fu, ten } = score(`${part}456p789s234s55s`, tile);
    console.log(`${part}456p789s234s55s wins by ${tile}: ${fu} fu, ${ten} points`);
  }

const sequence = low => `${low}${low + 1}${low + 2}`;
for (const [middle, middleTile, edge, edgeTile] of WAITS) {
  let hands = 0, middles = 0, edges = 0;
  for (let first = 1; first <= 7; first++) for (let second = 1; second <= 7; second++) for (const pair of [1, 5, 9]) {
    const rest = `${sequence(first)}p${sequence(second)}s456s${pair}${pair}${pair === 5 ? 'p' : 'm'}`;
    hands++;
    if (score(middle + rest, middleTile).fu === 40) middles++;
    if (score(edge + rest, edgeTile).fu === 40) edges++;
  }
  console.log(`${hands} hands with a middle wait: ${middles} with 40 fu; with an edge wait: ${edges}`);
}
END

node run.mjs | diff seen -
