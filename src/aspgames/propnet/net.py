"""A game's net: the circuit of its rules for all states over given fluents.

Making a net imports clingo, which a stored net doesn't need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..gdl.rules import Facts, Rules
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import RulesError, TooLarge
from .circuit import FALSE, TRUE, Circuit, Outputs, build, unchanging
from .gate_tables import Marked, Tables
from .table_writer import write_tables

if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from .open_grounding import OpenProgram


class Net:
    """The propositional network of the states that some fluents allow.

    ``certain`` fluents hold in all of these states, ``possible`` fluents in some. A closed net also
    covers all states that can be reached from these, so its successors are states of the net.
    """

    key = ""
    """The key of a stored net; empty for others."""

    def __init__(
        self,
        rules: Rules,
        certain: Sequence[str],
        possible: Sequence[str],
        closed: bool,
        most_rules: int = MOST_RULES,
        budget: Budget = UNLIMITED,
        opened: OpenProgram | None = None,
        start: Sequence[Facts] = (),
    ) -> None:
        """Ground and simplify within the budget, which also limits later work with the net.

        ``opened`` is the program to ground, if another one than that of the rules is known to have
        the same consequences. ``start`` are the states in which play begins, if they are known.

        Raises ``RulesError`` for rules that choose or constrain, or if an atom and its classical
        negation may hold in a state.
        """
        from .open_grounding import Endless

        opened = opened or open_program(rules)
        try:
            ground = opened.ground(certain, possible, closed, most_rules, budget)
        except Endless as error:
            raise TooLarge(_endless(rules, error.place)) from None
        except TooLarge as error:
            raise TooLarge(f"{error}{_advice(rules)}") from None
        built = build(ground)
        del ground  # a large net's names and numbers are in the circuit
        circuit, outputs = _of_roles(rules.roles, *built)
        self._roles, self._budget = rules.roles, budget
        self._closed = closed
        self.exclusive: list[tuple[str, ...]] = []
        """Sets of fluents of which at most one may hold in the states that the net knows."""
        self._take(circuit, outputs, certain)
        circuit.trim()
        if outputs.clash != FALSE:
            from .exclusive_groups import check_signs  # a solver, which few nets need

            check_signs(self, rules, start, budget)

    def _take(self, circuit: Circuit, outputs: Outputs, certain: Sequence[str]) -> None:
        self.circuit = circuit
        self.outputs = outputs
        self.certain = tuple(certain)
        self.fluents = sorted(circuit.true)  # the open fluents
        # The moves that can be legal, by role and term; tuples would be compared more slowly.
        self.moves = sorted(sorted(outputs.legal, key=itemgetter(1)), key=itemgetter(0))
        self._circuits: dict[tuple[bool, ...], tuple[Circuit, dict[int, int]]] = {}

    def settle(self, facts: Facts) -> None:
        """Simplify a closed net by all that never changes in play from these facts."""
        self._budget.check()
        values = unchanging(self.circuit, self.outputs, frozenset(facts))
        if not values:
            return
        circuit, became = self.circuit.assuming(values)
        true = self.circuit.true.items()
        lasting = [fluent for fluent, node in true if values.get(node) == TRUE]
        self._take(circuit, self.outputs.where(became), sorted((*self.certain, *lasting)))

    @cached_property
    def control(self) -> list[int]:
        """The places of the fluents that say whose turn it is.

        If they are the same in all states of a batch, as is usual, the other side's moves need no
        evaluation.
        """
        support, work = set(), [abs(literal) for literal in self.outputs.to_move.values()]
        while work:
            node = work.pop()
            if node not in support:
                support.add(node)
                work += map(abs, self.circuit.gate(node))
        return [p for p, f in enumerate(self.fluents) if self.circuit.true[f] in support]

    def at(self, held: tuple[bool, ...] | None) -> tuple[Circuit, dict[int, int]]:
        """The circuit for any phase or for one, and each node's literal in it."""
        if not held:
            return self.circuit, {node: node for node in range(self.circuit.size + 1)}
        if held not in self._circuits:
            values = {
                self.circuit.true[self.fluents[place]]: TRUE if value else FALSE
                for place, value in zip(self.control, held, strict=True)
            }
            self._circuits[held] = self.circuit.assuming(values)
        return self._circuits[held]

    def tables(self, marked: Marked | None = None) -> Tables:
        """The net in the kernel's form."""
        self._budget.check()
        self.circuit.trim()
        return write_tables(
            self._roles,
            self.circuit,
            self.outputs,
            self.certain,
            self.fluents,
            self._closed,
            self.control,
            marked,
            self._budget,
            self.exclusive,
        )


class StoredNet(Net):
    """A net from disk. Its circuit is made when a question first needs it."""

    def __init__(self, tables: Tables, key: str, make: Callable[[], Net]) -> None:
        """``make`` makes the same net anew."""
        names = tables.names
        self.key, self._make = key, make
        self.certain = tuple(names.certain)
        self.fluents = list(names.fluents)
        self.moves = sorted(tables.move_numbers)

    def __getattr__(self, name: str) -> Any:
        """An attribute that only the made net has."""
        if name.startswith("__") or "_make" not in vars(self):
            raise AttributeError(name)
        made = vars(self).pop("_make")()
        if (made.fluents, made.moves) != (self.fluents, self.moves):
            raise RulesError("the stored net is another one: remove it with aspgames cache --clear")
        vars(self).update(vars(made))
        return getattr(self, name)


@lru_cache(maxsize=4)
def _advice(rules: Rules) -> str:
    """A possible reason for too many rules, or the advice to go without a net."""
    from ..asp.rewrite.domains import Domains  # needed only for errors
    from ..asp.statements import rule_of, short_place
    from ..gdl.lint import growing

    for hint in growing(rules.encoding):
        return f" ({hint})"
    every = [rule_of(statement) for statement in rules.encoding.statements("base")]
    domains = Domains(every)
    sizes = {rule: domains.size(rule) for rule in every if rule.plain and rule.literals}
    widest = max((r for r in sizes if sizes[r] < inf), key=lambda r: sizes[r], default=None)
    hint = f" ({short_place(widest.statement)}: up to {sizes[widest]:,.0f} atoms)" if widest else ""
    return f", too many for a net{hint}; the grounder needs none"


def _endless(rules: Rules, place: str) -> str:
    """Which fluent has numbers without an end, in which rule, and what to add."""
    from ..asp.parsing import place_of
    from ..asp.statements import rule_of, short_place

    every = (rule_of(statement) for statement in rules.encoding.statements("base"))
    atom = next(
        f"{short_place(rule.statement)}: {rule.head.node}"
        for rule in every
        if place_of(rule.statement) == place and rule.head
    )
    add = "give its number a bound in the body or in legal/2, or list the fluents with base/1"
    return f"{atom} has no end while the state is open, so there is no net: {add}"


def _of_roles(
    roles: Collection[str], circuit: Circuit, outputs: Outputs
) -> tuple[Circuit, Outputs]:
    """A circuit without moves that are never legal, and without names that are not roles."""
    legal = outputs.legal
    if not {role for role, _ in legal} <= {*roles}:
        legal = {move: literal for move, literal in legal.items() if move[0] in roles}
    others = {node: FALSE for move, node in circuit.does.items() if move not in legal}
    if others:
        circuit, became = circuit.assuming(others)
        outputs = outputs.where(became)
        legal = {move: literal for move, literal in outputs.legal.items() if move in legal}
    goals = {goal: literal for goal, literal in outputs.goal.items() if goal[0] in roles}
    to_move = {role: literal for role, literal in outputs.to_move.items() if role in roles}
    return circuit, replace(outputs, legal=legal, goal=goals, to_move=to_move)


@lru_cache(maxsize=64)
def open_program(rules: Rules) -> OpenProgram:
    """A game's rules, prepared once for open grounding."""
    return opened_program(rules, lambda: rules.encoding.checked(rules.constants, "base"), "in nets")


def opened_program(
    rules: Rules, ask: Callable[[], Iterable[AST]], where: str, by_base: bool = False
) -> OpenProgram:
    """The statements that ``ask`` gives, prepared; ``where`` tells them apart in the cache."""
    from .open_grounding import OpenProgram

    recall = partial(rules.remembered, f"program {where}")
    return OpenProgram(ask, rules.constants, recall, by_base)
