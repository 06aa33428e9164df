#!/usr/bin/env bash
# igraph==1.0.0 (pip)
#
# Expected: `is_minimal_separator(nodes)` is true if the graph falls apart without the nodes, and "the removal of any
# subset of the set keeps the graph connected" (docstring).
#
# What happens: it says yes for sets that have a smaller separator in them. In the first graph node 1 alone separates
# 0 from 2 and 3, as `is_separator` says of it, but 1 and 2 are called minimal too. With the two numbers exchanged the
# answer is right: it depends on the numbers of the nodes, not on the graph. `is_separator` and
# `minimum_size_separators` are right in all connected graphs with four and five nodes.
#
# All sets of nodes that leave two or more, in all connected graphs of a size.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q igraph==1.0.0

cat >seen <<'END'
0-1 1-2 1-3 2-3: 1 separates True, 2 separates False, 1 and 2 are minimal True
0-2 2-1 2-3 1-3: 1 separates False, 2 separates True, 1 and 2 are minimal False
4 nodes: 6 of 58 sets called minimal are not, 0 others wrong
5 nodes: 340 of 1770 sets called minimal are not, 0 others wrong
END

cat >run.py <<'END'
import itertools

import igraph


def parts(edges, nodes):
    """The number of components among the nodes."""
    part = {node: node for node in nodes}
    for _ in nodes:
        for a, b in edges:
            if a in part and b in part:
                part[a] = part[b] = min(part[a], part[b])
    return len(set(part.values()))


for text in "0-1 1-2 1-3 2-3", "0-2 2-1 2-3 1-3":
    graph = igraph.Graph([[int(end) for end in edge.split("-")] for edge in text.split()])
    one, two = graph.is_separator([1]), graph.is_separator([2])
    both = graph.is_minimal_separator([1, 2])
    print(f"{text}: 1 separates {one}, 2 separates {two}, 1 and 2 are minimal {both}")

for size in 4, 5:
    nodes = set(range(size))
    sets = [set(chosen) for count in range(1, size - 1) for chosen in itertools.combinations(nodes, count)]
    pairs = list(itertools.combinations(nodes, 2))
    called = not_minimal = others = 0
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        edges = list(itertools.compress(pairs, chosen))
        if parts(edges, nodes) > 1:
            continue
        graph = igraph.Graph(size, edges)
        separators = [each for each in sets if parts(edges, nodes - each) > 1]
        for each in sets:
            minimal = each in separators and not any(smaller < each for smaller in separators)
            says = graph.is_minimal_separator(list(each))
            called += says
            not_minimal += says and not minimal
            others += minimal and not says
            assert graph.is_separator(list(each)) == (each in separators)
    print(f"{size} nodes: {not_minimal} of {called} sets called minimal are not, {others} others wrong")
END

venv/bin/python run.py | diff seen -
