#!/usr/bin/env bash
# graphology==0.26.0, graphology-metrics==2.1.0 (npm)
#
# Expected: a loop, and a second edge between the same two nodes, change no distance and no set of neighbours. So they
# don't change closeness centrality (the mean distance, inverted), nor the betweenness centrality without weights.
#
# What happens: with a loop in an undirected graph, or parallel edges, the last node gets an edge to the first one. The
# lists of neighbours are stored in one array with room for all edges. The room is left where a neighbour isn't listed
# again, is full of zeros, and counts as neighbours of the last node: zero is the first node. So a path becomes a ring.
# Values of all nodes are wrong then, silently, and depend on the order in which nodes were added.
#
# A path of five nodes, and the same with a loop and with a parallel edge. Then random graphs of six nodes: in how many
# of those with loops or parallel edges the centrality differs from that without them (by breadth-first search here for
# closeness, by the library itself for betweenness).
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit graphology@0.26.0 graphology-metrics@2.1.0

cat >seen <<'END'
path: closeness a 0.40, b 0.57, c 0.67, d 0.57, e 0.40; betweenness a 0.00, b 3.00, c 4.00, d 3.00, e 0.00
with a loop: closeness a 0.40, b 0.57, c 0.67, d 0.67, e 0.67; betweenness a 0.50, b 2.00, c 2.50, d 2.00, e 0.50
with two edges ab: closeness a 0.40, b 0.57, c 0.67, d 0.67, e 0.67; betweenness a 0.50, b 2.00, c 2.50, d 2.00, e 0.50
undirected, with nothing: of 1000 graphs wrong in closeness 0, in betweenness 0
undirected, with a loop: of 1000 graphs wrong in closeness 600, in betweenness 737
undirected, with a parallel edge: of 1000 graphs wrong in closeness 606, in betweenness 736
directed, with nothing: of 1000 graphs wrong in closeness 0, in betweenness 0
directed, with a loop: of 1000 graphs wrong in closeness 0, in betweenness 0
directed, with a parallel edge: of 1000 graphs wrong in closeness 774, in betweenness 690
END

cat >run.mjs <<'END'
import Graph from 'graphology';
import betweennessCentrality from 'graphology-metrics/centrality/betweenness.js';
import closeness from 'graphology-metrics/centrality/closeness.js';

const betweenness = graph => betweennessCentrality(graph, { getEdgeWeight: null, normalized: false });

function build(nodes, edges, type) {
  const graph = new Graph({ multi: true, type });
  for (const node of nodes) graph.addNode(node);
  for (const [from, to] of edges) graph.addEdge(from, to);
  return graph;
}

const shown = values => Object.entries(values).map(([node, value]) => `${node} ${value.toFixed(2)}`).join(', ');

for (const [name, edges] of [
  ['path', 'ab bc cd de'],
  ['with a loop', 'ab bc cd de bb'],
  ['with two edges ab', 'ab bc cd de ab'],
]) {
  const graph = build([...'abcde'], edges.split(' '), 'undirected');
  console.log(`${name}: closeness ${shown(closeness(graph))}; betweenness ${shown(betweenness(graph))}`);
}

/** Closeness by breadth-first search against the edges, as the library has it for directed graphs. */
function byDefinition(nodes, edges, type) {
  return Object.fromEntries(nodes.map(start => {
    const far = new Map([[start, 0]]);
    for (const [node, distance] of far)
      for (const [from, to] of edges) {
        if (to === node && !far.has(from)) far.set(from, distance + 1);
        if (type === 'undirected' && from === node && !far.has(to)) far.set(to, distance + 1);
      }
    const total = [...far.values()].reduce((sum, each) => sum + each);
    return [start, total && (far.size - 1) / total];
  }));
}

let state = 1;
function below(bound) {
  state = (state * 48271) % 2147483647;
  return state % bound;
}

const nodes = [...'abcdef'];
const differ = (a, b) => nodes.some(node => Math.abs(a[node] - b[node]) > 1e-9);
for (const type of ['undirected', 'directed'])
  for (const more of ['nothing', 'a loop', 'a parallel edge']) {
    let close = 0, between = 0;
    for (let i = 0; i < 1000; i++) {
      const simple = new Map();
      while (simple.size < 6) {
        const from = below(6), to = below(6);
        if (from !== to) simple.set(type === 'directed' ? `${from} ${to}` : [from, to].sort().join(' '), nodes[from] + nodes[to]);
      }
      const edges = [...simple.values()];
      const node = nodes[below(6)];
      const all = more === 'nothing' ? edges : [...edges, more === 'a loop' ? node + node : edges[below(6)]];
      const graph = build(nodes, all, type);
      if (differ(closeness(graph), byDefinition(nodes, edges, type))) close++;
      if (differ(betweenness(graph), betweenness(build(nodes, edges, type)))) between++;
    }
    console.log(`${type}, with ${more}: of 1000 graphs wrong in closeness ${close}, in betweenness ${between}`);
  }
END

node run.mjs | diff seen -
