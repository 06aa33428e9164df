"""Checking certificates with clingo alone (what is in one: ``docs/certificates.md``).

Nothing here knows how puzzles are solved. A strategy is gone through once, node by node: to each
some edge leads from an earlier one, so when its turn comes its state is known, and so are the turns
that are left; an edge that leads back, in a defence, must leave no more.
What clingo has to say of the states is asked before, for many at a time; the plans are put to it at
the end.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..budget import Budget
from ..errors import BadConstant, BadPosition, BadRequest, Rejected
from ..game import Game
from ..game import load as load_game
from ..puzzle.problem import Puzzle
from ..terms import shorten
from .plans import LONGEST_PLAN, Plan, Planned, counterexample
from .stepper import Question, State, Stepper, View

LoadGame = Callable[[str, Mapping[str, Any]], Game]
"""Finds a game by the name that a certificate gives, with its constants."""

VERSION = 1
_LEAVES = {"attack": ("goal",), "defence": ("over", "turns")}
_WAVE = 150  # nodes that are asked about together


@dataclass(frozen=True, slots=True)
class Verification:
    """What a certificate proves, and what there was to check."""

    puzzle: Puzzle
    """The position and what is asked."""
    verdict: str
    """``forced`` or ``not_forced``."""
    distance: int | None
    """The fewest attacker's turns that force the goal; None unless forced."""
    keys: tuple[str, ...]
    """The key moves, as terms."""
    line: tuple[str, ...]
    """The line that the certificate shows, as terms."""
    nodes: int
    """The nodes of both strategies."""
    edges: int
    """The moves between them."""
    plans: int
    """The plans that clingo was asked to refute."""
    seconds: float
    """How long it took."""


def verify(
    certificate: Mapping[str, Any],
    budget: Budget | None = None,
    load: LoadGame = lambda name, constants: load_game(name, **constants),
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Check a certificate, given as the JSON object that it is, with clingo alone.

    ``load`` finds its game by name and constants. ``progress`` is called with the edges and the
    plans checked so far.

    Raises ``Rejected`` if the certificate is wrong anywhere, ``BadRequest`` if it is none,
    ``LimitReached`` where the budget runs out or the game is too large, and what ``load`` raises
    for a game that isn't there.
    """
    budget = budget or Budget()
    claim = _read_claim(certificate, load)
    try:
        count = _Proof(claim, budget, progress or (lambda _edges, _plans: None)).check(certificate)
    except BadRequest as error:
        raise Rejected(str(error)) from None
    return Verification(
        claim.puzzle,
        claim.verdict,
        claim.distance,
        claim.keys,
        claim.line,
        count.nodes,
        count.edges,
        count.plans,
        budget.seconds,
    )


# --- the claim ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a certificate is to prove. Its parts fit together; nothing is checked by play yet."""

    puzzle: Puzzle
    verdict: str
    distance: int | None
    keys: tuple[str, ...]
    line: tuple[str, ...]


def _read_claim(certificate: Mapping[str, Any], load: LoadGame) -> _Claim:
    version = certificate.get("certificate")
    if isinstance(version, bool) or not isinstance(version, int):
        raise BadRequest('this is no certificate: it has no version number, "certificate"')
    if version != VERSION:
        raise BadRequest(f"certificates of version {VERSION} can be checked, not of {version}")
    puzzle = _read_puzzle(certificate, load)
    verdict, distance = certificate.get("verdict"), certificate.get("distance")
    keys, line = _terms(certificate, "keys"), _terms(certificate, "line")
    if verdict == "forced":
        if isinstance(distance, bool) or not isinstance(distance, int) or distance < 0:
            raise Rejected("distance: a forced goal has one, a whole number from 0 on")
        if puzzle.within is not None and distance > puzzle.within:
            raise Rejected("distance: it is more than within")
    elif verdict == "not_forced":
        for name, value in (("distance", distance), ("keys", keys), ("line", line)):
            if value not in (None, ()):
                raise Rejected(f"{name}: a goal that isn't forced has none")
    else:
        raise Rejected("verdict: it must be forced or not_forced")
    return _Claim(puzzle, verdict, distance, keys, line)


def _read_puzzle(certificate: Mapping[str, Any], load: LoadGame) -> Puzzle:
    name, constants = certificate.get("game"), certificate.get("const", {})
    if not isinstance(name, str):
        raise Rejected("game: it must be a game's name or path")
    if not isinstance(constants, dict):
        raise Rejected("const: it must be an object of names and values")
    try:
        game = load(name, constants).without_nets
    except BadConstant as error:
        raise Rejected(f"const: {error}") from None
    if dict(game.constants) != constants:
        raise Rejected("const: it must have all constants of the game, each with its value")
    if certificate.get("rules") != game.encoding.fingerprint:
        raise Rejected(f"rules: the rules of {game.name} are not those of the certificate")
    facts = _terms(certificate, "position")
    try:
        state = game.from_facts(facts)
    except BadPosition as error:
        raise Rejected(f"position: {error}") from None
    if state.facts != tuple(sorted(facts)):
        raise Rejected("position: it must have all facts of the state, as the game has them")
    try:
        return Puzzle.read(
            state,
            certificate.get("attacker"),
            certificate.get("goal"),
            certificate.get("within"),
        )
    except BadRequest as error:
        raise Rejected(str(error)) from None


def _terms(certificate: Mapping[str, Any], name: str) -> tuple[str, ...]:
    texts = certificate.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Rejected(f"{name}: it must be a list of terms")
    if len(set(texts)) < len(texts) and name != "line":
        raise Rejected(f"{name}: a term is there twice")
    return tuple(texts)


# --- the proof ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Count:
    """What was checked."""

    nodes: int = 0
    edges: int = 0
    plans: int = 0


class _Proof:
    """Both strategies of a certificate, and its line."""

    def __init__(self, claim: _Claim, budget: Budget, progress: Callable[[int, int], None]) -> None:
        self.claim, self.budget, self.progress = claim, budget, progress
        self.puzzle = claim.puzzle
        self.stepper = Stepper(self.puzzle, budget)
        self.count = _Count()
        self.plans: list[Planned] = []

    def check(self, certificate: Mapping[str, Any]) -> _Count:
        """Check everything; the plans at the end."""
        distance, keys = self.claim.distance, self.claim.keys
        strategies: list[tuple[_Strategy, float]] = []
        if distance is None:
            within = math.inf if self.puzzle.within is None else self.puzzle.within
            strategies = [(self.strategy(certificate, "defence"), within)]
        else:
            strategies = [(self.strategy(certificate, "attack", keys), distance)]
            if distance > 0:
                strategies += [(self.strategy(certificate, "defence", keys), distance - 1)]
        self.prepare(self.walk_line(), *(strategy.walk() for strategy, _ in strategies))
        if distance is not None:
            chooses = self.stepper.look(self.stepper.start).attacks and distance > 0
            if bool(keys) != chooses:
                raise Rejected(f"keys: there {'must be some' if chooses else 'are none to choose'}")
            self.line()
        for strategy, turns in strategies:
            strategy.check(turns)
        self.stepper.forget()
        self.progress(self.count.edges, 0)
        self.check_plans()
        return self.count

    def strategy(
        self, certificate: Mapping[str, Any], side: str, keys: tuple[str, ...] = ()
    ) -> _Strategy:
        """One side's strategy, as it stands in the certificate."""
        found = certificate.get(side)
        nodes = found.get("nodes") if isinstance(found, dict) else None
        if not isinstance(nodes, list) or not nodes:
            raise Rejected(f"{side}.nodes: it must be a list of nodes")
        return _Strategy(self, side, nodes, keys)

    def prepare(self, *walks: Iterator[list[Question]]) -> None:
        """Ask what the checks will ask, many questions at a time.

        Walks tell what they want to know next. What is wrong is not told here; nobody follows it
        any further.
        """
        while wanted := [questions for walk in walks if (questions := next(walk, None))]:
            self.budget.check()
            self.stepper.prepare(question for questions in wanted for question in questions)
            self.progress(self.stepper.edges, 0)

    def walk_line(self) -> Iterator[list[Question]]:
        """What the check of the line will ask."""
        state = self.stepper.start
        for term in self.claim.line:
            question = Question(state, move=term)
            yield [question]
            after = self.stepper.ask(question).after
            if term not in after:
                return
            state = after[term]
        yield [Question(state)]

    def line(self) -> None:
        """Check that the line can be played, keeps to the distance and comes to the goal."""
        state, attacked, turns = self.stepper.start, False, 0
        line, keys = self.claim.line, self.claim.keys
        if keys and (not line or line[0] not in keys):
            raise Rejected("line: it doesn't begin with a key")
        for place, term in enumerate(line):
            answer = self.stepper.ask(Question(state, move=term))
            if answer.view.reached:
                raise Rejected(f"line[{place}]: the goal stands before")
            if term not in answer.after:
                raise Rejected(f"line[{place}]: {shorten(term)!r} is not legal there")
            turns += self.puzzle.begins_turn(attacked, answer.view.attacks)
            attacked = answer.view.attacks
            state = answer.after[term]
        if not self.stepper.look(state).reached:
            raise Rejected("line: it doesn't come to the goal")
        if turns != self.claim.distance:
            raise Rejected(f"line: it takes {turns} turns of the attacker's, not the distance")

    def check_plans(self) -> None:
        """Put all plans to clingo."""

        def held(plans: int) -> None:
            self.count.plans += plans
            self.progress(self.count.edges, self.count.plans)

        failure = counterexample(self.puzzle, self.plans, self.stepper.fluents, self.budget, held)
        if failure:
            planned, reason = failure
            raise Rejected(f"{planned.place}: the plan doesn't hold: {reason}")


@dataclass(slots=True)
class _Arrival:
    """What is known of a node before its turn comes: its state, and what its edges leave."""

    state: State
    turns_on_move: float
    """The turns that are left if the attacker is on move there."""
    turns_waiting: float
    """... and if it isn't."""


class _Strategy:
    """One side's strategy: its own move at each node, and all replies to it."""

    def __init__(self, proof: _Proof, side: str, nodes: list[Any], keys: tuple[str, ...]) -> None:
        self.proof, self.side, self.nodes, self.keys = proof, side, nodes, keys
        self.attacks = side == "attack"
        self.stepper = proof.stepper
        self.arrivals: dict[int, _Arrival] = {}
        self.place = ""
        """The node that is being checked."""

    def check(self, turns: float) -> None:
        """Check all nodes, and note the plans. An attacker on move has begun one of the turns."""
        self.arrivals[0] = _Arrival(self.stepper.start, turns - 1, turns)
        for number, node in enumerate(self.nodes):
            self.place = f"{self.side}.nodes[{number}]"
            # Edges of a defence may lead back.
            arrival = (self.arrivals.pop if self.attacks else self.arrivals.get)(number, None)
            if arrival is None:
                self.reject("no edge leads to it")
            self.node(number, node, arrival)
            self.proof.count.nodes += 1

    def walk(self) -> Iterator[list[Question]]:
        """What the checks of the nodes will ask: of many nodes at a time, near ones first."""
        met = {0}
        leaves: list[Question] = []
        found = deque([(0, self.stepper.start)])
        while found or leaves:
            nodes = [found.popleft() for _ in range(min(len(found), _WAVE))]
            asked = [(n, self.question(self.nodes[n], state)) for n, state in nodes]
            yield [*leaves, *(question for _, question in asked)]
            leaves = []
            for number, question in asked:
                targets = _targets(self.nodes[number])
                after = self.stepper.ask(question).after if targets else {}
                for term, target in targets.items():
                    if term not in after:
                        continue
                    if not isinstance(target, int):
                        leaves.append(Question(after[term]))
                    elif number < target < len(self.nodes) and target not in met:
                        met.add(target)
                        found.append((target, after[term]))

    def question(self, node: Any, state: State) -> Question:
        """What there is to ask at a node."""
        if isinstance(node, dict) and isinstance(node.get("move"), str):
            return Question(state, move=node["move"])
        inner = isinstance(node, dict) and ("replies" in node or "moves" in node)
        return Question(state, moves=inner)

    def node(self, number: int, node: Any, arrival: _Arrival) -> None:
        """Check one node, and note what its edges tell of others."""
        state = arrival.state
        root = ("moves" if self.attacks else "replies") if self.keys and number == 0 else None
        if root and (not isinstance(node, dict) or set(node) != {root}):
            self.reject(f"here it must have {root}, to tell the keys from other moves")
        if not isinstance(node, dict) or "plan" in node:
            self.leaf(node, arrival)
        elif set(node) == {"move", "to"}:
            if not isinstance(node["move"], str):
                self.reject("move: it must be a term")
            answer = self.stepper.ask(self.question(node, state))
            turns = self.turns(answer.view, arrival, own=True)
            if node["move"] not in answer.after:
                self.reject(f"{shorten(node['move'])!r} is not legal there")
            after = answer.after[node["move"]]
            self.edge(number, node["to"], self.arrival(after, answer.view, turns))
        elif set(node) == {"replies"}:
            self.replies(number, node["replies"], arrival)
        elif root and set(node) == {"moves"}:
            self.key_moves(node["moves"], arrival)
        else:
            self.reject("it is no node")

    def turns(self, view: View, arrival: _Arrival, own: bool) -> float:
        """The turns left at an inner node, if it has the right to be one."""
        if view.reached:
            self.reject("the goal stands there")
        if view.attacks != (self.attacks if own else not self.attacks):
            self.reject(f"{'the other' if own else 'the same'} side is on move there")
        turns = arrival.turns_on_move if view.attacks else arrival.turns_waiting
        if turns < 0 and self.attacks:
            self.reject("the attacker is out of turns there")
        return turns

    def key_moves(self, moves: Any, arrival: _Arrival) -> None:
        """Check the root of an attack: each key and nothing else."""
        if not isinstance(moves, dict) or set(moves) != set(self.keys):
            self.reject("moves: they must be the keys")
        answer = self.stepper.ask(Question(arrival.state, moves=True))
        view, legal = answer.view, answer.after
        turns = self.turns(view, arrival, own=True)
        for term, target in moves.items():
            if term not in legal:
                self.reject(f"the key {shorten(term)!r} is not legal")
            self.edge(0, target, self.arrival(legal[term], view, turns), term)

    def replies(self, number: int, replies: Any, arrival: _Arrival) -> None:
        """Check a node of the other side: all of its moves and nothing else.

        The root of a defence to a forced goal is special: what isn't a key is refuted with one more
        turn, which shows that it is none. And if not even the turn already begun is granted, a key
        needs no refutation.
        """
        if not isinstance(replies, dict):
            self.reject("replies: it must be an object")
        answer = self.stepper.ask(Question(arrival.state, moves=True))
        view, legal = answer.view, answer.after
        separates = number == 0 and not self.attacks and bool(self.keys)
        turns = self.turns(view, arrival, own=False)
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

    def arrival(self, state: State, before: View, turns: float) -> _Arrival:
        """What is known of a state after a move, where so many turns were left before it."""
        begins = self.proof.puzzle.begins_turn(before.attacks, True)
        return _Arrival(state, turns - begins, turns)

    def edge(self, number: int, target: Any, arrival: _Arrival, term: str = "") -> None:
        """Check where an edge leads to."""
        count = self.proof.count
        count.edges += 1
        if isinstance(target, bool) or not isinstance(target, int):
            place = self.place
            self.place += f", {term or 'to'}"
            self.leaf(target, arrival)
            self.place = place
            return
        if not 0 <= target < len(self.nodes) or (self.attacks and target <= number):
            self.reject(f"{term or 'to'}: an edge must lead to a later node")
        known = self.arrivals.setdefault(target, arrival)
        if known.state != arrival.state:
            self.reject(f"{term or 'to'}: node {target} is another state by an earlier edge")
        if target <= number:
            # Who goes round in a circle doesn't come to the goal. The node was checked for the
            # turns that were left then.
            if (
                arrival.turns_on_move > known.turns_on_move
                or arrival.turns_waiting > known.turns_waiting
            ):
                self.reject(f"{term or 'to'}: node {target} holds for fewer turns")
            return
        stricter = min if self.attacks else max
        known.turns_on_move = stricter(known.turns_on_move, arrival.turns_on_move)
        known.turns_waiting = stricter(known.turns_waiting, arrival.turns_waiting)

    def leaf(self, leaf: Any, arrival: _Arrival) -> None:
        """Check a leaf; a plan is put off."""
        is_plan = isinstance(leaf, dict) and set(leaf) == {"plan"}
        if not is_plan and leaf not in _LEAVES[self.side]:
            self.reject("it is no node")
        view = self.stepper.look(arrival.state)
        turns = arrival.turns_on_move if view.attacks else arrival.turns_waiting
        if self.attacks and not view.reached and not is_plan:
            self.reject("the goal doesn't stand there")
        if not self.attacks and view.reached:
            self.reject("the goal stands there")
        if is_plan:
            plan = self.read_plan(leaf["plan"])
            planned = Planned(self.place, self.attacks, arrival.state, plan, turns)
            self.proof.plans.append(planned)
        elif leaf == "over" and not view.over:
            self.reject("the game isn't over there, and the side on move not stuck")
        elif leaf == "turns" and not (view.attacks and turns < 0):
            self.reject("the attacker isn't out of turns there")

    def read_plan(self, plan: Any) -> Plan:
        if not isinstance(plan, list) or not all(p is None or isinstance(p, str) for p in plan):
            self.reject("plan: it must be a list of terms and nulls")
        if len(plan) > LONGEST_PLAN:
            self.reject(f"plan: it is longer than {LONGEST_PLAN} plies")
        return plan

    def reject(self, reason: str) -> NoReturn:
        raise Rejected(f"{self.place}: {reason}")


def _targets(node: Any) -> dict[str, Any]:
    """Where the edges of a node lead, by their moves; none if it has none, or is no node."""
    if not isinstance(node, dict):
        return {}
    if isinstance(node.get("move"), str):
        return {node["move"]: node.get("to")}
    targets = node.get("replies", node.get("moves"))
    return targets if isinstance(targets, dict) else {}
