#!/usr/bin/env bash
# networkx==3.6.1, igraph==1.0.0 (pip)
#
# Expected: `minimum_edge_cut` "returns a set of edges of minimum cardinality that disconnects G", and `edge_connectivity`
# is how many (docstrings). Removing a loop disconnects nothing, so loops change neither, as in igraph.
#
# What happens: loops count, silently. Two nodes with one edge and two loops have connectivity 3 and a "minimum" cut of
# two edges, one of them a loop. For `k_edge_subgraphs`, a triangle with loops is one subgraph that takes three cuts,
# although two do. The bound is the smallest degree, in which a loop counts twice. `stoer_wagner` is right.
# The positions of a game where one can pass are such a graph.
#
# All connected graphs with up to four nodes, each with all sets of loops.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q networkx==3.6.1 igraph==1.0.0

cat >seen <<'END'
two nodes: 3, cut [(0, 0), (0, 1)]
triangle: [[0, 1, 2]], without loops [[0], [1], [2]]
of 644 graphs wrong: edge_connectivity 3, minimum_edge_cut 3, k_edge_subgraphs 43, stoer_wagner 0, igraph 0
END

cat >run.py <<'END'
import collections
import itertools

import igraph
import networkx


def subsets(things):
    return itertools.chain.from_iterable(itertools.combinations(things, size) for size in range(len(things) + 1))


pair = networkx.Graph([(0, 1), (0, 0), (1, 1)])
print(f"two nodes: {networkx.edge_connectivity(pair)}, cut {sorted(networkx.minimum_edge_cut(pair))}")
triangle = networkx.complete_graph(3)
looped = networkx.Graph([*triangle.edges, *((node, node) for node in triangle)])
first, second = (sorted(map(sorted, networkx.k_edge_subgraphs(graph, 3))) for graph in (looped, triangle))
print(f"triangle: {first}, without loops {second}")
counts = collections.Counter()
for nodes in (2, 3, 4):
    for edges in subsets(list(itertools.combinations(range(nodes), 2))):
        plain = networkx.empty_graph(nodes)
        plain.add_edges_from(edges)
        if not networkx.is_connected(plain):
            continue
        for loops in subsets(range(nodes)):
            graph = plain.copy()
            graph.add_edges_from((node, node) for node in loops)
            fewest = min(
                len(cut) for cut in subsets(edges) if not networkx.is_connected(networkx.restricted_view(plain, (), cut))
            )
            counts["graphs"] += 1
            counts["edge_connectivity"] += networkx.edge_connectivity(graph) != fewest
            counts["minimum_edge_cut"] += len(networkx.minimum_edge_cut(graph)) != fewest
            counts["k_edge_subgraphs"] += any(
                sorted(map(sorted, networkx.k_edge_subgraphs(graph, k)))
                != sorted(map(sorted, networkx.k_edge_subgraphs(plain, k)))
                for k in (2, 3)
            )
            counts["stoer_wagner"] += networkx.stoer_wagner(graph)[0] != fewest
            counts["igraph"] += igraph.Graph(nodes, list(graph.edges)).edge_connectivity() != fewest
print(f"of {counts.pop('graphs')} graphs wrong:", ", ".join(f"{name} {count}" for name, count in counts.items()))
END

venv/bin/python run.py | diff seen -
