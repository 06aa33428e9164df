#!/usr/bin/env bash
# cytoscape==3.35.0 (npm)
#
# Expected: `hierholzer` finds a trail that uses each edge once wherever there is one, as the algorithm of this name
# does. So whether it is found doesn't depend on the order in which the edges were added.
#
# What happens: it says `found: false` for some graphs with such a trail. If the first walk ends before all edges are
# used, the algorithm must begin again from each node of that walk, also from the first. The loop ends before that node
# is tried. With the edges added in another order, the trail of the same graph is found. All of it is silent.
#
# Nor can a trail be read from what is found: it is a collection, which holds each node once, so a node to which the trail
# returns is missing from there on, and the last one of each closed trail.
#
# Three nodes, with each order of the edges. Then all simple graphs of three and four nodes with up to seven edges and no
# node without an edge: how many have a trail, by trying all ways, and in how many of them none is found.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts cytoscape@3.35.0

cat >seen <<'END'
arcs ab ac ca: not found
arcs ab ca ac: not found
arcs ac ab ca: a ac c ca ab b
arcs ac ca ab: a ac c ca ab b
arcs ca ab ac: not found
arcs ca ac ab: a ac c ca ab b
3 nodes, directed: 54 graphs, 36 with a trail; 3 of these not found, 0 others found
4 nodes, directed: 3067 graphs, 898 with a trail; 56 of these not found, 0 others found
3 nodes, undirected: 4 graphs, 4 with a trail; 0 of these not found, 0 others found
4 nodes, undirected: 41 graphs, 33 with a trail; 3 of these not found, 0 others found
END

cat >run.cjs <<'END'
const cytoscape = require('cytoscape');

/** The answer of the library for edges such as 'ab'. */
function hierholzer(nodes, edges, directed) {
  const cy = cytoscape({
    headless: true,
    elements: [
      ...[...nodes].map(id => ({ data: { id } })),
      ...edges.map(edge => ({ data: { id: edge, source: edge[0], target: edge[1] } })),
    ],
  });
  return cy.elements().hierholzer({ directed });
}

/** Whether a trail from a node uses all edges. */
function hasTrail(node, edges, directed) {
  if (edges.length === 0) return true;
  return edges.some((edge, i) => {
    const rest = [...edges.slice(0, i), ...edges.slice(i + 1)];
    return (edge[0] === node && hasTrail(edge[1], rest, directed))
      || (!directed && edge[1] === node && hasTrail(edge[0], rest, directed));
  });
}

for (const order of ['ab ac ca', 'ab ca ac', 'ac ab ca', 'ac ca ab', 'ca ab ac', 'ca ac ab']) {
  const { found, trail } = hierholzer('abc', order.split(' '), true);
  console.log(`arcs ${order}: ${found ? trail.map(element => element.id()).join(' ') : 'not found'}`);
}

for (const directed of [true, false]) for (const nodes of ['abc', 'abcd']) {
  const pairs = [];
  for (const one of nodes) for (const other of nodes)
    if (one < other || (directed && one !== other)) pairs.push(one + other);
  let graphs = 0, trails = 0, denied = 0, wrong = 0;
  for (let set = 1; set < 2 ** pairs.length; set++) {
    const edges = pairs.filter((_, i) => (set >> i) & 1);
    if (edges.length > 7 || [...nodes].some(node => !edges.some(edge => edge.includes(node)))) continue;
    graphs++;
    const { found } = hierholzer(nodes, edges, directed);
    const right = [...nodes].some(node => hasTrail(node, edges, directed));
    if (right) trails++;
    if (right && !found) denied++;
    if (found && !right) wrong++;
  }
  console.log(`${nodes.length} nodes, ${directed ? 'directed' : 'undirected'}: ${graphs} graphs, ${trails} with a trail; `
    + `${denied} of these not found, ${wrong} others found`);
}
END

node run.cjs | diff seen -
