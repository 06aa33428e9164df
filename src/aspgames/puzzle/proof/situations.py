"""A game's rules for many situations at once, which clingo grounds step by step.

A situation is a state, or all states to which some lines of play have led. Every predicate that
depends on the state gets the situation and the step as further arguments. A predicate that depends
on the move also gets the edge that leaves the situation. So one step answers questions about
hundreds of states. Plans are unrolled with a step for each ply, which grounds only what is possible
there.

=========================  =====================================================================
``c_p(X)``                 ``p(X)``, which depends on no state
``s_p(X,P,k)``             ``p(X)`` in situation ``P`` of step ``k``
``m_p(X,P,E,k)``           ``p(X)`` on the edge ``E`` from there
``j_p(X,E,k)``             ``p(X)`` after the joint move ``E``, which depends on no state
=========================  =====================================================================

``puzzle.lp`` has the questions about situations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache
from importlib import resources
from itertools import count

from ...asp.clingo_api import AST, Function, Number, Symbol
from ...asp.clingo_c import without_solver
from ...asp.grounding import Context, Program, ground, ground_parts, parse_statements
from ...asp.nodes import (
    NOWHERE,
    is_positive,
    kind_of,
    make_constant,
    make_function,
    make_literal,
    make_part,
    make_rule,
    make_variable,
    name_of,
    with_atoms,
    with_names,
)
from ...asp.statements import (
    DOES,
    TRUE,
    Literal,
    Rule,
    Signature,
    constants_of,
    dependent_predicates,
)
from ...asp.symbols import known_symbol
from ...gdl.extensions import SEES, WEIGHT, is_weighted
from ...gdl.predicates import CHANCE
from ...gdl.rules import Rules
from ...runtime.errors import RulesError
from ..question import HasFacts, PuzzleQuestion

_LEGAL: Signature = ("legal", 2)
_NEXT: Signature = ("next", 1)
_VIEW: tuple[Signature, ...] = (_LEGAL, ("terminal", 0), ("goal", 2), ("to_move", 1))

_COMMON = ("base", "situations", "states", "view")
_JOINT = ("joint", "changes")
_PLANS = ("first", "ply", "plans", "attack", "defence", "verdict")
_WORDS = frozenset(("_k", "noop", "plan"))
"""The terms in ``puzzle.lp``. A game's constant of the same name would replace them."""

# No game can use these names.
_SITUATION, _EDGE = make_variable(NOWHERE, "P@"), make_variable(NOWHERE, "E@")
_STEP = make_constant(NOWHERE, Function("k@"))

_Pattern = tuple[str | None, ...]

Given = Mapping[str, Sequence[Symbol]]
"""The answers to ``@given``, by name."""

States = Mapping[Symbol, Sequence[Symbol]]
"""Fluents, by situation or by part of a situation."""


class Grounding:
    """A clingo control: it grounds what depends on no state, then step after step."""

    def __init__(
        self, puzzle: PuzzleQuestion[HasFacts], solves: bool = True, only: str | None = None
    ) -> None:
        """``solves`` tells whether the solver is needed; else the grounder settles everything.

        ``only`` leaves the rules for the ``view`` of states, or for what follows from given
        ``joint`` moves. Then the steps have no questions of a puzzle.
        """
        rules = puzzle.state.game.rules
        self._program, statements = situated(rules, only)
        asked = _asked()
        self._goal = "expected" if puzzle.goal.expected else puzzle.goal.kind.value
        self._questions = () if only else ("view", self._goal)
        parts = (*_COMMON, self._goal, *(_PLANS if solves else ("moves", "changes")))
        if only:
            parts = (*_COMMON[:3], *(_JOINT if only == "joint" else ()))
        given = {
            "attacker": [known_symbol(puzzle.attacker)],
            "defender": [known_symbol(role) for role in puzzle.sides[1:]],
            "chance": [known_symbol(CHANCE)] if puzzle.chance is not None else [],
            "least": [Number(puzzle.goal.score)],
        }
        context = _context(self._program, given, {})
        observe = None if solves else without_solver
        statements = [*statements, *(each for part in parts for each in asked[part])]
        self.control = ground(rules.constants, statements, context, observe=observe)
        self.steps = 0

    def step(self, first: Sequence[str], then: Sequence[str], given: Given, states: States) -> int:
        """Ground one more step for given sets and states; returns the step's number.

        The parts of ``puzzle.lp`` that define the situations (``first``) come before the rules and
        the questions (``then``). In a single ``ground`` call, clingo would treat the states of
        plans as recursive.
        """
        number = self.steps
        self.steps += 1
        context = _context(self._program, given, states)
        for names in filter(None, (first, ("rules", *self._questions, *then))):
            ground_parts(self.control, names, [Number(number)], context)
        return number


def _context(program: Program, given: Given, states: States) -> Context:
    """Answers the ``@`` calls of a step: a given set by its name, a single state's fluents."""
    return Context(
        program.static,
        given=lambda name: given.get(name.string, ()),
        state=lambda situation: states[situation],
    )


@lru_cache(maxsize=16)
def situated(rules: Rules, only: str | None = None) -> tuple[Program, list[AST]]:
    """A game's rules, and all their statements about situations.

    ``only`` leaves those for the ``view`` of states, or for ``next/1`` and ``sees/2`` after
    ``joint`` moves. Raises ``RulesError`` if a state doesn't determine everything that follows.
    """
    if clash := _WORDS.intersection(rules.constants):
        raise RulesError(f"the constant {min(clash)} is a word of the checker")
    checked = rules.encoding.checked(rules.constants, "base")
    view: tuple[Signature, ...] = (
        (*_VIEW, WEIGHT) if is_weighted(rules.encoding, rules.roles) else _VIEW
    )
    after: tuple[Signature, ...] = () if only == "view" else (_NEXT,)
    if only == "joint":
        view, after = (), (_NEXT, SEES)
    known = situated(rules, "view")[0].static if only == "joint" else None
    program = Program(checked, rules.constants, (*view, *after), known)
    defining = [rule for rule in program.rules if rule.heads]
    _check(program, defining)
    moved = dependent_predicates(defining, {DOES, *after})
    if moved.intersection(view):
        raise RulesError("the rules let legal/2 or the like depend on what is done")
    changing, made = program.changing.union(view), dependent_predicates(defining, {DOES})
    joint = made - dependent_predicates(defining, (changing - made).union(after))
    names = _SituationNames(changing, moved, joint if only == "joint" else frozenset())
    static = _SituationNames()
    constants = [s for s in program.statements if kind_of(s) == "Definition"]
    statements = [make_part(NOWHERE, "base"), *constants]
    statements += (with_atoms(rule, static) for rule in program.given.values())
    statements.append(make_part(NOWHERE, "rules", "k@"))
    statements += [names.rule(rule) for rule in defining]
    for name, arity in program.given.keys() & {*view, *after}:
        term = make_function(NOWHERE, name, [make_variable(NOWHERE, f"V{i}") for i in range(arity)])
        head, given = (with_atoms(make_literal(NOWHERE, term), each) for each in (names, static))
        statements.append(names.guarded(head, [given], {(name, arity)}))
    return program, statements


def puzzle_text() -> str:
    """The text of ``puzzle.lp``."""
    return (resources.files(__package__) / "puzzle.lp").read_text(encoding="utf-8")


@cache
def _asked() -> Mapping[str, list[AST]]:
    """The statements of the parts of ``puzzle.lp``, each part with its head.

    A game may have a constant ``k``, which must not replace their parameter.
    """
    parts: dict[str, list[AST]] = {"base": [make_part(NOWHERE, "base")]}
    part = parts["base"]
    for statement in parse_statements(re.sub(r"\bk\b", "_k", puzzle_text())):
        if kind_of(statement) == "Program":
            part = parts[name_of(statement)] = []
        part.append(statement)
    return parts


def _check(program: Program, rules: Sequence[Rule]) -> None:
    """Raise ``RulesError`` unless a state and a joint move determine all atoms."""
    if not program.settled:
        raise RulesError("a choice or a constraint: the rules don't settle what follows")
    heads = {signature for rule in rules for signature in rule.heads}
    if heads & {TRUE, DOES}:
        raise RulesError("the rules define true/1 or does/2, which are given")
    if any(name.startswith("-") for name, _ in heads):
        raise RulesError("the rules negate classically: they may contradict themselves")
    recursion = _Recursion(rules, constants_of(program.rules).union(program.constants))
    for rule in rules:
        # Every element except a plain atom counts like a negation.
        tested = [each for each in rule.literals if each.sign != 0]
        if recursion(rule, tested):
            raise RulesError("the rules recur through negation: they may settle nothing")


class _Recursion:
    """Tells whether a rule may depend on itself, looking at the constants in atoms, too.

    ``goal(R,100) :- not goal(R,0).`` doesn't depend on itself if the rules for ``goal(R,0)`` don't
    need ``goal(R,100)``. If ground rules recur through negation, then so do these: each atom that
    joins two ground rules is an instance of a literal of one and of the head of the other.
    """

    def __init__(self, rules: Sequence[Rule], replaced: Set[str]) -> None:
        """``replaced`` names constants that stand for other terms."""
        self._replaced = replaced
        self._heads: dict[Signature, list[tuple[Rule, _Pattern]]] = {}
        self._uses: dict[Rule, list[Rule]] = {}
        for rule in rules:
            assert rule.head is not None
            for signature, pattern in self._patterns(rule.head):
                self._heads.setdefault(signature, []).append((rule, pattern))

    def __call__(self, rule: Rule, literals: Sequence[Literal]) -> bool:
        """Whether a rule for an atom of some literals may depend on a rule."""
        seen: set[Rule] = set()
        waiting = self._defining(literals)
        while waiting:
            found = waiting.pop()
            if found is rule:
                return True
            if found not in seen:
                seen.add(found)
                if found not in self._uses:
                    self._uses[found] = self._defining(found.literals)
                waiting += self._uses[found]
        return False

    def _defining(self, literals: Sequence[Literal]) -> list[Rule]:
        return [
            rule
            for literal in literals
            for signature, wanted in self._patterns(literal)
            for rule, pattern in self._heads.get(signature, ())
            if all(None in pair or pair[0] == pair[1] for pair in zip(wanted, pattern, strict=True))
        ]

    def _patterns(self, literal: Literal) -> list[tuple[Signature, _Pattern]]:
        """The atoms of a literal: the constants among their arguments, None for other arguments."""
        if literal.sign is None:
            return [(signature, (None,) * signature[1]) for signature in literal.signatures]
        (signature,) = literal.signatures
        return [(signature, tuple(self._constant(each.node) for each in literal.arguments))]

    def _constant(self, node: AST) -> str | None:
        known = kind_of(node) == "SymbolicTerm" and str(node) not in self._replaced
        return str(node) if known else None


class _SituationNames:
    """Replaces a game's predicates by the predicates about situations."""

    def __init__(
        self,
        changing: Set[Signature] = frozenset(),
        moved: Set[Signature] = frozenset(),
        joint: Set[Signature] = frozenset(),
    ) -> None:
        self._changing, self._moved, self._joint = changing, moved, joint

    def rule(self, rule: Rule) -> AST:
        """A rule for all situations, from a rule whose head depends on the state or on the move.

        Variables replace the blanks of a rule's only literal with blanks. Else the grounder would
        first collect all values of the blanks, again at each step.
        """
        assert rule.head is not None
        head, *body = (with_atoms(part.node, self) for part in (rule.head, *rule.literals))
        blank = [n for n, literal in enumerate(body) if re.search(r"\b_\b", str(literal))]
        if len(blank) == 1 and is_positive(rule.literals[blank[0]]):
            body[blank[0]] = with_names(body[blank[0]], (f"V{number}@" for number in count()))
        return self.guarded(head, body, rule.heads)

    def guarded(self, head: AST, body: Sequence[AST], heads: Set[Signature]) -> AST:
        """A rule that holds for each situation, edge or joint move of the step."""
        if heads <= self._joint:
            guard = make_function(NOWHERE, "joint", [_EDGE, _STEP])
        elif heads <= self._moved:
            guard = make_function(NOWHERE, "edge", [_SITUATION, _EDGE, _STEP])
        else:
            guard = make_function(NOWHERE, "situation", [_SITUATION, _STEP])
        return make_rule(NOWHERE, head, [*body, make_literal(NOWHERE, guard)])

    def __call__(self, name: str, arguments: Sequence[AST]) -> tuple[str, list[AST]]:
        """The name and the arguments of an atom about situations."""
        signature = name, len(arguments)
        if signature in self._joint:
            kind, more = "j_", [_EDGE, _STEP]
        elif signature in self._moved or signature == DOES:
            kind, more = "m_", [_SITUATION, _EDGE, _STEP]
        elif signature in self._changing:
            kind, more = "s_", [_SITUATION, _STEP]
        else:
            kind, more = "c_", []
        return kind + name, [*arguments, *more]
