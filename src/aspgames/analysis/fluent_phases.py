"""Fluents whose next values mostly follow from their own values: the side on move, a counter.

This needs no search: with these fluents as constants, the simplified circuit has their next values.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import product

from ..gdl.rules import Facts
from ..propnet.circuit import FALSE, NO_VALUE, TRUE, Outputs
from ..propnet.net import Net
from ..runtime.budget import Budget

_MOST_VALUES = 400  # fluents of one name, and values that they take in play
_MOST_OPEN = 3  # fluents with an open next value

Held = frozenset[str]


@dataclass(frozen=True)
class Phases:
    """The possible values of some fluents in play."""

    fluents: tuple[str, ...]
    first: Held
    """The fluents that hold at the start."""
    following: dict[Held, set[Held]]
    """The possible next phases of each phase; empty if the game is over there."""
    outputs: dict[Held, Outputs]
    """The outputs of the simplified circuit for each phase."""

    @property
    def take_turns(self) -> bool:
        """Whether at most one role ever has more than one legal move."""
        for outputs in self.outputs.values():
            moves = [role for role, _ in outputs.legal]
            if sum(moves.count(role) > 1 for role in {*moves}) > 1:
                return False
        return True

    @property
    def total(self) -> int | None:
        """The sum of all roles' goal values at the end, if the phase alone determines it."""
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
        """The most plies until the game is over; None without a limit."""
        plies: dict[Held, int] = {}
        try:
            for held in TopologicalSorter(self.following).static_order():  # the last phases first
                plies[held] = max((1 + plies[after] for after in self.following[held]), default=0)
        except CycleError:
            return None
        return max(plies.values())


def phases(net: Net, initial: Facts, budget: Budget) -> Iterator[Phases]:
    """The phases of the fluents of each name, for names with few enough phases.

    Raises ``LimitReached`` after the time limit.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for fluent in net.fluents:
        kinds[fluent.partition("(")[0]].append(fluent)
    for fluents in kinds.values():
        if len(fluents) <= _MOST_VALUES and (found := _follow(net, initial, fluents, budget)):
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
        if len(may_be) > _MOST_OPEN or len(found.following) > _MOST_VALUES:
            return None
        certain = frozenset(fluent for fluent, literal in literals.items() if literal == TRUE)
        for several in product(*(((), (fluent,)) for fluent in may_be)):
            following.add(certain.union(*several))
        work += following
    return found


def _outputs(net: Net, fluents: list[str], held: Held) -> Outputs:
    """The outputs if exactly these of the fluents hold, and all moves are legal."""
    values = {net.circuit.true[f]: TRUE if f in held else FALSE for f in fluents}
    outputs = net.outputs.where(net.circuit.assuming(values)[1])
    illegal = net.circuit.does.keys() - outputs.legal.keys()
    if all(abs(outputs.next.get(fluent, FALSE)) == TRUE for fluent in fluents) or not illegal:
        return outputs
    values |= {net.circuit.does[move]: FALSE for move in illegal}
    return net.outputs.where(net.circuit.assuming(values)[1])
