#!/usr/bin/env bash
# networkx==3.6.1 (pip)
#
# Expected: `ISMAGS.is_isomorphic` "returns True if graph is isomorphic to subgraph and False otherwise" (its docstring).
# The class takes directed graphs (it raises for a directed one beside an undirected one, and counts the degrees of
# directed ones by in and out) and loops. So it agrees with `networkx.is_isomorphic`, whichever is given first.
#
# What happens: where the second graph has an arc between two nodes, the first may have the arc back as well, and it
# may have loops that the second doesn't have. Two nodes with arcs both ways are isomorphic to two with one arc, and
# exchanging the graphs changes the answer. So whoever compares positions, or game graphs with passes, by it takes
# different ones for equal. Undirected graphs without loops are right.
#
# All pairs of graphs with three nodes.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q networkx==3.6.1

cat >seen <<'END'
undirected: of 64 pairs 20 are isomorphic, of the others ISMAGS says so for 0
directed: of 4096 pairs 312 are isomorphic, of the others ISMAGS says so for 428
undirected with loops: of 4096 pairs 256 are isomorphic, of the others ISMAGS says so for 422
both ways and one way: True, exchanged: False
END

cat >run.py <<'END'
import itertools

import networkx
from networkx.algorithms.isomorphism import ISMAGS


def graphs(kind, loops):
    """All graphs of the kind with the nodes 0, 1 and 2."""
    either = kind is networkx.DiGraph
    pairs = [
        (a, b)
        for a, b in itertools.product(range(3), repeat=2)
        if a < b or (either and a > b) or (loops and a == b)
    ]
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        graph = kind()
        graph.add_nodes_from(range(3))
        graph.add_edges_from(itertools.compress(pairs, chosen))
        yield graph


for name, kind, loops in (
    ("undirected", networkx.Graph, False),
    ("directed", networkx.DiGraph, False),
    ("undirected with loops", networkx.Graph, True),
):
    pairs = list(itertools.product(graphs(kind, loops), repeat=2))
    same = [networkx.is_isomorphic(*pair) for pair in pairs]
    said = [ISMAGS(*pair).is_isomorphic() for pair in pairs]
    assert all(b for a, b in zip(same, said) if a)
    wrong = sum(said) - sum(same)
    print(
        f"{name}: of {len(pairs)} pairs {sum(same)} are isomorphic,"
        f" of the others ISMAGS says so for {wrong}"
    )
both, one = networkx.DiGraph([(0, 1), (1, 0)]), networkx.DiGraph([(0, 1)])
print(
    f"both ways and one way: {ISMAGS(both, one).is_isomorphic()},"
    f" exchanged: {ISMAGS(one, both).is_isomorphic()}"
)
END

venv/bin/python run.py | diff seen -
