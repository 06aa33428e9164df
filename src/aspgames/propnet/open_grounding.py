"""Grounds the rules with the state left open: every fluent that may hold is a choice.

Certain fluents are facts and vanish from the ground rules. Possible fluents are left open. In a
closed grounding, the fluents of the next state are left open, too: it covers every state that can
be reached from the given fluents.

In a closed grounding, fluents follow from each other. So clingo learns too late that a negated atom
is certain, and a slide would pass through a certain arrow. Therefore the consequences of certain
fluents, by rules without negation, are grounded first, under separate names. A rule with ``not
occupied(X,Y)`` then also gets the condition ``not`` its certain part.

The checker of certificates must not use this module; it grounds the rules in its own way
(``docs/certificates.md``).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any, NamedTuple

from ..asp.clingo_api import AST, Control, Symbol
from ..asp.clingo_c import addresses, observe
from ..asp.grounding import Context, Program, ground, parse_statements, result_of
from ..asp.kept_program import Prepared, Recall, kept_program
from ..asp.node_details import make_external, with_body
from ..asp.nodes import is_negated, is_positive, kind_of, with_atoms
from ..asp.rewrite.decompose import split
from ..asp.rewrite.magic_sets import MagicSets, is_demand
from ..asp.rewrite.plain_literals import BOTH, plain_literals, show
from ..asp.statements import TRUE, Literal, Rule, Signature, needed_rules, rule_of, short_place
from ..asp.symbols import known_symbol
from ..asp.terms import Constants
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError, TooLarge
from .kernel import Pointer, kernel, made

_WANTED: tuple[Signature, ...] = (
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
    ("to_move", 1),
)
_LARGE_PREDICATE = 1_000_000  # possible atoms of a predicate that magic sets restrict
_OPEN = parse_statements("""
{ true(F) } :- F = @possible().
{ does(R,M) } :- legal(R,M).
#show true/1.
#show does/2.
#show legal/2.
#show next/1.
#show terminal/0.
#show goal/2.
#show to_move/1.
""")
_CLOSED = parse_statements("{ true(F) } :- next(F).")
_CLOSED_BY_BASE = parse_statements("{ true(F) } :- next(F), base(F).")
_BASE = ("base", 1)
_NO_END = ": its numbers have no end while the state is open"
_MOST_ROUNDS = 1_000
_MOST_RESULTS = 10_000  # of one operation; with more, it has no end
_GIVEN = parse_statements("true(F) :- F = @certain().")
_LARGEST_INT = 2**31 - 1  # of a number in C
_CALLBACKS = ("rule", "weight_rule", "external", "output_atom")
_SYMBOL_FUNCTIONS = (
    "clingo_symbol_name",
    "clingo_symbol_arguments",
    "clingo_symbol_to_string_size",
    "clingo_symbol_to_string",
)


class Shown(NamedTuple):
    """Atoms of one predicate: the texts of their arguments, and their numbers; 0 is a fact."""

    arguments: list[Any]
    atoms: array[int]


class GroundRules:
    """The ground rules of one grounding; ``handle`` points to a ``struct ground_program`` in C.

    clingo's grounder passes them to functions in C (``native/observer.c``). A ``Observer``
    would get them as Python objects, with one call for each rule. That takes ten times as long as
    the grounding itself.
    """

    def __init__(self, most_rules: int, budget: Budget = UNLIMITED) -> None:
        """The budget can stop the grounder."""
        budget.check()
        self._budget = budget
        self._raised: list[BaseException] = []
        looks = _looks(budget, self._raised)
        next(looks)
        self._go_on = kernel().ffi.callback("bool(void)", looks.__next__)  # C has its address
        new = kernel().ground_new(min(most_rules, _LARGEST_INT), self._go_on)
        self._owner = made(new, "ground_free")
        self.handle = self._owner.pointer

    def observe(self, control: Control) -> None:
        """Record the rules that a control grounds from now on; its solver does not get them."""
        library = kernel()
        callbacks = {name: _address(getattr(library, f"ground_{name}")) for name in _CALLBACKS}
        observe(control, callbacks, _address(self.handle))

    def check(self) -> None:
        """Raise the exception that stopped the grounder, or that of the budget."""
        ground, library = self.handle, kernel()
        if ground.status == library.TOO_MANY_RULES:
            raise TooLarge(f"there are more than {ground.most_rules:,} ground rules")
        if ground.status == library.STOPPED:
            raise self._raised[0]
        if ground.status == library.NO_MEMORY:
            raise LimitReached("there is no memory for the ground rules")
        library.check(ground.status)
        self._budget.check()

    @property
    def is_not_plain(self) -> bool:
        """Whether a rule that constrains or chooses stopped the grounder."""
        return self.handle.status in (kernel().CONSTRAINS, kernel().CHOOSES)

    @property
    def choices(self) -> memoryview:
        """The open atoms; an atom may occur more than once."""
        return kernel().view(self.handle.choices, self.handle.choice_count)

    @property
    def atoms(self) -> int:
        """The highest number of an atom."""
        return int(self.handle.atoms)

    @cached_property
    def shown(self) -> dict[str, Shown]:
        """The shown atoms of each predicate."""
        ffi = kernel().ffi
        functions = ffi.new("struct clingo_functions *")
        members = ffi.typeof("struct clingo_functions").fields
        for (name, member), place in zip(members, addresses(_SYMBOL_FUNCTIONS), strict=True):
            setattr(functions, name, ffi.cast(member.type, place))
        owner = made(kernel().names_new(self.handle, functions), "names_free")
        names = owner.pointer
        texts = ffi.buffer(names.texts, names.length)[:].decode().split("\0")
        rows = kernel().view(names.rows, 4 * names.row_count)
        shown: dict[str, Shown] = {}
        same: dict[tuple[str, ...], tuple[str, ...]] = {}  # a move's, in ``does`` and ``legal``
        end = 0
        for predicate, run in groupby(rows[::4]):
            start, end = end, end + 4 * len(list(run))
            columns = [rows[start + column : end : 4] for column in (1, 2)]
            named = [map(texts.__getitem__, column) for column in columns if column[0] >= 0]
            atoms = rows[start + 3 : end : 4]
            into = shown.setdefault(texts[predicate], Shown([], array("i")))
            each = zip(*named, strict=True) if named else [()] * len(atoms)
            into.arguments.extend(same.setdefault(found, found) for found in each)
            into.atoms.frombytes(atoms.tobytes())
        return shown


def _address(pointer: Pointer) -> int:
    return int(kernel().ffi.cast("uintptr_t", pointer))


def _looks(budget: Budget, raised: list[BaseException]) -> Iterator[bool]:
    """Yield whether to continue; an exception of the budget is stored in ``raised``.

    While clingo works, an exception of a signal handler appears when Python runs again: here. A
    function would lose it before its first line; a suspended generator is within ``try``.
    """
    while True:
        try:
            budget.check()
            yield True
        except GeneratorExit:
            return
        except BaseException as error:
            raised.append(error)
            yield False


class Endless(TooLarge):
    """The numbers of an operation have no end while the state is open: ``FILE:LINE: …``."""

    @property
    def place(self) -> str:
        """The file and line of the rule."""
        return str(self).removesuffix(_NO_END)


class _OpenContext(Context):
    """As ``Context``, for operations on the numbers of all states."""

    def check(self, place: Symbol, sign: Symbol, left: Symbol, right: Symbol) -> None:
        """Raise ``Endless`` instead of an error of play, which may never come."""
        known: dict[str, set[float]] = vars(self).setdefault("_results", {})
        results = known.setdefault(place.string, set())
        results.add(result_of(sign, left, right))
        try:
            super().check(place, sign, left, right)
        except RulesError:
            raise Endless(place.string + _NO_END) from None
        if len(results) > _MOST_RESULTS:
            raise Endless(place.string + _NO_END)


class OpenProgram:
    """The rules of a game, prepared for grounding with an open state."""

    def __init__(
        self,
        ask: Callable[[], Iterable[AST]],
        constants: Constants,
        recall: Recall | None = None,
        by_base: bool = False,
    ) -> None:
        """Prepare the rules that ``ask`` gives, or take them from where they are kept.

        With ``by_base``, states have no fluents but those of ``base/1``.
        """
        self._ask, self._constants = ask, constants
        self._closing = _CLOSED_BY_BASE if by_base else _CLOSED
        wanted = (*_WANTED, _BASE) if by_base else _WANTED
        prepare = partial(_prepared, ask, constants, wanted)
        self._program = kept_program(prepare, recall) if recall else prepare()

    def ground(
        self,
        certain: Iterable[str],
        possible: Iterable[str],
        closed: bool,
        most_rules: int = MOST_RULES,
        budget: Budget = UNLIMITED,
    ) -> GroundRules:
        """The ground rules for all states with the certain fluents and any of the possible ones.

        Raises ``LimitReached`` for too many rules: always if reachable fluents have no end.
        """
        found = GroundRules(most_rules, budget)
        context = _OpenContext(
            self._program.static,
            certain=lambda: list(map(known_symbol, certain)),
            possible=lambda: list(map(known_symbol, possible)),
        )
        statements = [*self._program.statements, *(self._closing if closed else ())]
        before = self._program.before
        try:
            ground(self._constants, statements, context, observe=found.observe, before=before)
        except RulesError:
            if closed and found.is_not_plain and self._closing is _CLOSED:
                return self._in_rounds(certain, possible, most_rules, budget)
            try:
                found.check()
            except RulesError as error:
                culprit = _culprit(map(rule_of, self._ask())) if found.is_not_plain else ""
                raise RulesError(f"{culprit}{error}") from None
            raise
        return found

    def _in_rounds(
        self, certain: Iterable[str], possible: Iterable[str], most_rules: int, budget: Budget
    ) -> GroundRules:
        """The ground rules as in a closed grounding, with the fluents that follow round by round.

        In a closed grounding, an aggregate over fluents may depend on itself through the next
        state. clingo then writes disjunctions, for aggregates that aren't monotone.
        """
        known = {*possible}
        for _ in range(_MOST_ROUNDS):
            found = self.ground(certain, sorted(known), False, most_rules, budget)
            following = found.shown["next"].arguments if "next" in found.shown else ()
            more = {fluent for (fluent,) in following}.difference(known, certain)
            if not more:
                return found
            known |= more
        raise TooLarge(f"the fluents have no end within {_MOST_ROUNDS:,} plies")


def _prepared(
    ask: Callable[[], Iterable[AST]], constants: Constants, wanted: Sequence[Signature]
) -> Prepared:
    """The statements to be grounded for the wanted predicates."""
    statements = plain_literals(list(ask()), _WANTED)
    signed = any(BOTH in rule_of(statement).heads for statement in statements)
    wanted = (*wanted, BOTH) if signed else wanted
    # Only the atoms in demand are grounded of predicates with very many possible atoms.
    asked = MagicSets(statements, _LARGE_PREDICATE, _LARGE_PREDICATE, constants).statements(wanted)
    known = Program(asked, constants, wanted).static
    counts = {signature: len(atoms) for signature, atoms in known.items()}
    program = Program(split(asked, statements, counts), constants, wanted, known)
    lasting = _lasting(program.rules, program.changing)
    certainly = _Certainly({TRUE, *(head for rule in lasting for head in rule.heads)})
    facts = [rule for signature, rule in program.given.items() if signature in wanted]
    before = [rule for rule in program.given.values() if rule not in facts]
    before += [certainly.of(rule) for rule in (*map(rule_of, _GIVEN), *lasting)]
    # Possible demand counts as demand, so that the net doesn't compute it for each state.
    cut = map(certainly.cut, program.rules)
    rules = [make_external(rule) if is_demand(rule) else rule for rule in cut]
    statements = [*facts, *rules, *_GIVEN, *_OPEN, *[show(BOTH)] * signed]
    return Prepared(statements, before, program.passed)


def _culprit(rules: Iterable[Rule]) -> str:
    """The first statement that constrains or chooses: ``FILE:LINE: a constraint: ``."""
    for rule in rules:
        if rule.head and rule.literals and not rule.heads:
            return f"{short_place(rule.statement)}: a constraint about the state: "
        if not rule.plain and rule.head and (kind := kind_of(rule.head.node)):
            name = "a disjunction" if kind == "Disjunction" else "a choice"
            return f"{short_place(rule.statement)}: {name}: "
    return ""


class _Certainly:
    """Rewrites rules to use predicates of certain atoms."""

    def __init__(self, predicates: set[Signature]) -> None:
        self._predicates = predicates

    def of(self, rule: Rule) -> AST:
        """The rule that derives certain atoms."""
        assert rule.head is not None
        head, *body = map(self._literal, (rule.head, *rule.literals))
        return with_body(rule.statement, body, head)

    def _literal(self, literal: Literal) -> AST:
        if not self._predicates.issuperset(literal.signatures) or not literal.signatures:
            return literal.node
        # No name in a file can contain a blank.
        return with_atoms(literal.node, lambda name, arguments: (f"certain {name}", arguments))

    def cut(self, rule: Rule) -> AST:
        """The statement without the instances that negate a certain atom."""
        denied = [
            self._literal(literal)
            for literal in rule.literals
            if is_negated(literal) and self._predicates.issuperset(literal.signatures)
        ]
        if not denied:
            return rule.statement
        return with_body(rule.statement, [*(literal.node for literal in rule.literals), *denied])


def _lasting(rules: Sequence[Rule], changing: set[Signature]) -> list[Rule]:
    """The rules that derive atoms from fluents without negation.

    Only rules that a negated predicate depends on are kept.
    """
    found: list[Rule] = []
    known = {TRUE}
    candidates = [rule for rule in rules if _is_positive(rule, changing)]
    while more := [r for r in candidates if r not in found and r.body & changing <= known]:
        found += more
        known.update(head for rule in more for head in rule.heads)
    negated = {
        signature
        for rule in rules
        for literal in rule.literals
        if rule.heads and is_negated(literal)
        for signature in literal.signatures
    }
    return needed_rules(found, negated)


def _is_positive(rule: Rule, changing: set[Signature]) -> bool:
    """Whether a rule derives an atom and negates nothing that depends on the state."""
    return (
        rule.head is not None
        and is_positive(rule.head)
        and all(
            is_positive(literal) or changing.isdisjoint(literal.signatures)
            for literal in rule.literals
        )
    )
