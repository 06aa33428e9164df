"""Nets of all states that play reaches from given states."""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from ..asp.rewrite.move_bounds import Dependent
from ..asp.terms import shape
from ..gdl.rules import Facts, Rules
from ..runtime.budget import MOST_RULES_UNASKED, UNLIMITED, Budget
from ..runtime.errors import TooLarge
from .circuit import TRUE
from .exclusive_groups import groups_of, proves_exclusive
from .net import Net, open_program, opened_program
from .open_grounding import OpenProgram

_FIRST_PLIES = 4  # a turn of each side, also if a turn is a move and an arrow


def net_for(
    rules: Rules, facts: Facts, most_rules: int = MOST_RULES_UNASKED, budget: Budget = UNLIMITED
) -> Net:
    """The net of all states reachable from a state, with all that never changes as constants.

    Fluents whose shape was never seen to change are assumed to be certain, and the closed net shows
    whether that is true. It also shows which other fluents never change or never hold; these are
    simplified away.

    Raises the exceptions of ``Net``.
    """
    changing, nets = _changing(rules), list[Net]()

    def look() -> list[str]:
        changing.update(_first_changes(rules, facts, most_rules, budget))
        nets.append(_net_from(rules, [facts], changing, most_rules, budget))
        return sorted(changing)

    if not changing:
        changing.update(rules.remembered("changing fluents", look))
    net = nets[0] if nets else _net_from(rules, [facts], changing, most_rules, budget)
    net.settle(facts)
    return net


def net_of_all(
    rules: Rules,
    states: Sequence[Facts],
    most_rules: int = MOST_RULES_UNASKED,
    remembers: bool = False,
) -> Net:
    """The net of all states reachable from several states.

    Its constants are the fluents that hold in all of these states and never change. The net depends
    on the states alone, not on earlier questions, unless it ``remembers`` which shapes of fluents
    changed before: that is quicker, and perhaps with fewer constants.
    """
    changing = _changing(rules) if remembers else set()
    net = _net_from(rules, states, changing, most_rules, UNLIMITED)
    if remembers:
        changing |= set(map(shape, net.fluents))
    return net


def _net_from(
    rules: Rules, states: Sequence[Facts], changing: set[str], most_rules: int, budget: Budget
) -> Net:
    """The closed net of some states, given shapes of fluents that change; adds to these."""
    opened, dependent = bounded_program(rules)
    alike = (group for state in states for group in groups_of(state, dependent))
    if opened and all(len(group) == 1 for group in alike):
        with suppress(TooLarge):
            net = _closed_net(rules, states, set(changing), most_rules, budget, opened)
            groups = groups_of((*net.certain, *net.fluents), dependent)
            groups = [group for group in groups if len(group) > 1]
            if proves_exclusive(net, rules.roles, states, groups, budget):
                net.exclusive = groups
                return net
    return _closed_net(rules, states, changing, most_rules, budget, open_program(rules))


def _closed_net(
    rules: Rules,
    states: Sequence[Facts],
    changing: set[str],
    most_rules: int,
    budget: Budget,
    opened: OpenProgram,
) -> Net:
    common = frozenset(states[0]).intersection(*states)
    every = sorted(frozenset().union(*states))
    while True:
        certain = [f for f in every if f in common and shape(f) not in changing]
        possible = [f for f in every if f not in common or shape(f) in changing]
        net = Net(rules, certain, possible, True, most_rules, budget, opened, states)
        wrong = {shape(f) for f in certain if net.outputs.next.get(f) != TRUE}
        if not wrong:
            return net
        changing |= wrong


@lru_cache(maxsize=64)
def bounded_program(rules: Rules) -> tuple[OpenProgram | None, frozenset[Dependent]]:
    """The program with the bounds of ``legal/2`` and ``base/1`` where arithmetic may have none.

    It has the same consequences for states in which some fluents depend on others, if play leads to
    no fluent outside ``base/1``. It is None if there are no such bounds.
    """

    encoding, constants = rules.encoding, rules.constants

    def look() -> tuple[list[Dependent], bool]:
        _, dependent, by_base = encoding.bounded(constants)
        return sorted(dependent), by_base

    found, by_base = rules.remembered("bounds of moves", look)
    if not found and not by_base:
        return None, frozenset()
    dependent = frozenset(Dependent((name, arity), tuple(keys)) for (name, arity), keys in found)
    return (
        opened_program(rules, lambda: encoding.bounded(constants)[0], "in bounded nets", by_base),
        dependent,
    )


@lru_cache(maxsize=64)
def _changing(_rules: Rules) -> set[str]:
    """The shapes of a game's fluents that were seen to change. They only save time."""
    return set()


def _first_changes(rules: Rules, facts: Facts, most_rules: int, budget: Budget) -> set[str]:
    """The shapes of the facts that may change in the first plies."""
    certain, possible = facts, Facts()
    changed: set[str] = set()
    for _ in range(_FIRST_PLIES):
        net = Net(rules, certain, possible, False, most_rules, budget)
        following = net.outputs.next
        certain = tuple(fluent for fluent, literal in following.items() if literal == TRUE)
        possible = tuple(fluent for fluent, literal in following.items() if literal != TRUE)
        changed |= {shape(fluent) for fluent in set(facts).difference(certain)}
        if changed.issuperset(map(shape, facts)):
            break
    return changed
