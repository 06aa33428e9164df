#!/usr/bin/env bash
# js-graph-algorithms==1.0.18 (npm)
#
# Expected: `minCut` of `FordFulkerson` gives the edges of a minimum cut, as the example "MaxFlow-MinCut" of its README prints
# them. Their capacities add up to `value`, the maximum flow; that is the theorem of this name.
#
# What happens: `minCut` gives each edge whose capacity is used up, on whichever side of the cut it is. In a row of three
# nodes with equal capacities that is each of the two edges, and not one of them. The side of each node, which the class
# holds in `marked` after the last search, isn't asked. `value` is right; the cut is too large, silently.
#
# Three small networks, then random ones: whether `value` equals the least capacity of all cuts, by trying all, and whether
# the capacities of `minCut` do.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts js-graph-algorithms@1.0.18

cat >seen <<'END'
0>1 1, 1>2 1: flow 1; cut 0>1, 1>2, capacity 2
0>1 2, 1>2 2, 2>3 2: flow 2; cut 0>1, 1>2, 2>3, capacity 6
0>1 1, 0>2 1, 1>3 1, 2>3 1: flow 2; cut 0>1, 0>2, 1>3, 2>3, capacity 4
1000 random networks: flow right in 1000, cut right in 799, too large in 201
END

cat >run.cjs <<'END'
const { FlowNetwork, FlowEdge, FordFulkerson } = require('js-graph-algorithms');

/** Maximum flow and minimum cut, from the first node to the last one, of edges such as [0, 1, capacity]. */
function solve(nodes, edges) {
  const network = new FlowNetwork(nodes);
  for (const edge of edges) network.addEdge(new FlowEdge(...edge));
  const flow = new FordFulkerson(network, 0, nodes - 1);
  const cut = flow.minCut(network);
  return { value: flow.value, cut, capacity: cut.reduce((sum, edge) => sum + edge.capacity, 0) };
}

function leastCut(nodes, edges) {
  let least = Infinity;
  for (let side = 1; side < 2 ** (nodes - 1); side += 2) {
    const cut = edges.filter(([from, to]) => (side >> from) & 1 && !((side >> to) & 1));
    least = Math.min(least, cut.reduce((sum, edge) => sum + edge[2], 0));
  }
  return least;
}

for (const [nodes, edges] of [
  [3, [[0, 1, 1], [1, 2, 1]]],
  [4, [[0, 1, 2], [1, 2, 2], [2, 3, 2]]],
  [4, [[0, 1, 1], [0, 2, 1], [1, 3, 1], [2, 3, 1]]],
]) {
  const { value, cut, capacity } = solve(nodes, edges);
  const given = edges.map(([from, to, number]) => `${from}>${to} ${number}`).join(', ');
  const told = cut.map(edge => `${edge.from()}>${edge.to()}`).join(', ');
  console.log(`${given}: flow ${value}; cut ${told}, capacity ${capacity}`);
}

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;
let flows = 0, cuts = 0, larger = 0;
for (let network = 0; network < 1000; network++) {
  const nodes = 4 + random(3), edges = [];
  for (let from = 0; from < nodes; from++) for (let to = 0; to < nodes; to++)
    if (from !== to && random(10) < 4) edges.push([from, to, 1 + random(5)]);
  const least = leastCut(nodes, edges);
  const { value, capacity } = solve(nodes, edges);
  if (value === least) flows++;
  if (capacity === least) cuts++;
  if (capacity > least) larger++;
}
console.log(`1000 random networks: flow right in ${flows}, cut right in ${cuts}, too large in ${larger}`);
END

node run.cjs | diff seen -
