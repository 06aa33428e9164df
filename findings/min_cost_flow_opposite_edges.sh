#!/usr/bin/env bash
# min-cost-flow==2.1.0 (npm)
#
# Expected: `minCostFlow` gives a maximum flow of least cost from `SOURCE` to `SINK`. At each other node as much flows in
# as flows out. A directed network may have an edge from b to c and one from c to b, as in every road network; nothing
# in its documentation forbids it.
#
# What happens: one of two opposite edges is often full, although nothing flows into it, and the cost of that flow is
# counted. No error says so. Networks without opposite edges are right.
#
# Two small networks, where no way leads to b and c, then random ones with all flows tried.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit min-cost-flow@2.1.0

cat >seen <<'END'
SOURCE>SINK 1/1, b>c 1/1, c>b 0/1
SOURCE>a 1/1, a>SINK 1/1, b>c 1/1, c>b 0/1
with opposite edges: 152 networks, 140 with flow lost or made, 0 not the best
without opposite edges: 248 networks, 0 with flow lost or made, 0 not the best
END

cat >run.mjs <<'END'
import { minCostFlow } from 'min-cost-flow';

function edge(from, to, capacity, cost) {
  return { from, to, capacity, cost };
}

function show(edges) {
  console.log(minCostFlow(edges).map(each => `${each.from}>${each.to} ${each.flow}/${each.capacity}`).join(', '));
}

show([edge('SOURCE', 'SINK', 1, 2), edge('b', 'c', 1, 4), edge('c', 'b', 1, 3)]);
show([edge('SOURCE', 'a', 1, 2), edge('a', 'SINK', 1, 0), edge('b', 'c', 1, 4), edge('c', 'b', 1, 3)]);

let seed = 1;
function random(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
}

const NODES = ['SOURCE', 'a', 'b', 'c', 'SINK'];

/** What reaches the sink and what it costs, or nothing where flow is lost or made. */
function valued(edges, flows) {
  const balance = { SOURCE: 0, a: 0, b: 0, c: 0, SINK: 0 };
  let cost = 0;
  edges.forEach((each, i) => {
    balance[each.from] -= flows[i];
    balance[each.to] += flows[i];
    cost += flows[i] * each.cost;
  });
  return balance.a || balance.b || balance.c ? undefined : [balance.SINK, cost];
}

function best(edges, flows = []) {
  if (flows.length === edges.length) return valued(edges, flows);
  let found;
  for (let flow = 0; flow <= edges[flows.length].capacity; flow++) {
    const other = best(edges, [...flows, flow]);
    if (other && (!found || other[0] > found[0] || (other[0] === found[0] && other[1] < found[1]))) found = other;
  }
  return found;
}

const counts = { with: [0, 0, 0], without: [0, 0, 0] };
while (counts.with[0] + counts.without[0] < 400) {
  const edges = [];
  for (const from of NODES.slice(0, 4))
    for (const to of NODES.slice(1)) if (from !== to && random(5) < 2) edges.push(edge(from, to, 1 + random(2), random(5)));
  if (edges.length > 7 || !edges.some(each => each.from === 'SOURCE') || !edges.some(each => each.to === 'SINK')) continue;
  const opposite = edges.some(one => edges.some(other => one.from === other.to && one.to === other.from));
  const given = minCostFlow(edges.map(each => ({ ...each })));
  const flows = edges.map(({ from, to }) => given.find(each => each.from === from && each.to === to).flow);
  const value = valued(edges, flows);
  const count = counts[opposite ? 'with' : 'without'];
  count[0]++;
  if (!value) count[1]++;
  else if (String(value) !== String(best(edges))) count[2]++;
}
for (const [name, [networks, lost, worse]] of Object.entries(counts))
  console.log(`${name} opposite edges: ${networks} networks, ${lost} with flow lost or made, ${worse} not the best`);
END

node run.mjs | diff seen -
