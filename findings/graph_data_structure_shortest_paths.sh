#!/usr/bin/env bash
# graph-data-structure==4.5.0 (npm)
#
# Expected: `shortestPaths` gives all shortest paths between two nodes, as its name says beside `shortestPath`, and a
# search doesn't change the graph.
#
# What happens: after each path its first edge is taken out, both ways, and the search goes on. So of all paths that begin
# with the same edge only one is found: one in place of four where a street forks and joins twice. Afterwards the edges
# are put back, but without their properties, so a question about paths silently takes them from the caller's graph.
#
# Two ways from the start, then a street that forks once and twice, then random graphs with weights of 1 and 2: paths found
# and paths that exist, by trying all. Last, the properties of the edges of a graph before and after.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts graph-data-structure@4.5.0

cat >seen <<'END'
sa sb at bt: found sat sbt; there are sat sbt
sa ab ac bt ct: found sabt; there are sabt sact
sa ab ac bd cd de df et ft: found sabdet; there are sabdet sabdft sacdet sacdft
274 random graphs: paths missing in 9, 11 of them; wrong paths in 0
properties: sa main street, at side street; after shortestPaths: sa undefined, at side street
END

cat >run.cjs <<'END'
const { Graph, shortestPaths } = require('graph-data-structure');

/** A graph of edges such as ['ab', weight]. */
function graphOf(edges) {
  const graph = new Graph();
  for (const [pair, weight] of edges) graph.addEdge(pair[0], pair[1], weight);
  return graph;
}

/** All paths of least weight, by trying all. */
function allPaths(edges, from, to) {
  let least = Infinity, found = [];
  const go = (path, sum) => {
    const node = path[path.length - 1];
    if (node === to) {
      if (sum < least) [least, found] = [sum, []];
      if (sum === least) found.push(path);
      return;
    }
    for (const [pair, weight] of edges)
      if (pair[0] === node && !path.includes(pair[1])) go(path + pair[1], sum + weight);
  };
  go(from, 0);
  return found.sort();
}

const told = paths => paths.map(({ nodes }) => nodes.join('')).sort();

for (const names of ['sa sb at bt', 'sa ab ac bt ct', 'sa ab ac bd cd de df et ft']) {
  const edges = names.split(' ').map(pair => [pair, 1]);
  console.log(`${names}: found ${told(shortestPaths(graphOf(edges), 's', 't')).join(' ')}; `
    + `there are ${allPaths(edges, 's', 't').join(' ')}`);
}

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;
let pairs = 0, fewer = 0, other = 0, missing = 0;
for (let round = 0; round < 300; round++) {
  const edges = [];
  for (const from of 'abcdef') for (const to of 'abcdef') if (from !== to && random(2) === 0) edges.push([from + to, 1 + random(2)]);
  const right = allPaths(edges, 'a', 'f');
  if (right.length === 0) continue;
  const found = told(shortestPaths(graphOf(edges), 'a', 'f'));
  pairs++;
  if (found.length < right.length) fewer++;
  if (found.some(path => !right.includes(path))) other++;
  missing += right.length - found.length;
}
console.log(`${pairs} random graphs: paths missing in ${fewer}, ${missing} of them; wrong paths in ${other}`);

const streets = new Graph();
streets.addEdge('s', 'a', { weight: 1, props: 'main street' });
streets.addEdge('a', 't', { weight: 1, props: 'side street' });
const properties = () => `sa ${streets.getEdgeProperties('s', 'a')}, at ${streets.getEdgeProperties('a', 't')}`;
const before = properties();
shortestPaths(streets, 's', 't');
console.log(`properties: ${before}; after shortestPaths: ${properties()}`);
END

node run.cjs | diff seen -
