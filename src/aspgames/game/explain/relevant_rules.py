"""The instances of rules on which an atom may depend, in any state.

The rules are rewritten so that grounding them yields their instances as facts. A condition on the
state may hold if it holds in some state, and a negated condition may always hold. Only instances
that the atom demands are grounded (magic sets: Beeri and Ramakrishnan, "On the power of magic",
Journal of Logic Programming 10, 1991), so a move of the largest game takes no longer than one of
the smallest.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ...asp.clingo_api import AST, Function, Symbol, Tuple_
from ...asp.clingo_c import SharedTerms
from ...asp.dependencies import Dependencies
from ...asp.grounding import Context, Program, Query, consequences, parse_statements
from ...asp.rewrite.clauses import (
    COUNTED,
    UNCLEAR,
    Asked,
    Clause,
    case_text,
    counted_arguments,
    demand,
    hidden_predicates,
    is_case,
    plain_rules,
)
from ...asp.statements import Signature
from ...asp.symbols import known_symbol
from ...asp.terms import Constants
from ...gdl.rules import Facts

_FRAME = """
_possible(true(F)) :- F = @fluents().
_possible(true(F)) :- _open(F).
_possible(does(R,M)) :- (R,M) = @does().
_possible(H)       :- _instance(_,H,_).
#defined _open/1.
#defined _instance/3.
"""

_INSTANCE: Signature = ("_instance", 3)


@dataclass(frozen=True)
class Instance:
    """A rule with its variables replaced."""

    rule: AST
    head: Symbol
    conditions: tuple[tuple[Symbol, bool], ...]
    """The conditions on the state: each an atom, and False if it is negated."""


@dataclass(frozen=True)
class Relevant:
    """The instances and atoms on which an atom may depend."""

    instances: Sequence[Instance]
    certain: frozenset[Symbol]
    """Atoms that hold in every state."""
    holding: frozenset[Symbol]
    """Opaque atoms that hold in this state."""
    texts: Mapping[Symbol, str]
    """Opaque conditions, with their texts."""
    values: Mapping[Symbol, str]
    """Those with an aggregate, with its value: ``it is 2``."""
    hidden: Set[Signature]
    """Opaque predicates."""

    def is_hidden(self, atom: Symbol) -> bool:
        """Whether an atom is opaque: nothing is known about its reasons."""
        return atom in self.texts or (atom.name, len(atom.arguments)) in self.hidden


class RelevantRules:
    """The rules of a game, prepared to find the instances for many atoms."""

    def __init__(
        self, statements: Sequence[AST], constants: Constants, wanted: Sequence[Signature]
    ) -> None:
        statements = [plain for statement in statements for plain in plain_rules(statement)]
        program = Program(statements, constants, wanted)
        rules = [rule for rule in program.rules if rule.heads]
        self._constants, self._static = constants, program.static
        below = Dependencies(rules)
        self._hidden = hidden_predicates(rules, program.changing, below)
        static = (program.static.get(signature, ()) for signature in wanted)
        self._certain = frozenset(atom for atoms in static for atom in atoms)
        self._others = [
            *(r.statement for r in program.rules if r.plain and not r.heads),
            *program.given.values(),
        ]
        clear = [rule for rule in rules if not rule.heads & self._hidden]
        self.counts = counted_arguments(rules)
        self._clauses = [
            Clause(rule, place, program.changing, self._hidden, self.counts, below)
            for place, rule in enumerate(clear)
        ]
        self._unclear = {part.name: part for clause in self._clauses for part in clause.unclear}
        asked = parse_statements("\n".join(part.rules for part in self._unclear.values()))
        hidden = [*sorted(self._hidden & set(wanted)), UNCLEAR, COUNTED]
        self._holding = Query([*statements, *asked], constants, hidden)
        self._programs: dict[Asked, list[AST]] = {}

    def __call__(
        self,
        atoms: Sequence[Symbol],
        bound: str,
        facts: Facts,
        fluents: Iterable[str],
        does: Sequence[Symbol] = (),
    ) -> Relevant:
        """The instances on which atoms of one predicate, and others like them, may depend.

        ``bound`` has a ``b`` for each argument that is fixed, an ``f`` for each free one.
        ``fluents`` may hold in some state. ``does`` has the pairs of the joint move.
        """
        key = (atoms[0].name, len(bound)), bound
        if key not in self._programs:
            text = "\n".join([_FRAME, *self._demands(*key)])
            self._programs[key] = [*self._others, *parse_statements(text)]
        asked = [
            [value for value, b in zip(atom.arguments, bound, strict=True) if b == "b"]
            for atom in atoms
        ]
        seeds = "".join(f"{Function(demand(*key), values)}." for values in asked)
        possible = [known_symbol(fluent) for fluent in (*facts, *fluents)]
        context = Context(self._static, fluents=lambda: possible, does=lambda: does)
        # Grounding alone may leave atoms open that solving decides: for instance an aggregate over
        # static atoms that is negated twice in a recursive rule.
        program = [*self._programs[key], *parse_statements(seeds)]
        found = consequences(self._constants, program, [_INSTANCE], context)[_INSTANCE]
        instances = self._instances(found)
        texts: dict[Symbol, str] = {}
        if self._unclear:
            conditions = (a for instance in instances for a, _ in instance.conditions)
            texts = {a: self._text(a) for a in conditions if a.match(*UNCLEAR)}
        holding: Collection[Symbol] = ()
        values: dict[Symbol, str] = {}
        if texts or key[0] in self._hidden:
            true = [known_symbol(fact) for fact in facts]
            pairs = [Tuple_(condition.arguments) for condition in texts]
            held = self._holding(true, does, pairs)
            for counted in sorted(held[COUNTED], reverse=True):  # the least value stays
                *condition, value = counted.arguments
                unclear = Function(UNCLEAR[0], condition)
                if is_case(value):
                    values[unclear] = case_text(value)
                elif str(value) != self._text(unclear):
                    values[unclear] = f"it is {value}"
            holding = [symbol for found in held.values() for symbol in found]
        return Relevant(instances, self._certain, frozenset(holding), texts, values, self._hidden)

    def _text(self, condition: Symbol) -> str:
        name, values = condition.arguments
        return self._unclear[name.string].text(values.arguments)

    def _instances(self, found: Iterable[Symbol]) -> list[Instance]:
        terms, instances = SharedTerms(), []
        for number in map(SharedTerms.number, found):
            first, head, conditions = terms.arguments(number)
            place = terms[first].number
            clause = self._clauses[place if place >= 0 else -1 - place]
            atoms = [terms[atom] for atom in terms.arguments(conditions)]
            signs = clause.signs if place >= 0 else [True]
            pairs = tuple(zip(atoms, signs, strict=True))
            instances.append(Instance(clause.statement, terms[head], pairs))
        return instances

    def _demands(self, signature: Signature, bound: str) -> Iterator[str]:
        """The rewritten rules for a predicate with some bound arguments, and for all it needs."""
        seen, waiting = {(signature, bound)}, [(signature, bound)]
        while waiting:
            signature, bound = waiting.pop()
            for clause in self._clauses:
                if signature in clause.heads:
                    text, needed = clause.rewritten(bound)
                    yield text
                    waiting += [key for key in needed if key not in seen]
                    seen.update(needed)
