"""Checking a certificate's strategies, node by node.

For each node it is stated at which position it stands, and for how many turns it holds. So nodes
can be checked one by one: each edge must lead to a node that holds there for enough turns. The
lines of a stream state both (``stream``). For the nodes of a JSON object, ``Strategy.walk`` finds
both by play. clingo answers the questions about the states before the check, many at a time.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ...asp.terms import shorten
from ...runtime.errors import Rejected
from ..question import HasFacts, PuzzleQuestion
from .plans import LONGEST_PLAN, PlacedPlan, Plan
from .stepper import Expansion, Probe, State, Stepper

_LEAVES = {"attack": ("goal",), "defence": ("over", "turns")}
_WAVE = 150  # nodes whose probes clingo answers together


@dataclass(slots=True)
class Arrival:
    """The state at the end of an edge and the turns left there, or what is stated for a node."""

    state: State
    turns_on_move: float
    """The turns left if the attacker is on move there."""
    turns_waiting: float
    """The turns left if the attacker isn't on move there."""
    goes_on: bool = False
    """Whether a turn of the attacker goes on through a ply of chance there."""
    place: float = math.inf
    """Of a node: an attack's edges lead to nodes of a lower place, so not in a circle."""


class Strategy:
    """One side's strategy, or some of its nodes: its own move at each, and all replies to it."""

    def __init__(
        self,
        nodes: Mapping[int, Any],
        side: str,
        turns: float,
        keys: tuple[str, ...],
        puzzle: PuzzleQuestion[HasFacts],
        stepper: Stepper,
        arrivals: Mapping[int, Arrival] | None = None,
    ) -> None:
        """The nodes of a strategy for ``turns`` turns of the attacker, by number.

        ``side`` is ``attack`` or ``defence``. The root must show the ``keys``, if there are any.
        ``arrivals`` are stated for the nodes and their edges' targets; without them, ``nodes``
        must be all nodes, and ``walk`` comes before the check.
        """
        self.side, self.nodes, self.turns, self.keys = side, nodes, turns, keys
        self.name = side
        """Its place in the certificate."""
        self.attacks = side == "attack"
        self.may_return = not self.attacks
        """Whether an edge may lead back: cyclic play doesn't reach the goal."""
        self.puzzle, self.stepper = puzzle, stepper
        self.edges = 0
        """The number of edges checked."""
        self.plans: list[PlacedPlan] = []
        """The plans, for a later check."""
        self.arrivals = arrivals or {}
        self.root = Arrival(self.stepper.start, turns - 1, turns)
        """The arrival at the root. An attacker on move has already begun a turn."""
        self.place = ""
        """The node under check."""

    def check(self) -> None:
        """Check all nodes, and note the plans."""
        for number, node in self.nodes.items():
            self.place = f"{self.name}.nodes[{number}]"
            if number not in self.arrivals:
                self.reject("no edge leads to it")
            if number == 0:
                self.arrive(math.inf, 0, self.root, "the position of the certificate")
            self.node(number, node, self.arrivals[number])

    def prepare(self) -> None:
        """Let clingo answer all probes of the check."""
        states = {n: self.arrivals[n].state for n, node in self.nodes.items() if not is_plan(node)}
        self.stepper.prepare(self.probe(self.nodes[n], state) for n, state in states.items())
        ends = (end for n, state in states.items() for end in self.children(n, state))
        self.stepper.prepare(Probe(state) for target, state in ends if not isinstance(target, int))

    def walk(self) -> Iterator[list[Probe]]:
        """Find what to state for all nodes, by play from the root.

        Yields the probes that it needs, many at a time, breadth first.
        """
        states = {0: self.root.state}
        leaves: list[Probe] = []
        found = deque([0])
        while found or leaves:
            numbers = [found.popleft() for _ in range(min(len(found), _WAVE))]
            yield [*leaves, *(self.probe(self.nodes[n], states[n]) for n in numbers)]
            leaves = []
            for number in numbers:
                for target, state in self.children(number, states[number]):
                    if not isinstance(target, int):
                        leaves.append(Probe(state))
                    elif number < target < len(self.nodes) and target not in states:
                        states[target] = state
                        if not is_plan(self.nodes[target]):
                            found.append(target)
        self.arrivals = self.strictest(states)

    def strictest(self, states: Mapping[int, State]) -> dict[int, Arrival]:
        """What to state for all nodes with these states: the strictest turns of all edges."""
        arrivals = {0: replace(self.root)}
        stricter = min if self.attacks else max
        for number, node in self.nodes.items():
            if number not in arrivals:
                continue  # no edge leads to it
            here = arrivals[number]
            here.place = -number
            targets = targets_of(node)
            answer = self.stepper.ask(self.probe(node, here.state)) if targets else None
            for term, target in targets.items():
                is_later = isinstance(target, int) and number < target < len(self.nodes)
                if is_later and answer and term in answer.after:
                    end = self.arrival(number, term, here, answer)
                    known = arrivals.setdefault(target, replace(end, state=states[target]))
                    known.turns_on_move = stricter(known.turns_on_move, end.turns_on_move)
                    known.turns_waiting = stricter(known.turns_waiting, end.turns_waiting)
                    known.goes_on = stricter(known.goes_on, end.goes_on)
        return arrivals

    def children(self, number: int, state: State) -> Iterator[tuple[Any, State]]:
        """The targets of a node's legal edges that aren't plans, with the states after them."""
        targets = targets_of(self.nodes[number])
        after = self.stepper.ask(self.probe(self.nodes[number], state)).after if targets else {}
        for term, target in targets.items():
            if term in after and not is_plan(target):
                yield target, after[term]

    def probe(self, node: Any, state: State) -> Probe:
        """The probe of a node."""
        if isinstance(node, dict) and isinstance(node.get("move"), str):
            return Probe(state, move=node["move"])
        inner = isinstance(node, dict) and not {"replies", "moves", "chance"}.isdisjoint(node)
        return Probe(state, moves=inner)

    def forms(self, number: int) -> list[set[str]]:
        """The forms that an inner node may have: its keys."""
        shows_keys = self.attacks and self.keys and number == 0
        return [{"move", "to"}, {"replies"}, *([{"moves"}] if shows_keys else [])]

    def node(self, number: int, node: Any, arrival: Arrival) -> None:
        """Check one node: its own side makes a move, or all replies to it are there.

        The root of a defence against a forced goal is special. There, a move that isn't a key is
        refuted with one more turn, which shows that it isn't a key. A key needs no refutation if
        even the turn already begun is not granted.
        """
        tells_keys = number == 0 and bool(self.keys)
        root = "moves" if self.attacks else "replies"
        if tells_keys and (not isinstance(node, dict) or set(node) != {root}):
            self.reject(f"here it must have {root}, to tell the keys from other moves")
        if not isinstance(node, dict) or "plan" in node:
            self.leaf(node, arrival)
            return
        if set(node) not in self.forms(number):
            self.reject("it isn't a node")
        (kind,) = node.keys() - {"to"}
        if not isinstance(node[kind], str if kind == "move" else dict):
            self.reject(f"{kind}: it must be {'a term' if kind == 'move' else 'an object'}")
        targets = targets_of(node)
        if tells_keys and self.attacks and set(targets) != set(self.keys):
            self.reject("moves: they must be the keys")
        answer = self.stepper.ask(self.probe(node, arrival.state))
        view, legal = answer.view, answer.after
        if view.reached:
            self.reject("the goal stands there")
        if view.rolls != (kind == "chance"):
            self.reject(f"random is {'' if view.rolls else 'not '}on move there")
        is_own = kind != "replies"
        if not view.rolls and view.attacks != (self.attacks if is_own else not self.attacks):
            self.reject(f"{'the other' if is_own else 'the same'} side is on move there")
        left = arrival.turns_on_move if view.attacks else arrival.turns_waiting
        if left < 0 and self.attacks:
            self.reject("the attacker is out of turns there")
        for term in legal if kind in ("replies", "chance") else ():
            if term not in targets:
                self.reject(f"the {'move' if view.rolls else 'reply'} {term} is missing")
        for term, target in targets.items():
            if term not in legal:
                self.reject(f"{shorten(term)!r} is not legal there")
            if left < 0 and tells_keys and term in self.keys:
                if target != "turns":
                    self.reject(f"{term}: there is no turn for a key, so it must be turns")
                continue
            end = self.arrival(number, term, arrival, answer)
            self.edge(number, target, end, "to" if kind == "move" else term)
        if not legal and self.attacks:
            self.reject("the defender is stuck there, without the goal")

    def arrival(self, number: int, term: str, here: Arrival, answer: Expansion) -> Arrival:
        """The arrival after a legal move at a node."""
        view = answer.view
        left = here.turns_on_move if view.attacks else here.turns_waiting
        if number == 0 and not self.attacks and self.keys and term not in self.keys:
            left += 1
        goes_on = view.attacks or (view.rolls and here.goes_on)
        begins = self.puzzle.begins_turn(goes_on, True)
        goes_on &= self.puzzle.chance is not None
        return Arrival(answer.after[term], left - begins, left, goes_on)

    def edge(self, number: int, target: Any, arrival: Arrival, term: str) -> None:
        """Check an edge."""
        self.edges += 1
        if isinstance(target, bool) or not isinstance(target, int):
            place = self.place
            self.place += f", {term}"
            self.leaf(target, arrival)
            self.place = place
            return
        self.arrive(self.arrivals[number].place, target, arrival, term)

    def arrive(self, place: float, target: int, arrival: Arrival, term: str) -> None:
        """Check that what is stated for an edge's target is enough for the edge.

        In an attack, the node must not need more turns; in a defence, not hold for fewer.
        """
        known = self.arrivals.get(target)
        if known is None:
            self.reject(f"{term}: there is no node {target}")
        if known.place >= place and not self.may_return:
            self.reject(f"{term}: an edge must not lead back, as to node {target}")
        if known.state != arrival.state:
            self.reject(f"{term}: node {target} is another state")
        sign = 1 if self.attacks else -1
        if sign * known.turns_on_move > sign * arrival.turns_on_move:
            self.reject(f"{term}: node {target} is for other turns of the attacker on move")
        if sign * known.turns_waiting > sign * arrival.turns_waiting:
            self.reject(f"{term}: node {target} is for other turns")
        if sign * known.goes_on > sign * arrival.goes_on:
            self.reject(f"{term}: node {target} is for another turn of the attacker")

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
