"""Checking a certificate's strategies, node by node.

Each node has an edge from an earlier node. So the check of a node knows its state and the turns
left. An edge back, in a defence, must not leave more turns. clingo answers the questions about the
states before the check, many at a time (``walk``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ...asp.terms import shorten
from ...runtime.errors import Rejected
from ..question import HasFacts, PuzzleQuestion
from .plans import LONGEST_PLAN, PlacedPlan, Plan
from .stepper import Probe, Sight, State, Stepper

_LEAVES = {"attack": ("goal",), "defence": ("over", "turns")}
_WAVE = 150  # nodes whose probes clingo answers together


@dataclass(slots=True)
class Arrival:
    """The state of a node and the turns left, known before its check."""

    state: State
    turns_on_move: float
    """The turns left if the attacker is on move there."""
    turns_waiting: float
    """The turns left if the attacker isn't on move there."""
    goes_on: bool = False
    """Whether a turn of the attacker goes on through a ply of chance there."""


class Strategy:
    """One side's strategy: its own move at each node, and all replies to it."""

    def __init__(
        self,
        nodes: Mapping[int, Any],
        side: str,
        turns: float,
        keys: tuple[str, ...],
        puzzle: PuzzleQuestion[HasFacts],
        stepper: Stepper,
    ) -> None:
        """The nodes of a strategy for ``turns`` turns of the attacker, by number.

        ``side`` is ``attack`` or ``defence``. The root must show the ``keys``, if there are any.
        """
        self.side, self.nodes, self.turns, self.keys = side, nodes, turns, keys
        self.name = side
        """Its place in the certificate."""
        self.attacks = side == "attack"
        self.puzzle, self.stepper = puzzle, stepper
        self.edges = 0
        """The number of edges checked."""
        self.plans: list[PlacedPlan] = []
        """The plans, for a later check."""
        self.arrivals = {0: Arrival(self.stepper.start, turns - 1, turns)}
        self.place = ""
        """The node under check."""

    def check(self) -> None:
        """Check all nodes, and note the plans. An attacker on move has already begun a turn."""
        for number, node in self.nodes.items():
            self.place = f"{self.name}.nodes[{number}]"
            # Edges of a defence may lead back.
            arrival = (self.arrivals.pop if self.attacks else self.arrivals.get)(number, None)
            if arrival is None:
                self.reject("no edge leads to it")
            self.node(number, node, arrival)

    def walk(self) -> Iterator[list[Probe]]:
        """The probes of all nodes, many at a time, breadth first."""
        met = {0}
        leaves: list[Probe] = []
        found = deque([(0, self.stepper.start)])
        while found or leaves:
            nodes = [found.popleft() for _ in range(min(len(found), _WAVE))]
            asked = [(n, self.probe(self.nodes[n], state)) for n, state in nodes]
            yield [*leaves, *(probe for _, probe in asked)]
            leaves = []
            for number, probe in asked:
                for target, state in self.children(number, probe):
                    if not isinstance(target, int):
                        leaves.append(Probe(state))
                    elif number < target < len(self.nodes) and target not in met:
                        met.add(target)
                        if not is_plan(self.nodes[target]):
                            found.append((target, state))

    def children(self, number: int, probe: Probe) -> Iterator[tuple[Any, State]]:
        """The targets of a node's legal edges that aren't plans, with the states after them."""
        targets = targets_of(self.nodes[number])
        after = self.stepper.ask(probe).after if targets else {}
        for term, target in targets.items():
            if term in after and not is_plan(target):
                yield target, after[term]

    def probe(self, node: Any, state: State) -> Probe:
        """The probe of a node."""
        if isinstance(node, dict) and isinstance(node.get("move"), str):
            return Probe(state, move=node["move"])
        inner = isinstance(node, dict) and not {"replies", "moves", "chance"}.isdisjoint(node)
        return Probe(state, moves=inner)

    def node(self, number: int, node: Any, arrival: Arrival) -> None:
        """Check one node, and note the arrivals at its children."""
        state = arrival.state
        root = ("moves" if self.attacks else "replies") if self.keys and number == 0 else None
        if root and (not isinstance(node, dict) or set(node) != {root}):
            self.reject(f"here it must have {root}, to tell the keys from other moves")
        if not isinstance(node, dict) or "plan" in node:
            self.leaf(node, arrival)
        elif set(node) == {"move", "to"}:
            if not isinstance(node["move"], str):
                self.reject("move: it must be a term")
            answer = self.stepper.ask(self.probe(node, state))
            turns = self.turns_left(answer.view, arrival, own=True)
            if node["move"] not in answer.after:
                self.reject(f"{shorten(node['move'])!r} is not legal there")
            after = answer.after[node["move"]]
            self.edge(number, node["to"], self.arrival(after, answer.view, turns))
        elif set(node) == {"replies"}:
            self.replies(number, node["replies"], arrival)
        elif root and set(node) == {"moves"}:
            self.key_moves(node["moves"], arrival)
        else:
            self.reject("it isn't a node")

    def turns_left(self, view: Sight, arrival: Arrival, own: bool) -> float:
        """The turns left at an inner node. Rejects a node that can't be an inner node."""
        if view.reached:
            self.reject("the goal stands there")
        if view.attacks != (self.attacks if own else not self.attacks):
            self.reject(f"{'the other' if own else 'the same'} side is on move there")
        turns = arrival.turns_on_move if view.attacks else arrival.turns_waiting
        if turns < 0 and self.attacks:
            self.reject("the attacker is out of turns there")
        return turns

    def key_moves(self, moves: Any, arrival: Arrival) -> None:
        """Check the root of an attack: it has each key and no other move."""
        if not isinstance(moves, dict) or set(moves) != set(self.keys):
            self.reject("moves: they must be the keys")
        answer = self.stepper.ask(Probe(arrival.state, moves=True))
        view, legal = answer.view, answer.after
        turns = self.turns_left(view, arrival, own=True)
        for term, target in moves.items():
            if term not in legal:
                self.reject(f"the key {shorten(term)!r} is not legal")
            self.edge(0, target, self.arrival(legal[term], view, turns), term)

    def replies(self, number: int, replies: Any, arrival: Arrival) -> None:
        """Check a node of the other side: it has all moves of that side and no other.

        The root of a defence against a forced goal is special. There, a move that isn't a key is
        refuted with one more turn, which shows that it isn't a key. A key needs no refutation if
        even the turn already begun is not granted.
        """
        if not isinstance(replies, dict):
            self.reject("replies: it must be an object")
        answer = self.stepper.ask(Probe(arrival.state, moves=True))
        view, legal = answer.view, answer.after
        separates = number == 0 and not self.attacks and bool(self.keys)
        turns = self.turns_left(view, arrival, own=False)
        for term in legal:
            if term not in replies:
                self.reject(f"the reply {term} is missing")
        for term in replies:
            if term not in legal:
                self.reject(f"the reply {shorten(term)!r} is not legal there")
        if not legal and self.attacks:
            self.reject("the defender is stuck there, without the goal")
        for term, target in replies.items():
            is_key = separates and term in self.keys
            if is_key and turns < 0:
                if target != "turns":
                    self.reject(f"{term}: there is no turn for a key, so it must be turns")
                continue
            granted = turns + (separates and not is_key)
            self.edge(number, target, self.arrival(legal[term], view, granted), term)

    def arrival(self, state: State, before: Sight, turns: float) -> Arrival:
        """The arrival at a state after a move, with ``turns`` turns left before it."""
        begins = self.puzzle.begins_turn(before.attacks, True)
        return Arrival(state, turns - begins, turns)

    def edge(self, number: int, target: Any, arrival: Arrival, term: str = "") -> None:
        """Check an edge."""
        self.edges += 1
        if isinstance(target, bool) or not isinstance(target, int):
            place = self.place
            self.place += f", {term or 'to'}"
            self.leaf(target, arrival)
            self.place = place
            return
        self.arrive(number, target, arrival, term or "to")

    def arrive(self, number: int, target: int, arrival: Arrival, term: str) -> None:
        """Check an edge to a node, and note the arrival there."""
        if not 0 <= target < len(self.nodes) or (self.attacks and target <= number):
            self.reject(f"{term}: an edge must lead to a later node")
        known = self.arrivals.setdefault(target, arrival)
        if known.state != arrival.state:
            self.reject(f"{term}: node {target} is another state by an earlier edge")
        if target <= number:
            # Cyclic play doesn't reach the goal. The node's own check had at least as many turns.
            if (
                arrival.turns_on_move > known.turns_on_move
                or arrival.turns_waiting > known.turns_waiting
            ):
                self.reject(f"{term}: node {target} holds for fewer turns")
            return
        stricter = min if self.attacks else max
        known.turns_on_move = stricter(known.turns_on_move, arrival.turns_on_move)
        known.turns_waiting = stricter(known.turns_waiting, arrival.turns_waiting)

    def leaf(self, leaf: Any, arrival: Arrival) -> None:
        """Check a leaf, and note its plan for later."""
        is_plan = isinstance(leaf, dict) and set(leaf) == {"plan"}
        if not is_plan and leaf not in _LEAVES[self.side]:
            self.reject("it isn't a node")
        if is_plan and (plan := self.read_plan(leaf["plan"])):
            # clingo checks later that the side of the first move is on move.
            attacks = (plan[0] is not None) == self.attacks
            self.plan(plan, arrival, attacks)
            return
        view = self.stepper.look(arrival.state)
        turns = arrival.turns_on_move if view.attacks else arrival.turns_waiting
        if self.attacks and not view.reached and not is_plan:
            self.reject("the goal doesn't stand there")
        if not self.attacks and view.reached:
            self.reject("the goal stands there")
        if is_plan:
            self.plan((), arrival, view.attacks)
        elif leaf == "over" and not view.over:
            self.reject("the game isn't over there, and the side on move not stuck")
        elif leaf == "turns" and not (view.attacks and turns < 0):
            self.reject("the attacker isn't out of turns there")

    def plan(self, plan: Plan, arrival: Arrival, attacks: bool) -> None:
        """Note a plan. ``attacks`` tells whether the attacker is on move before it."""
        turns = arrival.turns_on_move if attacks else arrival.turns_waiting
        self.plans.append(PlacedPlan(self.place, self.attacks, arrival.state, plan, turns))

    def read_plan(self, plan: Any) -> Plan:
        """Check the form of a plan."""
        if not isinstance(plan, list) or not all(p is None or isinstance(p, str) for p in plan):
            self.reject("plan: it must be a list of terms and nulls")
        if len(plan) > LONGEST_PLAN:
            self.reject(f"plan: it is longer than {LONGEST_PLAN} plies")
        return plan

    def reject(self, reason: str) -> NoReturn:
        """Raise ``Rejected`` for the node under check."""
        raise Rejected(f"{self.place}: {reason}")


def is_plan(node: Any) -> bool:
    """Whether a node needs no probe: clingo checks its plan later."""
    return isinstance(node, dict) and bool(node.get("plan"))


def targets_of(node: Any) -> dict[str, Any]:
    """The targets of a node's edges, by move; empty for a malformed node."""
    if not isinstance(node, dict):
        return {}
    if isinstance(node.get("move"), str):
        return {node["move"]: node.get("to")}
    targets = node.get("replies", node.get("moves", node.get("chance")))
    return targets if isinstance(targets, dict) else {}
