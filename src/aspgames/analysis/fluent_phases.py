"""Fluents whose next values follow from their own values, or nearly: whose turn it is, a counter.

They are found without a search: where they are held at values, the circuit of the rules says what
they are next, whatever else holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import product

from ..gdl.reasoner import Facts
from ..propnet.circuit import FALSE, NO_VALUE, TRUE, Outputs
from ..propnet.net import Net
from ..runtime.budget import Budget

_MOST = 400  # fluents of a kind, and values that they take in play
_MOST_OPEN = 3  # of the fluents, that may hold next or not

Held = frozenset[str]


@dataclass(frozen=True)
class Phases:
    """The values that some fluents may take in play."""

    fluents: tuple[str, ...]
    first: Held
    """Those that hold at the start."""
    following: dict[Held, set[Held]]
    """What may hold of them after what; nothing where the game is over, whatever else holds."""
    outputs: dict[Held, Outputs]
    """What the rules say where these of them hold."""

    @property
    def take_turns(self) -> bool:
        """Whether one role at most may ever have more than one legal move."""
        for outputs in self.outputs.values():
            moves = [role for role, _ in outputs.legal]
            if sum(moves.count(role) > 1 for role in {*moves}) > 1:
                return False
        return True

    @property
    def total(self) -> int | None:
        """What the goals of all roles add up to wherever the game is over, if that is seen here.

        So it is where the roles' goals at the end follow from whose turn it would be.
        """
        totals = set()
        for outputs in self.outputs.values():
            over = outputs.terminal
            if over != FALSE:
                values = {
                    goal: literal for goal, literal in outputs.goal.items() if literal != -over
                }
                settled = {TRUE, over}.issuperset(values.values()) and NO_VALUE not in {
                    value for _, value in values
                }
                totals.add(sum(value for _, value in values) if settled else None)
        return totals.pop() if len(totals) == 1 else None

    @property
    def longest(self) -> int | None:
        """The plies after which the game is over at the latest; None where it may go on."""
        plies: dict[Held, int] = {}
        try:
            for held in TopologicalSorter(self.following).static_order():  # the last ones first
                plies[held] = max((1 + plies[after] for after in self.following[held]), default=0)
        except CycleError:
            return None
        return max(plies.values())


def phases(net: Net, initial: Facts, budget: Budget) -> Iterator[Phases]:
    """Those of all fluents of one name, where there are any, one name after the other.

    Raises ``LimitReached`` when the time is over.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for fluent in net.fluents:
        kinds[fluent.partition("(")[0]].append(fluent)
    for fluents in kinds.values():
        if len(fluents) <= _MOST and (found := _follow(net, initial, fluents, budget)):
            yield found


def _follow(net: Net, initial: Facts, fluents: list[str], budget: Budget) -> Phases | None:
    found = Phases(tuple(fluents), frozenset(fluents).intersection(initial), {}, {})
    work = [found.first]
    while work:
        held = work.pop()
        if held in found.following:
            continue
        budget.check()
        outputs = found.outputs[held] = _outputs(net, fluents, held)
        following = found.following[held] = set[Held]()
        if outputs.terminal == TRUE:
            continue
        literals = {f: outputs.next.get(f, FALSE) for f in fluents}
        may_be = [fluent for fluent, literal in literals.items() if abs(literal) != TRUE]
        if len(may_be) > _MOST_OPEN or len(found.following) > _MOST:
            return None
        certain = frozenset(fluent for fluent, literal in literals.items() if literal == TRUE)
        for several in product(*(((), (fluent,)) for fluent in may_be)):
            following.add(certain.union(*several))
        work += following
    return found


def _outputs(net: Net, fluents: list[str], held: Held) -> Outputs:
    """What the rules say where these fluents hold and no others, and what is done is legal."""
    values = {net.circuit.true[f]: TRUE if f in held else FALSE for f in fluents}
    outputs = net.outputs.where(net.circuit.assuming(values)[1])
    illegal = net.circuit.does.keys() - outputs.legal.keys()
    if all(abs(outputs.next.get(fluent, FALSE)) == TRUE for fluent in fluents) or not illegal:
        return outputs
    values |= {net.circuit.does[move]: FALSE for move in illegal}
    return net.outputs.where(net.circuit.assuming(values)[1])
