#!/usr/bin/env bash
# draughts==0.2.1 (npm)
#
# Expected: the package plays draughts on ten by ten squares, the international game, with "move validation and legal
# move generation" (its README). There a king moves along a diagonal over any number of empty squares.
# The comment in its own source says so: "kings can move multiple squares diagonally".
#
# What happens: a king that doesn't capture has only the neighbouring squares. `moves` and `getLegalMoves` leave the others
# out, and `move` returns false for them. When a king captures, it flies as it must, so the two halves of the rules
# don't fit. A game with a longer move of a king can't be replayed. All of it is silent.
#
# A king in a corner and in the middle, and a long move of each. Then a king on each square, with a man of the other side
# where it can't be captured: moves listed, and those by the rule, by walking along the four diagonals.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts draughts@0.2.1

cat >seen <<'END'
king on 46: 46-41; move 46-5: false
king on 28: 28-23 28-33 28-32 28-22; move 28-6: false
king on 46, man on 37: 46x32 46x28 46x23 46x19 46x14 46x10 46x5
a king on each square: 162 moves listed, 162 of them one step; 570 by the rule
END

cat >run.cjs <<'END'
const Draughts = require('draughts');

const place = square => {
  const row = Math.floor((square - 1) / 5);
  return [row, 2 * ((square - 1) % 5) + (row % 2 === 0 ? 1 : 0)];
};
const SQUARES = Array.from({ length: 50 }, (_, i) => i + 1);
const DIRECTIONS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

/** The squares from a square in a direction, the nearest first. */
function ray(square, [down, right]) {
  const squares = [];
  for (let [row, column] = place(square); ; squares.push(row * 5 + Math.floor(column / 2) + 1)) {
    row += down;
    column += right;
    if (row < 0 || row > 9 || column < 0 || column > 9) return squares;
  }
}

for (const [king, far] of [[46, 5], [28, 6]]) {
  const game = new Draughts(`W:WK${king}:B4`);
  const moves = game.moves().map(({ from, to }) => `${from}-${to}`).join(' ');
  console.log(`king on ${king}: ${moves}; move ${king}-${far}: ${game.move({ from: king, to: far })}`);
}
const capture = new Draughts('W:WK46:B37').moves().map(({ from, to }) => `${from}x${to}`).join(' ');
console.log(`king on 46, man on 37: ${capture}`);

let listed = 0, legal = 0, beside = 0;
for (const king of SQUARES) {
  const rays = DIRECTIONS.map(direction => ray(king, direction));
  const man = SQUARES.find(square => square > 5 && square !== king && !rays.flat().includes(square));
  const targets = new Draughts(`W:WK${king}:B${man}`).moves().map(({ to }) => to);
  listed += targets.length;
  legal += rays.flat().length;
  beside += targets.filter(target => rays.some(([nearest]) => nearest === target)).length;
}
console.log(`a king on each square: ${listed} moves listed, ${beside} of them one step; ${legal} by the rule`);
END

node run.cjs | diff seen -
