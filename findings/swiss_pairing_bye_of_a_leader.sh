#!/usr/bin/env bash
# swiss-pairing==1.4.3 (npm)
#
# Expected: with an odd number of participants, byes "bubble up from the lowest to the highest ranking" (its README), and
# nobody has two. So in the second round the bye goes to a participant without a point who hasn't had it.
#
# What happens: `getMatchups` only makes the sum of squared differences of points small, and counts the bye as an
# opponent without points. A bye for one of the leaders may cost as little as one for the last, and which of them is
# taken depends on a shuffle. So a leader sits out, while two without a point play each other.
#
# The second round after each result of the first one: how often the bye goes to a leader, although others without a
# point haven't had one, and the first such round.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit swiss-pairing@1.4.3

cat >seen <<'END'
3 participants: 0 of 2
5 participants: 1 of 4; points A1 C1 D1 B0 E0, D had a bye: A-D, bye for C, B-E
7 participants: 0 of 8
9 participants: 16 of 16; points C1 D1 G1 H1 I1 A0 B0 E0 F0, G had a bye: C-I, D-G, bye for H, A-F, B-E
END

cat >run.mjs <<'END'
import swissPairing from 'swiss-pairing';

const swiss = swissPairing({});
for (const size of [3, 5, 7, 9]) {
  const participants = Array.from({ length: size }, (_, seed) => ({ id: 'ABCDEFGHI'[seed], seed: seed + 1 }));
  const first = swiss.getMatchups(1, participants, []);
  const games = (size - 1) / 2;
  let leaders = 0, example = '';
  for (let results = 0; results < 2 ** games; results++) {
    let game = 0;
    const matches = first.map(({ home, away }) => {
      const won = away === null ? 1 : (results >> game++) & 1;
      return { round: 1, home: { id: home, points: won }, away: { id: away, points: 1 - won } };
    });
    const standings = swiss.getStandings(2, participants, matches);
    const had = first.find(({ away }) => away === null).home;
    const second = swiss.getMatchups(2, participants, matches);
    const bye = second.find(({ away }) => away === null).home;
    const points = Object.fromEntries(standings.map(({ id, wins }) => [id, wins]));
    if (points[bye] > 0 && standings.some(({ id, wins }) => wins === 0 && id !== had)) {
      leaders++;
      example ||= `; points ${standings.map(({ id, wins }) => id + wins).join(' ')}, ${had} had a bye: `
        + second.map(({ home, away }) => away === null ? `bye for ${home}` : `${home}-${away}`).join(', ');
    }
  }
  console.log(`${size} participants: ${leaders} of ${2 ** games}${example}`);
}
END

node run.mjs | diff seen -
