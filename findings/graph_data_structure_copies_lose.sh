#!/usr/bin/env bash
# graph-data-structure==4.5.0 (npm)
#
# Expected: `cloneGraph` clones "the graph data structures", and `serializeGraph` writes "nodes, edges, edges weight &
# properties" (their comments), from which `deserializeGraph` makes the graph again. After `removeEdge` an edge is gone; a
# new one between the same nodes has the weight 1, as `getEdgeWeight` says of each edge without a weight.
#
# What happens: the clone has no node without an edge, as it copies only edges, and a weight of 0 becomes 1. So shortest
# paths of the clone are longer. The properties of edges are written, but not read back. And an edge that is added
# again has the weight that the removed one had. None of it raises an error.
#
# A graph of four nodes, its clone, what is read back from JSON, and the same edge added again. Then random graphs, in which
# each weight is 0 to 3: how many of the clones differ, and in what.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts graph-data-structure@4.5.0

cat >seen <<'END'
graph: nodes a b c d; edges ab 0 {"kind":"road"}, ac 1, bc 0; shortest abc 0
clone: nodes a b c; edges ab 1 {"kind":"road"}, ac 1, bc 1; shortest ac 1
read back: nodes a b c d; edges ab 0, ac 1, bc 0; shortest abc 0
weight of an edge added again: 7
the same after its node was removed: 7
1000 clones: nodes are missing in 778, weights differ in 489, equal 61
END

cat >run.cjs <<'END'
const { Graph, cloneGraph, serializeGraph, deserializeGraph, shortestPath } = require('graph-data-structure');

function show(name, graph) {
  const nodes = [...graph.nodes].sort();
  const edges = nodes.flatMap(from => [...graph.adjacent(from)].sort().map(to => {
    const properties = graph.getEdgeProperties(from, to);
    return `${from}${to} ${graph.getEdgeWeight(from, to)}${properties ? ' ' + JSON.stringify(properties) : ''}`;
  }));
  const { nodes: path, weight } = shortestPath(graph, 'a', 'c');
  console.log(`${name}: nodes ${nodes.join(' ')}; edges ${edges.join(', ')}; shortest ${path.join('')} ${weight}`);
}

const graph = new Graph().addNode('d');
graph.addEdge('a', 'b', { weight: 0, props: { kind: 'road' } }).addEdge('b', 'c', 0).addEdge('a', 'c', 1);
show('graph', graph);
show('clone', cloneGraph(graph));
show('read back', deserializeGraph(JSON.parse(JSON.stringify(serializeGraph(graph)))));

const pair = new Graph().addEdge('a', 'b', 7);
pair.removeEdge('a', 'b');
pair.addEdge('a', 'b');
console.log(`weight of an edge added again: ${pair.getEdgeWeight('a', 'b')}`);
pair.removeNode('a');
pair.addEdge('a', 'b');
console.log(`the same after its node was removed: ${pair.getEdgeWeight('a', 'b')}`);

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;
let nodeless = 0, heavier = 0, same = 0;
for (let round = 0; round < 1000; round++) {
  const random5 = new Graph();
  for (const node of 'abcde') random5.addNode(node);
  for (const from of 'abcde') for (const to of 'abcde') if (from < to && random(4) === 0) random5.addEdge(from, to, random(4));
  const clone = cloneGraph(random5);
  const lost = clone.nodes.size < 5;
  const changed = [...random5.nodes].some(from => [...random5.adjacent(from)].some(to =>
    clone.getEdgeWeight(from, to) !== random5.getEdgeWeight(from, to)));
  if (lost) nodeless++;
  if (changed) heavier++;
  if (!lost && !changed) same++;
}
console.log(`1000 clones: nodes are missing in ${nodeless}, weights differ in ${heavier}, equal ${same}`);
END

node run.cjs | diff seen -
