#!/usr/bin/env bash
# networkx==3.6.1 (pip)
#
# Expected: `minimum_spanning_arborescence` finds the cheapest tree of arcs away from a root. It raises "No minimum
# spanning arborescence in G." if no node has a path to all others, and only then: "If the graph does not contain
# a minimum spanning arborescence" (its docstring). `ArborescenceIterator` lists "all spanning arborescences".
#
# What happens: arborescences are denied from four nodes on, also if all weights are positive and arcs both ways
# join neighbours. The function looks for a branching of least cost, and adds the largest weight to all to favour
# branchings with more arcs. The sum is too small: with four nodes, two cheap arcs win over the three that reach all
# nodes. `ArborescenceIterator` takes the error for "none" and leaves the arborescence out, silently.
# `maximum_spanning_arborescence` does the same.
#
# Nodes in a row, with arcs of weight 2 forwards and 1 backwards: from each node as root there is exactly one
# arborescence. The first lines have no arc to the first node, so it is the root. Then random graphs of 12 arcs.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q networkx==3.6.1

cat >seen <<'END'
3 nodes, root 0: weight 4, known 4
4 nodes, root 0: No minimum spanning arborescence in G., known 6
5 nodes, root 0: No minimum spanning arborescence in G., known 8
3 nodes, any root: weights [2, 3, 4], known [2, 3, 4]
4 nodes, any root: weights [3, 4, 5], known [3, 4, 5, 6]
5 nodes, any root: weights [4, 5, 6], known [4, 5, 6, 7, 8]
4 nodes, any root, maximum: weights [6, 5, 4], known [6, 5, 4, 3]
random, 7 nodes: of 2367 with an arborescence, 24 are denied
END

cat >run.py <<'END'
import itertools
import random

import networkx


def row(nodes, forwards=2, backwards=1):
    arcs = [(node, node + 1, forwards) for node in range(nodes - 1)]
    return arcs + [(after, before, backwards) for before, after, _ in arcs]


def graph(arcs):
    made = networkx.DiGraph()
    made.add_weighted_edges_from(arcs)
    return made


def known(arcs):
    """The weights of all arborescences: one arc fewer than nodes, and a root with a path to all of them."""
    nodes = {node for arc in arcs for node in arc[:2]}
    weights = []
    for chosen in itertools.combinations(arcs, len(nodes) - 1):
        tree = graph(chosen)
        if any(root in tree and {root} | networkx.descendants(tree, root) == nodes for root in nodes):
            weights.append(sum(arc[2] for arc in chosen))
    return sorted(weights)


def least(arcs):
    try:
        return f"weight {networkx.minimum_spanning_arborescence(graph(arcs)).size('weight'):.0f}"
    except networkx.NetworkXException as error:
        return str(error)


def listed(arcs, minimum=True):
    return [round(tree.size("weight")) for tree in networkx.ArborescenceIterator(graph(arcs), minimum=minimum)]


for nodes in 3, 4, 5:
    arcs = [arc for arc in row(nodes) if arc[1] != 0]
    print(f"{nodes} nodes, root 0: {least(arcs)}, known {known(arcs)[0]}")
for nodes in 3, 4, 5:
    print(f"{nodes} nodes, any root: weights {listed(row(nodes))}, known {known(row(nodes))}")
arcs = row(4, 1, 2)
print(f"4 nodes, any root, maximum: weights {listed(arcs, False)}, known {known(arcs)[::-1]}")

source = random.Random(1)
pairs = list(itertools.permutations(range(7), 2))
existing = denied = 0
for _ in range(3000):
    arcs = [(*pair, source.randint(1, 9)) for pair in source.sample(pairs, 12)]
    tested = graph(arcs)
    if any(len(networkx.descendants(tested, root)) == 6 for root in tested):
        existing += 1
        denied += least(arcs).startswith("No")
print(f"random, 7 nodes: of {existing} with an arborescence, {denied} are denied")
END

venv/bin/python run.py | diff seen -
