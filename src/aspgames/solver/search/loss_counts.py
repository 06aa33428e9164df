"""The most of some fluents that a ply can remove.

Three-valued logic doesn't know that a side with five pieces has some left after four captures: any
single one may be gone. So this module finds gates for "none of these fluents holds". For each it
proves an upper bound on the loss: how many fewer of the fluents hold after any move of a side. The
proof looks at each move alone, with the rest of the state unknown, so the bound holds in every
state.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...propnet.circuit import FALSE, TRUE, Circuit, needed
from ...propnet.net import Net
from .phase_goals import Phase

_FEWEST = 6  # the fewest fluents for which counting pays
_PLIES = 4  # plies that must not remove all fluents
_MOST_GATES = 4
_WIDEST = 300  # the most nodes that a fluent of the next state may depend on
_WIDEST_IN_LANES = 3_000  # the same, where all moves are looked at together
_UNKNOWN = 0


@dataclass(frozen=True)
class Count:
    """A gate of the net that is true if none of some fluents holds."""

    gate: int
    fluents: Sequence[int]
    """The fluents' places in the net."""
    drops: tuple[int, int]
    """The most fluents that a ply of the defender, and of the attacker, removes."""


def counts(net: Net, phases: Sequence[Phase], held: frozenset[str]) -> list[Count]:
    """Gates of the goal for which there is a proof that they become true slowly.

    ``held`` are the fluents of the first state.
    """
    if any(phase.held is None or phase.circuit.loops for phase in phases):
        return []
    changes = _Changes(net, phases, held)
    cone = needed(net.circuit, [net.outputs.terminal, *net.outputs.goal.values()])
    place_of = {net.circuit.true[fluent]: place for place, fluent in enumerate(net.fluents)}
    none_of = {
        gate: [place_of.get(-literal, -1) for literal in net.circuit.gates[gate]]
        for gate in cone & net.circuit.gates.keys()
        if len(net.circuit.gates[gate]) >= _FEWEST
    }
    gates = [gate for gate, fluents in none_of.items() if min(fluents) >= 0]
    found = []
    for gate in sorted(gates, key=lambda gate: (-len(none_of[gate]), gate))[:_MOST_GATES]:
        fluents = none_of[gate]
        drops = [changes.most_lost(fluents, attacks) for attacks in (False, True)]
        if all(drop is not None and _PLIES * drop <= len(fluents) for drop in drops):
            found.append(Count(gate, fluents, (drops[0] or 0, drops[1] or 0)))
    return found


class _Changes:
    """The effect of single moves on single fluents, with the rest of the state unknown."""

    def __init__(self, net: Net, phases: Sequence[Phase], held: frozenset[str]) -> None:
        self._net = net
        self._held = held
        self._phases = [Plies(net, phase) for phase in phases]
        self._exclusive: dict[tuple[int, int], bool] = {}

    def most_lost(self, fluents: Sequence[int], attacks: bool) -> int | None:
        """The most of some fluents that a ply of a side removes; None if there is no proof."""
        most = 0
        for plies in self._phases:
            if not plies.certain:
                return None
            if plies.attacks == attacks:
                lost = self._lost(plies, fluents)
                if lost is None:
                    return None
                most = max(most, lost)
        return most

    def _lost(self, plies: "Plies", fluents: Sequence[int]) -> int | None:
        change: Counter[int] = Counter()
        for fluent in fluents:
            affecting = plies.affecting(fluent)
            if affecting is None or plies.after(fluent, None, {fluent: TRUE}) != TRUE:
                return None  # too many moves, or the fluent may end by itself
            for move in affecting:
                if self._excluded(plies, move, fluent):
                    change[move] += plies.after(fluent, move, {fluent: FALSE}) == TRUE
                elif plies.after(fluent, move, {fluent: TRUE}) != TRUE:
                    change[move] -= 1
        return max((-lost for lost in change.values()), default=0)

    def _excluded(self, plies: "Plies", move: int, fluent: int) -> bool:
        """Whether a move is never legal while a fluent holds."""
        return plies.forbids(fluent, move) or any(
            self._never_both(fluent, other) for other in plies.required(move)
        )

    def _never_both(self, one: int, other: int) -> bool:
        """Whether two fluents never hold together, because no single move makes both true."""
        pair = min(one, other), max(one, other)
        if pair not in self._exclusive:
            names = {self._net.fluents[place] for place in pair}
            self._exclusive[pair] = len(names & self._held) < 2 and all(
                plies.keep_apart(*pair) for plies in self._phases
            )
        return self._exclusive[pair]


class Plies:
    """The moves in one phase."""

    def __init__(self, net: Net, phase: Phase) -> None:
        self._net, self._phase = net, phase
        self._circuit, self._became, self._following = phase.successor
        self.attacks = phase.attacks == TRUE
        role = phase.attacker if self.attacks else phase.defender
        self._legal = {
            self._became[net.circuit.does[mover, move]]: literal
            for (mover, move), literal in phase.legal.items()
            if mover == role and literal != FALSE
        }
        self.certain = (self.attacks or phase.defends == TRUE) and TRUE not in map(abs, self._legal)
        """Whether it is certain which side moves."""
        self._unmade = dict.fromkeys(self._legal, FALSE)
        self._cones: dict[int, list[int] | None] = {}
        self._legal_cones: dict[int, list[int] | None] = {}
        self._required: dict[int, list[int]] = {}

    @cached_property
    def _place_of(self) -> dict[int, int]:
        """The fluents' places, by the nodes of the phase's circuit."""
        true = self._net.circuit.true
        return {self._phase.became[true[f]]: place for place, f in enumerate(self._net.fluents)}

    def _cone(self, fluent: int) -> list[int] | None:
        """The nodes on which a fluent of the next state depends; None if there are too many."""
        if fluent not in self._cones:
            self._cones[fluent] = cone_of(self._circuit, self._following[fluent])
        return self._cones[fluent]

    def _legal_cone(self, move: int) -> list[int] | None:
        """The nodes on which the legality of a move depends; None if there are too many."""
        if move not in self._legal_cones:
            self._legal_cones[move] = cone_of(self._phase.circuit, self._legal[move])
        return self._legal_cones[move]

    def affecting(self, fluent: int) -> list[int] | None:
        """The moves on which a fluent of the next state depends; None if too many nodes."""
        cone = self._cone(fluent)
        return None if cone is None else [node for node in cone if node in self._legal]

    def changing(self, fluent: int) -> list[int] | None:
        """The moves that may change a fluent, as nodes; None if it depends on too many nodes."""
        cone = cone_of(self._circuit, self._following[fluent], _WIDEST_IN_LANES)
        if cone is None:
            return None
        moves = [node for node in cone if node in self._legal]
        others = self._legal.keys() - moves
        lanes = (1 << len(moves) + bool(others)) - 1  # one for each move, one for all others
        given = {move: (1 << n, lanes ^ (1 << n)) for n, move in enumerate(moves)}
        node = self._became[self._net.circuit.true[self._net.fluents[fluent]]]
        stays = lanes
        for value in (0, 1):
            known = {node: (lanes, 0) if value else (0, lanes)}
            true, false = values_of(
                self._circuit, cone, self._following[fluent], given | known, lanes
            )
            stays &= true if value else false
        changes = lanes & ~stays
        found = [move for n, move in enumerate(moves) if changes >> n & 1]
        return [*found, *others] if changes >> len(moves) else found

    def after(self, fluent: int, move: int | None, before: Mapping[int, int]) -> int:
        """A fluent's value after a move, given the values of some fluents before it.

        Without a move, the value after any move that doesn't affect the fluent.
        """
        made = {} if move is None else {move: TRUE}
        true = self._net.circuit.true
        known = {self._became[true[self._net.fluents[f]]]: value for f, value in before.items()}
        values = {**self._unmade, **made, **known}
        return value_of(self._circuit, self._cone(fluent) or (), self._following[fluent], values)

    def required(self, move: int) -> list[int]:
        """The fluents that a move needs to be legal."""
        if move not in self._required:
            literal, circuit = self._legal[move], self._phase.circuit
            cone = self._legal_cone(move) or []
            self._required[move] = [
                self._place_of[node]
                for node in cone
                if node in self._place_of
                and value_of(circuit, cone, literal, {node: FALSE}) == FALSE
            ]
        return self._required[move]

    def forbids(self, fluent: int, move: int) -> bool:
        """Whether the rules for a move directly forbid it where a fluent holds."""
        literal, circuit = self._legal[move], self._phase.circuit
        cone = self._legal_cone(move)
        node = self._phase.became[self._net.circuit.true[self._net.fluents[fluent]]]
        return cone is not None and value_of(circuit, cone, literal, {node: TRUE}) == FALSE

    def keep_apart(self, one: int, other: int) -> bool:
        """Whether no move makes two fluents hold together that didn't before."""
        moves = [self.affecting(one), self.affecting(other)]
        if not self.certain or moves[0] is None or moves[1] is None:
            return False
        for move in (None, *sorted({*moves[0], *moves[1]})):
            for before in (
                {one: TRUE, other: FALSE},
                {one: FALSE, other: TRUE},
                {one: FALSE, other: FALSE},
            ):
                after = [self.after(fluent, move, before) for fluent in (one, other)]
                if FALSE not in after and not self._illegal(move, before):
                    return False
        return True

    def _illegal(self, move: int | None, before: Mapping[int, int]) -> bool:
        """Whether a move is illegal, given the values of some fluents."""
        return move is not None and any(
            before.get(fluent) == FALSE for fluent in self.required(move)
        )


def cone_of(circuit: Circuit, literal: int, widest: int = _WIDEST) -> list[int] | None:
    """The nodes on which a literal depends, in order; None if there are more than ``widest``."""
    cone: set[int] = set()
    work = [abs(literal)]
    while work:
        node = work.pop()
        if node not in cone:
            cone.add(node)
            work += map(abs, circuit.gates.get(node, ()))
            if len(cone) > widest:
                return None
    return sorted(cone)


def value_of(circuit: Circuit, cone: Sequence[int], literal: int, given: Mapping[int, int]) -> int:
    """A literal in three-valued logic, given the values of some nodes: TRUE, FALSE or unknown."""
    lanes = {node: (int(value == TRUE), int(value == FALSE)) for node, value in given.items()}
    true, false = values_of(circuit, cone, literal, lanes, 1)
    return TRUE if true else FALSE if false else _UNKNOWN


def values_of(
    circuit: Circuit,
    cone: Sequence[int],
    literal: int,
    given: Mapping[int, tuple[int, int]],
    lanes: int,
) -> tuple[int, int]:
    """A literal in three-valued logic in several lanes: where it is true, and where it is false.

    Sets of lanes are bits of numbers; ``lanes`` are all.
    """
    values = {TRUE: (lanes, 0), **given}
    gates = circuit.gates
    for node in cone:
        gate = gates.get(node)
        if gate is not None and node not in values:
            true, false = lanes, 0
            for operand in gate:
                known = values.get(abs(operand), (0, 0))
                true &= known[operand < 0]
                false |= known[operand > 0]
                if false == lanes:
                    break
            values[node] = true & ~false, false
    true, false = values.get(abs(literal), (0, 0))
    return (true, false) if literal > 0 else (false, true)
