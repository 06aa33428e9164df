"""The reference reasoner: clingo grounds the rules with the facts of one state.

The rules of a game are stratified, so grounding settles every atom, and no solving is needed.
"""

from collections.abc import Mapping
from functools import cached_property, partial
from types import MappingProxyType

from ...asp.clingo_api import SymbolType, Tuple_
from ...asp.grounding import Atoms, Query
from ...asp.kept_program import KeptQuery
from ...asp.rewrite.magic_sets import MagicSets
from ...asp.statements import Signature
from ...asp.symbols import known_symbol
from ..rules import Facts, Rules
from . import Consequences, read_goals, the_one_on_move, wrong_weight

_LEGAL: Signature = ("legal", 2)
_NEXT: Signature = ("next", 1)
_TERMINAL: Signature = ("terminal", 0)
_GOAL: Signature = ("goal", 2)
_TO_MOVE: Signature = ("to_move", 1)
_WEIGHT: Signature = ("weight", 2)
_SEES: Signature = ("sees", 2)
# Predicates with more possible atoms are grounded on demand (measured on sheets of public games).
_CHANGING, _LASTING = 100_000, 10_000


class Grounder:
    """A ``Reasoner`` that asks clingo's grounder."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._queries: dict[tuple[Signature, ...], Query] = {}

    def _ask(
        self,
        wanted: tuple[Signature, ...],
        facts: Facts,
        joint: Mapping[str, str] = MappingProxyType({}),
    ) -> Atoms:
        """The atoms of the wanted predicates in a state, perhaps with a joint move."""
        if (query := self._queries.get(wanted)) is None:
            recall, constants = self._rules.remembered, self._rules.constants
            query = self._queries[wanted] = KeptQuery(
                lambda: self._demand.statements(wanted),
                constants,
                wanted,
                partial(recall, f"program for {wanted}"),
            )
        does = [Tuple_([known_symbol(role), known_symbol(move)]) for role, move in joint.items()]
        return query([known_symbol(fact) for fact in facts], does)

    @cached_property
    def _demand(self) -> MagicSets:
        constants = self._rules.constants
        statements = self._rules.encoding.checked(constants, "base")
        return MagicSets(statements, _CHANGING, _LASTING, constants)

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move, from one grounding."""
        atoms = self._ask((_LEGAL, _TERMINAL, _GOAL, _TO_MOVE), facts)
        moves: dict[str, list[str]] = {role: [] for role in self._rules.roles}
        for symbol in atoms[_LEGAL]:
            role, move = symbol.arguments
            if (name := str(role)) in moves:
                moves[name].append(str(move))
        terminal = bool(atoms[_TERMINAL])
        goals = read_goals(self._rules.roles, [atom.arguments for atom in atoms[_GOAL]], terminal)
        legal = {role: tuple(sorted(terms)) for role, terms in moves.items()}
        on_move = [str(symbol.arguments[0]) for symbol in atoms[_TO_MOVE]]
        on_move = [role for role in on_move if role in moves]
        return Consequences(legal, terminal, goals, the_one_on_move(on_move, legal))

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, from one grounding of the rules for ``next``."""
        atoms = self._ask((_NEXT,), facts, joint)
        return tuple(sorted(str(symbol.arguments[0]) for symbol in atoms[_NEXT]))

    def weights(self, facts: Facts) -> Mapping[str, int]:
        """The chances of moves by ``weight/2``, by the moves' terms.

        Raises ``RulesError`` unless each is one whole number of at least 1.
        """
        found: dict[str, int] = {}
        for symbol in self._ask((_WEIGHT,), facts)[_WEIGHT]:
            move, number = symbol.arguments
            if number.type is not SymbolType.Number or number.number < 1 or str(move) in found:
                raise wrong_weight(self._rules.encoding, str(symbol))
            found[str(move)] = number.number
        return found

    def percepts(self, facts: Facts, joint: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """What each role perceives of a joint move by ``sees/2``: terms, sorted."""
        seen: dict[str, list[str]] = {role: [] for role in self._rules.roles}
        for symbol in self._ask((_SEES,), facts, joint)[_SEES]:
            role, percept = symbol.arguments
            if (name := str(role)) in seen:
                seen[name].append(str(percept))
        return {role: tuple(sorted(terms)) for role, terms in seen.items()}
