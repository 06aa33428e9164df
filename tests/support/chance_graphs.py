"""Random games with chance, made of graphs, and their values by all lines of play."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

RULES = """\
init(at(a)).
to_move(R)    :- true(at(N)), mover(N,R), not quiet.
legal(R,M)    :- true(at(N)), mover(N,R), leads(N,M).
legal(R,noop) :- role(R), true(at(N)), not mover(N,R).
next(at(M))   :- does(R,M), true(at(N)), mover(N,R).
terminal      :- true(at(N)), end(N).
goal(white,V) :- true(at(N)), worth(N,V).
goal(black,0) :- role(black), terminal.
leads(0,0). mover(0,0). end(0). worth(0,0). quiet :- end(1).
"""


class Node(NamedTuple):
    """Who moves (``white``, ``black``, ``random``, or nobody), and where to, with weights."""

    mover: str
    targets: Mapping[str, int]
    goal: int = 0
    """At an end, White's goal value."""


@dataclass(frozen=True, eq=False)
class ChanceGraph:
    """A game; play starts at a, and White attacks: it wants 100."""

    nodes: Mapping[str, Node]
    single: bool
    weighted: bool
    quiet: bool
    expected: bool = False
    """Whether White wants the greatest expected goal value, not the greatest probability of 100."""

    @property
    def rules(self) -> str:
        sides = "white" if self.single else "white;black"
        text = f"role({sides};random).\n{RULES}" + "end(1).\n" * self.quiet
        for name, (mover, targets, goal) in self.nodes.items():
            text += f"mover({name},{mover}). " * bool(targets) + f"end({name}). " * (not targets)
            text += f"worth({name},{goal}). " * (not targets)
            text += "".join(f"leads({name},{target}). " for target in targets) + "\n"
        if self.weighted:
            text += "weight(M,W) :- true(at(N)), weigh(N,M,W). weigh(0,0,0).\n"
            for name, node in self.nodes.items():
                if node.mover == "random":
                    text += "".join(f"weigh({name},{m},{w}). " for m, w in node.targets.items())
        return text

    def value(self, name: str, goes_on: bool, turns: int, plies: int, beyond: int) -> Fraction:
        """White's best value with ``turns`` turns left; longer lines count ``beyond``."""

        @cache
        def value(name: str, goes_on: bool, turns: int, plies: int) -> Fraction:
            mover, targets, goal = self.nodes[name]
            begins = mover == "white" and not goes_on
            if not targets:
                return Fraction(goal if self.expected else goal == 100)
            if begins and not turns:
                return Fraction(0)
            if not plies:
                return Fraction(beyond)
            on = not self.single and (goes_on if mover == "random" else mover == "white")
            after = {m: value(m, on, turns - begins, plies - 1) for m in targets}
            if mover == "random":
                weights = targets if self.weighted else dict.fromkeys(targets, 1)
                total = sum((weights[m] * each for m, each in after.items()), Fraction(0))
                return total / sum(weights.values())
            return (max if mover == "white" else min)(after.values())

        return value(name, goes_on, turns, plies)

    def bounds(self, turns: int, name: str = "a", goes_on: bool = False) -> tuple[Fraction, ...]:
        """The bounds by lines of at most 40 plies; they are equal unless play goes round."""
        ends = (0, 100 if self.expected else 1)
        return tuple(self.value(name, goes_on, turns, 40, beyond) for beyond in ends)

    def keys(self, turns: int) -> set[str]:
        """White's moves at a with the best value, unless that is 0 or White isn't on move."""
        best, root = self.bounds(turns)[0], self.nodes["a"]
        if root.mover != "white" or not best:
            return set()
        on = not self.single
        return {m for m in root.targets if self.bounds(turns - 1, m, on)[0] == best}


def random_chance_graph(seed: int, expected: bool = False) -> ChanceGraph:
    """A graph of up to ten nodes; some lead back."""
    rng = random.Random(seed)
    names = "abcdefghij"[: rng.randint(4, 10)]
    single = rng.random() < 0.3
    movers = ["white", "random", "random", *(["white"] if single else ["black", "white"])]
    nodes = {}
    for place, name in enumerate(names):
        later = names[place + 1 :]
        if not later or (place > 1 and rng.random() < 0.2):
            goal = rng.choice((0, 100, rng.randint(1, 99))) if expected else 100
            nodes[name] = Node("nobody", {}, goal * (expected or rng.random() < 0.6))
            continue
        mover = rng.choice(movers)
        among = names if rng.random() < 0.15 else later
        count = min(len(among), rng.choice((1, 2, 2, 3, 3)))
        targets = {m: rng.randint(1, 4) for m in sorted(rng.sample(among, count))}
        nodes[name] = Node(mover, targets)
    return ChanceGraph(nodes, single, rng.random() < 0.5, rng.random() < 0.5, expected)
