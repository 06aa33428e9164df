"""Which rules derive an atom in a state."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from ..asp.clingo_api import Number, Tuple_
from ..asp.dependencies import Dependencies
from ..asp.grounding import Query
from ..asp.node_details import with_head
from ..asp.nodes import NOWHERE, is_positive, make_constant, unpooled
from ..asp.statements import DOES, TRUE, Rule, Signature, changing_predicates, rule_of, short_place
from ..asp.symbols import known_symbol
from ..game.game import Game
from ..game.state import State

_DERIVES = "_rule_derives"


class DerivingRules:
    """Finds the rules that derive the atoms of one predicate."""

    def __init__(self, game: Game, signature: Signature) -> None:
        self._game, self._signature = game, signature
        self._base = game.encoding.statements("base")
        self._rules: list[Rule] = []
        for statement in self._base:
            rules = map(rule_of, unpooled(statement))
            self._rules += (each for each in rules if each.plain and each.heads == {signature})

    @property
    def places(self) -> str:
        """The places of all rules of the predicate: ``FILE:LINE, FILE:LINE``."""
        return ", ".join(dict.fromkeys(short_place(rule.statement) for rule in self._rules))

    def rules_with(self, argument: str) -> str:
        """The places of the rules whose head ends with an argument."""
        rules = (rule for rule in self._rules if rule.head and rule.head.arguments)
        chosen = (r for r in rules if r.head and str(r.head.arguments[-1].node) == argument)
        return ", ".join(dict.fromkeys(short_place(rule.statement) for rule in chosen))

    @cached_property
    def _query(self) -> Query:
        marked = [
            with_head(
                rule.statement,
                _DERIVES,
                [make_constant(NOWHERE, Number(n)), *(a.node for a in rule.head.arguments)],
            )
            for n, rule in enumerate(self._rules)
            if rule.head
        ]
        wanted = [(_DERIVES, self._signature[1] + 1)]
        return Query([*self._base, *marked], self._game.constants, wanted)

    def of(self, state: State, joint: Mapping[str, str] | None = None) -> Mapping[str, list[str]]:
        """The places of the rules that derive each atom, by its last argument."""
        true = [known_symbol(fact) for fact in state.facts]
        does = [Tuple_(list(map(known_symbol, each))) for each in (joint or {}).items()]
        found: dict[str, list[str]] = defaultdict(list)
        for atom in self._query(true, does)[_DERIVES, self._signature[1] + 1]:
            number, *arguments = atom.arguments
            place = short_place(self._rules[number.number].statement)
            places = found[str(arguments[-1]) if arguments else ""]
            places += [place] * (place not in places)
        return found

    def of_any(self, state: State) -> list[str]:
        """The places of the rules that derive an atom, and of those that their conditions need."""
        found = dict.fromkeys(place for its in self.of(state).values() for place in its)
        fired = [rule for rule in self._rules if short_place(rule.statement) in found]
        asked = {s for r in fired for p in r.literals if is_positive(p) for s in p.signatures}
        for signature in sorted(asked & self._derived):
            found |= dict.fromkeys(DerivingRules(self._game, signature).of_any(state))
        return list(found)

    @cached_property
    def _derived(self) -> set[Signature]:
        """The predicates below this one that depend on the state."""
        rules = list(map(rule_of, self._base))
        below = Dependencies(rules)
        changing = changing_predicates(rules) - {TRUE, DOES}
        return {s for s in changing if not below.reaches(s, self._signature)}
