#!/usr/bin/env bash
# pathfinding==0.4.18 (npm)
#
# Expected: of its finders, those "with trailing asterisks are guaranteed to find the shortest path" (its README). There
# they are `AStarFinder`, `BreadthFirstFinder`, `DijkstraFinder`, `JumpPointFinder`, `BiBreadthFirstFinder`,
# `BiDijkstraFinder` and two more.
#
# What happens: four of the six return longer paths where steps may be diagonal. Jump point search is exact, but
# `JumpPointFinder` isn't. `BiDijkstraFinder` and `BiBreadthFirstFinder` stop where their two searches first meet. From
# a square to itself they go to a neighbour and back, in all modes. `BreadthFirstFinder` counts steps, while the others
# count a diagonal step as the square root of 2.
#
# The paths are compared with plain relaxation on the same grids. First the number of longer paths in 1000 random grids
# for each finder, by the mode of diagonal movement, then small examples: rows from the top, 1 is a wall.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit pathfinding@0.4.18

cat >seen <<'END'
AStarFinder Always 0, Never 0, IfAtMostOneObstacle 0, OnlyWhenNoObstacles 0
DijkstraFinder Always 0, Never 0, IfAtMostOneObstacle 0, OnlyWhenNoObstacles 0
BreadthFirstFinder Always 12, Never 0, IfAtMostOneObstacle 7, OnlyWhenNoObstacles 0
JumpPointFinder Always 5, Never 0, IfAtMostOneObstacle 2, OnlyWhenNoObstacles 3
BiBreadthFirstFinder Always 33, Never 0, IfAtMostOneObstacle 35, OnlyWhenNoObstacles 11
BiDijkstraFinder Always 34, Never 0, IfAtMostOneObstacle 26, OnlyWhenNoObstacles 12
JumpPointFinder Always 0000/1010/0100: 3,2 3,1 2,0 1,0 0,0, 4.41 where 3.83 suffice
JumpPointFinder IfAtMostOneObstacle 000/010/000/000: 0,0 1,0 2,1 2,2 2,3, 4.41 where 3.83 suffice
BreadthFirstFinder Always 0001/0100/0000: 0,1 1,0 2,1 3,2, 4.24 where 3.41 suffice
BiDijkstraFinder OnlyWhenNoObstacles 000/000/100/110: 0,0 1,0 2,1 2,2 2,3, 4.41 where 3.83 suffice
BiDijkstraFinder Never 00/00: 0,0 1,0 0,0, 2.00 where 0.00 suffice
END

cat >run.cjs <<'END'
const PF = require('pathfinding');

const MODES = Object.entries(PF.DiagonalMovement);
const FINDERS = ['AStarFinder', 'DijkstraFinder', 'BreadthFirstFinder', 'JumpPointFinder', 'BiBreadthFirstFinder', 'BiDijkstraFinder'];
let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;

const stepLength = ([x, y], [a, b]) => Math.hypot(a - x, b - y);
const pathLength = path => path.slice(1).reduce((sum, square, i) => sum + stepLength(path[i], square), 0);

function shortest(rows, mode, [x, y], goal) {
  const free = (x, y) => rows[y]?.[x] === 0;
  const length = { [[x, y]]: 0 };
  for (let changed = true; changed;) {
    changed = false;
    rows.forEach((row, y) => row.forEach((_, x) => {
      for (let a = x - 1; a <= x + 1; a++) for (let b = y - 1; b <= y + 1; b++) {
        if (!([x, y] in length) || !free(a, b)) continue;
        const open = a !== x && b !== y ? free(a, y) + free(x, b) : 2;
        const allowed = { Always: true, Never: a === x || b === y, IfAtMostOneObstacle: open > 0, OnlyWhenNoObstacles: open > 1 };
        const total = length[[x, y]] + stepLength([x, y], [a, b]);
        if (allowed[mode] && total < (length[[a, b]] ?? Infinity) - 1e-9) {
          length[[a, b]] = total;
          changed = true;
        }
      }
    }));
  }
  return length[goal];
}

const find = (finder, movement, rows, start, goal) =>
  new PF[finder]({ diagonalMovement: movement }).findPath(...start, ...goal, new PF.Grid(rows));

const longer = Object.fromEntries(FINDERS.map(finder => [finder, {}]));
for (let grid = 0; grid < 1000; grid++) {
  const width = 4 + random(4), height = 4 + random(4);
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => +(random(10) < 3)));
  const [start, goal] = [0, 1].map(() => [random(width), random(height)]);
  for (const [x, y] of [start, goal]) rows[y][x] = 0;
  if (String(start) === String(goal)) continue;
  for (const [mode, movement] of MODES) {
    const best = shortest(rows, mode, start, goal);
    for (const finder of FINDERS) {
      const path = find(finder, movement, rows, start, goal);
      if (path.length ? pathLength(path) < best - 1e-9 : best !== undefined) throw new Error(`${finder} ${mode}`);
      longer[finder][mode] = (longer[finder][mode] ?? 0) + (path.length > 0 && pathLength(path) > best + 1e-9);
    }
  }
}
for (const finder of FINDERS) console.log(finder, Object.entries(longer[finder]).map(([mode, count]) => `${mode} ${count}`).join(', '));

for (const [finder, mode, text, start, goal] of [
  ['JumpPointFinder', 'Always', '0000/1010/0100', [3, 2], [0, 0]],
  ['JumpPointFinder', 'IfAtMostOneObstacle', '000/010/000/000', [0, 0], [2, 3]],
  ['BreadthFirstFinder', 'Always', '0001/0100/0000', [0, 1], [3, 2]],
  ['BiDijkstraFinder', 'OnlyWhenNoObstacles', '000/000/100/110', [0, 0], [2, 3]],
  ['BiDijkstraFinder', 'Never', '00/00', [0, 0], [0, 0]],
]) {
  const rows = text.split('/').map(row => [...row].map(Number));
  const path = find(finder, PF.DiagonalMovement[mode], rows, start, goal);
  const best = shortest(rows, mode, start, goal);
  console.log(`${finder} ${mode} ${text}: ${path.join(' ')}, ${pathLength(path).toFixed(2)} where ${best.toFixed(2)} suffice`);
}
END

node run.cjs | diff seen -
