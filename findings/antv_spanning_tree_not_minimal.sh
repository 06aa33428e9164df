#!/usr/bin/env bash
# @antv/algorithm==0.1.26 (npm)
#
# Expected: `minimumSpanningTree(graph, weight, algo)` gives a spanning tree of least weight, by Kruskal's or Prim's
# algorithm. The comment above it says that `weight` names the attribute of the edges that is their weight. `dijkstra`,
# in the same package, takes such a name, too, and reads that attribute.
#
# What happens: the name only says that weights count; what is read is always the attribute `weight`. With any other name
# all comparisons are of `undefined`, so the tree of Kruskal is that of the order of the edges, silently. Prim's is often
# too heavy also with the name `weight`: its heap moves an edge down to the left, even if the one on the right is less.
#
# A triangle whose weights are called `cost`, where the edge of 5 is in the tree. Then 500 random connected graphs
# without loops and parallel edges: how many of the trees are heavier than the least of all spanning trees, by trying all.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts @antv/algorithm@0.1.26

cat >seen <<'END'
triangle ab 1, ac 5, bc 3 by cost: kruskal ab ac; prim ab ac
kruskal, attribute weight: 0 of 500 too heavy
kruskal, attribute cost: 465 of 500 too heavy
prim, attribute weight: 149 of 500 too heavy
prim, attribute cost: 472 of 500 too heavy
END

cat >run.cjs <<'END'
const { minimumSpanningTree } = require('@antv/algorithm');

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;

/** A graph of edges such as ['a', 'b', 1], with the number in the given attribute. */
const graph = (nodes, edges, attribute) => ({
  nodes: [...nodes].map(id => ({ id })),
  edges: edges.map(([source, target, number]) => ({ source, target, [attribute]: number })),
});

/** The weight of a tree, or infinity for edges that don't join all nodes without a cycle. */
function treeWeight(nodes, edges) {
  const part = Object.fromEntries([...nodes].map(id => [id, id]));
  let sum = 0;
  for (const [source, target, number] of edges) {
    const [from, to] = [part[source], part[target]];
    if (from === to) return Infinity;
    for (const id of nodes) if (part[id] === from) part[id] = to;
    sum += number;
  }
  return edges.length === nodes.length - 1 ? sum : Infinity;
}

function leastWeight(nodes, edges) {
  let least = Infinity;
  for (let set = 0; set < 2 ** edges.length; set++)
    least = Math.min(least, treeWeight(nodes, edges.filter((_, i) => (set >> i) & 1)));
  return least;
}

const triangle = graph('abc', [['a', 'b', 1], ['a', 'c', 5], ['b', 'c', 3]], 'cost');
const trees = ['kruskal', 'prim'].map(algorithm => {
  const tree = minimumSpanningTree(triangle, 'cost', algorithm);
  return `${algorithm} ${tree.map(({ source, target }) => source + target).join(' ')}`;
});
console.log(`triangle ab 1, ac 5, bc 3 by cost: ${trees.join('; ')}`);

const graphs = [];
while (graphs.length < 500) {
  const nodes = 'abcde', edges = [];
  for (const one of nodes) for (const other of nodes)
    if (one < other && random(10) < 8) edges.push([one, other, 1 + random(9)]);
  const least = leastWeight(nodes, edges);
  if (least < Infinity) graphs.push({ nodes, edges, least });
}
for (const algorithm of ['kruskal', 'prim'])
  for (const attribute of ['weight', 'cost']) {
    const heavy = graphs.filter(({ nodes, edges, least }) => {
      const tree = minimumSpanningTree(graph(nodes, edges, attribute), attribute, algorithm);
      return treeWeight(nodes, tree.map(edge => [edge.source, edge.target, edge[attribute]])) > least;
    });
    console.log(`${algorithm}, attribute ${attribute}: ${heavy.length} of ${graphs.length} too heavy`);
  }
END

node run.cjs | diff seen -
