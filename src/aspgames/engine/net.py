"""A game's net: the rules for all states that hold given fluents, asked for batches of states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import and_

from ..reasoner import Facts, Rules
from ..terms import shape
from .circuit import FALSE, TRUE, Circuit, Outputs, build, now, unchanging
from .compiler import Evaluate, compile_circuit
from .lanes import Children, Lanes
from .open_grounding import MOST_RULES, OpenProgram

_MOST_RULES = 150_000  # of a net that states are put to one by one
_PLIES = 4  # a turn of each side, also where a turn is a move and an arrow


@dataclass(frozen=True)
class Answer:
    """What a net says of a batch of states, in lanes."""

    terminal: int
    legal: Lanes
    """A lane for each of the net's moves, as the encoding has them: also in terminal states."""


@dataclass(frozen=True)
class Judgement:
    """What states are worth and whose turn it is, in lanes."""

    goals: dict[tuple[str, int], int]
    to_move: dict[str, int]


class Net:
    """The propositional network of the states that some fluents allow.

    ``certain`` fluents hold in all of these states, ``possible`` ones in some. A closed net holds
    whatever can be reached from there, too, and so can be asked for its own successors.
    """

    def __init__(
        self,
        rules: Rules,
        certain: Sequence[str],
        possible: Sequence[str],
        closed: bool,
        most_rules: int = MOST_RULES,
    ) -> None:
        """Ground and simplify. Raises what ``OpenProgram.ground`` and ``circuit.build`` raise."""
        opened = open_program(rules)
        circuit, outputs = build(opened.ground(certain, possible, closed, most_rules))
        self._roles = rules.roles
        self._take(circuit, outputs, certain)

    def _take(self, circuit: Circuit, outputs: Outputs, certain: Sequence[str]) -> None:
        self.circuit = circuit
        self.outputs = outputs
        self.certain = tuple(certain)
        self.fluents = sorted(circuit.true)
        """The fluents that are open; the lanes of a batch are in this order."""
        self.moves = sorted(outputs.legal)
        """The moves that can be legal, by role and term."""
        self.after = sorted(outputs.next)
        """The fluents that can hold in a next state."""
        self._codes: dict[tuple[str, tuple[bool, ...] | None], Evaluate] = {}
        self._circuits: dict[tuple[bool, ...], tuple[Circuit, dict[int, int]]] = {}

    def ask(self, ones: int, true: Lanes, among: int | None = None) -> Answer:
        """Legal moves and end of a batch; ``ones`` has a bit for each state.

        Only the answers for the states of the lane ``among`` are meant, if it is given.
        """
        terminal, *legal = self._run("ask", ones, true, (), among)
        return Answer(terminal, legal)

    def judge(self, ones: int, true: Lanes, among: int | None = None) -> Judgement:
        """Goal values and sides on move of a batch; ``among`` as for ``ask``."""
        lanes = self._run("judge", ones, true, (), among)
        values = dict(zip(self.outputs.goal, lanes, strict=False))
        on_move = dict(zip(self.outputs.to_move, lanes[len(values) :], strict=True))
        return Judgement(values, on_move)

    def advance(self, ones: int, true: Lanes, does: Lanes, among: int | None = None) -> Lanes:
        """The fluents ``after`` of a batch, given a lane for each of the net's moves.

        ``among`` is as for ``ask``.
        """
        return self._run("advance", ones, true, does, among)

    @cached_property
    def always(self) -> list[int]:
        """The places of the moves of roles that have just one, whatever the state: they wait."""
        return [
            places[0]
            for places in self._by_role
            if len(places) == 1 and self.outputs.legal[self.moves[places[0]]] == TRUE
        ]

    @cached_property
    def choosers(self) -> list[list[int]]:
        """The places of the moves of each role that doesn't just wait."""
        return [
            places for places in self._by_role if not set(places) <= set(self.always) or not places
        ]

    @cached_property
    def joint(self) -> list[tuple[int, ...]]:
        """The joint moves, as places of the moves of the roles that don't just wait."""
        return list(product(*self.choosers))

    @cached_property
    def place(self) -> dict[tuple[str, str], int]:
        """The places of the moves."""
        return {move: place for place, move in enumerate(self.moves)}

    @cached_property
    def known(self) -> frozenset[str]:
        """The fluents that its states may hold."""
        return frozenset((*self.certain, *self.fluents))

    def settle(self, facts: Facts) -> None:
        """Leave out of a closed net what never changes where play begins with these facts."""
        values = unchanging(self.circuit, self.outputs, frozenset(facts))
        if not values:
            return
        circuit, became = self.circuit.assuming(values)
        true, does = self.circuit.true, self.circuit.does
        circuit.true = {f: became[node] for f, node in true.items() if node not in values}
        circuit.does = {m: became[node] for m, node in does.items() if node not in values}
        lasting = [fluent for fluent, node in true.items() if values.get(node) == TRUE]
        self._take(circuit, self.outputs.where(became), sorted((*self.certain, *lasting)))

    def joint_lanes(self, states: int, legal: Lanes) -> list[int]:
        """A lane for each joint move, in some of a batch's states."""
        return [reduce(and_, (legal[place] for place in joint), states) for joint in self.joint]

    def children(self, batch: Children) -> Lanes:
        """The fluents ``after`` of states that make one of the joint moves each."""
        ones = (1 << batch.count) - 1
        does = [0] * len(self.moves)
        for place in self.always:
            does[place] = ones
        for joint, lane in batch.runs():
            for place in self.joint[joint]:
                does[place] |= lane
        return self.advance(ones, batch.true, does)

    @cached_property
    def _by_role(self) -> list[list[int]]:
        return [[p for p, (r, _) in enumerate(self.moves) if r == role] for role in self._roles]

    def _run(
        self, question: str, ones: int, true: Lanes, does: Lanes, among: int | None
    ) -> list[int]:
        """Evaluate a question: with the code for the one turn that all states are at, if so."""
        meant = ones if among is None else among
        turn = []
        for place in self.turn:
            lane = true[place] & meant
            if lane and lane != meant:
                return self._code(question, None)(ones, true, does)
            turn.append(bool(lane))
        return self._code(question, tuple(turn))(ones, true, does)

    @cached_property
    def turn(self) -> list[int]:
        """The places of the fluents that say whose turn it is.

        Where they are the same in all states of a batch, as they mostly are, what the other side
        could do needs no evaluation.
        """
        support, work = set(), [abs(literal) for literal in self.outputs.to_move.values()]
        while work:
            node = work.pop()
            if node not in support:
                support.add(node)
                work += map(abs, self.circuit.gates.get(node, ()))
        return [p for p, f in enumerate(self.fluents) if self.circuit.true[f] in support]

    def _code(self, question: str, turn: tuple[bool, ...] | None) -> Evaluate:
        """The compiled code of a question, for any turn or for one."""
        known = self._codes.get((question, turn))
        if known is None:
            circuit, became = self.at(turn)
            outputs = {
                "ask": [self.outputs.terminal, *(self.outputs.legal[m] for m in self.moves)],
                "judge": [*self.outputs.goal.values(), *self.outputs.to_move.values()],
                "advance": [self.outputs.next[fluent] for fluent in self.after],
            }[question]
            known = self._codes[question, turn] = compile_circuit(
                circuit,
                [now(became, literal) for literal in outputs],
                [became[self.circuit.true[fluent]] for fluent in self.fluents],
                [became[self.circuit.does[move]] for move in self.moves],
            )
        return known

    def at(self, turn: tuple[bool, ...] | None) -> tuple[Circuit, dict[int, int]]:
        """The circuit for any turn or for one, and what became of the nodes there."""
        if not turn:
            return self.circuit, {node: node for node in range(self.circuit.size + 1)}
        if turn not in self._circuits:
            held = zip(self.turn, turn, strict=True)
            values = {
                self.circuit.true[self.fluents[place]]: TRUE if value else FALSE
                for place, value in held
            }
            self._circuits[turn] = self.circuit.assuming(values)
        return self._circuits[turn]


def net_for(rules: Rules, facts: Facts, most_rules: int = _MOST_RULES) -> Net:
    """The net of a state and all that can follow from it, with what never changes as constants.

    Fluents that look like none that was ever seen to change are guessed to be certain, and the
    closed net for that guess says whether they are. It also says what else never changes, or never
    comes to hold; that is simplified away.

    Raises ``LimitReached`` where that net would have more than ``most_rules`` ground rules, and
    what ``Net`` raises.
    """
    changing = _changing(rules)
    if not changing:
        changing |= _first_changes(rules, facts)
    while True:
        certain = [fluent for fluent in facts if shape(fluent) not in changing]
        possible = [fluent for fluent in facts if shape(fluent) in changing]
        net = Net(rules, certain, possible, closed=True, most_rules=most_rules)
        wrong = {shape(f) for f in certain if net.outputs.next.get(f) != TRUE}
        if not wrong:
            net.settle(facts)
            return net
        changing |= wrong


@lru_cache(maxsize=64)
def open_program(rules: Rules) -> OpenProgram:
    """A game's rules, made ready once."""
    return OpenProgram(rules.encoding.statements("base"), rules.constants)


@lru_cache(maxsize=64)
def _changing(_rules: Rules) -> set[str]:
    """The shapes of a game's fluents that were seen to change. (They save time, no more.)"""
    return set()


def _first_changes(rules: Rules, facts: Facts) -> set[str]:
    """The shapes of the facts that may change in the first plies."""
    certain, possible = facts, Facts()
    changed: set[str] = set()
    for _ in range(_PLIES):
        net = Net(rules, certain, possible, closed=False)
        certain = tuple(f for f in net.after if net.outputs.next[f] == TRUE)
        possible = tuple(f for f in net.after if net.outputs.next[f] != TRUE)
        changed |= {shape(fluent) for fluent in set(facts).difference(certain)}
        if changed.issuperset(map(shape, facts)):
            break
    return changed
