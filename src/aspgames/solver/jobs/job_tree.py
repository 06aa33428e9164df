"""The tree above the jobs: the known results of each position, and the choice of the next leaf.

Proof-number search (Allis 1994; ``docs/search.md``) chooses the leaf. Nodes have bounds of the
fewest turns that suffice, so a result for one number of turns serves all others. Transpositions
share a node.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ...puzzle.solved import contradiction
from ...runtime.json_lines import JsonObject
from ..search.searched_position import Searched

_IMPOSSIBLE = 10**8  # the proof number of a statement that can't be proved
_MOST_UPDATES = 3  # of a node after one change: cyclic lines would update it forever
_VIRTUAL_LOSS = 2  # the factor on a leaf's numbers while a job searches it


@dataclass(eq=False, slots=True)
class JobNode:
    """A position in the tree."""

    key: int
    position: Searched
    lower: float = 0.0
    upper: float = math.inf
    proof: int = 1
    disproof: int = 1
    """For ``asked`` turns, unless that is decided."""
    asked: float = math.nan
    children: "Sequence[JobNode] | None" = None
    parents: "list[JobNode]" = field(default_factory=list)
    guesses: Sequence[Sequence[float | None]] = ()
    """The last search's results for the children."""
    tried: float = -math.inf
    """The most turns that a search left undecided."""
    running: bool = False

    def __post_init__(self) -> None:
        if self.position.goal_reached:
            self.lower = self.upper = -math.inf  # even if no turn is left
        elif self.position.over:
            self.lower = math.inf

    def decided(self, turns: float) -> bool | None:
        """Whether the goal is forced within ``turns`` turns; None if undecided."""
        if self.upper <= turns and self.upper < math.inf:
            return True
        return False if self.lower > turns or self.lower == math.inf else None

    def left(self, child: "JobNode", turns: float) -> float:
        """The turns left after a move. An attacker that comes on move begins one."""
        return turns - (child.position.attacks and not self.position.attacks)

    def explains(self, turns: float) -> bool:
        """Whether the children's verdicts imply the node's."""
        if self.children is None:
            return False
        found = [child.decided(self.left(child, turns)) for child in self.children]
        verdict, attacks = self.decided(turns), self.position.attacks
        return verdict in found if verdict == attacks else found.count(verdict) == len(found)

    def numbers(self, turns: float) -> tuple[int, int]:
        """The proof and the disproof number."""
        verdict = self.decided(turns)
        if verdict is not None:
            return (0, _IMPOSSIBLE) if verdict else (_IMPOSSIBLE, 0)
        loss = _VIRTUAL_LOSS if self.running else 1
        return self.proof * loss, self.disproof * loss


class JobTree:
    """All nodes, by the keys of their positions."""

    def __init__(
        self, key: Callable[[Searched], int], kept: Callable[[int, Searched], JsonObject | None]
    ) -> None:
        """``kept`` returns an earlier run's result for a position."""
        self._key, self._kept = key, kept
        self._nodes: dict[int, JobNode] = {}
        self._horizon = 0.0
        """One more than the most turns of any question; no finite lower bound is higher."""
        self.settled: list[JobNode] = []
        """The nodes decided by their children, until the owner clears the list."""

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[JobNode]:
        return iter(self._nodes.values())

    def find(self, position: Searched) -> JobNode | None:
        """The node of a position, if there is one."""
        return self._nodes.get(self._key(position)) if self._nodes else None

    def node(self, position: Searched) -> JobNode:
        """The node of a position, new if necessary."""
        key = self._key(position)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = JobNode(key, position)
            if (kept := self._kept(key, position)) is not None:
                _learn(node, kept)
        return node

    def grow(self, node: JobNode) -> None:
        """Add a node's children if an earlier run knew them."""
        if node.children is None and node.guesses:
            self._expand(node)

    def take(self, node: JobNode, found: JsonObject) -> None:
        """Take a job's result for a node."""
        node.running = False
        _learn(node, found)
        self._tell(node)

    def begin(self, node: JobNode) -> None:
        """Note that a job searches a node; other nodes then look better."""
        node.running = True
        self._tell(node)

    def leaf(self, root: JobNode, turns: float, split: bool) -> tuple[JobNode, float] | None:
        """The leaf to search next, with the number of turns; None if no leaf is left.

        With ``split``, the children of a node that a job is searching count as leaves, too.
        """
        if turns < math.inf:
            self._horizon = max(self._horizon, turns + 1)
        return self._leaf(root, turns, split, set())

    def _leaf(
        self, node: JobNode, turns: float, split: bool, path: set[JobNode]
    ) -> tuple[JobNode, float] | None:
        if node in path or node.decided(turns) is not None:
            return None
        if node.children is None:
            if not node.running and node.tried < turns:
                return node, turns
            if node.running and not split:
                return None
            self._expand(node)
        path.add(node)
        try:
            self._ask(node, turns)
            for child in self._ordered(node, turns):
                found = self._leaf(child, node.left(child, turns), split, path)
                if found is not None:
                    return found
                if self._ask(node, turns) and node.decided(turns) is not None:
                    return None
            return None
        finally:
            path.remove(node)

    def _ordered(self, node: JobNode, turns: float) -> list[JobNode]:
        """The undecided children, in order of proof or disproof number, the least first."""
        side = 0 if node.position.attacks else 1
        found = []
        for place, child in enumerate(node.children or ()):
            left = node.left(child, turns)
            if child.decided(left) is None:
                number = child.numbers(left)[side]
                found.append((number, -child.lower, place, child))
        return [child for *_, child in sorted(found)]

    def _expand(self, node: JobNode) -> None:
        children = [self.node(position) for _, position in node.position.children()]
        guesses = node.guesses if len(node.guesses) == len(children) else ()
        for child, guess in zip(children, guesses, strict=False):
            _guess(child, guess)
        for child in children:
            child.parents.append(node)
        node.children, node.guesses = children, ()

    def _ask(self, node: JobNode, turns: float) -> bool:
        """Update a node's numbers for ``turns`` turns; returns whether anything changed."""
        node.asked = turns
        changed = self._update(node)
        if changed:
            self._tell(node)
        return changed

    def _tell(self, node: JobNode) -> None:
        """Update all nodes above one."""
        times: dict[JobNode, int] = {}
        changed = deque(node.parents)
        while changed:
            parent = changed.popleft()
            times[parent] = times.get(parent, 0) + 1
            if times[parent] <= _MOST_UPDATES and self._update(parent):
                changed.extend(parent.parents)

    def _update(self, node: JobNode) -> bool:
        known = node.decided(node.asked)
        changed = _update(node, self._horizon)
        if known is None and node.decided(node.asked) is not None:
            self.settled.append(node)
        return changed


def _update(node: JobNode, horizon: float) -> bool:
    """Update bounds and numbers from the children's; returns whether anything changed."""
    before = node.lower, node.upper, node.proof, node.disproof
    position, children = node.position, node.children or ()
    attacks = position.attacks
    begins = [not attacks and child.position.attacks for child in children]
    best = min if attacks else max
    lower = best(child.lower + more for child, more in zip(children, begins, strict=True))
    upper = best(child.upper + more for child, more in zip(children, begins, strict=True))
    if lower < math.inf:
        lower = min(lower, horizon)
    node.lower, node.upper = max(node.lower, lower), min(node.upper, max(0.0, upper))
    if node.lower > node.upper:
        raise contradiction()
    if not math.isnan(node.asked):
        turns = node.asked
        numbers = [
            child.numbers(turns - more) for child, more in zip(children, begins, strict=True)
        ]
        own, other = (0, 1) if attacks else (1, 0)
        least = min(number[own] for number in numbers)
        summed = min(_IMPOSSIBLE, sum(number[other] for number in numbers))
        node.proof, node.disproof = (least, summed) if attacks else (summed, least)
    return before != (node.lower, node.upper, node.proof, node.disproof)


def snapshot(node: JobNode) -> JsonObject:
    """The known results of a node, in the form of a job's result."""
    children = [_known(child) for child in node.children or ()]
    return {
        "turns": as_json(max(-1, node.tried)),
        "known": _known(node),
        "children": children or list(node.guesses),
    }


def _known(node: JobNode) -> list[float | None]:
    bounds = max(0, node.lower), max(0, node.upper)
    return [*map(as_json, bounds), node.proof, node.disproof]


def as_json(number: float) -> float | None:
    """A bound in JSON: null for infinity."""
    return None if number == math.inf else number


def _learn(node: JobNode, found: JsonObject) -> None:
    """Take a job's result, from this run or an earlier one."""
    turns = _number(found["turns"])
    _guess(node, found["known"])
    if node.children is None:
        node.guesses = found["children"]
    if node.decided(turns) is None and found.get("enough", True):
        node.tried = max(node.tried, turns)


def _guess(node: JobNode, known: Sequence[float | None]) -> None:
    """Take bounds, and proof numbers if the node has no better ones."""
    if node.position.goal_reached or node.position.over:
        return
    lower, upper, proof, disproof = map(_number, known)
    node.lower, node.upper = max(node.lower, lower), min(node.upper, upper)
    if node.lower > node.upper:
        raise contradiction()
    if node.children is None:
        node.proof, node.disproof = (min(_IMPOSSIBLE, max(1, int(n))) for n in (proof, disproof))


def _number(number: float | None) -> float:
    return math.inf if number is None else number
