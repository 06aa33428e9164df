#!/usr/bin/env bash
# rustworkx==0.18.1, networkx==3.6.1 (pip)
#
# Expected: `is_planar` says whether a graph can be drawn in the plane without crossings. A loop can be drawn beside its
# node, so loops change nothing, and neither does the order of the edges. Notes of other functions of rustworkx say
# that they assume graphs without loops; that of `is_planar` doesn't.
#
# What happens: planar graphs with loops are called not planar, depending on the order of the edges. Graphs without
# loops are right. A game graph has a loop wherever one can pass.
#
# Random graphs with five nodes and loops, in random order. Only the complete graph isn't planar. Then one of them.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q rustworkx==0.18.1 networkx==3.6.1

cat >seen <<'END'
5 nodes: of 3000 wrong 159, without the loops 0, networkx 0
[(4, 0), (3, 2), (0, 2), (1, 3), (4, 4), (0, 1), (1, 2), (3, 3), (3, 4)]: False, sorted True, without loops True
END

cat >run.py <<'END'
import itertools
import random

import networkx
import rustworkx


def planar(edges):
    graph = rustworkx.PyGraph()
    graph.extend_from_edge_list(edges)
    return rustworkx.is_planar(graph)


def without_loops(edges):
    return [edge for edge in edges if edge[0] != edge[1]]


chooser = random.Random(1)
nodes = 5
pairs = list(itertools.combinations_with_replacement(range(nodes), 2))
wrong = wrong_without = wrong_networkx = 0
for _ in range(3000):
    edges = [chooser.choice((pair, pair[::-1])) for pair in chooser.sample(pairs, chooser.randint(1, len(pairs)))]
    expected = len(without_loops(edges)) < 10
    wrong += planar(edges) != expected
    wrong_without += planar(without_loops(edges)) != expected
    wrong_networkx += networkx.check_planarity(networkx.Graph(edges))[0] != expected
print(f"{nodes} nodes: of 3000 wrong {wrong}, without the loops {wrong_without}, networkx {wrong_networkx}")
example = [(4, 0), (3, 2), (0, 2), (1, 3), (4, 4), (0, 1), (1, 2), (3, 3), (3, 4)]
print(f"{example}: {planar(example)}, sorted {planar(sorted(example))}, without loops {planar(without_loops(example))}")
END

venv/bin/python run.py | diff seen -
