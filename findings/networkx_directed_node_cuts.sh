#!/usr/bin/env bash
# networkx==3.6.1, igraph==1.0.0 (pip)
#
# Expected: `minimum_node_cut(G, s, t)` is a smallest set of nodes without which no path leads from s to t, and
# `node_connectivity(G, s, t)` is its size. "It handles both directed and undirected graphs" (docstring). Without
# s and t, `node_connectivity(G)` is the smallest size over all pairs, and at most `edge_connectivity(G)`.
#
# What happens: both are wrong for directed graphs, silently.
# - If an arc leads from t back to s, the cut is empty, although a path leads from s to t: an arc in either direction
#   is taken for one from s to t. The other function gives the right size.
# - `node_connectivity(G)` is too large, in some graphs 3 where a node can't be reached from another at all. The
#   algorithm is one for undirected graphs: it counts the arcs in and out of a node together, and never tests
#   paths to the node that it begins with.
# networkx has merged a correction, which no released version has yet. Undirected graphs are right, and so is igraph.
#
# Three nodes in a circle, three in a row, then all directed graphs with four nodes.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q networkx==3.6.1 igraph==1.0.0

cat >seen <<'END'
circle, from 1 to 0: cut set(), size 1
row: nodes 1, from 2 to 0 0, edges 0
4 nodes: 6144 of 24576 cuts leave a path
4 nodes: 926 of 4096 graphs have a greater connectivity of nodes than of edges
4 nodes: too large by up to 3, igraph is wrong for 0
END

cat >run.py <<'END'
import itertools

import igraph
import networkx

circle = networkx.DiGraph([(0, 1), (1, 2), (2, 0)])
size = networkx.node_connectivity(circle, 1, 0)
print(f"circle, from 1 to 0: cut {networkx.minimum_node_cut(circle, 1, 0)}, size {size}")

row = networkx.DiGraph([(0, 1), (1, 2)])
sizes = networkx.node_connectivity(row), networkx.node_connectivity(row, 2, 0)
print(f"row: nodes {sizes[0]}, from 2 to 0 {sizes[1]}, edges {networkx.edge_connectivity(row)}")

pairs = list(itertools.permutations(range(4), 2))
cuts = no_cut = above_edges = igraph_differs = 0
most = 0
for chosen in itertools.product((False, True), repeat=len(pairs)):
    graph = networkx.empty_graph(4, create_using=networkx.DiGraph)
    graph.add_edges_from(itertools.compress(pairs, chosen))
    sizes = [3]
    for s, t in pairs:
        if not graph.has_edge(s, t):
            cut = networkx.minimum_node_cut(graph, s, t)
            cuts += 1
            no_cut += networkx.has_path(graph.subgraph(set(graph) - cut), s, t)
            sizes.append(networkx.node_connectivity(graph, s, t))
    connectivity = networkx.node_connectivity(graph)
    above_edges += connectivity > networkx.edge_connectivity(graph)
    most = max(most, connectivity - min(sizes))
    igraph_differs += igraph.Graph.from_networkx(graph).vertex_connectivity() != min(sizes)
print(f"4 nodes: {no_cut} of {cuts} cuts leave a path")
print(f"4 nodes: {above_edges} of {2 ** len(pairs)} graphs have a greater connectivity of nodes than of edges")
print(f"4 nodes: too large by up to {most}, igraph is wrong for {igraph_differs}")
END

venv/bin/python run.py | diff seen -
