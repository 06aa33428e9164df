#!/usr/bin/env bash
# pynauty==2.8.8.1 (pip)
#
# Expected: graphs "can be undirected or directed. They can contain loops" (first paragraph of pynauty's User's
# Guide). So a graph and its renumbered copy are isomorphic, and an automorphism is counted, whether the graph is
# given as an undirected one or as a directed one with both arcs of each edge.
#
# What happens: in an undirected graph with a loop, `isomorphic` denies the renumbered copy, `certificate` differs,
# and `autgrp` misses automorphisms. nauty itself wants its option `digraph` for graphs with loops, and pynauty sets
# it for `directed=True` only. So whoever counts positions up to symmetry counts some twice. With `directed=True`
# and both arcs of each edge the answers are right.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pynauty==2.8.8.1

cat >seen <<'END'
undirected: copy is isomorphic False, same certificate False
directed: copy is isomorphic True, same certificate True
undirected: an edge beside a loop has 1 automorphisms
directed: an edge beside a loop has 2 automorphisms
END

cat >run.py <<'END'
from pynauty import Graph, autgrp, certificate, isomorphic


def graph(vertices, edges, directed):
    neighbours = {vertex: set() for vertex in range(vertices)}
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    lists = {vertex: sorted(found) for vertex, found in neighbours.items()}
    return Graph(vertices, directed=directed, adjacency_dict=lists)


edges = (0, 0), (1, 1), (2, 3)
renumbered = [tuple((1, 2, 0, 3)[vertex] for vertex in edge) for edge in edges]
for directed in False, True:
    one, other = graph(4, edges, directed), graph(4, renumbered, directed)
    name = "directed" if directed else "undirected"
    same = certificate(one) == certificate(other)
    print(f"{name}: copy is isomorphic {isomorphic(one, other)}, same certificate {same}")
for directed in False, True:
    size = autgrp(graph(3, [(0, 1), (2, 2)], directed))[1]
    name = "directed" if directed else "undirected"
    print(f"{name}: an edge beside a loop has {size:.0f} automorphisms")
END

venv/bin/python run.py | diff seen -
