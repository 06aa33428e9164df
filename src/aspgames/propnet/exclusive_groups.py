"""Fluents that exclude each other in all play, as ``asp.rewrite.move_bounds`` needs them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ..asp.clingo_api import SymbolType
from ..asp.rewrite.move_bounds import Dependent
from ..asp.statements import rule_of, short_place
from ..asp.symbols import known_symbol
from ..gdl.rules import Facts, Rules
from ..runtime.budget import Budget
from ..runtime.errors import RulesError

if TYPE_CHECKING:
    from .net import Net


def groups_of(fluents: Iterable[str], dependent: Iterable[Dependent]) -> list[tuple[str, ...]]:
    """The fluents that differ only where the dependent ones do."""
    found: dict[object, list[str]] = defaultdict(list)
    for fluent in fluents:
        symbol = known_symbol(fluent)
        if symbol.type is SymbolType.Function:
            signature = symbol.name, len(symbol.arguments)
            for kind, places in dependent:
                if kind == signature:
                    found[kind, places, *(symbol.arguments[n] for n in places)].append(fluent)
    return list(map(tuple, found.values()))


def check_signs(net: Net, rules: Rules, states: Sequence[Facts], budget: Budget) -> None:
    """Raise ``RulesError`` if an atom and its classical negation may hold in a state of the net.

    If play begins in some states, only those count that it may reach.
    """
    from .invariants import invariants  # a solver, which few nets need
    from .transitions import Transitions

    transitions = Transitions(net, rules.roles, budget)
    clash = transitions.literal(net.outputs.clash)
    start = [frozenset(net.fluents).intersection(state) for state in states]
    found = transitions.example(clash)
    for by_argument in (False, True) if states else ():
        if found:
            invariants(transitions, start, by_argument)
            found = transitions.example(clash)
    if found:
        place = next(
            short_place(rule.statement)
            for rule in map(rule_of, rules.encoding.statements("base"))
            if any(name.startswith("-") for name, _ in rule.heads)
        )
        text = "an atom and its classical negation may hold together, so there is no net"
        raise RulesError(f"{place}: {text}")


def proves_exclusive(
    net: Net,
    roles: Sequence[str],
    states: Sequence[Facts],
    groups: Collection[tuple[str, ...]],
    budget: Budget,
) -> bool:
    """Whether at most one fluent of each group, and no unknown fluent, holds in all play.

    Play begins in some states. Raises ``LimitReached`` if the budget runs out.
    """
    from .invariants import invariants  # a solver, which few nets need
    from .transitions import Transitions

    start = [frozenset(net.fluents).intersection(state) for state in states]
    transitions = Transitions(net, roles, budget)
    known = [group.set for by in (False, True) for group in invariants(transitions, start, by)]
    free = [frozenset(group).difference(net.certain) for group in groups]
    if not all(any(group <= one for one in known) for group in free if len(group) > 1):
        return False
    known_fluents = {*net.fluents, *net.certain}
    others = [literal for f, literal in net.outputs.next.items() if f not in known_fluents]
    with transitions.writing():
        escaped = transitions.atom([transitions.literal(literal)] for literal in others)
    return not others or transitions.example(*transitions.played, escaped) is None
