#!/usr/bin/env bash
# rustworkx==0.18.1, networkx==3.6.1 (pip)
#
# Expected: the dominance frontier of a node n is the set of nodes y such that n dominates a predecessor of y, and n
# is y or does not dominate y (Cytron et al. 1991). `dominance_frontiers` of rustworkx and of networkx,
# which take the same arguments, follow it.
#
# What happens: rustworkx leaves out the start node if arcs lead back to it, silently. It looks for frontiers only at
# nodes with two predecessors or more, and stops below the immediate dominator. The start has no dominator but itself,
# so one arc back to it is a second way in, and the start belongs to its own frontier. Whoever looks for the
# nodes where ways meet thus misses the start of a game that can return there. networkx is right.
#
# Start 0, an arc to 1 and one back. Then all directed graphs with four nodes from node 0, against the definition. Nodes
# that can't be reached don't count.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q rustworkx==0.18.1 networkx==3.6.1

cat >seen <<'END'
0 and 1, definition: {0: {0}, 1: {0}}
0 and 1, networkx: {0: {0}, 1: {0}}
0 and 1, rustworkx: {0: set(), 1: set()}
arcs lead back to the start: 2896 of 2896 wrong, in 2896 only the start is missing
no arc leads back: 0 of 1200 wrong
networkx: 0 wrong
END

cat >run.py <<'END'
import itertools

import networkx
import rustworkx


def defined(graph):
    """The frontiers of all nodes that can be reached from 0, by the definition."""
    reached = {0} | networkx.descendants(graph, 0)
    dominated = {}
    for node in reached:
        without = graph.subgraph(set(graph) - {node})
        dominated[node] = reached if node == 0 else reached - {0} - networkx.descendants(without, 0)
    return {
        node: {y for x, y in graph.edges if x in dominated[node] and (y == node or y not in dominated[node])}
        for node in reached
    }


def rust(graph):
    copy = rustworkx.PyDiGraph()
    copy.add_nodes_from(range(len(graph)))
    copy.add_edges_from_no_data(list(graph.edges))
    return rustworkx.dominance_frontiers(copy, 0)


both = networkx.DiGraph([(0, 1), (1, 0)])
frontiers = {"definition": defined, "networkx": lambda graph: networkx.dominance_frontiers(graph, 0), "rustworkx": rust}
for name, function in frontiers.items():
    print(f"0 and 1, {name}: {dict(sorted(function(both).items()))}")

pairs = list(itertools.permutations(range(4), 2))
back = wrong = wrong_else = only_start = networkx_wrong = 0
for chosen in itertools.product((False, True), repeat=len(pairs)):
    graph = networkx.empty_graph(4, create_using=networkx.DiGraph)
    graph.add_edges_from(itertools.compress(pairs, chosen))
    right = defined(graph)
    found = {node: frontier for node, frontier in rust(graph).items() if node in right}
    returns = any(x in right for x in graph.predecessors(0))
    back += returns
    if found != right:
        wrong += returns
        wrong_else += not returns
        only_start += all(found[node] | {0} == right[node] | {0} for node in right)
    networkx_wrong += networkx.dominance_frontiers(graph, 0) != right
print(f"arcs lead back to the start: {wrong} of {back} wrong, in {only_start} only the start is missing")
print(f"no arc leads back: {wrong_else} of {2 ** len(pairs) - back} wrong")
print(f"networkx: {networkx_wrong} wrong")
END

venv/bin/python run.py | diff seen -
