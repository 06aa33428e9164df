"""The smallest set of rules and conditions that decides whether an atom holds.

An answer-set program, ``minimal_reasons.lp``, makes the choice. It explains an atom that holds by
one of its rules, and an atom that fails by one failing condition in each of its rules, down to the
state (why-not provenance: Köhler, Ludäscher and Zinn, "First-order provenance games", 2013). The
choice mentions as few things of the state as possible: squares, fields of the FEN, other fluents.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ...asp.clingo_api import AST, Model, Symbol
from ...asp.literal_program import LiteralProgram, best_answer
from ...runtime.budget import UNLIMITED
from ...runtime.errors import RulesError
from .relevant_rules import Instance, Relevant

_MOST_INSTANCES = 2_000  # instances; with more, the first choice is taken instead of the smallest
_MOST_CONFLICTS = 20_000


@dataclass(frozen=True, eq=False)
class ReasonNode:
    """An atom with its explanation."""

    atom: Symbol
    holds: bool
    grounds: "tuple[RuleInstance, ...]"
    """Empty for fluents, for atoms that no rule derives, and for opaque atoms."""
    text: str
    """The atom; ``_`` stands for any term."""
    value: str
    """The value of an aggregate: ``it is 2``; empty for other conditions."""

    @property
    def fluent(self) -> str | None:
        """The fluent of ``true(F)``; None for other atoms."""
        return _fluent(self.atom)

    def parts(self) -> "Sequence[ReasonNode]":
        """This atom and all atoms of its explanation, each once, in the order of the rules."""
        found: dict[ReasonNode, None] = {}
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found[node] = None
                conditions = [part for ground in node.grounds for part in ground.conditions]
                waiting += reversed(conditions)
        return list(found)


@dataclass(frozen=True, eq=False)
class RuleInstance:
    """A rule, and those of its conditions that decide whether it derives an atom."""

    rule: AST
    conditions: tuple[ReasonNode, ...]


class MinimalReasons:
    """The atoms that hold in one state, and the smallest reasons for any of them."""

    def __init__(
        self, relevant: Relevant, given: Set[Symbol], settles: Callable[[str], str]
    ) -> None:
        """``given`` are the atoms of ``true/1`` and ``does/2``.

        ``settles`` names the thing in the state that decides whether a fluent holds.
        """
        self._relevant, self._settles = relevant, settles
        self._rules: dict[Symbol, list[int]] = {}
        for place, instance in enumerate(relevant.instances):
            self._rules.setdefault(instance.head, []).append(place)
        given = relevant.certain | relevant.holding | given
        known = [atom for atom in _atoms(relevant) if atom in given and atom not in self._rules]
        self._holding = given | self._derived(known)

    def __call__(self, atoms: Sequence[Symbol]) -> tuple[ReasonNode, ...]:
        """Why some atoms hold or don't."""
        facts, rules = [], 0
        things: dict[str, int] = {}
        numbers: dict[Symbol, int] = {atom: number for number, atom in enumerate(atoms)}
        facts += [f"asked({number})." for number in numbers.values()]
        waiting = list(numbers)
        for atom in waiting:  # grows
            number = numbers[atom]
            if atom in self._holding:
                facts.append(f"holds({number}).")
            if atom not in self._rules:
                thing = things.setdefault(self._thing(atom), len(things))
                facts.append(f"leaf({number},{thing}).")
                continue
            for instance, conditions in self._choices(atom):
                rules += 1
                facts.append(f"rule({instance},{number}).")
                for place, condition in conditions:
                    if condition not in numbers:
                        numbers[condition] = len(numbers)
                        waiting.append(condition)
                    facts.append(f"condition({instance},{place},{numbers[condition]}).")
        tree = _ReasonTree(self._relevant, _choice("".join(facts), rules), self._holding)
        return tuple(tree.node(atom, frozenset()) for atom in atoms)

    def _derived(self, known: Sequence[Symbol]) -> set[Symbol]:
        """The atoms that follow from those known to hold. The rules are stratified."""
        program = LiteralProgram()
        with program.writing():
            numbers = {atom: program.atom() for atom in _atoms(self._relevant)}
            for atom in known:
                program.derive(numbers[atom])
            for head, conditions in ((i.head, i.conditions) for i in self._relevant.instances):
                body = [numbers[atom] if wanted else -numbers[atom] for atom, wanted in conditions]
                program.derive(numbers[head], *body)

        def held(model: Model) -> set[Symbol]:
            return {atom for atom, number in numbers.items() if model.is_true(number)}

        found = program.find(UNLIMITED, (), held)
        if found is None:
            raise RulesError("the rules don't settle what follows from the state")
        return found

    def _choices(self, atom: Symbol) -> Iterator[tuple[int, list[tuple[int, Symbol]]]]:
        """The rules that may explain an atom, each with the conditions that do, by their places.

        For an atom that holds, those are the rules that derive it, with all their conditions;
        otherwise all rules, with the conditions that aren't met.
        """
        for place in self._rules[atom]:
            conditions = list(enumerate(self._relevant.instances[place].conditions))
            broken = [(p, a) for p, (a, wanted) in conditions if (a in self._holding) != wanted]
            if atom not in self._holding:
                yield place, broken
            elif not broken:
                yield place, [(p, a) for p, (a, _) in conditions]

    def _thing(self, atom: Symbol) -> str:
        if fluent := _fluent(atom):
            return self._settles(fluent)
        return "does" if atom.match("does", 2) else str(atom)


def _fluent(atom: Symbol) -> str | None:
    return str(atom.arguments[0]) if atom.match("true", 1) else None


def _atoms(relevant: Relevant) -> Iterator[Symbol]:
    instances = relevant.instances
    conditions = (atom for instance in instances for atom, _ in instance.conditions)
    yield from dict.fromkeys([*(instance.head for instance in instances), *conditions])


def _choice(facts: str, instances: int) -> list[Symbol]:
    """The rules and conditions of the best answer set."""
    parts = ["base", "first"] if instances > _MOST_INSTANCES else ["base"]
    best = best_answer(facts + _program(), parts, conflicts=_MOST_CONFLICTS)
    if best is None:
        raise RulesError("the rules don't settle what follows from the state")
    return best


@cache
def _program() -> str:
    return (resources.files(__package__) / "minimal_reasons.lp").read_text(encoding="utf-8")


class _ReasonTree:
    """The chosen rules and conditions, from the explained atom down to the state."""

    def __init__(self, relevant: Relevant, choice: Sequence[Symbol], given: Set[Symbol]) -> None:
        self._given, self._relevant = given, relevant
        self._by: dict[Symbol, Instance] = {}
        self._amiss: dict[Symbol, list[tuple[Instance, int]]] = {}
        self._made: dict[Symbol, ReasonNode] = {}
        for symbol in sorted(choice):
            place, *rest = (argument.number for argument in symbol.arguments)
            instance = relevant.instances[place]
            if rest:
                self._amiss.setdefault(instance.head, []).append((instance, rest[0]))
            else:
                self._by[instance.head] = instance

    def node(self, atom: Symbol, above: frozenset[Symbol]) -> ReasonNode:
        """An atom with its explanation, each atom once on a path."""
        if atom in self._made:
            return self._made[atom]
        holds = atom in self._given or atom in self._by
        below = above | {atom}
        grounds = [
            RuleInstance(rule, tuple(self.node(a, below) for a in conditions if a not in below))
            for rule, conditions in self._chosen(atom)
        ]
        value = self._relevant.values.get(atom, "")
        self._made[atom] = ReasonNode(atom, holds, tuple(grounds), self._text(atom), value)
        return self._made[atom]

    def _text(self, atom: Symbol) -> str:
        if atom.match("_some", 1):
            return str(atom.arguments[0]).replace('"_"', "_")
        return self._relevant.texts.get(atom) or str(atom)

    def _chosen(self, atom: Symbol) -> Iterator[tuple[AST, list[Symbol]]]:
        if instance := self._by.get(atom):
            yield instance.rule, [condition for condition, _ in instance.conditions]
        for instance, place in self._amiss.get(atom, ()):
            yield instance.rule, [instance.conditions[place][0]]
