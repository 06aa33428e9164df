#!/usr/bin/env bash
# igraph==1.0.0, networkx==3.6.1 (pip)
#
# Expected: `Graph.simple_cycles` "finds simple cycles in a graph" (its docstring), so it lists all cycles of a directed
# graph, as `networkx.simple_cycles` does. Other numbers for the nodes give as many cycles.
#
# What happens: cycles are missed in certain directed graphs, silently, and how many depends on the numbers of the
# nodes. Of the three nodes below, 1 and 2 have arcs both ways and 0 has an arc to 2. No cycle is found, although
# `is_dag` says that there is one. With the numbers 1 and 2 exchanged it is found (the second line).
# So a graph of positions seems free of repetitions. Undirected graphs are right.
#
# All simple graphs with up to four nodes, against networkx and against themselves with other numbers.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q igraph==1.0.0 networkx==3.6.1

cat >seen <<'END'
arcs 0-2 1-2 2-1: cycles [], acyclic: False
arcs 0-1 1-2 2-1: cycles [(1, 2)], acyclic: False
undirected, 4 nodes: of 64 graphs 0 miss cycles, 0 find none of them
directed, 3 nodes: of 64 graphs 1 miss cycles, 1 find none of them
directed, 4 nodes: of 4096 graphs 63 miss cycles, 38 find none of them
of the 63, with some other numbers for the nodes all cycles are found: 63
END

cat >run.py <<'END'
import itertools

import igraph
import networkx


def cycles(nodes, arcs, directed=True):
    return igraph.Graph(n=nodes, edges=arcs, directed=directed).simple_cycles()


for arcs in ([(0, 2), (1, 2), (2, 1)], [(0, 1), (1, 2), (2, 1)]):
    text = " ".join(f"{a}-{b}" for a, b in arcs)
    acyclic = igraph.Graph(edges=arcs, directed=True).is_dag()
    print(f"arcs {text}: cycles {cycles(3, arcs)}, acyclic: {acyclic}")

for nodes, directed in (4, False), (3, True), (4, True):
    numbers = itertools.permutations if directed else itertools.combinations
    pairs = list(numbers(range(nodes), 2))
    missed = []
    none = 0
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        arcs = list(itertools.compress(pairs, chosen))
        kind = networkx.DiGraph if directed else networkx.Graph
        known = len(list(networkx.simple_cycles(kind(arcs))))
        found = len(cycles(nodes, arcs, directed))
        assert found <= known
        if found < known:
            missed.append((arcs, known))
            none += not found
    print(
        f"{'directed' if directed else 'undirected'}, {nodes} nodes: of {2 ** len(pairs)} graphs"
        f" {len(missed)} miss cycles, {none} find none of them"
    )

renumbered = sum(
    any(
        len(cycles(4, [(new[a], new[b]) for a, b in arcs])) == known
        for new in itertools.permutations(range(4))
    )
    for arcs, known in missed
)
print(f"of the {len(missed)}, with some other numbers for the nodes all cycles are found: {renumbered}")
END

venv/bin/python run.py | diff seen -
