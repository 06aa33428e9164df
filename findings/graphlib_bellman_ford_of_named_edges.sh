#!/usr/bin/env bash
# @dagrejs/graphlib==4.0.6 (npm)
#
# Expected: `bellmanFord` gives the distances from a node, also with negative weights. In a multigraph, an edge has a name,
# `g.edge(e)` gives its label, and `weightFn(e)` its weight, as for `dijkstra`. So with weights of 0 and more both agree.
#
# What happens: `bellmanFord` calls the function with an edge made anew from the two nodes, without the name. There is no such
# edge in a multigraph, so the weight is `undefined`, each sum with it is NaN, and no distance gets less than infinity.
# All other nodes count as unreachable, silently. `shortestPaths`, which shall choose `bellmanFord` for negative weights,
# asks for them in the same way, doesn't see them, and raises the error of `dijkstra`.
#
# Three nodes with named edges, then with one negative weight, and the same without names. Then random graphs with weights
# of 0 to 4: in how many of them the distances differ from those of all paths tried.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts @dagrejs/graphlib@4.0.6

cat >seen <<'END'
ab 1, bc 2, ac 4, named: dijkstra 0 1 3; bellmanFord 0 Infinity Infinity; shortestPaths 0 1 3
ab 1, bc -2, ac 4, named: bellmanFord 0 Infinity Infinity; shortestPaths raises "dijkstra does not allow negative edge weights"
ab 1, bc 2, ac 4: dijkstra 0 1 3; bellmanFord 0 1 3; shortestPaths 0 1 3
ab 1, bc -2, ac 4: bellmanFord 0 1 -1; shortestPaths 0 1 -1
500 random graphs with named edges: dijkstra wrong in 0, bellmanFord wrong in 435
500 random graphs: dijkstra wrong in 0, bellmanFord wrong in 0
END

cat >run.cjs <<'END'
const { Graph, alg } = require('@dagrejs/graphlib');

/** A directed graph of edges such as ['ab', weight, name]; without names it isn't a multigraph. */
function graphOf(nodes, edges, multigraph) {
  const graph = new Graph({ directed: true, multigraph });
  for (const node of nodes) graph.setNode(node);
  for (const [pair, weight, name] of edges) graph.setEdge(pair[0], pair[1], weight, multigraph ? name : undefined);
  return graph;
}

function distances(algorithm, nodes, edges, multigraph) {
  const graph = graphOf(nodes, edges, multigraph);
  try {
    const paths = alg[algorithm](graph, 'a', edge => graph.edge(edge));
    return [...nodes].map(node => paths[node].distance).join(' ');
  } catch (error) {
    return `raises "${error.message.split('.')[0]}"`;
  }
}

const positive = [['ab', 1, 'x'], ['bc', 2, 'x'], ['ac', 4, 'x']];
const negative = [['ab', 1, 'x'], ['bc', -2, 'x'], ['ac', 4, 'x']];
for (const multigraph of [true, false]) for (const edges of [positive, negative])
  console.log(`${edges.map(([pair, weight]) => `${pair} ${weight}`).join(', ')}${multigraph ? ', named' : ''}: `
    + ['dijkstra', 'bellmanFord', 'shortestPaths'].filter(algorithm => edges === positive || algorithm !== 'dijkstra')
      .map(algorithm => `${algorithm} ${distances(algorithm, 'abc', edges, multigraph)}`).join('; '));

function byPaths(nodes, edges) {
  const least = Object.fromEntries([...nodes].map(node => [node, Infinity]));
  const go = (path, sum) => {
    const node = path[path.length - 1];
    least[node] = Math.min(least[node], sum);
    for (const [pair, weight] of edges) if (pair[0] === node && !path.includes(pair[1])) go(path + pair[1], sum + weight);
  };
  go('a', 0);
  return [...nodes].map(node => least[node]).join(' ');
}

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;
const graphs = Array.from({ length: 500 }, () => {
  const edges = [];
  for (const from of 'abcd') for (const to of 'abcd') if (from !== to && random(2)) edges.push([from + to, random(5), 'x']);
  return edges;
});
for (const multigraph of [true, false]) {
  const wrong = ['dijkstra', 'bellmanFord'].map(algorithm => `${algorithm} wrong in `
    + graphs.filter(edges => distances(algorithm, 'abcd', edges, multigraph) !== byPaths('abcd', edges)).length);
  console.log(`500 random graphs${multigraph ? ' with named edges' : ''}: ${wrong.join(', ')}`);
}
END

node run.cjs | diff seen -
