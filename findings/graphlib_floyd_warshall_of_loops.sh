#!/usr/bin/env bash
# @dagrejs/graphlib==4.0.6 (npm)
#
# Expected: `alg.floydWarshall` and `alg.dijkstraAll` give the same shortest distances, for weights that aren't negative.
# The distance of a node to itself is 0, as nothing need be travelled.
#
# What happens: in `floydWarshall`, the distance of a node with a loop to itself is the weight of the loop, and its
# predecessor is the node itself. Distances to other nodes are right, and so is the distance to itself of a node on a
# longer cycle. `dijkstra` and `bellmanFord` say 0 for the same graph. So sums over all pairs and the eccentricity of a
# lone node are wrong, silently.
#
# Two nodes in a circle, of which the first has a loop, then random graphs: how many differ from Dijkstra's distances.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @dagrejs/graphlib@4.0.6

cat >seen <<'END'
dijkstraAll: 0 to 0 0, 0 to 1 2, 1 to 1 0
floydWarshall: 0 to 0 5, 0 to 1 2, 1 to 1 0
bellmanFord: 0 to 0 0
1000 graphs, 653 with loops: from a node to itself 653 differ, to others 0
END

cat >run.mjs <<'END'
import * as graphlib from '@dagrejs/graphlib';

const { Graph, alg } = graphlib.default ?? graphlib;

function build(edges, nodes) {
  const graph = new Graph();
  for (let node = 0; node < nodes; node++) graph.setNode(String(node));
  for (const [from, to, weight] of edges) graph.setEdge(String(from), String(to), weight);
  return [graph, edge => graph.edge(edge)];
}

const example = build([[0, 1, 2], [1, 0, 3], [0, 0, 5]], 2);
for (const name of ['dijkstraAll', 'floydWarshall']) {
  const all = alg[name](...example);
  console.log(`${name}: 0 to 0 ${all[0][0].distance}, 0 to 1 ${all[0][1].distance}, 1 to 1 ${all[1][1].distance}`);
}
console.log(`bellmanFord: 0 to 0 ${alg.bellmanFord(example[0], '0', example[1])['0'].distance}`);

let seed = 1;
function random(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
}

const counts = { graphs: 0, loops: 0, self: 0, other: 0 };
for (; counts.graphs < 1000; counts.graphs++) {
  const nodes = 1 + random(5);
  const edges = [];
  for (let a = 0; a < nodes; a++) for (let b = 0; b < nodes; b++) if (random(3) === 0) edges.push([a, b, 1 + random(4)]);
  const [graph, weight] = build(edges, nodes);
  const floyd = alg.floydWarshall(graph, weight);
  const dijkstra = alg.dijkstraAll(graph, weight);
  const differ = (a, b) => floyd[a][b].distance !== dijkstra[a][b].distance;
  const names = graph.nodes();
  counts.loops += edges.some(([a, b]) => a === b);
  counts.self += names.some(a => differ(a, a));
  counts.other += names.some(a => names.some(b => a !== b && differ(a, b)));
}
console.log(
  `${counts.graphs} graphs, ${counts.loops} with loops: from a node to itself ${counts.self} differ, to others ${counts.other}`,
);
END

node run.mjs | diff seen -
